"""A difference as rows shows every line of both sides, or counts it; ours."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

from hypothesis import given

from inspector.background_tasks import at_once
from inspector.compare.json_difference import ChangeKind, compare_json
from inspector.compare.json_lines import value_lines
from inspector.compare.json_rows import json_rows
from inspector.compare.json_text import json_text
from inspector.compare.paths import parse_pattern, path_text, pattern_of
from inspector.compare.rows import MAX_LINE, MAX_OPENED, SIGNS, open_fold
from inspector.compare.text_difference import compare_text, text_rows
from tests.engine.compare.test_json_difference import LISTS
from tests.support.json_texts import TEXTS, quick

if TYPE_CHECKING:
    import pytest

    from inspector.compare.paths import PathPattern
    from inspector.compare.rows import DifferenceRows, Line, Row
    from inspector.json_value import Json

BEFORE: Json = {
    "content": [{"type": "text", "text": "2 open orders"}],
    "structuredContent": {
        "orders": [{"id": "118", "state": "open"}, {"id": "121", "state": "open"}],
        "total": 803,
        "currency": "EUR",
    },
}
AFTER: Json = {
    "content": [{"type": "text", "text": "3 open orders"}],
    "structuredContent": {
        "orders": [
            {"id": "118", "state": "open"},
            {"id": "121", "state": "open"},
            {"id": "124", "state": "open"},
        ],
        "total": "1204.50",
    },
}


def rows_of(old: Json, new: Json, *ignored: PathPattern) -> DifferenceRows:
    texts = (json.dumps(each).encode() for each in (old, new))
    return at_once(json_rows(at_once(compare_json(*texts)), ignored))


def side(rows: list[Row], name: str) -> str:
    """The text of one side, with its folds opened."""
    lines: list[str] = []
    pending = rows[::-1]
    while pending:
        row = pending.pop()
        if row.fold is not None:
            pending += open_fold(row)[::-1]
            continue
        line: Line | None = getattr(row, name)
        if line is not None:
            lines.append(line.text)
    return "".join(lines)


def test_a_result_that_differs_is_laid_out_in_two_columns() -> None:
    """Ours: signs, and counts by kind."""
    found = rows_of(BEFORE, AFTER)
    signs = [
        (SIGNS[row.kind], path_text(found.changes[row.change].path))
        for row in found.rows
        if row.kind
    ]

    assert signs == [
        ("~", "content[0].text"),
        ("+", "structuredContent.orders[2]"),
        ("~", "structuredContent.total"),
        ("−", "structuredContent.currency"),
    ]
    assert (found.counts.changed, found.counts.added, found.counts.removed) == (2, 1, 1)
    assert [found.rows[at].kind for at in found.starts] == [
        ChangeKind.CHANGED,
        ChangeKind.ADDED,
        ChangeKind.CHANGED,
        ChangeKind.REMOVED,
    ]
    changed = found.rows[found.starts[2]]
    assert changed.old is not None
    assert changed.new is not None
    assert changed.new.mark is not None
    assert changed.new.text[slice(*changed.new.mark)] == '"1204.50"'
    assert (changed.old.text, changed.new.text) == ('"total": 803,', '"total": "1204.50"')


@quick
@given(LISTS, LISTS)
def test_both_sides_are_whole(old: Json, new: Json) -> None:
    """Ours: with folds opened, each side reads as its value, in the order of the new one."""
    found = rows_of(old, new)

    assert sorted(side(found.rows, "old").replace(" ", "")) == sorted(_text(old))
    assert json.loads(side(found.rows, "new")) == new
    json.loads(side(found.rows, "old"))


def _text(value: Json) -> str:
    return "".join(
        line.text for line in value_lines(json_text(json.dumps(value).encode()))
    ).replace(" ", "")


@quick
@given(TEXTS)
def test_lines_keep_every_value_as_it_is_written(text: str) -> None:
    """Ours."""
    lines = "".join(line.text for line in value_lines(json_text(text.encode())))

    assert "⟨" in lines or json.loads(lines) == json.loads(text)


def test_equal_lines_are_folded_and_counted() -> None:
    """Ours: more than eight of them."""
    common = {f"name{at}": at for at in range(20)}
    found = rows_of({**common, "last": 1}, {**common, "last": 2})
    folds = [row for row in found.rows if row.fold is not None]

    assert [row.fold.text for row in folds if row.fold] == ["20 equal lines"]
    assert len(open_fold(folds[0])) == 20
    assert not any(row.fold for row in rows_of({"a": 1, "b": [1, 2]}, {"a": 1, "b": [1, 3]}).rows)


def test_a_long_value_that_was_added_is_folded_behind_its_beginning() -> None:
    """Ours: opened part by part, so that no click takes long."""
    items: Json = json.loads(json.dumps([[at] * 30 for at in range(300)]))
    found = rows_of([], [{"items": items}])
    last = [row for row in found.rows if row.fold is not None]

    assert len(last) == 1
    assert last[0].kind is ChangeKind.ADDED
    opened = open_fold(last[0])
    assert len(opened) == MAX_OPENED + 1
    assert opened[-1].fold is not None
    assert side(found.rows, "new").count("299") == 30


def test_a_changed_text_is_compared_line_by_line() -> None:
    """Ours: as one change."""
    lines = [f"line {at}" for at in range(40)]
    found = rows_of(
        {"text": "\n".join(lines)}, {"text": "\n".join([*lines[:20], "new", *lines[21:]])}
    )

    assert found.counts.changed == found.counts.total == 1
    changed = [row for row in found.rows if row.kind and row.old and not row.old.is_json]
    assert [(row.old.text, row.new.text) for row in changed if row.old and row.new] == [
        ("line 20", "new")
    ]
    assert [row.fold.text for row in found.rows if row.fold] == ["18 equal lines", "17 equal lines"]


def test_ignored_changes_do_not_count_and_stay_in_sight() -> None:
    """Ours: with the pattern that ignored them."""
    pattern = parse_pattern("items[*].id")
    assert pattern is not None
    old: Json = {"items": [{"id": 1, "v": 1}, {"id": 2, "v": 2}], "n": 1}
    new: Json = {"items": [{"id": 3, "v": 1}, {"id": 4, "v": 2}], "n": 2}
    found = rows_of(old, new, pattern)

    assert (found.counts.total, found.counts.ignored) == (1, 2)
    assert found.ignored == {"items[*].id": 2}
    assert sum(row.is_ignored for row in found.rows) == 2
    assert len(found.starts) == 1


def test_a_long_line_shows_what_differs() -> None:
    """Ours: the beginning may be equal for pages."""
    found = rows_of("x" * 5000 + "old" + "y" * 5000, "x" * 5000 + "new" + "y" * 5000)
    (row,) = found.rows
    assert row.old is not None
    assert row.new is not None
    assert row.new.mark is not None

    assert row.new.text[slice(*row.new.mark)] == "new"
    assert len(row.new.text) < MAX_LINE + 5


def test_images_are_compared_by_size_and_content() -> None:
    """Ours: not by a part of their base64 text."""

    def image(width: int, size: int) -> str:
        header = (
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + width.to_bytes(4, "big") + (480).to_bytes(4, "big")
        )
        return base64.b64encode(header.ljust(size, b"x")).decode()

    (row,) = rows_of(image(640, 600), image(320, 900)).rows
    assert row.old is not None
    assert row.new is not None
    assert row.old.text.endswith('…" · PNG 640×480 · 600 bytes')
    assert row.new.text.endswith('…" · PNG 320×480 · 900 bytes')
    assert row.kind is ChangeKind.CHANGED


def test_texts_have_a_row_for_each_line() -> None:
    """Ours: a change for each group of lines that differ."""
    found = at_once(text_rows(at_once(compare_text("a\nb\nc\nd", "a\nB\nc\nd\ne"))))

    assert (found.counts.changed, found.counts.added) == (1, 1)
    assert side(found.rows, "old") == "abcd"
    assert side(found.rows, "new") == "aBcde"


def test_lines_beyond_the_budget_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours."""
    monkeypatch.setattr("inspector.compare.text_difference.MAX_LINES", 10)
    difference = at_once(compare_text("a\n" * 30, "a\n" * 20))
    found = at_once(text_rows(difference))

    assert not difference.is_equal
    assert found.is_partial
    assert found.rows[-1].new is not None
    assert found.rows[-1].new.text == "21 more lines not compared"


def test_a_pattern_reads_as_it_is_written() -> None:
    """Ours."""
    for text in ("result._meta.requestTime", "items[*].id", 'a["b c"][0]', "[*]", "x.*"):
        pattern = parse_pattern(text)
        assert pattern is not None
        assert parse_pattern(pattern.text) == pattern
    assert [parse_pattern(text) for text in ("", "a..b", "a b", "[x]", "ab[")] == [None] * 5
    assert pattern_of(("items", 3, "id")).text == "items[*].id"
