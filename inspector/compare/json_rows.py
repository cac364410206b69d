"""The structural difference of two JSON texts as rows."""

from __future__ import annotations

from functools import partial
from itertools import islice, zip_longest
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.compare.json_difference import (
    MAX_CHANGES,
    Change,
    ChangeKind,
    PairState,
    Stretch,
)
from inspector.compare.json_lines import (
    binary_text,
    brackets,
    member_name,
    scalar_text,
    value_lines,
)
from inspector.compare.json_text import ARRAY, OBJECT, kind, readable, string
from inspector.compare.rows import (
    FOLDED_ABOVE,
    Counts,
    DifferenceRows,
    Fold,
    Line,
    Row,
    marked_lines,
)
from inspector.compare.text_difference import compare_text, equal_rows, hunk_rows
from inspector.frozen import FrozenStruct
from inspector.visible_text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inspector.background_tasks import Steps
    from inspector.compare.json_difference import JsonDifference, Pair
    from inspector.compare.json_text import JsonText
    from inspector.compare.paths import Path, PathPattern

MAX_VALUE_ROWS = 200
"""Rows of a value that was added, removed or replaced; the rest is folded."""

MAX_COUNTED_BYTES = 64 << 10
"""Equal values up to this size are counted in lines, larger ones in values."""

MAX_LAID_OUT_BYTES = 1 << 20
"""A larger value that was added, removed or replaced is folded as a whole."""

MAX_MARKED_BYTES = 1 << 20
"""Strings up to this size are searched for what differs in them."""


def json_rows(
    difference: JsonDifference, ignored: Sequence[PathPattern] = (), base: Path = ()
) -> Steps[DifferenceRows]:
    """Return the rows of a difference; changes with a path in `ignored` do not count.

    `base` is the path of the compared values in the messages that `ignored` is about.
    """
    return (yield from _Rows(ignored, base).make(difference))


class _Context(FrozenStruct, frozen=True):
    """Where a pair is."""

    depth: int = 0
    path: Path = ()
    old_path: Path = ()
    name: str = ""
    """The name that precedes the value, as a line has it."""
    old_tail: str = ""
    """The comma after the old value."""
    new_tail: str = ""


class _Rows:
    """Rows in the making."""

    def __init__(self, ignored: Sequence[PathPattern], base: Path) -> None:
        self._patterns = ignored
        self._base = base
        self._rows: list[Row] = []
        self._changes: list[Change] = []
        self._starts: list[int] = []
        self._counts: dict[str, int] = {}
        self._ignored: dict[str, int] = {}

    def make(self, difference: JsonDifference) -> Steps[DifferenceRows]:
        """Return the rows of a difference."""
        yield from self._add_pair(difference.root, _Context())
        return DifferenceRows(
            self._rows,
            self._changes,
            Counts(**self._counts),
            self._ignored,
            self._starts,
            difference.is_partial,
            self._base,
        )

    def _add_change(self, kind_: ChangeKind, pair: Pair, context: _Context) -> Row:
        """Count a change that begins with the next row; return a row of it, without lines."""
        path = (*self._base, *context.path)
        pattern = next((each for each in self._patterns if each.covers(path)), None)
        if pattern is None:
            self._counts[kind_] = self._counts.get(kind_, 0) + 1
            self._starts.append(len(self._rows))
        else:
            self._counts["ignored"] = self._counts.get("ignored", 0) + 1
            self._ignored[pattern.text] = self._ignored.get(pattern.text, 0) + 1
        self._changes.append(Change(kind_, context.path, context.old_path, pair.old, pair.new))
        return Row(kind_, change=len(self._changes) - 1, is_ignored=pattern is not None)

    def _add_pair(self, pair: Pair, context: _Context) -> Steps[None]:
        row = Row(None)
        if pair.is_moved:
            row = self._add_change(ChangeKind.MOVED, pair, context)
        if pair.state is PairState.INSIDE:
            yield from self._add_parts(pair, context, row)
            return
        if pair.state is not PairState.EQUAL:
            row = self._add_change(ChangeKind(pair.state), pair, context)
        if pair.state is PairState.CHANGED and _is_plain(pair.old) and _is_plain(pair.new):
            yield from self._add_plain(pair, context, row)
        else:
            self._add_lines(pair, context, row)
        yield

    def _add_lines(self, pair: Pair, context: _Context, row: Row) -> None:
        """Add both values side by side, as far as there are two."""
        source = partial(_side_by_side, pair.old, pair.new, context, row)
        size = max(len(text) for text in (pair.old, pair.new) if text is not None)
        if size > MAX_LAID_OUT_BYTES:
            self._rows.append(replace(row, fold=Fold(f"value of {size:,} bytes", source)))
            return
        is_counted = size <= MAX_COUNTED_BYTES
        rows = list(source() if is_counted else islice(source(), MAX_VALUE_ROWS + 1))
        self._rows += rows[:MAX_VALUE_ROWS]
        rest = len(rows) - MAX_VALUE_ROWS
        if rest > 0:
            text = f"{rest:,} more lines" if is_counted else f"more lines of {size:,} bytes"
            self._rows.append(replace(row, fold=Fold(text, source, MAX_VALUE_ROWS)))

    def _add_plain(self, pair: Pair, context: _Context, row: Row) -> Steps[None]:
        """Add two values that are no containers; strings of several lines are compared line by line."""
        assert pair.old is not None
        assert pair.new is not None
        is_large = max(len(pair.old), len(pair.new)) > MAX_MARKED_BYTES
        old, new = (None, None) if is_large else (string(pair.old), string(pair.new))
        if old is not None and new is not None and "\n" in old + new:
            yield from self._add_text(old, new, context, row)
            return
        read = scalar_text if is_large else _whole_text
        binary = binary_text(pair.old), binary_text(pair.new)
        texts = binary if all(binary) else (read(pair.old), read(pair.new))
        lines = marked_lines(
            *texts,
            context.depth,
            name=context.name,
            tails=(context.old_tail, context.new_tail),
        )
        self._rows.append(replace(row, old=lines[0], new=lines[1]))

    def _add_text(self, old: str, new: str, context: _Context, row: Row) -> Steps[None]:
        difference = yield from compare_text(old, new)
        title = Line(context.depth, context.name or "string:")
        self._rows.append(replace(row, old=title, new=title))
        depth, last = context.depth + 1, len(difference.hunks) - 1
        for at, hunk in enumerate(difference.hunks):
            if hunk.is_equal:
                self._rows += equal_rows(difference, hunk, depth, (at == 0, at == last))
            else:
                self._rows += hunk_rows(
                    difference, hunk, depth, row.change, is_ignored=row.is_ignored
                )
            yield

    def _add_parts(self, pair: Pair, context: _Context, row: Row) -> Steps[None]:
        assert pair.new is not None
        opening, closing = brackets(pair.new)
        title = Line(context.depth, f"{context.name}{opening}")
        self._rows.append(replace(row, old=title, new=title))
        for at, (part, inner) in enumerate(_contexts(pair, context)):
            if len(self._changes) >= MAX_CHANGES:
                self._add_rest(pair, context, at)
                break
            if isinstance(part, Stretch):
                self._add_stretch(part, inner)
                yield
            else:
                yield from self._add_pair(part, inner)
        self._rows.append(
            replace(
                row,
                old=Line(context.depth, f"{closing}{context.old_tail}"),
                new=Line(context.depth, f"{closing}{context.new_tail}"),
            )
        )

    def _add_rest(self, pair: Pair, context: _Context, start: int) -> None:
        """Fold the parts from `start` on: there are too many changes."""
        source = partial(_rest_rows, pair, context, start)
        rest = pair.parts[start:]
        equal = sum(len(part.new) for part in rest if isinstance(part, Stretch))
        different = sum(not isinstance(part, Stretch) for part in rest)
        text = f"{different:,} more values that may differ, {equal:,} equal values"
        self._rows.append(Row(None, fold=Fold(text, source)))

    def _add_stretch(self, stretch: Stretch, context: _Context) -> None:
        source = partial(_stretch_rows, stretch, context)
        if stretch.size_bytes > MAX_COUNTED_BYTES:
            noun = "value" if len(stretch.new) == 1 else "values"
            text = f"{len(stretch.new):,} equal {noun} ({stretch.size_bytes:,} bytes)"
            self._rows.append(Row(None, fold=Fold(text, source)))
            return
        rows = list(source())
        if len(rows) > FOLDED_ABOVE:
            rows = [Row(None, fold=Fold(f"{len(rows):,} equal lines", source))]
        self._rows += rows


