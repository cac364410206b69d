"""What a schema says of some values only."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from inspector.schema.conditions import Conditions
from inspector.schema.resolve import Resolver

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

B: JsonObject = {"required": ["b"]}
OLD, OLDER = "http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-06/schema#"


def brought(schema: JsonObject, value: Json) -> list[Json]:
    """What the conditions of a schema bring for a value."""
    resolver = Resolver(schema)
    conditions = Conditions(schema, resolver)
    shape = resolver.shape(schema).keywords
    found = [conditions.applied(branch, value) for branch in conditions.branches(shape)]
    return [each for each in found if each is not True]


def is_x(keyword: str = "then") -> JsonObject:
    return {"if": {"properties": {"m": {"const": "x"}}, "required": ["m"]}, keyword: B}


@pytest.mark.parametrize(
    ("schema", "yes", "no"),
    [
        (is_x(), {"m": "x"}, {"m": "y"}),
        (is_x("else"), {}, {"m": "x"}),
        ({"dependentRequired": {"a": ["b"]}}, {"a": None}, {}),
        ({"dependentSchemas": {"a": B}}, {"a": 1}, {"b": 1}),
        ({"dependencies": {"a": ["b"]}}, {"a": 1}, {}),
        ({"$schema": OLD, "dependencies": {"a": B}}, {"a": 1}, {}),
        ({"$schema": OLD, **is_x()}, {"m": "x"}, {}),
    ],
)
def test_a_part_holds_where_its_condition_is_met(schema: JsonObject, yes: Json, no: Json) -> None:
    """Ours."""
    assert brought(schema, yes) == [B]
    assert brought(schema, no) == []


@pytest.mark.parametrize(
    "schema",
    [
        {"$schema": OLD, "dependentRequired": {"a": ["b"]}},
        {"$schema": OLDER, "if": True, "then": B},
        {"$schema": "urn:x", "if": True, "then": B},
        {"if": {"$ref": "https://example.com/x"}, "then": B, "else": B},
        {"if": {"type": "nonsense"}, "then": B, "else": B},
        {"if": {"$ref": "#/$defs/none"}, "then": B, "else": B},
        {"if": 7, "then": B},
        {"dependentRequired": 7},
    ],
)
def test_what_no_dialect_knows_or_nobody_can_check_holds_for_nothing(schema: JsonObject) -> None:
    """Ours."""
    assert brought(schema, {"a": 1}) == []


def test_all_conditions_of_all_parts_count() -> None:
    """Ours: also of those that are referred to."""
    schema: JsonObject = {
        "allOf": [is_x(), {"$ref": "#/$defs/more"}, {"if": {"required": ["n"]}, "then": {}}],
        "$defs": {"more": {"if": {"$ref": "#/$defs/m"}, "then": {"required": ["c"]}}, "m": B},
        "properties": {"b": {}},
    }

    assert brought(schema, {"m": "x", "b": 1}) == [B, {"required": ["c"]}]


def test_a_condition_that_branches_without_end_is_not_checked() -> None:
    """Ours."""
    schema: JsonObject = {"$defs": {"x0": B}, "if": {"$ref": "#/$defs/x24"}, "then": B}
    definitions = schema["$defs"]
    assert isinstance(definitions, dict)
    for at in range(1, 25):
        below: Json = {"$ref": f"#/$defs/x{at - 1}"}
        definitions[f"x{at}"] = {"anyOf": [below, {"allOf": [below]}]}
    started = time.thread_time()

    assert brought(schema, {}) == []
    assert time.thread_time() - started < 2
