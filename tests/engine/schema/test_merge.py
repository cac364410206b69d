"""Two schemas that both hold, as one; schema-43-allof-merge throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.schema.merge import merge

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject


def merged(keyword: str, one: Json, other: Json) -> Json:
    """What two values of a keyword become."""
    both = merge({keyword: one}, {keyword: other})
    assert isinstance(both, dict)
    return both[keyword]


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("integer", "number", "integer"),
        ("number", "integer", "integer"),
        (["integer", "null"], ["number", "null"], ["null", "integer"]),
        (["integer", "number"], "number", ["number", "integer"]),
        (["string", "null"], ["null", "array"], "null"),
        ("string", ["array", "string"], "string"),
        ("string", "array", "array"),
    ],
)
def test_types_are_intersected_and_an_integer_is_a_number(
    one: Json, other: Json, both: Json
) -> None:
    """Ours for types that exclude each other: the later one is drawn."""
    assert merged("type", one, other) == both


@pytest.mark.parametrize(
    ("keyword", "both"),
    [
        ("minimum", 5),
        ("exclusiveMinimum", 5),
        ("minLength", 5),
        ("minItems", 5),
        ("minProperties", 5),
        ("maximum", 2),
        ("exclusiveMaximum", 2),
        ("maxLength", 2),
        ("maxItems", 2),
        ("maxProperties", 2),
    ],
)
def test_of_two_limits_the_narrower_holds(keyword: str, both: int) -> None:
    """In either order."""
    assert merged(keyword, 2, 5) == merged(keyword, 5, 2) == both


def test_required_keys_are_united_and_choices_intersected() -> None:
    """Choices are told apart by their exact spelling: `1` is not `true`."""
    assert merged("required", ["a", "b"], ["b", "c"]) == ["a", "b", "c"]
    assert merged("enum", [1, "a", None], [None, True, "a"]) == [None, "a"]
    assert merged("additionalProperties", False, {"type": "string"}) is False
    assert merged("additionalProperties", {"type": "string"}, False) is False


def test_a_schema_that_allows_all_or_nothing_decides_or_is_passed_over() -> None:
    """The two schemas that are no objects."""
    some: JsonObject = {"type": "string"}

    assert merge(False, some) is merge(some, False) is merge(True, False) is False
    assert merge(True, some) is some
    assert merge(some, True) is some


def test_what_cannot_become_one_is_kept_apart() -> None:
    """Two unions both hold, and so do two conditions; equal ones are one."""
    first: JsonObject = {"anyOf": [{"type": "string"}], "if": {}, "then": {"minLength": 1}}
    second: JsonObject = {"anyOf": [{"type": "array"}], "then": {"minLength": 2}}

    assert merge(first, second) == {**first, "allOf": [second]}
    assert merge(first, first) == first
