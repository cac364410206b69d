"""Members of JSON text are set and removed; everything else stays as it was typed."""

from __future__ import annotations

import pytest

from inspector.wire.json_edits import laid_out_like, remove_member, set_member, value_text


@pytest.mark.parametrize(
    ("text", "names", "value", "after"),
    [
        ('{"a":1.50}', ("a",), "2", '{"a":2}'),
        ('{ "a" : 1 , "a" : 2 }', ("a",), "3", '{ "a" : 1 , "a" : 3 }'),
        ("{}", ("a",), "1", '{"a":1}'),
        ('{"b":2}', ("a",), "1", '{"a":1,"b":2}'),
        ('{"p":{"m":{}}}', ("p", "m", "x"), '"y"', '{"p":{"m":{"x":"y"}}}'),
        ('{"p":[]}', ("p", "x"), "1", '{"p":[]}'),
        ('{"b":2, broken', ("a",), "1", '{"a":1,"b":2, broken'),
        ("[1]", ("a",), "1", "[1]"),
        ("", ("a",), "1", ""),
    ],
)
def test_a_member_is_set(text: str, names: tuple[str, ...], value: str, after: str) -> None:
    """Ours: of several the last, as it is read; where there is no object for it, nothing changes."""
    assert set_member(text, value, *names) == after


@pytest.mark.parametrize(
    ("text", "names", "after"),
    [
        ('{"a":1}', ("a",), "{}"),
        ('{"a":1, "b":2}', ("a",), '{"b":2}'),
        ('{"a":1 , "b":{"c":[1]}}', ("b",), '{"a":1}'),
        ('{"p":{"m":{"x":1,"y":2}}}', ("p", "m", "y"), '{"p":{"m":{"x":1}}}'),
        ('{"a":1}', ("b",), '{"a":1}'),
    ],
)
def test_a_member_is_removed_with_its_comma(text: str, names: tuple[str, ...], after: str) -> None:
    """Ours."""
    assert remove_member(text, *names) == after


def test_an_edited_text_is_in_lines_only_if_it_was_and_numbers_keep_their_spelling() -> None:
    """Ours."""
    assert laid_out_like('{"a":1e2}', "{\n}") == '{\n  "a": 1e2\n}'
    assert laid_out_like('{"a":1e2}', "{}") == '{"a":1e2}'
    assert laid_out_like('{"a":', "{\n}") == '{"a":'
    assert value_text('{"a": {"b" : 1.0}}', "a") == '{"b" : 1.0}'
