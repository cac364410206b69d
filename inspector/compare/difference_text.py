"""A difference as text, for a file: both sides, what changed, and what is not in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.compare.json_difference import ChangeKind
from inspector.compare.rows import SIGNS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.compare.rows import DifferenceRows, Line, Row

INDENT = "  "
"""Of one level."""

_ADDED, _REMOVED = SIGNS[ChangeKind.ADDED], "-"


def difference_text(rows: DifferenceRows, before: str, after: str) -> Iterator[str]:
    """Yield the lines of a difference: titles, counts, ignored paths, then what a page displays; what is folded there is counted."""
    counts = rows.counts
    named = ((counts.changed, "changed"), (counts.added, "added"), (counts.removed, "removed"))
    parts = [f"{count:,} {kind}" for count, kind in (*named, (counts.moved, "moved")) if count]
    yield f"--- {before}"
    yield f"+++ {after}"
    yield f"# {', '.join(parts) or 'no differences'}"
    for path, count in rows.ignored.items():
        yield f"# ignored: {path} ({count:,})"
    for row in rows.rows:
        yield from _row(row)


def _row(row: Row) -> Iterator[str]:
    if row.fold is not None:
        yield f"  … {row.fold.text}"
        return
    kind = None if row.is_ignored else row.kind
    if kind is ChangeKind.CHANGED and row.old is not None and row.new is not None:
        yield _line(_REMOVED, row.old)
        yield _line(_ADDED, row.new)
        return
    line = row.new or row.old
    if line is not None:
        sign = _REMOVED if kind is ChangeKind.REMOVED else SIGNS[kind]
        yield _line(sign or " ", line)


def _line(sign: str, line: Line) -> str:
    return f"{sign} {INDENT * line.depth}{line.text}"
