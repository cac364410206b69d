"""One run of a target: its source of randomness, and the watch over the event loop."""

from __future__ import annotations

import asyncio
import tempfile
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable
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


@asynccontextmanager
async def watched_loop(max_gap_seconds: float = MAX_GAP_SECONDS) -> AsyncGenerator[None]:
    """Measure the gaps between turns of the loop while this goes on.

    Raises:
        LoopGap: one was too long. What the thread works is measured, so other work on the machine does not count.
    """
    gaps: list[tuple[float, float]] = []
    beating = asyncio.ensure_future(_beat(gaps))
    await asyncio.sleep(0)
    try:
        yield
        await asyncio.sleep(BEAT_SECONDS)
    finally:
        beating.cancel()
        await asyncio.gather(beating, return_exceptions=True)
    worked = max((gap[0] for gap in gaps), default=0.0)
    stalled = max((gap[1] for gap in gaps), default=0.0)
    if worked > max_gap_seconds or stalled > MAX_STALL_SECONDS:
        raise LoopGap(f"a turn of the loop took {worked:.3f} s of work, {stalled:.3f} s in all")


async def _beat(gaps: list[tuple[float, float]]) -> None:
    while True:
        worked, began = time.thread_time(), time.monotonic()
        await asyncio.sleep(BEAT_SECONDS)
        gaps.append((time.thread_time() - worked, time.monotonic() - began))
        if len(gaps) > 100:
            gaps[:] = [(max(gap[0] for gap in gaps), max(gap[1] for gap in gaps))]
