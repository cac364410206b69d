"""One run of a target: its source of randomness, and the watch over the event loop."""

from __future__ import annotations

import asyncio
import tempfile
import time
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from threading import get_ident
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
    from random import Random

MAX_GAP_SECONDS = 0.1
"""Most work that the thread of the loop may do between two turns of it."""

MAX_STALL_SECONDS = 5.0
"""Longest time between two turns, whatever the thread waits for; a busy machine explains less than this."""

MAX_CASE_SECONDS = 30.0
"""Longest run of one case."""

BEAT_SECONDS = 0.002


class Case(NamedTuple):
    """What a target works with."""

    random: Random
    """The only source of chance."""
    folder: Path
    """An empty folder, removed afterwards."""


class Target(NamedTuple):
    """One kind of input."""

    name: str
    """Named on the command line."""
    run: Callable[[Case], Awaitable[None]]
    """Makes one input and lets the engine have it."""


class LoopGap(Exception):
    """The event loop was kept from its next turn for too long."""


async def run_case(
    target: Target, random: Random, *, max_gap_seconds: float = MAX_GAP_SECONDS
) -> None:
    """Run one case.

    Raises:
        LoopGap: the loop did not get its turns.
        TimeoutError: the case did not end.
        Exception: whatever the engine should not have raised.
    """
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        async with watched_loop(max_gap_seconds), asyncio.timeout(MAX_CASE_SECONDS):
            await target.run(Case(random, Path(folder)))


class Gap(NamedTuple):
    """What happened between two turns of the loop that were asked for."""

    worked: float
    """Seconds that the thread of the loop worked: what other programs do at the time does not count."""
    took: float
    """Seconds that passed."""
    callback: str
    """The callback that worked most."""
    callback_worked: float
    """Seconds that it worked."""

    def __str__(self) -> str:
        """Return all of it as a sentence."""
        of_it = f"{self.callback_worked:.3f} s of it in {self.callback}"
        return f"a turn of the loop took {self.worked:.3f} s of work ({of_it}), {self.took:.3f} s in all"


@asynccontextmanager
async def watched_loop(max_gap_seconds: float = MAX_GAP_SECONDS) -> AsyncGenerator[None]:
    """Measure the gaps between turns of the loop while this goes on.

    Raises:
        LoopGap: one was too long.
    """
    worst: list[Gap] = []
    with _heaviest_callback() as heaviest:
        beating = asyncio.ensure_future(_beat(worst, heaviest))
        await asyncio.sleep(0)
        try:
            yield
            await asyncio.sleep(BEAT_SECONDS)
        finally:
            beating.cancel()
            await asyncio.gather(beating, return_exceptions=True)
    for gap in worst:
        if gap.worked > max_gap_seconds or gap.took > MAX_STALL_SECONDS:
            raise LoopGap(str(gap))


async def _beat(worst: list[Gap], heaviest: list[tuple[str, float]]) -> None:
    """Keep the gap with the most work, and the longest one."""
    while True:
        heaviest[:] = [("", 0.0)]
        worked, began = time.thread_time(), time.monotonic()
        await asyncio.sleep(BEAT_SECONDS)
        gap = Gap(time.thread_time() - worked, time.monotonic() - began, *heaviest[0])
        gaps = [*worst, gap]
        worst[:] = max(gaps, key=lambda gap: gap.worked), max(gaps, key=lambda gap: gap.took)


@contextmanager
def _heaviest_callback() -> Generator[list[tuple[str, float]]]:
    """Give the callback of this thread's loop that worked most, and for how many seconds; as long as another is in the list, since that."""
    heaviest = [("", 0.0)]
    run, thread = asyncio.Handle._run, get_ident()  # noqa: SLF001 - nothing else sees every callback

    def run_measured(self: asyncio.Handle) -> None:
        if get_ident() != thread:
            run(self)
            return
        callback = self._callback
        before = time.thread_time()
        run(self)
        worked = time.thread_time() - before
        if worked > heaviest[0][1]:
            heaviest[:] = [(_name(callback), worked)]

    asyncio.Handle._run = run_measured  # noqa: SLF001
    try:
        yield heaviest
    finally:
        asyncio.Handle._run = run  # noqa: SLF001


def _name(callback: object) -> str:
    """Return what a callback is, of a task its name and function."""
    owner = getattr(callback, "__self__", None)
    if isinstance(owner, asyncio.Task):
        return (
            f"{owner.get_name()} ({getattr(cast('object', owner.get_coro()), '__qualname__', '')})"
        )
    return getattr(callback, "__qualname__", repr(callback))
