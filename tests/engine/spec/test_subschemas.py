"""References that lead out of a schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.spec.pointer import join
from inspector.spec.subschemas import external_refs, keyword_at
from inspector.spec.views.tool import ToolView

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json

AWAY = "http://127.0.0.1:9/pet.json"


def found(schema: Json) -> list[tuple[str, str]]:
    return [(join("", *each.steps), each.address) for each in external_refs(schema)]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"properties": {"pet": {"$ref": AWAY}}}, [("/properties/pet/$ref", AWAY)]),
        ({"items": {"$ref": f"{AWAY}#/dog"}}, [("/items/$ref", f"{AWAY}#/dog")]),
        ({"allOf": [{}, {"$ref": "other.json"}]}, [("/allOf/1/$ref", "other.json")]),
        ({"$dynamicRef": "urn:x:y#z"}, [("/$dynamicRef", "urn:x:y#z")]),
        ({"$id": "http://a.test/b/", "not": {"$ref": "c"}}, [("/not/$ref", "c")]),
        ({"not": {"$ref": "http://["}}, [("/not/$ref", "http://[")]),
    ],
)
def test_a_reference_to_another_document_is_found(
    schema: Json, expected: list[tuple[str, str]]
) -> None:
    """schema-39-external-ref; C-SCH-06."""
    assert found(schema) == expected


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {}}},
        {"$id": "http://a.test/b", "not": {"$ref": "http://a.test/b#/$defs/c"}, "$defs": {"c": {}}},
        {"$defs": {"c": {"$id": "http://a.test/c"}}, "not": {"$ref": "http://a.test/c"}},
        {"$ref": "https://json-schema.org/draft/2020-12/schema"},
        {"enum": [{"$ref": AWAY}], "default": {"$ref": AWAY}, "properties": {"$ref": {}}},
        {"$ref": 7},
        True,
        None,
    ],
)
def test_what_is_in_the_document_or_is_no_reference_is_not(schema: Json) -> None:
    """C-SCH-06."""
    assert found(schema) == []


def test_a_tool_with_one_says_so_at_its_place() -> None:
    """schema-39-external-ref; C-SCH-06: for what it takes and for what it gives."""
    schema: Json = {"type": "object", "properties": {"pet": {"$ref": AWAY}}}
    tool = ToolView({"name": "adopt", "inputSchema": schema, "outputSchema": schema}, "/t")

    assert [(each.rule, each.pointer) for each in tool.problems] == [
        ("L-TOOL-11", "/t/inputSchema/properties/pet/$ref"),
        ("L-TOOL-11", "/t/outputSchema/properties/pet/$ref"),
    ]
    assert AWAY in tool.problems[0].summary
    assert "not validated" in tool.problems[0].summary


@pytest.mark.parametrize(
    ("pointer", "keyword"),
    [
        ("/type", "type"),
        ("/properties/a/items/type", "type"),
        ("/properties/properties/type", "type"),
        ("/allOf/0/not/type", "type"),
        ("/items/1/type", "type"),
        ("/properties/type", ""),
        ("/$defs/a/properties/type", ""),
        ("/default/type", ""),
        ("/type/0", ""),
        ("", ""),
    ],
)
def test_a_property_named_like_a_keyword_is_none(pointer: str, keyword: str) -> None:
    """Ours: where a schema has its keywords, and where names of its author."""
    assert keyword_at(pointer) == keyword
