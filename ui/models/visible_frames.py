"""Which frames of a timeline are rows. Knows no Qt.

Runs of stderr lines, of HTTP header blocks and of SSE events without a message are one row, named by their first frame, until the user unfolds it;
not those of a kind that the filter requests: who filters by `kind:stderr` reads the lines.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from functools import cache
from typing import TYPE_CHECKING

from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ui.models.timeline import Timeline

FOLDING = frozenset((MessageKind.STDERR, MessageKind.HTTP, MessageKind.SSE_OTHER))
"""Kinds of frames whose neighbors of the same kind are one row."""


class VisibleFrames:
    """The frame numbers that are rows, ascending; those up to `cleared_before` are kept but not in view."""

    def __init__(self, timeline: Timeline | None = None, *, folds: bool = True) -> None:
        """Start empty; frames of `timeline` fold if `folds` is set."""
        self.numbers = array("I")
        """One for each row."""
        self.members: dict[int, array[int]] = {}
        """First frame of a folded row → its other frames, which have no rows."""
        self.unfolded: dict[int, array[int]] = {}
        """First frame of a row that the user unfolded → its other frames, which have rows."""
        self.named: frozenset[MessageKind] = frozenset()
        """Kinds that the filter requests, whose frames do not fold; changed by `replace`."""
        self.cleared_before = 0
        self.first = 0
        """Where in `numbers` the view begins; as many are hidden."""
        self.folds = folds
        self._kept_open: set[int] = set()
        """First frames of the rows that the user unfolded, under any filter."""
        self._folded_total = 0
        """Frames in `members`: counted as they come, because there may be half a million."""
        self._hidden_folded = (0, 0)
        """`cleared_before`, and how many of the folded frames it hides."""
        self._bytes: dict[int, tuple[int, int]] = {}
        """First frame of a folded row → how many of its other frames were added up, and their bytes."""
        self._timeline = timeline

    def __len__(self) -> int:
        """Rows in view."""
        return len(self.numbers) - self.first

    @property
    def folded_count(self) -> int:
        """Frames in view without rows of their own."""
        if self._hidden_folded[0] != self.cleared_before:
            hidden = (
                len(each) for head, each in self.members.items() if head <= self.cleared_before
            )
            self._hidden_folded = (self.cleared_before, sum(hidden))
        return self._folded_total - self._hidden_folded[1]

    def all_numbers(self) -> array[int]:
        """Return all frames, those that folded too."""
        if not self.members:
            return self.numbers
        found = array("I")
        for number in self.numbers:
            found.append(number)
            found.extend(self.members.get(number, ()))
        return found

    def numbers_in_view(self) -> array[int]:
        """Return all frames in view, those that folded too."""
        numbers = self.all_numbers()
        return numbers[bisect_right(numbers, self.cleared_before) :]

    def number_at(self, row: int) -> int:
        """The frame in a row."""
        return self.numbers[self.first + row]

    def above(self, row: int) -> int:
        """The frame in the row above; 0 for none."""
        return self.numbers[self.first + row - 1] if row > 0 else 0

    def row_of(self, number: int) -> int | None:
        """The row of a frame, also of one that is folded into it; None while it is not in view."""
        row = self.row_near(number)
        if row < len(self) and self.number_at(row) == number:
            return row
        return row - 1 if row > 0 and self._folds_into(number, self.number_at(row - 1)) else None

    def row_near(self, number: int) -> int:
        """The first row whose frame is not before `number`; the row count if every frame is."""
        return max(bisect_left(self.numbers, number) - self.first, 0)

    def replace(self, numbers: array[int], named: frozenset[MessageKind] | None = None) -> None:
        """Take other frames; those up to `cleared_before` stay out of view.

        `named` are the kinds among `FOLDING` that the filter requests; None for those of before.
        """
        if named is not None:
            self.named = named
        self.members, self._folded_total, self._hidden_folded = {}, 0, (0, 0)
        self._bytes.clear()
        self.unfolded = {}
        self.numbers = self._folded(numbers) if self.folds else numbers
        self.first = bisect_right(self.numbers, self.cleared_before)

    def set_folds(self, folds: bool) -> None:
        """Fold such runs, or give each frame its row; forget what the user unfolded."""
        numbers = self.all_numbers()
        self.folds = folds
        self._kept_open.clear()
        self.replace(numbers)

    def extend(self, numbers: array[int]) -> tuple[array[int], int]:
        """Fold frames that come after all others; return those with rows, and how many joined the last row.

        The caller adds the rows to `numbers`.
        """
        if not self.folds:
            return numbers, 0
        joined = self._joining(numbers)
        if joined:
            last = self.numbers[-1]
            self.members.setdefault(last, array("I")).extend(numbers[:joined])
            self._folded_total += joined
        return self._folded(numbers[joined:] if joined else numbers), joined

    def holds(self, number: int) -> bool:
        """Whether a frame is among them, in view or not."""
        at = bisect_left(self.numbers, number)
        if at < len(self.numbers) and self.numbers[at] == number:
            return True
        return at > 0 and self._folds_into(number, self.numbers[at - 1])

    def add(self, number: int) -> None:
        """Add a frame that is not among them."""
        self.numbers.insert(bisect_left(self.numbers, number), number)
        self.first += number <= self.cleared_before

    def remove(self, number: int) -> None:
        """Remove a frame that has a row."""
        del self.numbers[bisect_left(self.numbers, number)]
        self.first -= number <= self.cleared_before

    def count_at(self, row: int) -> int:
        """How many frames a row stands for."""
        return len(self.members.get(self.number_at(row), ())) + 1

    def bytes_at(self, row: int) -> int:
        """How many bytes the frames of a row have; only those that came since the last time are read."""
        if self._timeline is None:
            return 0
        number = self.number_at(row)
        transcript, local = self._timeline.locate(number)
        base, sizes = number - local, transcript.columns.size
        members = self.members.get(number, array("I"))
        count, total = self._bytes.get(number, (0, 0))
        if count < len(members):
            new = members[count:]
            if new[-1] - new[0] + 1 == len(new):
                total += sum(sizes[new[0] - base - 1 : new[-1] - base])
            else:
                total += sum(sizes[each - base - 1] for each in new)
            self._bytes[number] = len(members), total
        return sizes[local - 1] + total

    def unfold(self, row: int) -> None:
        """Give every frame of a folded row its own."""
        number, at = self.number_at(row), self.first + row + 1
        self._kept_open.add(number)
        members = self.unfolded[number] = self.members.pop(number)
        self._bytes.pop(number, None)
        self._folded_total -= len(members)
        self.numbers[at:at] = members

    def folded_around(self, number: int) -> int | None:
        """Return the folded row that has a frame, or has frames before and after it; None for none."""
        row = self.row_near(number)
        if row == len(self) or self.number_at(row) != number:
            row -= 1
        members = self.members.get(self.number_at(row)) if row >= 0 else None
        return row if members and number <= members[-1] else None

    def unfolded_around(self, row: int) -> tuple[int, int] | None:
        """Return the rows, the last one included, that were one before it was unfolded; None if a row was in none."""
        number = self.number_at(row)
        for head, members in self.unfolded.items():
            if head <= number <= members[-1] and (start := self.row_of(head)) is not None:
                end = self.row_of(members[-1])
                return None if end is None else (start, end)
        return None

    def fold(self, start: int, end: int) -> None:
        """Make one row of the rows from `start` to `end` again."""
        number, at = self.number_at(start), self.first + start + 1
        stop = self.first + end + 1
        self.unfolded.pop(number)
        self._kept_open.discard(number)
        self.members[number] = self.numbers[at:stop]
        self._folded_total += stop - at
        del self.numbers[at:stop]

    def _folds_into(self, number: int, head: int) -> bool:
        members = self.members.get(head)
        if members is None or number > members[-1]:
            return False
        at = bisect_left(members, number)
        return at < len(members) and members[at] == number

    def _joining(self, numbers: array[int]) -> int:
        """Return how many of `numbers`, from the first one on, belong to the last row."""
        timeline = self._timeline
        if timeline is None or not len(self) or self.numbers[-1] in self.unfolded:
            return 0
        transcript, local = timeline.locate(self.numbers[-1])
        kind = transcript.columns.kind[local - 1]
        if (
            kind not in FOLDING
            or kind in self.named
            or timeline.locate(numbers[0])[0] is not transcript
        ):
            return 0
        base, kinds = self.numbers[-1] - local, transcript.columns.kind
        for at, number in enumerate(numbers):
            if kinds[number - base - 1] != kind:
                return at
        return len(numbers)

    def _folded(self, numbers: array[int]) -> array[int]:
        """Return the frames that have rows; the others are put into `members`."""
        if self._timeline is None:
            return numbers
        pattern = _pattern(self.named)
        if pattern is None:
            return numbers
        found = array("I")
        for part, kinds in self._by_run(numbers):
            reached = 0
            for run in pattern.finditer(kinds):
                start, end = run.span()
                if part[start] in self._kept_open:
                    self.unfolded[part[start]] = part[start + 1 : end]
                    continue
                found.extend(part[reached : start + 1])
                self.members[part[start]] = part[start + 1 : end]
                self._folded_total += end - start - 1
                reached = end
            if not reached and len(part) == len(numbers):
                return numbers
            found.extend(part[reached:])
        return found

    def _by_run(self, numbers: array[int]) -> Iterator[tuple[array[int], bytes]]:
        """Yield the frames of each transcript, with their kinds."""
        timeline, start = self._timeline, 0
        while timeline is not None and start < len(numbers):
            transcript, local = timeline.locate(numbers[start])
            base = numbers[start] - local
            stop = bisect_right(numbers, base + timeline.length(transcript), start)
            part, column = numbers[start:stop], transcript.columns.kind
            if part[-1] - part[0] + 1 == len(part):
                kinds = column[part[0] - base - 1 : part[-1] - base].tobytes()
            else:
                before = bytes(part[0])  # so that a kind stands where its number points to
                kinds = before + column[part[0] - base - 1 : part[-1] - base].tobytes()
                kinds = bytes(map(kinds.__getitem__, part))
            yield part, kinds
            start = stop


@cache
def _pattern(named: frozenset[MessageKind]) -> re.Pattern[bytes] | None:
    """Return what finds the frames that fold in a column of kinds, without kinds that the filter requests; None if nothing folds.

    It begins with a set of bytes, because `re` finds one several times faster than alternatives.
    """
    kinds = bytes(FOLDING - named)
    return re.compile(rb"([%b])\1+" % re.escape(kinds), re.DOTALL) if kinds else None
