"""A message that is sent again: its id, what was changed in it, and the list of sends."""

from __future__ import annotations

import pytest

from inspector.compare.compared_frame import ComparedFrame
from inspector.features.repeat import (
    MAX_CHARACTERS,
    MAX_COMPARED,
    MAX_ROWS,
    Send,
    Sends,
    called_tools,
    changes_text,
    id_span,
    names,
    request_changes,
)
from inspector.transcript.transcript import Transcript

CALL = (
    '{"jsonrpc":"2.0","id":7,"method":"tools/call",'
    '"params":{"name":"search","arguments":{"limit":10,"customer":"ACME"}}}'
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"id":7}', "7"),
        ('{ "params": {"id": "x"}, "id" : "a\\"b" }', '"a\\"b"'),
        ('{"name":"id","method":"ping"}', None),
        ('{"method":"id","id":null}', "null"),
        ('{"id":{"a":1}}', None),
        ('[{"id":7}]', None),
        ("", None),
    ],
)
def test_the_id_of_a_message_is_found_in_its_text(text: str, found: str | None) -> None:
    """Ours: only that of the message itself, however it is spaced."""
    span = id_span(text)
    assert (text[slice(*span)] if span else None) == found


def test_what_was_changed_is_named_and_the_id_is_not_counted() -> None:
    """Ours: arguments by name, with their new values."""
    text = CALL.replace('"id":7', '"id":"rep-1"')
    assert request_changes(CALL, text) == []
    text = text.replace("10", "50").replace(',"customer":"ACME"', "")
    changes = request_changes(CALL, text)
    assert changes is not None
    assert names(changes) == "limit, customer"
    assert changes_text(changes) == "limit: 50, customer removed"


def test_text_that_is_no_json_is_one_change() -> None:
    """Ours."""
    changes = request_changes(CALL, CALL[:-1])
    assert changes is not None
    assert names(changes) == "text"


def test_a_text_that_is_too_long_is_not_compared_at_each_key() -> None:
    """Ours."""
    assert request_changes(CALL, CALL + " " * MAX_COMPARED) is None


def test_the_tools_that_a_text_calls_are_known() -> None:
    """Ours: of a message, of a batch, and of lines that are messages of their own; not of other methods, nor of text that is no message."""
    other = CALL.replace("search", "purge")
    assert called_tools(CALL) == ("search",)
    assert called_tools(f"[{CALL}, 1, {other}, {CALL}]") == ("search", "purge")
    assert called_tools(f"{CALL}\n{other}") == ("search", "purge")
    assert called_tools(f'{{"x":\n{other.replace("tools/", "tools" + chr(92) + "/")}\n}}') == (
        "purge",
    )
    assert called_tools(CALL.replace("tools/call", "prompts/get")) == ()
    assert called_tools("{") == called_tools("[") == ()


def test_the_list_is_bounded_and_counts_what_it_dropped() -> None:
    """Ours: in rows and in characters; the newest row stays."""
    sends, original = Sends(), ComparedFrame(Transcript(), 1)
    for number in range(MAX_ROWS + 3):
        sends.add(Send("x", original, number + 1))
    assert (len(sends.rows), sends.dropped) == (MAX_ROWS, 3)
    assert sends.rows[0].number == MAX_ROWS + 3
    sends.add(Send("y" * MAX_CHARACTERS, original))
    assert len(sends.rows) == 1


def test_a_send_is_compared_with_the_one_before_of_the_same_message() -> None:
    """Ours: the earliest one with the original."""
    transcript = Transcript()
    first, other = ComparedFrame(transcript, 1), ComparedFrame(transcript, 2)
    sends = Sends()
    rows: list[Send] = []
    for number, original in ((1, first), (2, other), (3, first)):
        row = Send("", original, number, ComparedFrame(transcript, 10 + number))
        rows.append(row)
        sends.add(row)
    assert sends.before(rows[0]) == ("#1", first)
    assert sends.before(rows[1]) == ("#2", other)
    assert sends.before(rows[2]) == ("1", rows[0].frame)
