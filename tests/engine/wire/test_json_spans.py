"""Where values are in the text of a message; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pytest

from inspector.wire.json_spans import PAUSE_EVERY, keys_at, locate

if TYPE_CHECKING:
    from collections.abc import Generator

_Result = TypeVar("_Result")

TEXT = '{ "a" : [1, {"b/c":"x\\"}"}, -2.5e3 ],"\\u00e9":{"0":true, "a":null} }'


def result_of(steps: Generator[None, None, _Result]) -> tuple[_Result, int]:
    """The result, and the number of pauses."""
    pauses = 0
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value, pauses
        pauses += 1


def text_at(text: str, *keys: str) -> str:
    span, _ = result_of(locate(text, keys))
    return "" if span is None else text[slice(*span)]


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("a",), '[1, {"b/c":"x\\"}"}, -2.5e3 ]'),
        (("a", "0"), "1"),
        (("a", "1"), '{"b/c":"x\\"}"}'),
        (("a", "1", "b/c"), '"x\\"}"'),
        (("a", "2"), "-2.5e3"),
        (("é",), '{"0":true, "a":null}'),
        (("é", "0"), "true"),
        (("é", "a"), "null"),
        (("b",), ""),
        (("a", "3"), ""),
        ((), ""),
    ],
)
def test_a_pointer_leads_to_the_exact_text_and_back(keys: tuple[str, ...], value: str) -> None:
    """Ours: white space, escapes and brackets in strings do not mislead."""
    assert text_at(TEXT, *keys) == value
    if value:
        span, _ = result_of(locate(TEXT, keys))
        assert span is not None
        back, _ = result_of(keys_at(TEXT, span[0]))
        assert tuple(map(str, back)) == keys


def test_of_members_with_one_name_the_last_is_found() -> None:
    """Ours: it is the one that is read."""
    assert text_at('{"a":{"b":1},"a":{"b":2}}', "a", "b") == "2"
    assert text_at('["a","b"]', "1") == '"b"'
    assert text_at('{"a":"a","b":"a"}', "b") == '"a"'


def test_the_name_of_a_member_and_its_colon_are_part_of_it() -> None:
    """Ours: what is between members is part of what contains them."""
    places = {'"b/c"': ["a", 1, "b/c"], ":[": None, ', {"b': ["a"], "} }": ["é"]}
    for text, keys in places.items():
        if keys is not None:
            found, _ = result_of(keys_at(TEXT, TEXT.index(text)))
            assert found == keys
    assert result_of(keys_at(TEXT, 0))[0] == []
    assert result_of(keys_at(TEXT, len(TEXT)))[0] == []


def test_the_fields_of_an_event_around_and_within_are_passed_over() -> None:
    """Ours."""
    event = 'event: message\nid: 7\ndata: {"a":\ndata: {"b": [1,\ndata: 2]}}\n\n'
    assert text_at(event, "a", "b", "0") == "1"
    assert text_at(event, "a", "b", "1") == "2"
    assert result_of(keys_at(event, event.index("2]")))[0] == ["a", "b", 1]


@pytest.mark.parametrize("text", ["", "}}]]", '{"a', "plain words", ',,:"', "[" * 10_000, '{"a":1'])
def test_what_is_not_json_never_raises(text: str) -> None:
    """Ours."""
    for position in range(min(len(text), 20) + 1):
        result_of(keys_at(text, position))
    result_of(locate(text, ("a",)))


def test_a_large_text_is_examined_with_pauses() -> None:
    """Ours."""
    text = f"[{'1,' * 10_000}2]"
    span, pauses = result_of(locate(text, ("10000",)))
    assert span == (len(text) - 2, len(text) - 1)
    assert pauses >= 20_000 // PAUSE_EVERY