def _contexts(pair: Pair, context: _Context) -> Iterator[tuple[Pair | Stretch, _Context]]:
    """Yield the parts of a pair, each with its context."""
    assert pair.new is not None
    parts, has_names = pair.parts, kind(pair.new) == OBJECT
    backwards = range(len(parts) - 1, -1, -1)
    last_old = next((at for at in backwards if _has_old(parts[at])), -1)
    last_new = next((at for at in backwards if _has_new(parts[at])), -1)
    for at, part in enumerate(parts):
        tails = ("," if at < last_old else "", "," if at < last_new else "")
        if isinstance(part, Stretch):
            yield part, _Context(context.depth + 1, (), (), "", *tails)
            continue
        name = member_name(str(part.step)) if has_names else ""
        path, old_path = (*context.path, part.step), (*context.old_path, part.old_step)
        yield part, _Context(context.depth + 1, path, old_path, name, *tails)


def _rest_rows(pair: Pair, context: _Context, start: int) -> Iterator[Row]:
    for part, inner in islice(_contexts(pair, context), start, None):
        if isinstance(part, Stretch):
            yield from _stretch_rows(part, inner)
        else:
            is_equal = part.state is PairState.EQUAL
            row = Row(None if is_equal else ChangeKind.CHANGED)
            yield from _side_by_side(part.old, part.new, inner, row)


def _is_plain(text: JsonText | None) -> bool:
    return text is not None and kind(text) not in {OBJECT, ARRAY}


def _whole_text(text: JsonText) -> str:
    return visible(readable(text))


def _has_old(part: Pair | Stretch) -> bool:
    return isinstance(part, Stretch) or part.old is not None


def _has_new(part: Pair | Stretch) -> bool:
    return isinstance(part, Stretch) or part.new is not None


def _side_by_side(
    old: JsonText | None, new: JsonText | None, context: _Context, row: Row
) -> Iterator[Row]:
    depth, name = context.depth, context.name
    old_lines = value_lines(old, depth, name, context.old_tail) if old is not None else ()
    new_lines = value_lines(new, depth, name, context.new_tail) if new is not None else ()
    for old_line, new_line in zip_longest(old_lines, new_lines):
        yield replace(row, old=old_line, new=new_line)


def _stretch_rows(stretch: Stretch, context: _Context) -> Iterator[Row]:
    last = len(stretch.new) - 1
    for at, (old, new) in enumerate(zip(stretch.old, stretch.new, strict=True)):
        name = member_name(stretch.names[at]) if stretch.names is not None else ""
        tails = (context.old_tail, context.new_tail) if at == last else (",", ",")
        inner = _Context(context.depth, (), (), name, *tails)
        yield from _side_by_side(old, new, inner, Row(None))
