"""The timeline of a long transcript: until its spans are built, and one frame painted at any place and zoom."""

from __future__ import annotations

import random
import statistics
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.bench.child.window import BenchWindow

VIEWS = 60
"""Places and zooms that are painted."""


async def timeline(shell: BenchWindow) -> dict[str, float]:
    """Of the transcript that is open: seconds to build, the gap meanwhile, milliseconds of a frame."""
    from tests.bench.child.window import memory_mb, until

    window, page = shell.app.window, shell.app.window.parts.timeline.page
    before = memory_mb()
    shell.gaps.begin()
    began = time.perf_counter()
    window.raise_dock("timeline")
    await until(lambda: page.feed.is_complete and page.visible_time.length_s > 0)
    built, gap = time.perf_counter() - began, shell.gaps.end_ms()
    low, high = page.visible_time.bounds
    took: list[float] = []
    for _ in range(VIEWS):
        length = (high - low) * 10 ** random.uniform(-5, 0)
        first = random.uniform(low, high - length)
        began = time.perf_counter()
        page.visible_time.show(first, first + length)
        page.tracks.repaint()
        page.overview.repaint()
        took.append(time.perf_counter() - began)
    window.raise_dock("traffic")
    return {
        "timeline": built,
        "timeline_gap_ms": gap,
        "timeline_frame_ms": statistics.median(took) * 1000,
        "timeline_longest_ms": max(took) * 1000,
        "timeline_memory_mb": memory_mb() - before,
    }
