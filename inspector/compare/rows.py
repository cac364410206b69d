"""A difference as rows of two columns, old and new: what a page draws and the command line prints.

Equal lines are folded, and so is the rest of a long value that was added or removed; a fold counts what it hides, and makes its rows when it is opened.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from inspector.compare.json_difference import ChangeKind
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.compare.json_difference import Change
    from inspector.compare.paths import Path

FOLDED_ABOVE = 8
"""Equal lines in a row that are displayed; more are folded."""

MAX_OPENED = 2000
"""Rows that appear when a fold is opened; the rest stays folded."""

MAX_LINE = 400
"""Characters of one line; the rest is left out, with a mark."""

SIGNS = {
    None: "",
    ChangeKind.CHANGED: "~",
    ChangeKind.ADDED: "+",
    ChangeKind.REMOVED: "−",
    ChangeKind.MOVED: "→",
}
"""What precedes a line of each kind."""


class Line(FrozenStruct, frozen=True):
    """One line of one side."""

    depth: int
    """Its indentation, in levels."""
    text: str
    """What it reads, without indentation."""
    mark: tuple[int, int] | None = None
    """The characters in which the sides differ; None for all or none of them."""
    is_json: bool = True
    """Whether it is JSON; else it is a line of a text."""


RowSource: TypeAlias = "Callable[[], Iterator[Row]]"
"""Makes rows, from the first one on."""


class Fold(FrozenStruct, frozen=True):
    """Rows that are not displayed."""

    text: str
    """What they are, with their number: `24 equal lines`."""
    source: RowSource
    skipped: int = 0
    """Rows of the source that are displayed already."""


class Row(FrozenStruct, frozen=True):
    """One row: a line of each side, of one side, or a fold."""

    kind: ChangeKind | None
    """None for equal lines."""
    old: Line | None = None
    new: Line | None = None
    change: int = -1
    """The position of its change in `DifferenceRows.changes`; -1 for none."""
    is_ignored: bool = False
    """Whether its change is ignored."""
    fold: Fold | None = None


class Counts(FrozenStruct, frozen=True):
    """The number of changes by kind."""

    changed: int = 0
    added: int = 0
    removed: int = 0
    moved: int = 0
    ignored: int = 0

    @property
    def total(self) -> int:
        """All that are not ignored."""
        return self.changed + self.added + self.removed + self.moved


class DifferenceRows(FrozenStruct, frozen=True):
    """A difference, ready to be displayed."""

    rows: list[Row]
    changes: list[Change]
    """Every change, ignored ones included."""
    counts: Counts
    ignored: dict[str, int]
    """The patterns that ignored a change, with the number of changes."""
    starts: list[int]
    """The rows with which the changes begin that are not ignored."""
    is_partial: bool = False
    """Whether some values were compared as a whole because there is too much to compare."""
    base: Path = ()
    """Where what is compared is in the messages; the paths of the changes begin there."""


def open_fold(row: Row) -> list[Row]:
    """Return the rows in a fold, at most `MAX_OPENED`, and a fold for the rest."""
    fold = row.fold
    assert fold is not None
    rows = list(islice(fold.source(), fold.skipped, fold.skipped + MAX_OPENED + 1))
    if len(rows) <= MAX_OPENED:
        return rows
    rest = Fold(f"more of {fold.text}", fold.source, fold.skipped + MAX_OPENED)
    return [
        *rows[:MAX_OPENED],
        Row(row.kind, fold=rest, change=row.change, is_ignored=row.is_ignored),
    ]


def clipped(text: str, start: int = 0) -> str:
    """Return `text` from about `start` on, at most `MAX_LINE` characters, with marks where it goes on."""
    part = text[start : start + MAX_LINE]
    before, after = "…" if start else "", "…" if start + MAX_LINE < len(text) else ""
    return f"{before}{part}{after}"


CONTEXT = 30
"""Characters before a difference that stay in a long line."""

MIN_MARKED = 40
"""A shorter value is marked as a whole where it differs."""


def differing(old: str, new: str) -> tuple[int, int, int]:
    """Return how many characters are equal at the beginning, and where in each text the equal end begins."""
    limit = min(len(old), len(new))
    start = _common_prefix(old, new, limit)
    end = _common_prefix(old[::-1], new[::-1], limit - start)
    return start, len(old) - end, len(new) - end


_WORD = re.compile(r"[\w.-]")


def _common_prefix(old: str, new: str, limit: int) -> int:
    """Return how many characters are equal at the beginning, at most `limit`."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _widened(old: str, new: str, start: int, old_end: int, new_end: int) -> tuple[int, int, int]:
    """Return the same, widened to whole numbers and names."""
    while start and _WORD.fullmatch(old[start - 1]):
        start -= 1
    while old_end < len(old) and _WORD.fullmatch(old[old_end]):
        old_end, new_end = old_end + 1, new_end + 1
    return start, old_end, new_end


def marked_lines(
    old: str, new: str, depth: int, *, name: str | None = None, tails: tuple[str, str] = ("", "")
) -> tuple[Line, Line]:
    """Return the lines of two different values with what differs marked, with the `name` before and what follows; without a name, of texts."""
    start, old_end, new_end = differing(old, new)
    if name is None:
        start, old_end, new_end = _widened(old, new, start, old_end, new_end)
    if name is not None and max(len(old), len(new)) < MIN_MARKED:
        start, old_end, new_end = 0, len(old), len(new)
    first = max(start - CONTEXT, 0) if max(old_end, new_end) > MAX_LINE else 0
    lead, is_json = name or "", name is not None
    shift = first - bool(first) - len(lead)

    def line(text: str, end: int, tail: str) -> Line:
        part = f"{lead}{clipped(text, first)}"
        mark = start - shift, min(end - shift, len(part))
        return Line(depth, f"{part}{tail}", mark, is_json)

    return line(old, old_end, tails[0]), line(new, new_end, tails[1])
