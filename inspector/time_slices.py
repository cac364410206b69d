"""Long work in an asynchronous function, cut into slices of time: between two slices the event loop runs everything else."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

T = TypeVar("T")

SLICE_SECONDS = 0.008
"""Length of one slice: half a frame of a display."""


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
