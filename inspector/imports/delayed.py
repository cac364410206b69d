"""Frames in the order of their time, where a file has the response in the entry of its request, or has stored some frames late."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from inspector.wire.frame import Frame


MAX_WAITING, MAX_WAITING_BYTES = 20_000, 64 << 20
"""Frames that wait for their time; with more of them, the earliest one does not wait."""


def in_order(groups: Iterable[Sequence[Frame]]) -> Iterator[Frame]:
    """Yield the first frame of each group, and the others when their time has come: by time, those of one moment in the order of the file."""
    waiting: list[tuple[float, int, Frame]] = []
    count = size = 0
    for group in groups:
        for frame in group:
            heapq.heappush(waiting, (frame.wall_s, count, frame))
            count += 1
            size += len(frame.raw)
        now = group[0].wall_s
        while waiting and (
            waiting[0][0] <= now or len(waiting) > MAX_WAITING or size > MAX_WAITING_BYTES
        ):
            frame = heapq.heappop(waiting)[2]
            size -= len(frame.raw)
            yield frame
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
