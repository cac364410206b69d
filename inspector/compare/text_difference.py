"""The difference of two texts, line by line."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.compare.json_difference import Change, ChangeKind
from inspector.compare.json_text import json_text
from inspector.compare.rows import (
    FOLDED_ABOVE,
    Counts,
    DifferenceRows,
    Fold,
    Line,
    Row,
    clipped,
    marked_lines,
)
from inspector.compare.sequence_diff import Match, matches
from inspector.frozen import FrozenStruct
from inspector.visible_text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.background_tasks import Steps

MAX_LINES = 200_000
"""Lines of each side that are compared; more are counted."""

CONTEXT_LINES = 2
"""Equal lines before and after a change that are displayed where equal lines are folded."""


class Hunk(FrozenStruct, frozen=True):
    """Lines of both sides that are all equal, or all different."""

    old: tuple[int, int]
    """First line, and the line after the last one."""
    new: tuple[int, int]
    is_equal: bool


class TextDifference(FrozenStruct, frozen=True):
    """The lines of two texts, in hunks."""

    old: list[str]
    new: list[str]
    hunks: list[Hunk]
    left_out: int = 0
    """Lines beyond `MAX_LINES`, which are not compared."""

    @property
    def is_equal(self) -> bool:
        """Whether both texts have the same lines."""
        return all(hunk.is_equal for hunk in self.hunks) and not self.left_out


def compare_text(old: str, new: str) -> Steps[TextDifference]:
    """Compare two texts."""
    old_lines, new_lines = old.split("\n"), new.split("\n")
    yield
    left_out = max(len(old_lines), len(new_lines)) - MAX_LINES
    if left_out > 0 and old == new:
        left_out = 0
    del old_lines[MAX_LINES:]
    del new_lines[MAX_LINES:]
    found = yield from matches(old_lines, new_lines)
    hunks: list[Hunk] = []
    old_at = new_at = 0
    for match in (*found, Match(len(old_lines), len(new_lines), 0)):
        if old_at < match.old or new_at < match.new:
            hunks.append(Hunk((old_at, match.old), (new_at, match.new), is_equal=False))
        old_at, new_at = match.old + match.length, match.new + match.length
        if match.length:
            hunks.append(Hunk((match.old, old_at), (match.new, new_at), is_equal=True))
    return TextDifference(old_lines, new_lines, hunks, max(left_out, 0))


def text_rows(difference: TextDifference) -> Steps[DifferenceRows]:
    """Return the difference of two texts as rows; each hunk is a change."""
    rows: list[Row] = []
    changes: list[Change] = []
    starts: list[int] = []
    counts: dict[ChangeKind, int] = {}
    for at, hunk in enumerate(difference.hunks):
        if hunk.is_equal:
            is_edge = (at == 0, at == len(difference.hunks) - 1)
            rows += equal_rows(difference, hunk, 0, is_edge)
        else:
            change = _change(difference, hunk)
            counts[change.kind] = counts.get(change.kind, 0) + 1
            starts.append(len(rows))
            rows += hunk_rows(difference, hunk, 0, len(changes))
            changes.append(change)
        yield
    if difference.left_out:
        text = f"{difference.left_out:,} more lines not compared"
        rows.append(Row(None, Line(0, text, is_json=False), Line(0, text, is_json=False)))
    by_kind = Counts(
        counts.get(ChangeKind.CHANGED, 0),
        counts.get(ChangeKind.ADDED, 0),
        counts.get(ChangeKind.REMOVED, 0),
    )
    return DifferenceRows(rows, changes, by_kind, {}, starts, bool(difference.left_out))


def _change(difference: TextDifference, hunk: Hunk) -> Change:
    old = "\n".join(difference.old[slice(*hunk.old)]).encode("utf-8", "surrogateescape")
    new = "\n".join(difference.new[slice(*hunk.new)]).encode("utf-8", "surrogateescape")
    kind = ChangeKind.CHANGED
    if hunk.old[0] == hunk.old[1]:
        kind = ChangeKind.ADDED
    elif hunk.new[0] == hunk.new[1]:
        kind = ChangeKind.REMOVED
    return Change(kind, (hunk.new[0],), (hunk.old[0],), json_text(old), json_text(new))


def hunk_rows(
    difference: TextDifference, hunk: Hunk, depth: int, change: int, *, is_ignored: bool = False
) -> Iterator[Row]:
    """Yield the rows of different lines: as many changed ones as both sides have, then those that were removed or added."""
    old, new = difference.old[slice(*hunk.old)], difference.new[slice(*hunk.new)]
    both = min(len(old), len(new))
    for before, after in zip(old, new, strict=False):
        lines = marked_lines(visible(before), visible(after), depth)
        yield Row(ChangeKind.CHANGED, *lines, change, is_ignored)
    for text in old[both:]:
        yield Row(ChangeKind.REMOVED, text_line(text, depth), None, change, is_ignored)
    for text in new[both:]:
        yield Row(ChangeKind.ADDED, None, text_line(text, depth), change, is_ignored)


def equal_rows(
    difference: TextDifference, hunk: Hunk, depth: int, is_edge: tuple[bool, bool]
) -> list[Row]:
    """Return the rows of equal lines, folded in the middle; `is_edge` is whether nothing differs before, and after them."""
    start, end = hunk.new
    top = 0 if is_edge[0] else CONTEXT_LINES
    bottom = 0 if is_edge[1] else CONTEXT_LINES
    hidden = end - start - top - bottom
    if hidden <= FOLDED_ABOVE:
        return list(_equal(difference, start, end, depth))
    source = partial(_equal, difference, start + top, end - bottom, depth)
    return [
        *_equal(difference, start, start + top, depth),
        Row(None, fold=Fold(f"{hidden:,} equal lines", source)),
        *_equal(difference, end - bottom, end, depth),
    ]


def _equal(difference: TextDifference, start: int, end: int, depth: int) -> Iterator[Row]:
    for at in range(start, end):
        line = text_line(difference.new[at], depth)
        yield Row(None, line, line)


def text_line(text: str, depth: int) -> Line:
    """Return a line of a text."""
    return Line(depth, clipped(visible(text)), is_json=False)
