"""An example of what a schema describes: its required members, and values of the right types. It is a start for the user, and need not be valid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.schema.resolve import Resolver

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

MAX_DEPTH = 6
"""Levels that are filled in; deeper ones are empty."""

MAX_MEMBERS = 100
"""Members of one object that are filled in."""

_EMPTY: JsonObject = {
    "string": "",
    "integer": 0,
    "number": 0,
    "boolean": False,
    "array": [],
    "null": None,
}


def example(schema: Json) -> Json:
    """Return an example of a value."""
    return _example(Resolver(schema), schema, 0)


def _example(resolver: Resolver, schema: Json, depth: int) -> Json:
    keywords = resolver.shape(schema).keywords
    for keyword in ("const", "default"):
        if keyword in keywords:
            return keywords[keyword]
    for keyword in ("examples", "enum"):
        values = keywords.get(keyword)
        if isinstance(values, list) and values:
            return values[0]
    type_ = _type_of(keywords)
    if type_ == "object":
        return _members(resolver, keywords, depth) if depth < MAX_DEPTH else {}
    variants = keywords.get("anyOf") or keywords.get("oneOf")
    if not type_ and isinstance(variants, list) and variants and depth < MAX_DEPTH:
        return _example(resolver, variants[0], depth + 1)
    if type_ == "array" and depth < MAX_DEPTH and _is_positive(keywords.get("minItems")):
        return [_example(resolver, keywords.get("items", {}), depth + 1)]
    lowest = keywords.get("minimum")
    if type_ in {"integer", "number"} and _is_positive(lowest):
        return lowest
    return _EMPTY.get(type_, "")


def _members(resolver: Resolver, keywords: JsonObject, depth: int) -> JsonObject:
    required, properties = keywords.get("required"), keywords.get("properties")
    names = (
        [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
    )
    schemas = properties if isinstance(properties, dict) else {}
    return {
        name: _example(resolver, schemas.get(name, True), depth + 1) for name in names[:MAX_MEMBERS]
    }


def _type_of(keywords: JsonObject) -> str:
    type_ = keywords.get("type")
    if isinstance(type_, list):
        type_ = next((each for each in type_ if each != "null"), None)
    if isinstance(type_, str):
        return type_
    return "object" if "properties" in keywords or "required" in keywords else ""


def _is_positive(value: Json) -> bool:
    return isinstance(value, int | float) and value > 0
