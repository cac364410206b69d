"""Long work, cut up so that the event loop runs everything else in between: of one function into slices of time, of many into turns of the loop."""

from __future__ import annotations

import asyncio
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

T = TypeVar("T")

SLICE_SECONDS = 0.008
"""Length of one slice: half a frame of a display."""

TURN_COUNT = 16
"""Pieces of work in one turn of the loop. A piece that wakes or starts a task costs its time later, so it is counted and not measured; a turn of its own
for each would cost more than the work."""

TURN_BYTES = 1 << 16
"""What these pieces may be about together; one may be larger."""


class TimeSlices:
    """Measures the work of one function, which calls `checkpoint` after each small piece of it."""

    def __init__(self, seconds: float = SLICE_SECONDS) -> None:
        """Start the first slice; each is `seconds` long."""
        self._seconds = seconds
        self._ends = monotonic() + seconds

    async def checkpoint(self) -> None:
        """Let the event loop run when the slice is used up; the place where the function can be cancelled."""
        if monotonic() >= self._ends:
            await asyncio.sleep(0)
            self._ends = monotonic() + self._seconds


async def in_time_slices(items: AsyncIterator[T]) -> AsyncIterator[T]:
    """Yield `items`; what `items` gives without waiting, because it is buffered, does not stop the event loop."""
    slices = TimeSlices()
    async for item in items:
        yield item
        await slices.checkpoint()


class TurnQueue:
    """Pieces of work, done in the order in which they came, and no more than some in one turn of the event loop."""

    def __init__(self, count: int = TURN_COUNT, size: int = TURN_BYTES) -> None:
        """Do up to `count` pieces in a turn, and no other once those of the turn are about `size` bytes."""
        self._count = count
        self._size = size
        self._waiting: deque[tuple[Callable[[], object], int]] = deque()
        self._waiting_bytes = 0
        self._left = self._left_bytes = 0
        self._next: asyncio.Handle | None = None

    @property
    def waiting(self) -> int:
        """Pieces that wait for their turn."""
        return len(self._waiting)

    @property
    def waiting_bytes(self) -> int:
        """What they are about."""
        return self._waiting_bytes

    def add(self, work: Callable[[], object], size: int = 0) -> None:
        """Call `work`, which is about `size` bytes: at once if nothing waits and the turn has room, else in one of the next turns."""
        if self._next is None:
            self._begin_turn()
        if self._waiting or not self._has_room():
            self._waiting.append((work, size))
            self._waiting_bytes += size
        else:
            self._do(work, size)

    async def turn(self) -> None:
        """Return when the calling task may do a piece of work."""
        if self._next is None:
            self._begin_turn()
        if not self._waiting and self._has_room():
            self._left -= 1
            return
        waiter = asyncio.get_running_loop().create_future()
        self.add(lambda: waiter.done() or waiter.set_result(None))
        await waiter

    def _begin_turn(self) -> None:
        self._left, self._left_bytes = self._count, self._size
        self._next = asyncio.get_running_loop().call_soon(self._on_turn)

    def _on_turn(self) -> None:
        self._next = None
        if not self._waiting:
            return
        self._begin_turn()  # first, so that a piece that fails does not end the queue
        while self._waiting and self._has_room():
            work, size = self._waiting.popleft()
            self._waiting_bytes -= size
            self._do(work, size)

    def _has_room(self) -> bool:
        return self._left > 0 and self._left_bytes > 0

    def _do(self, work: Callable[[], object], size: int) -> None:
        self._left -= 1
        self._left_bytes -= size
        work()
