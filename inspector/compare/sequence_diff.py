"""Which items of two sequences are the same, in the same order.

Items that are unique on both sides anchor the alignment (patience diff), which keeps blocks together; what is between two anchors is aligned
by the shortest edit script (Myers 1986). Both are cut short where they would take too long: then items count as different that another
alignment would have found equal, never the other way round.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from inspector.background_tasks import Steps

MAX_WORK = 30_000_000
"""Items that are visited for one alignment, about 3 s of work; beyond that the rest counts as different."""

MAX_EDITS = 600
"""Insertions and deletions between two anchors, beyond which all in between counts as different."""

STEP = 4096
"""Items between two yields."""

CHUNK = 512
"""Items that are compared at once."""


class Match(NamedTuple):
    """Equal items."""

    old: int
    """The position of the first one in the old sequence."""
    new: int
    """The same in the new sequence."""
    length: int
    """The number of items."""


def matches(old: Sequence[Hashable], new: Sequence[Hashable]) -> Steps[list[Match]]:
    """Return what is equal in both, in order."""
    tokens: dict[Hashable, int] = {}
    left = yield from _numbered(old, tokens)
    right = yield from _numbered(new, tokens)
    return (yield from _Alignment(left, right).find())


def common_start(old: Sequence[object], new: Sequence[object]) -> Steps[int]:
    """Return how many items are equal at the beginning."""
    limit = min(len(old), len(new))
    start = 0
    while start < limit and old[start : start + CHUNK] == new[start : start + CHUNK]:
        start += CHUNK
        yield
    while start < limit and old[start] == new[start]:
        start += 1
    return min(start, limit)


def increasing(positions: Sequence[int]) -> Steps[list[int]]:
    """Return where in `positions` one of their longest increasing subsequences is."""
    tails: list[int] = []
    tail_values: list[int] = []
    before = [-1] * len(positions)
    for at, position in enumerate(positions):
        slot = bisect_left(tail_values, position)
        before[at] = tails[slot - 1] if slot else -1
        if slot == len(tails):
            tails.append(at)
            tail_values.append(position)
        else:
            tails[slot] = at
            tail_values[slot] = position
        if not at % STEP:
            yield
    found: list[int] = []
    at = tails[-1] if tails else -1
    while at >= 0:
        found.append(at)
        at = before[at]
    found.reverse()
    return found


def _numbered(items: Iterable[Hashable], tokens: dict[Hashable, int]) -> Steps[list[int]]:
    """Return a number for each item, equal ones for equal items."""
    numbers: list[int] = []
    for at, item in enumerate(items):
        numbers.append(tokens.setdefault(item, len(tokens)))
        if not at % STEP:
            yield
    return numbers


class _Range(NamedTuple):
    """Parts of both sequences that correspond to each other."""

    old: int
    old_end: int
    new: int
    new_end: int


class _Alignment:
    """The alignment of two sequences of numbers."""

    def __init__(self, old: list[int], new: list[int]) -> None:
        self._old, self._new = old, new
        self._found: list[Match] = []
        self._work = 0

    def find(self) -> Steps[list[Match]]:
        """Return the matches, in order, as long as possible each."""
        pending = [_Range(0, len(self._old), 0, len(self._new))]
        while pending and self._work < MAX_WORK:
            part = yield from self._trim(pending.pop())
            yield
            if part.old == part.old_end or part.new == part.new_end:
                continue
            anchors = yield from self._anchors(part)
            if anchors:
                pending += self._between(part, anchors)
            else:
                yield from self._edit(part)
        return _merged(self._found)

    def _trim(self, part: _Range) -> Steps[_Range]:
        """Match what is equal at the beginning and the end, and return what is in between."""
        old, old_end, new, new_end = part
        start = yield from common_start(self._old[old:old_end], self._new[new:new_end])
        if start:
            self._found.append(Match(old, new, start))
            old, new = old + start, new + start
        end = yield from common_start(self._old[old:old_end][::-1], self._new[new:new_end][::-1])
        if end:
            old_end, new_end = old_end - end, new_end - end
            self._found.append(Match(old_end, new_end, end))
        self._work += start + end + 1
        return _Range(old, old_end, new, new_end)

    def _anchors(self, part: _Range) -> Steps[list[tuple[int, int]]]:
        """Return the positions of items that are unique on both sides, in the same order on both."""
        old, new = self._old[part.old : part.old_end], self._new[part.new : part.new_end]
        self._work += len(old) + len(new)
        old_counts, new_counts = Counter(old), Counter(new)
        yield
        unique = {item for item, count in old_counts.items() if count == new_counts[item] == 1}
        if not unique:
            return []
        at_new = {item: at for at, item in enumerate(new, part.new) if item in unique}
        pairs = [(at, at_new[item]) for at, item in enumerate(old, part.old) if item in unique]
        yield
        kept = yield from increasing([new_at for _, new_at in pairs])
        return [pairs[at] for at in kept]

    def _between(self, part: _Range, anchors: list[tuple[int, int]]) -> list[_Range]:
        """Match the anchors, and return the parts before, between and after them."""
        parts: list[_Range] = []
        old, new = part.old, part.new
        for old_at, new_at in (*anchors, (part.old_end, part.new_end)):
            if old < old_at and new < new_at:
                parts.append(_Range(old, old_at, new, new_at))
            old, new = old_at + 1, new_at + 1
        self._found += [Match(old_at, new_at, 1) for old_at, new_at in anchors]
        return parts

    def _edit(self, part: _Range) -> Steps[None]:
        """Match by the shortest edit script, if it is short enough."""
        old, new = self._old[part.old : part.old_end], self._new[part.new : part.new_end]
        furthest, trace = {1: 0}, list[dict[int, int]]()
        for edits in range(min(len(old) + len(new), MAX_EDITS) + 1):
            if self._work > MAX_WORK:
                return
            trace.append(furthest.copy())
            for diagonal in range(-edits, edits + 1, 2):
                is_down = diagonal == -edits or (
                    diagonal != edits and furthest[diagonal - 1] < furthest[diagonal + 1]
                )
                at = furthest[diagonal + 1] if is_down else furthest[diagonal - 1] + 1
                at = self._slide(old, new, at, at - diagonal)
                furthest[diagonal] = at
                if at >= len(old) and at - diagonal >= len(new):
                    self._found += _backtracked(trace, part, len(old), len(new))
                    return
            if not edits % 16:
                yield

    def _slide(self, old: list[int], new: list[int], at: int, at_new: int) -> int:
        start = at
        while at < len(old) and at_new < len(new) and old[at] == new[at_new]:
            at, at_new = at + 1, at_new + 1
        self._work += at - start + 1
        return at


def _backtracked(
    trace: list[dict[int, int]], part: _Range, old_count: int, new_count: int
) -> list[Match]:
    """Return the matches of the edit script whose furthest points are in `trace`."""
    found: list[Match] = []
    old, new = old_count, new_count
    for edits in range(len(trace) - 1, -1, -1):
        furthest, diagonal = trace[edits], old - new
        is_down = diagonal == -edits or (
            diagonal != edits and furthest[diagonal - 1] < furthest[diagonal + 1]
        )
        before = diagonal + 1 if is_down else diagonal - 1
        old_before = furthest[before]
        start = old_before if is_down else old_before + 1
        if old > start:
            found.append(Match(part.old + start, part.new + start - diagonal, old - start))
        old, new = old_before, old_before - before
    return found


def _merged(found: list[Match]) -> list[Match]:
    merged: list[Match] = []
    for match in sorted(found):
        last = merged[-1] if merged else None
        if last is not None and (last.old + last.length, last.new + last.length) == match[:2]:
            merged[-1] = Match(last.old, last.new, last.length + match.length)
        else:
            merged.append(match)
    return merged
