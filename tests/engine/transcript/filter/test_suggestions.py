"""What a filter could say next; ours throughout."""

from __future__ import annotations

import pytest

from inspector.transcript.filter.query import suggestions

KNOWN = {"methods": ["tools/call", "tools/list", "ping"], "tools": ["get_sum", "get time"]}


def offered(text: str, cursor: int | None = None) -> list[str]:
    place = len(text) if cursor is None else cursor
    return [one.text for one in suggestions(text, place, KNOWN)]


CASES: dict[str, list[str]] = {
    "sta": ["status:"],
    "-sta": ["status:"],
    "dir:": ["in", "out", "note"],
    "dir:o": ["out"],
    "status:ok,pe": ["pending"],
    "method:tools": ["tools/call", "tools/list"],
    "method:LIST": ["tools/list"],
    "tool:get": ["get_sum", '"get time"'],
    "nothing": [],
    "zzz:x": [],
    '"sta': [],
    "took:": [],
}


@pytest.mark.parametrize("text", CASES)
def test_a_beginning_offers_these(text: str) -> None:
    """Ours."""
    assert offered(text) == CASES[text]


def test_an_empty_filter_offers_every_field() -> None:
    """Ours."""
    assert offered("")[:3] == ["method:", "dir:", "kind:"]


def test_a_suggestion_replaces_the_word_under_the_cursor_only() -> None:
    """Ours."""
    text = "ping -stat took:>1s"

    one = suggestions(text, 8)[0]

    assert text[: one.start] + one.text + text[one.stop :] == "ping -status: took:>1s"


def test_every_suggestion_says_what_it_means() -> None:
    """Ours."""
    assert all(
        one.summary for text in ("", "kind:", "status:") for one in suggestions(text, len(text))
    )
