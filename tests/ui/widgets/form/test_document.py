"""The one value behind both views; ours where nothing else is said."""

from __future__ import annotations

import pytest

from inspector.spec.pointer import parts
from inspector.wire.json_codec import RawJson
from ui.widgets.form.document import Document, span_of, typable


def held(text: str) -> Document:
    document = Document()
    document.set_text(text)
    return document


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1.50,"b":1e3,"c":9007199254740993,"d":-0,"e":0.1000000000000000055511151231257827}',
        '{"z":1,"a":{"y":1,"b":2}}',
        '{"a":"\\u00e9","a":1}',
        '{"a":"\\ud800"}',
        '[1,2,{"x":null}]',
        '"text"',
    ],
)
def test_a_text_leaves_as_it_came(text: str) -> None:
    """args-09-bigint-exact; order, spelling, escapes and repeated names are kept."""
    assert held(text).text() == text


def test_white_space_between_tokens_does_not_leave() -> None:
    """Ours: a message is one line."""
    assert held('{ "a b" :\n [1.0 ,\t2] }').text() == '{"a b":[1.0,2]}'


def test_a_text_that_is_no_json_is_kept_as_it_is() -> None:
    """Ours."""
    document = held('{"a": 1,,}')

    assert document.text() == '{"a": 1,,}'
    assert document.pretty() == '{"a": 1,,}'
    assert document.error


def test_a_form_has_each_key_once_so_repeated_keys_stay_text() -> None:
    """Ours."""
    assert '"a"' in held('{"a":1,"a":2}').error


def test_a_value_put_by_the_form_takes_the_place_of_the_text() -> None:
    """args-14-raw-and-form-in-step."""
    document = held("oops")

    document.set_value({"a": RawJson('{"x": 1,\n "x": 2}')})

    assert document.error == ""
    assert document.text() == '{"a":{"x":1,"x":2}}'


def test_a_text_on_one_line_is_indented_to_be_edited() -> None:
    """Ours."""
    assert held('{"a":1.50}').pretty() == '{\n  "a": 1.50\n}'
    assert held('{"a":\n1}').pretty() == '{"a":\n1}'


def test_every_change_is_told() -> None:
    """Ours."""
    document, seen = Document(), list[str]()
    document.changed.subscribe(lambda: seen.append(document.text()))

    document.set_text("1")
    document.set_value(2)

    assert seen == ["1", "2"]


def test_characters_that_a_text_box_changes_become_escapes() -> None:
    """Ours."""
    assert typable('"a\u2028\u2029b"') == '"a\\u2028\\u2029b"'


TEXT = '{"a": {"b": [1, {"c": "x,}]"}, true]}, "a/b": null, "é\\"": -1.5e3}'


@pytest.mark.parametrize(
    ("pointer", "found"),
    [
        ("", TEXT),
        ("/a", '{"b": [1, {"c": "x,}]"}, true]}'),
        ("/a/b/0", "1"),
        ("/a/b/1", '{"c": "x,}]"}'),
        ("/a/b/1/c", '"x,}]"'),
        ("/a/b/2", "true"),
        ("/a~1b", "null"),
        ('/é"', "-1.5e3"),
        ("/a/missing", "{"),
        ("/a/b/9", "["),
        ("/nothing", "{"),
    ],
)
def test_a_pointer_leads_to_its_value_or_to_what_would_hold_it(pointer: str, found: str) -> None:
    """Ours."""
    start, end = span_of(TEXT, parts(pointer))

    assert TEXT[start:end] == found


def test_a_text_that_is_no_json_leads_somewhere() -> None:
    """Ours: it is not asked for such a text, and does not fail."""
    for text in ("", "}", '{"a":', "[1,,2]", ",", '"', "{]}"):
        start, end = span_of(text, ["a", "0"])
        assert 0 <= start <= end
