"""Lists that come in pages, in the traffic as on the page of the list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.background_validator import BackgroundValidator
from inspector.spec.revision import V2025_11_25
from tests.support.findings import validate_all
from tests.support.records import Written, request, result

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject


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


def test_a_list_that_is_read_again_may_name_its_cursors_again() -> None:
    """L-PAG-04."""
    once: list[tuple[str | None, list[str], str | None]] = [(None, ["a"], "1"), ("1", ["b"], None)]

    assert pages(*once, *once) == [[]] * 4


def test_a_page_without_items_before_the_last_is_remarked_on() -> None:
    """L-PAG-06."""
    assert pages((None, [], "1"), ("1", [], None)) == [["L-PAG-06"], []]
