"""Messages that were printed over several lines."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from inspector.checks.background_validator import BackgroundValidator
from inspector.checks.catalog import CATALOG
from inspector.checks.message_order import MAX_BYTES, MAX_LINES, SplitMessages, split_text
from inspector.spec.revision import V2025_11_25
from inspector.spec.view import PAGE_BUDGET
from tests.support.findings import validate_all
from tests.support.records import Written, request, result

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

PRETTY = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}, indent=2).encode()


def found(*lines: bytes, first: int = 1) -> list[tuple[int, int]]:
    split = SplitMessages()
    spans = [split.add(number, line) for number, line in enumerate(lines, first)]
    return [span for span in spans if span is not None]


def test_a_pretty_printed_message_is_recognised() -> None:
    """stdio-14, C-STD-03."""
    lines = PRETTY.split(b"\n")

    assert found(*lines, first=7) == [(7, 6 + len(lines))]


def test_every_one_of_several_is_recognised() -> None:
    """stdio-14."""
    lines = PRETTY.split(b"\n")

    assert found(*lines, *lines) == [(1, len(lines)), (len(lines) + 1, 2 * len(lines))]


@pytest.mark.parametrize(
    "text",
    [
        b"{\r\n}\r",
        b"[\n1,\n2\n]",
        b'{"a": [\n{}\n]\n}',
        b'{"a": "b\nc"}',
        b"  {\n  }  ",
        b'{"a": "}"\n,"b": "{\\"["\n}',
        b'{"a": "[\n}"}',
        b"[\nNaN\n]",
    ],
)
def test_other_ways_of_breaking_lines_are_recognised(text: bytes) -> None:
    """stdio-14."""
    lines = text.split(b"\n")

    assert found(*lines) == [(1, len(lines))]


@pytest.mark.parametrize(
    "lines",
    [
        [b"Listening on port 3000", b"Ready"],
        [b"{", b"hello", b"}"],
        [b"}", b"{"],
        [b"{"],
        [b"not {", b"}"],
    ],
)
def test_other_noise_is_not(lines: list[bytes]) -> None:
    """C-STD-16."""
    assert found(*lines) == []


def test_noise_before_a_message_does_not_hide_it() -> None:
    """stdio-14."""
    assert found(b"banner", b"{", b"}", b"done") == [(2, 3)]
    assert found(b"{banner}", b"[", b"1]") == [(2, 3)]


def test_lines_that_do_not_follow_each_other_are_not_joined() -> None:
    """Ours: something else came in between."""
    split = SplitMessages()

    assert split.add(1, b"{") is None
    assert split.add(3, b"}") is None


def test_there_is_an_end_to_gathering() -> None:
    """C-SEC-18."""
    assert found(b"[", *[b"1,"] * MAX_LINES, b"1", b"]") == []
    assert found(b"[", b'"' + b"x" * MAX_BYTES + b'"', b"]") == []


def test_the_words_name_the_frames_and_the_rule() -> None:
    """stdio-14."""
    assert split_text(3, 9) == (
        "message split across lines #3–#9; each message must be a single line"
    )


def pages(*named: tuple[str | None, list[str], str | None]) -> list[list[str]]:
    """The rules found about each page: the cursor that is asked for, the names of its tools, the cursor after it."""
    record = Written()
    sweep = BackgroundValidator(record.transcript, V2025_11_25)
    numbers: list[int] = []
    for id_, (cursor, names, following) in enumerate(named, 1):
        params: JsonObject = {} if cursor is None else {"cursor": cursor}
        record.sent(request(id_, "tools/list", params))
        tools: list[Json] = [{"name": name, "inputSchema": {"type": "object"}} for name in names]
        more: JsonObject = {} if following is None else {"nextCursor": following}
        numbers.append(record.received(result(id_, {"tools": tools, **more})))
    validate_all(sweep)
    return [record.rules(number) for number in numbers]


def test_a_cursor_that_came_before_is_found_where_it_comes_back() -> None:
    """L-PAG-04: the command line, recordings and the traffic tell it, not the list alone."""
    assert pages((None, ["a"], "1"), ("1", ["b"], "2"), ("2", ["c"], "1")) == [
        [],
        [],
        ["L-PAG-04"],
    ]


def test_very_many_pages_are_found_once_and_not_said_to_have_no_end() -> None:
    """L-PAG-04: each names a cursor that no page named before, as those of a long list do."""
    cursors = [None, *map(str, range(PAGE_BUDGET + 5))]
    named = pages(*((now, [f"t{then}"], then) for now, then in pairwise(cursors)))

    assert [at for at, rules in enumerate(named, 1) if rules == ["L-PAG-04"]] == [PAGE_BUDGET]
    assert "many pages" in CATALOG["L-PAG-04"].title
    assert "for ever" not in CATALOG["L-PAG-04"].why


def test_a_list_that_is_read_again_may_name_its_cursors_again() -> None:
    """L-PAG-04."""
    once: list[tuple[str | None, list[str], str | None]] = [(None, ["a"], "1"), ("1", ["b"], None)]

    assert pages(*once, *once) == [[]] * 4


def test_a_page_without_items_before_the_last_is_remarked_on() -> None:
    """L-PAG-06."""
    assert pages((None, [], "1"), ("1", [], None)) == [["L-PAG-06"], []]
