"""What the window writes into a filter: terms for values of the tree, and values of the traffic with their counts; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.transcript.filter.json_paths import path_text, value_term
from inspector.transcript.filter.parser import narrowed
from inspector.transcript.filter.query import parse
from inspector.transcript.filter.seen_values import SeenValues
from inspector.transcript.filter.suggestions import suggestions
from tests.support.talk import Talk

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json


def found(talk: Talk, text: str) -> list[int]:
    return list(parse(text).matches(talk.transcript, 1, talk.transcript.count + 1))


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.text(max_size=20),
    st.floats(allow_nan=False, allow_infinity=False),
)


@given(st.dictionaries(st.text(max_size=8), VALUES, min_size=1, max_size=3))
@settings(deadline=None)
def test_a_value_of_the_tree_becomes_a_term_that_finds_its_frame(
    arguments: dict[str, Json],
) -> None:
    """Ours: *filter by this*; names and values may hold any character."""
    talk = Talk()
    talk.call(1, "tool", **arguments)

    for name, value in arguments.items():
        step = name.replace("~", "~0").replace("/", "~1")
        if not name.isdigit():
            assert found(talk, value_term(f"/params/arguments/{step}", value)) == [1]


POINTERS = {
    "/params/arguments/x": "params.arguments.x",
    "/result/content/0/text": "result.content[0].text",
    "/result/_meta/io.x~1y": 'result._meta."io.x/y"',
    "/jsonrpc": "$.jsonrpc",
    "/0/params/x": "params.x",
    "": "",
}


@pytest.mark.parametrize("pointer", POINTERS)
def test_a_pointer_into_a_message_becomes_a_path(pointer: str) -> None:
    """Ours."""
    assert path_text(pointer) == POINTERS[pointer]


def test_values_in_the_traffic_are_offered_with_the_number_of_their_frames() -> None:
    """Ours: frequent ones first."""
    talk = Talk()
    talk.call(1, "echo", text="x", tags=["a"], a=1)
    talk.text_result(1, "x")
    talk.call(2, "echo")
    talk.request(3, "tools/list")
    talk.error(3, -1, "no")
    seen = SeenValues()
    seen.set_transcripts([talk.transcript])
    while seen.advance(0.01):
        pass

    def offered(text: str) -> dict[str, int | None]:
        return {one.text: one.count for one in suggestions(text, len(text), seen.values)}

    assert offered("method:tools") == {"tools/call": 3, "tools/list": 2}
    assert offered("(ping | kind:err") == {"error": 1}
    assert offered("has:params.arguments.t") == {
        "params.arguments.text": None,
        "params.arguments.tags": None,
        "params.arguments.tags[*]": None,
    }
    assert "params.arguments.a" in offered("-params.arg")
    assert offered("get|stat") == {"status:": None}


def test_counting_goes_on_where_it_was() -> None:
    """Ours: a growing transcript is counted once."""
    talk = Talk()
    talk.flood(50_000)
    seen = SeenValues()
    seen.set_transcripts([talk.transcript])

    unfinished = seen.advance(0)
    while seen.advance(0):
        pass
    talk.call(1, "x")
    seen.advance(1)

    assert unfinished
    assert seen.values("method") == {"notifications/message": 50_000, "tools/call": 1}


NARROWED = {"": "b", "a": "a b", "a | c": "(a | c) b", "(a | c)": "(a | c) b", "a |": "a | b"}


@pytest.mark.parametrize("text", NARROWED)
def test_a_term_that_is_added_narrows_the_whole_filter(text: str) -> None:
    """Ours: also one with alternatives."""
    assert narrowed(text, "b") == NARROWED[text]
