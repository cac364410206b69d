"""Spans of one track in packed arrays, ordered by their start, and what of them a view of some width shows.

A point takes 12 bytes and a span 22, however large its frames are. What a view shows costs as much as it has columns, however many
spans there are: the starts are sorted, so those of one column are found by bisection, and the largest of their ends in a tree of maxima.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

BLOCK = 64
"""Values of which the largest is kept; of as many of these the largest again, and so on."""
MAX_ROWS = 4
"""Rows of spans that overlap; those beyond are counted."""
MAX_EARLIER = 256
"""Spans that begin before a view and reach into it; more are not looked for."""
MAX_SINGLE = 300
"""Spans that a view shows one by one, however close they are."""
WIDE_COLUMNS = 3
"""Columns beyond its own that the longest span of a column takes to be shown alone as well."""


N = TypeVar("N", int, float)


class RangeMax(Generic[N]):
    """Values, and the largest of any range of them."""

    def __init__(self, values: array[N]) -> None:
        """Take an empty array."""
        self.values = values
        self._above: RangeMax[N] | None = None
        self._stale: set[int] = set()
        """Blocks in which a value was changed."""

    def __len__(self) -> int:
        return len(self.values)

    def extend(self, values: Iterable[N]) -> None:
        """Add values at the end."""
        start = len(self.values)
        self.values.extend(values)
        if len(self.values) > BLOCK:
            self._raise(0 if self._above is None else start // BLOCK, -(-len(self.values) // BLOCK))

    def set(self, at: int, value: N) -> None:
        """Change a value; seen in the ranges after the next look at one."""
        self.values[at] = value
        self._stale.add(at // BLOCK)

    def _raise(self, first: int, stop: int) -> None:
        """Find the largest of the blocks from `first` to before `stop` again."""
        if self._above is None:
            self._above = RangeMax(self.values[:0])
        values, above = self.values, self._above
        found = [max(values[at * BLOCK : (at + 1) * BLOCK]) for at in range(first, stop)]
        known = min(max(len(above) - first, 0), len(found))
        for at in range(known):
            if above.values[first + at] != found[at]:
                above.set(first + at, found[at])
        above.extend(found[known:])

    def _settle(self) -> None:
        for block in self._stale if self._above is not None else ():
            self._raise(block, block + 1)
        self._stale.clear()

    def maximum(self, start: int, stop: int) -> N:
        """Return the largest value from `start` to before `stop`, which is after `start`."""
        if self._stale:
            self._settle()
        if self._above is None or stop - start <= 2 * BLOCK:
            return max(self.values[start:stop])
        first, last = -(-start // BLOCK), stop // BLOCK
        found = self._above.maximum(first, last)
        if start < first * BLOCK:
            found = max(found, max(self.values[start : first * BLOCK]))
        if last * BLOCK < stop:
            found = max(found, max(self.values[last * BLOCK : stop]))
        return found

    def bound(self, start: int, stop: int) -> N:
        """Return the largest value of the blocks that have these: the same as `maximum`, or more, in a fraction of the time."""
        if self._stale:
            self._settle()
        if self._above is None:
            return max(self.values[start:stop])
        return max(self._above.values[start // BLOCK : -(-stop // BLOCK)])

    def reaching(self, value: N, stop: int) -> Iterator[int]:
        """Yield the positions before `stop` whose value is at least `value`."""
        if self._stale:
            self._settle()
        if self._above is None:
            yield from (at for at, each in enumerate(self.values[:stop]) if each >= value)
            return
        for block in self._above.reaching(value, -(-stop // BLOCK)):
            first = block * BLOCK
            for at, each in enumerate(self.values[first : min(first + BLOCK, stop)], first):
                if each >= value:
                    yield at


class Column(NamedTuple):
    """Several spans that begin in one column of a view."""

    column: int
    """From the left, from 0."""
    first: int
    """Position of the first of them."""
    size: int
    """How many there are."""
    tone: int
    """The most severe of their tones."""


class VisibleSpans(NamedTuple):
    """What of a track a view shows."""

    singles: list[int]
    """Positions of spans that are shown one by one."""
    columns: list[Column]
    """The others."""
    total: int
    """Spans that are in view at all."""


class Points:
    """Moments, ordered by time."""

    def __init__(self) -> None:
        self.numbers = array("I")
        """The frames with which they begin."""
        self.starts = array("d")
        """Seconds since 1970-01-01 UTC."""

    def __len__(self) -> int:
        return len(self.starts)

    def add_all(self, numbers: Iterable[int], starts: Iterable[float]) -> None:
        """Add moments that are not before those so far."""
        self.numbers.extend(numbers)
        self.starts.extend(starts)

    def position_of(self, number: int) -> int:
        """Return the position of the span that begins with a frame; -1 if none does."""
        at = bisect_left(self.numbers, number)
        return at if at < len(self.numbers) and self.numbers[at] == number else -1

    def end(self, at: int) -> float:
        """When a span ends; infinite for one that has not."""
        return self.starts[at]

    def tone(self, _at: int) -> int:
        """How severe the outcome of a span is; moments have none."""
        return 0

    def row(self, _at: int) -> int:
        """In which row of the track it is, from 0; `MAX_ROWS` for one that has none."""
        return 0

    @property
    def row_count(self) -> int:
        """Rows that overlapping spans take, one more than `MAX_ROWS` if some have none."""
        return 1

    def count_between(self, first_s: float, last_s: float) -> int:
        """How many begin in that time, both ends included."""
        return bisect_right(self.starts, last_s) - bisect_left(self.starts, first_s)

    def visible(self, first_s: float, last_s: float, columns: int) -> VisibleSpans:
        """What a view of that time shows that is so many columns wide."""
        start, stop = bisect_left(self.starts, first_s), bisect_right(self.starts, last_s)
        singles = self._earlier(first_s, start)
        count = len(singles) + stop - start
        if stop - start <= MAX_SINGLE or last_s <= first_s:
            singles.extend(range(start, min(stop, start + MAX_SINGLE)))
            return VisibleSpans(singles, [], count)
        return VisibleSpans(
            singles,
            self._columns(start, stop, first_s, (last_s - first_s) / columns, singles),
            count,
        )

    def _earlier(self, _first_s: float, _stop: int) -> list[int]:
        """Spans before position `stop` that last until `first_s` or longer."""
        return []

    def _columns(
        self, start: int, stop: int, first_s: float, step_s: float, singles: list[int]
    ) -> list[Column]:
        """The spans from `start` to before `stop` by column; those that are alone or much longer are added to `singles`."""
        starts, found, at = self.starts, list[Column](), start
        while at < stop:
            column = int((starts[at] - first_s) / step_s)
            right_s = first_s + (column + 1) * step_s
            following = bisect_left(starts, right_s, at + 1, stop)
            if following - at == 1:
                singles.append(at)
            else:
                tone = self._tone_of(at, following)
                found.append(Column(column, at, following - at, tone))
                self._add_wide(at, following, right_s + WIDE_COLUMNS * step_s, singles)
            at = following
        return found

    def _tone_of(self, _start: int, _stop: int) -> int:
        """The most severe tone of some spans."""
        return 0

    def _add_wide(self, _start: int, _stop: int, _right_s: float, _singles: list[int]) -> None:
        """Add the longest of some spans to `singles` if it ends after `right_s`."""


class Spans(Points):
    """Spans of time, ordered by their start; overlapping ones are in different rows."""

    def __init__(self) -> None:
        super().__init__()
        self.ends = RangeMax(array("d"))
        self.tones = RangeMax(array("B"))
        self._rows = array("B")
        self._occupants = [-1] * MAX_ROWS
        """The latest span of each row."""
        self._row_count = 1

    def add_spans(
        self,
        numbers: Sequence[int],
        starts: Sequence[float],
        ends: Sequence[float],
        tones: Sequence[int],
    ) -> None:
        """Add spans that begin one after the other, and not before those so far."""
        first, known = len(self.starts), self.ends.values
        free_at = [known[at] if at >= 0 else -inf for at in self._occupants]
        rows = self._rows
        for at, start_s in enumerate(starts):
            row = 0
            while row < MAX_ROWS and free_at[row] > start_s:
                row += 1
            if row < MAX_ROWS:
                free_at[row], self._occupants[row] = ends[at], first + at
            if row >= self._row_count:
                self._row_count = row + 1
            rows.append(row)
        self.numbers.extend(numbers)
        self.starts.extend(starts)
        self.ends.extend(ends)
        self.tones.extend(tones)

    def finish(self, at: int, end_s: float, tone: int) -> None:
        """Let a span end then."""
        self.ends.set(at, max(end_s, self.starts[at]))
        if tone != self.tones.values[at]:
            self.tones.set(at, tone)

    def end(self, at: int) -> float:
        """When a span ends; infinite for one that has not."""
        return self.ends.values[at]

    def tone(self, at: int) -> int:
        """How severe the outcome of a span is."""
        return self.tones.values[at]

    def row(self, at: int) -> int:
        """In which row of the track it is, from 0; `MAX_ROWS` for one that has none."""
        return self._rows[at]

    @property
    def row_count(self) -> int:
        """Rows that overlapping spans take, one more than `MAX_ROWS` if some have none."""
        return self._row_count

    def _earlier(self, first_s: float, stop: int) -> list[int]:
        return list(islice(self.ends.reaching(first_s, stop), MAX_EARLIER))

    def _tone_of(self, start: int, stop: int) -> int:
        tone = self.tones.bound(start, stop)
        tones = self.tones.values[start:stop].tobytes() if tone else b""
        while tone and tone not in tones:  # searched by C
            tone -= 1
        return tone

    def _add_wide(self, start: int, stop: int, right_s: float, singles: list[int]) -> None:
        if self.ends.bound(start, stop) > right_s:
            end_s = self.ends.maximum(start, stop)
            if end_s > right_s:
                singles.append(self.ends.values.index(end_s, start, stop))
