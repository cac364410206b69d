"""asyncio tasks that end with their owner, long work that is cut up so that the event loop runs other tasks in between, and imports beside it."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from importlib import import_module
from math import inf
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Generator


T = TypeVar("T")

Steps: TypeAlias = "Generator[None, None, T]"
"""Work that yields after each small piece, and returns its result."""

IMPORTING = Lock()
"""Held by a thread while it imports; see `import_aside`."""

SLICE_SECONDS = 0.008
"""Length of one slice: half a frame of a display."""

TURN_COUNT = 16
"""Pieces of work in one turn of the loop. A piece that wakes or starts a task costs its time later, so it is counted and not measured; a turn of its own
for each would cost more than the work."""

TURN_BYTES = 1 << 16
"""What these pieces may process together; one may be larger."""


FRAME_SECONDS = 0.016
"""A frame of a display: what everything in one turn of the event loop takes together, at best."""

MIN_SLICE_SECONDS = 0.002
"""Length of one slice where nothing is left of a frame: the work goes on nevertheless."""


class TurnShare:
    """How long the next slice of long work may take: what everything else in a turn of the event loop leaves of a frame.

    The time since the slice before tells that, be it other work, painting, or a thread that keeps the interpreter. So several that work at a time
    share a frame, and none knows of another.
    """

    def __init__(
        self,
        seconds: float = SLICE_SECONDS,
        *,
        min_seconds: float = MIN_SLICE_SECONDS,
        pause_seconds: float = 0.0,
    ) -> None:
        """Allow `seconds` at most, and at least `min_seconds`; the work itself waits for `pause_seconds` between two slices."""
        self._seconds, self._min_seconds = seconds, min_seconds
        self._frame_seconds = FRAME_SECONDS + pause_seconds
        self._ended = inf

    def until(self) -> float:
        """Return up to which `time.perf_counter()` the slice may take that begins now; call `end` after it."""
        now = perf_counter()
        left = self._frame_seconds - (now - self._ended)
        return now + min(max(left, self._min_seconds), self._seconds)

    def end(self, *, is_done: bool = False) -> None:
        """Take note of the end of a slice; after the last one, time passes for other reasons."""
        self._ended = inf if is_done else perf_counter()


class TimeSlices:
    """Measures the work of one function, which calls `checkpoint` after each small piece."""

    def __init__(self, seconds: float = SLICE_SECONDS) -> None:
        self._share = TurnShare(seconds)
        self._until = self._share.until()

    async def checkpoint(self) -> None:
        """Let the event loop run when the slice is used up; the place where the function can be cancelled."""
        if perf_counter() >= self._until:
            self._share.end()
            await asyncio.sleep(0)
            self._until = self._share.until()


async def in_steps(work: Steps[T]) -> T:
    """Do `work`, and let the event loop run whenever a slice of time is used up; return its result."""
    slices = TimeSlices()
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value
        await slices.checkpoint()


def at_once(work: Steps[T]) -> T:
    """Do `work` without a pause: for work that is known to be small."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


async def in_time_slices(items: AsyncIterator[T]) -> AsyncIterator[T]:
    """Yield `items`; what `items` gives without waiting, because it is buffered, does not stop the event loop."""
    slices = TimeSlices()
    async for item in items:
        yield item
        await slices.checkpoint()


async def import_aside(*names: str) -> None:
    """Import modules of other packages in a thread, by the names that the modules of Spyglass import.

    Of two threads that import modules which import one another, each may wait for a module of the other; Python then goes on with one that
    is not complete, and names are missing in it. So one thread imports at a time, and it imports nothing of Spyglass: what the thread of the
    event loop has begun to import is never needed by the other one, whichever begins first.
    """
    if IMPORTING.locked() or not all(name in sys.modules for name in names):
        await load_aside(lambda: [import_module(name) for name in names])


async def load_aside(load: Callable[[], T]) -> T:
    """Return what `load`, which imports modules of other packages, returns in a thread."""

    def run() -> T:
        with IMPORTING:
            return load()

    return await asyncio.to_thread(run)


async def import_in_slices(*names: str) -> None:
    """Import modules of Spyglass, each of which takes a moment."""
    slices = TimeSlices()
    for name in names:
        if name not in sys.modules:
            import_module(name)
            await slices.checkpoint()


class TurnQueue:
    """Pieces of work, done in order, and only some in one turn of the event loop."""

    def __init__(self, count: int = TURN_COUNT, size: int = TURN_BYTES) -> None:
        """Do up to `count` pieces in a turn, and no other once those of the turn are about `size` bytes."""
        self._count = count
        self._size = size
        self._pending: deque[tuple[Callable[[], object], int]] = deque()
        self._pending_bytes = 0
        self._left = self._left_bytes = 0
        self._next: asyncio.Handle | None = None

    @property
    def pending(self) -> int:
        """Pieces that are not done."""
        return len(self._pending)

    @property
    def pending_bytes(self) -> int:
        """About how many bytes they process."""
        return self._pending_bytes

    def add(self, work: Callable[[], object], size: int = 0) -> None:
        """Call `work`, which is about `size` bytes: at once if nothing waits and the turn has room, else in one of the next turns."""
        if self._next is None:
            self._begin_turn()
        if self._pending or not self._has_capacity():
            self._pending.append((work, size))
            self._pending_bytes += size
        else:
            self._do(work, size)

    async def turn(self) -> None:
        """Return when the calling task may do a piece of work."""
        if self._next is None:
            self._begin_turn()
        if not self._pending and self._has_capacity():
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
        if not self._pending:
            return
        self._begin_turn()  # first, so that a piece that fails does not end the queue
        while self._pending and self._has_capacity():
            work, size = self._pending.popleft()
            self._pending_bytes -= size
            self._do(work, size)

    def _has_capacity(self) -> bool:
        return self._left > 0 and self._left_bytes > 0

    def _do(self, work: Callable[[], object], size: int) -> None:
        self._left -= 1
        self._left_bytes -= size
        work()


class BackgroundTasks:
    """The background tasks of one session, connection or other owner; their errors go to the loop's exception handler."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[object, object, None], *, name: str) -> asyncio.Task[None]:
        """Run `work` until it is done or the owner cancels it."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._on_done)
        return task

    def cancel(self) -> None:
        """Cancel all tasks except the calling one, without waiting until they end."""
        for task in self._others():
            task.cancel()

    async def aclose(self) -> None:
        """Cancel all tasks except the calling one and wait until they have ended."""
        tasks = self._others()
        turns = TurnQueue()
        for task in tasks:
            # Thousands of tasks that end in one turn of the event loop would block it.
            await turns.turn()
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _others(self) -> set[asyncio.Task[None]]:
        return self._running - {asyncio.current_task()}

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            context = {
                "message": f"The task {task.get_name()} failed",
                "exception": error,
                "task": task,
            }
            task.get_loop().call_exception_handler(context)
