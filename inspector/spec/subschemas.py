"""The schemas inside a schema: the places that the keywords make, never examples, defaults or other data.

Pure; raises nothing, whatever the schema, and always ends.

Source: JSON Schema 2020-12, and the keywords of earlier drafts that hold schemas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.wire.json_codec import Json, JsonObject

MAX_PLACES = 50_000
"""Schemas inside one schema that are looked at."""

_ONE = frozenset(
    [
        "items",
        "contains",
        "not",
        "if",
        "then",
        "else",
        "additionalProperties",
        "unevaluatedItems",
        "unevaluatedProperties",
        "propertyNames",
        "additionalItems",
        "contentSchema",
    ]
)
_MANY = frozenset(["items", "prefixItems", "allOf", "anyOf", "oneOf"])
_NAMED = frozenset(
    ["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"]
)
"""Keywords whose value is a schema, a list of schemas, schemas by name."""


class Subschema(NamedTuple):
    """A schema inside the schema."""

    schema: JsonObject
    steps: tuple[str | int, ...]
    path: tuple[str, ...] | None
    """Its property, where it is reached by `properties` alone."""


def subschemas(schema: Json) -> Iterator[Subschema]:
    """The schema and those inside it, outer ones first, in order."""
    waiting = [Subschema(schema, (), ())] if isinstance(schema, dict) else []
    looked = 0
    while waiting and looked < MAX_PLACES:
        pointer = waiting.pop()
        looked += 1
        yield pointer
        waiting += reversed(list(_inside(pointer)))


def _inside(pointer: Subschema) -> Iterator[Subschema]:
    for keyword, value in pointer.schema.items():
        if isinstance(value, dict) and keyword in _NAMED:
            pure = keyword == "properties" and pointer.path is not None
            for name, inner in value.items():
                if isinstance(inner, dict):
                    path = (*pointer.path, name) if pure and pointer.path is not None else None
                    yield Subschema(inner, (*pointer.steps, keyword, name), path)
        elif isinstance(value, dict) and keyword in _ONE:
            yield Subschema(value, (*pointer.steps, keyword), None)
        elif isinstance(value, list) and keyword in _MANY:
            for number, inner in enumerate(value):
                if isinstance(inner, dict):
                    yield Subschema(inner, (*pointer.steps, keyword, number), None)
