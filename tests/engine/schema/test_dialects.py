"""Which JSON Schema a schema is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.schema.json_input import parsed
from inspector.schema.validate import Checker

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

NEWEST = "https://json-schema.org/draft/2020-12/schema"
PAIR: JsonObject = {"prefixItems": [{"type": "integer"}], "items": False}
OLD_PAIR: JsonObject = {"items": [{"type": "integer"}], "additionalItems": False}
REQUIRES: JsonObject = {"dependentRequired": {"a": ["b"]}}


def fits(schema: JsonObject, text: str) -> bool:
    return Checker(schema).check(parsed(text)).problems == ()


@pytest.mark.parametrize("named", [{}, {"$schema": NEWEST}, {"$schema": NEWEST + "#"}])
def test_without_a_dialect_a_schema_is_of_the_newest(named: JsonObject) -> None:
    """C-SCH-01, C-SCH-02: keywords that older dialects do not have are held to."""
    assert fits({**named, **PAIR}, "[1]")
    assert not fits({**named, **PAIR}, '["x"]')
    assert not fits({**named, **PAIR}, "[1,2]")
    assert not fits({**named, **REQUIRES}, '{"a":1}')
    assert not fits(
        {**named, "properties": {"a": {}}, "unevaluatedProperties": False}, '{"a":1,"b":2}'
    )


@pytest.mark.parametrize("draft", ["04", "06", "07"])
def test_a_schema_is_judged_by_the_dialect_that_it_names(draft: str) -> None:
    """C-SCH-03: the same keyword means another thing there, and later ones mean nothing."""
    named: JsonObject = {"$schema": f"http://json-schema.org/draft-{draft}/schema#"}

    assert fits({**named, **OLD_PAIR}, "[1]")
    assert not fits({**named, **OLD_PAIR}, '["x"]')
    assert not fits({**named, **OLD_PAIR}, "[1,2]")
    assert fits({**named, **REQUIRES}, '{"a":1}')


@pytest.mark.parametrize("dialect", ["https://a.test/my-own", "urn:x", "draft-05", 7])
def test_by_a_dialect_nobody_knows_nothing_is_judged_and_that_is_told(dialect: str | int) -> None:
    """C-SCH-03: an error in words beside the schema; its keywords may mean something else."""
    checker = Checker({"$schema": dialect, "type": "object", "required": ["a"]})

    assert [note.pointer for note in checker.schema_notes] == ["/$schema"]
    assert "dialect" in checker.schema_notes[0].text
    assert checker.check(parsed("{}")).problems == ()
