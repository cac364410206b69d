"""Work in turns of the event loop; ours."""

from __future__ import annotations

import asyncio
from functools import partial

from inspector.time_slices import TurnQueue


async def test_more_than_a_turn_holds_is_done_in_the_next_ones_in_order() -> None:
    queue, done = TurnQueue(count=3), list[int]()
    for number in range(8):
        queue.add(partial(done.append, number))

    sizes = [len(done)]
    while queue.waiting:
        await asyncio.sleep(0)
        sizes.append(len(done))

    assert sizes == [3, 6, 8]
    assert done == list(range(8))


async def test_work_about_many_bytes_has_a_turn_of_its_own() -> None:
    queue, done = TurnQueue(count=3, size=10), list[int]()
    for size in (20, 20, 4, 4, 4):
        queue.add(partial(done.append, size), size)

    assert done == [20]
    assert queue.waiting_bytes == 32
    await asyncio.sleep(0)
    assert done == [20, 20]
    await asyncio.sleep(0)
    assert done == [20, 20, 4, 4, 4]
    assert queue.waiting_bytes == 0


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
