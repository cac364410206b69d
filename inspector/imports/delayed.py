"""Frames in the order of their time, where a file has a response in the entry of its request, or has stored some frames late."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.wire.frame import Frame


def in_order(groups: Iterable[tuple[Frame, Frame | None]]) -> Iterator[Frame]:
    """Yield the first frame of each group, and the other one when its time has come."""
    waiting: list[tuple[float, int, Frame]] = []
    for count, (first, later) in enumerate(groups):
        while waiting and waiting[0][0] <= first.wall_s:
            yield heapq.heappop(waiting)[2]
        yield first
        if later is not None:
            heapq.heappush(waiting, (later.wall_s, count, later))
    while waiting:
        yield heapq.heappop(waiting)[2]


MAX_LATE = 256
"""Frames between where one is and where it belongs."""


def sorted_nearby(frames: Iterable[Frame]) -> Iterator[Frame]:
    """Yield frames by time, where none is further from its place than `MAX_LATE` frames."""
    waiting: list[tuple[float, int, Frame]] = []
    for count, frame in enumerate(frames):
        heapq.heappush(waiting, (frame.wall_s, count, frame))
        if len(waiting) > MAX_LATE:
            yield heapq.heappop(waiting)[2]
    while waiting:
        yield heapq.heappop(waiting)[2]
