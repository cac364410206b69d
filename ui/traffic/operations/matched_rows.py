"""Which rows at the top a filter selects: those with a matching frame in or beneath them. Works in slices; knows no Qt."""

from __future__ import annotations

from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING

from ui.traffic.operations.visible_rows import top_key

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable

    from ui.models.visible_frames import VisibleFrames

FRAMES_PER_LOOK = 64
"""Matching frames between two looks at the time."""


class MatchedRows:
    """The selected rows, by their keys; `advance` finds them from the frames that match."""

    def __init__(self, top_of: Callable[[int], int], is_match: Callable[[int], bool]) -> None:
        """Start without frames; `top_of` returns the row at the top of a frame, 0 while it has none.

        `is_match` tells the frames that match from those that are rows only because a run begins with them.
        """
        self.keys: set[int] = set()
        self._top_of = top_of
        self._is_match = is_match
        self._new: list[int] = []
        self._waiting: deque[array[int]] = deque()
        """Matching frames whose rows are not found yet, in any order."""
        self._reached = 0
        """How many of the first of these arrays are done."""
        self._cleared_before = 0

    @property
    def is_complete(self) -> bool:
        """Whether the rows of all matching frames are found."""
        return not self._waiting

    def clear(self) -> None:
        """Select no row."""
        self.keys.clear()
        self._new.clear()
        self._waiting.clear()
        self._reached = 0

    def start(self, visible: VisibleFrames) -> None:
        """Begin again with the frames that match at present; also those that folded, which are no rows there."""
        self.clear()
        self._cleared_before = visible.cleared_before
        if visible.numbers:
            self._waiting.append(visible.numbers[:])
        self._waiting.extend(visible.members.values())

    def extend(self, numbers: array[int]) -> None:
        """These frames match too."""
        if numbers:
            self._waiting.append(numbers)

    def discard(self, key: int) -> None:
        """A row is none any more."""
        self.keys.discard(key)

    def advance(self, until: float) -> bool:
        """Find rows until `perf_counter()` is past `until`, or a frame has no row yet; return whether none is left."""
        while self._waiting:
            numbers = self._waiting[0]
            for number in numbers[self._reached : self._reached + FRAMES_PER_LOOK]:
                top = self._top_of(number)
                if not top:
                    return False
                self._reached += 1
                if self._is_match(number):
                    self._select(top)
            if self._reached >= len(numbers):
                self._waiting.popleft()
                self._reached = 0
            if perf_counter() >= until:
                break
        return self.is_complete

    def _select(self, top: int) -> None:
        key = top_key(top)
        if top > self._cleared_before and key not in self.keys:
            self.keys.add(key)
            self._new.append(key)

    def take_new(self) -> list[int]:
        """Return the rows found since the last time."""
        new, self._new = self._new, []
        return new
