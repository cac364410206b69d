"""The background tasks of one owner."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from typing import TYPE_CHECKING

from inspector import background_tasks
from inspector.background_tasks import (
    FRAME_SECONDS,
    MIN_SLICE_SECONDS,
    SLICE_SECONDS,
    BackgroundTasks,
    TurnQueue,
    TurnShare,
    load_aside,
)

if TYPE_CHECKING:
    import pytest


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


async def test_more_than_a_turn_holds_is_done_in_the_next_ones_in_order() -> None:
    queue, done = TurnQueue(count=3), list[int]()
    for number in range(8):
        queue.add(partial(done.append, number))

    sizes = [len(done)]
    while queue.pending:
        await asyncio.sleep(0)
        sizes.append(len(done))

    assert sizes == [3, 6, 8]
    assert done == list(range(8))


async def test_work_about_many_bytes_has_a_turn_of_its_own() -> None:
    queue, done = TurnQueue(count=3, size=10), list[int]()
    for size in (20, 20, 4, 4, 4):
        queue.add(partial(done.append, size), size)

    assert done == [20]
    assert queue.pending_bytes == 32
    await asyncio.sleep(0)
    assert done == [20, 20]
    await asyncio.sleep(0)
    assert done == [20, 20, 4, 4, 4]
    assert queue.pending_bytes == 0


async def test_tasks_go_on_a_few_in_each_turn_and_a_cancelled_one_holds_nobody_up() -> None:
    queue, done = TurnQueue(count=2), list[int]()

    async def work(number: int) -> None:
        await queue.turn()
        done.append(number)

    tasks = [asyncio.ensure_future(work(number)) for number in range(7)]
    await asyncio.sleep(0)
    assert done == [0, 1]
    tasks[3].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

    assert done == [0, 1, 2, 4, 5, 6]


async def test_a_piece_that_fails_does_not_end_the_queue() -> None:
    queue, done = TurnQueue(count=1), list[int]()
    told: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: told.append(str(context["exception"]))
    )

    def fail() -> None:
        raise ValueError("no")

    queue.add(partial(done.append, 1))
    queue.add(fail)
    queue.add(partial(done.append, 2))
    await asyncio.wait_for(queue.turn(), 5)

    assert done == [1, 2]
    assert told == ["no"]


def test_a_slice_is_shorter_where_others_took_the_time_of_the_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: what works at the same time shares a frame of the display; the first slice after a rest is a whole one."""
    now = [0.0]
    monkeypatch.setattr(background_tasks, "perf_counter", lambda: now[0])
    share = TurnShare()
    assert share.until() == SLICE_SECONDS
    share.end()
    now[0] = FRAME_SECONDS  # other work in the same turn
    assert share.until() == FRAME_SECONDS + MIN_SLICE_SECONDS
    share.end(is_done=True)
    now[0] = 0.0
    assert share.until() == SLICE_SECONDS


async def test_two_threads_never_import_at_once() -> None:
    """Ours: each could wait for a module of the other, and Python would go on with one that is not complete."""
    first_began, first_may_end, order = threading.Event(), threading.Event(), list[str]()

    def first() -> str:
        first_began.set()
        assert first_may_end.wait(5)
        order.append("first")
        return threading.current_thread().name

    def second() -> str:
        order.append("second")
        return threading.current_thread().name

    loads = [asyncio.ensure_future(load_aside(first))]
    assert await asyncio.to_thread(first_began.wait, 5)
    loads.append(asyncio.ensure_future(load_aside(second)))
    await asyncio.to_thread(lambda: None)  # the second has its thread by then
    first_may_end.set()

    assert threading.current_thread().name not in await asyncio.gather(*loads)
    assert order == ["first", "second"]
