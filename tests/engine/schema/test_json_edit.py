"""Edits on exact values; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.schema.json_edit import (
    exact,
    with_inserted,
    with_item,
    with_key,
    with_moved,
    without_item,
    without_key,
)
from inspector.wire.json_codec import read, write

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

ORDER = ("a", "b", "c")


@pytest.mark.parametrize(
    ("base", "key", "expected"),
    [
        ({}, "b", ["b"]),
        ({"a": 1, "c": 3}, "b", ["a", "b", "c"]),
        ({"c": 3}, "a", ["a", "c"]),
        ({"x": 0, "c": 3, "y": 0}, "a", ["x", "a", "c", "y"]),
        ({"c": 3, "a": 1}, "b", ["c", "a", "b"]),
        ({"a": 1}, "z", ["a", "z"]),
        ({"x": 0}, "b", ["x", "b"]),
    ],
)
def test_a_new_key_goes_where_the_schema_has_it(
    base: JsonObject, key: str, expected: list[str]
) -> None:
    """Ours: and no other key moves."""
    assert list(with_key(base, key, 9, ORDER)) == expected


def test_setting_a_key_that_is_there_keeps_the_order() -> None:
    """Ours."""
    assert write(with_key({"b": 1, "a": 2}, "b", 3, ORDER)) == '{"b":3,"a":2}'


def test_an_edit_leaves_the_value_as_it_was_and_shares_the_rest() -> None:
    """Ours: a view knows by identity what did not change."""
    inner: JsonObject = {"deep": [1]}
    base: JsonObject = {"a": inner, "b": 1}

    made = with_key(base, "b", 2)

    assert made["a"] is inner
    assert base == {"a": {"deep": [1]}, "b": 1}
    assert without_key(base, "b") == {"a": inner}


def test_items_are_set_added_taken_out_and_moved() -> None:
    """Ours."""
    base: list[Json] = [1, 2, 3]

    assert with_item(base, 1, 9) == [1, 9, 3]
    assert with_item([], 2, 9) == [None, None, 9]
    assert without_item(base, 0) == [2, 3]
    assert with_inserted(base, 1, 9) == [1, 9, 2, 3]
    assert with_moved(base, 2, 0) == [3, 1, 2]


def test_values_that_python_calls_equal_are_told_apart() -> None:
    """args-05-falsy-values."""
    texts = [exact(value) for value in (0, False, "", None, "0", read(b"0.0").value, [], {})]

    assert len(set(texts)) == len(texts)
