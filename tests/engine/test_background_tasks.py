"""The background tasks of one owner."""

from __future__ import annotations

import asyncio

from inspector.background_tasks import BackgroundTasks


async def test_closing_cancels_every_task_and_waits_until_it_has_ended() -> None:
    """Ours: nothing of an owner runs after it is closed."""
    tasks, ended = BackgroundTasks(), list[str]()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append("work")

    running = [tasks.spawn(work(), name="work") for _ in range(40)]
    await asyncio.sleep(0)
    await tasks.aclose()
    assert len(ended) == 40
    assert all(task.cancelled() for task in running)


async def test_a_task_may_close_its_own_owner() -> None:
    """Ours: the end of a connection is noticed by one of its tasks, which has to finish its work."""
    tasks, done = BackgroundTasks(), list[str]()

    async def end() -> None:
        tasks.cancel()
        await tasks.aclose()
        done.append("end")

    other = tasks.spawn(asyncio.sleep(5), name="other")
    await tasks.spawn(end(), name="end")
    assert done == ["end"]
    assert other.cancelled()


async def test_an_error_of_a_task_reaches_the_handler_of_the_loop() -> None:
    """Ours: a fault of a task that nobody awaits is reported."""
    found = list[object]()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: found.append(context.get("exception")))

    async def fail() -> None:
        raise ValueError("fault")

    tasks = BackgroundTasks()
    task = tasks.spawn(fail(), name="fail")
    await asyncio.wait([task])
    await tasks.aclose()
    assert [str(each) for each in found] == ["fault"]
