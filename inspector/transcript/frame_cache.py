"""The bytes of the latest frames, in memory, within a budget. What it lets go is in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire.frame import FRAME_COST

if TYPE_CHECKING:
    from collections.abc import Sequence

DEFAULT_BUDGET = 64 << 20
"""Bytes of memory for the latest frames, with what each one costs beside its content."""

ASIDE_BUDGET = 1 << 20
"""The same, of a transcript to which nothing is added any more."""

HELD_BUDGET = 8 << 20
"""Bytes of memory for frames whose secrets are not in the file; of those beyond it only the redacted form can be read again."""

FRAME_BYTES = 64
"""About what a frame takes in memory beside its bytes."""


class FrameCache:
    """Frames' bytes by number; the oldest that are safely stored go first."""

    def __init__(self, budget: int = DEFAULT_BUDGET) -> None:
        """Keep at most `budget` bytes of stored frames; what is not yet stored is always kept."""
        self.budget = budget
        self.size = 0
        self.stored = 0
        """Frames up to this number are in the file."""
        self._raws: list[bytes] = []
        self._gone = 0
        self._held: dict[int, bytes] = {}
        self._held_size = 0

    def add(self, raws: Sequence[bytes]) -> None:
        """Keep the bytes of the next frames."""
        self._raws += raws
        self.size += sum(map(len, raws)) + FRAME_COST * len(raws)

    def hold(self, number: int, raw: bytes) -> None:
        """Keep the bytes of a frame that the file holds without its secrets, as long as the record is open."""
        if self._held_size + len(raw) + FRAME_COST <= HELD_BUDGET:
            self._held[number] = raw
            self._held_size += len(raw) + FRAME_COST

    def get(self, number: int) -> bytes | None:
        """The bytes, or none once they were let go."""
        if number > self._gone:
            return self._raws[number - 1 - self._gone]
        return self._held.get(number)

    def restored(self, start: int, stored: list[bytes]) -> list[bytes]:
        """What the file holds of the frames from `start` on, with the bytes of those that are held."""
        if not self._held:
            return stored
        return [self._held.get(number, raw) for number, raw in enumerate(stored, start)]

    def between(self, start: int, stop: int) -> list[bytes]:
        """The bytes from `start`, which is at least `first`, to before `stop`."""
        return self._raws[start - 1 - self._gone : stop - 1 - self._gone]

    @property
    def first(self) -> int:
        """The lowest number that is still kept."""
        return self._gone + 1

    @property
    def held_bytes(self) -> int:
        """About how much memory the frames take, with what is known of each."""
        return self.size + self._held_size + len(self._raws) * FRAME_BYTES

    def set_aside(self) -> None:
        """Hold little from now on."""
        self.budget = ASIDE_BUDGET
        self.evict(self.stored)

    def evict(self, stored: int) -> None:
        """Note that frames up to `stored` are in the file and drop the oldest beyond the budget."""
        self.stored = stored
        over, most, count = self.size - self.budget, stored - self._gone, 0
        while over > 0 and count < most:
            over -= len(self._raws[count]) + FRAME_COST
            count += 1
        if count:
            del self._raws[:count]
            self._gone += count
            self.size = self.budget + over
