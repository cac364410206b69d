"""Short ways to write the JSON Schema of arguments and results."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

HEADER = "x-mcp-header"
"""The keyword of an argument that is repeated in the header `Mcp-Param-` and what stands here."""

NO_ARGUMENTS: JsonObject = {"type": "object", "additionalProperties": False}
"""What the specification recommends for a tool without arguments."""


def record(properties: JsonObject, *required: str, **keywords: Json) -> JsonObject:
    """An object; `required` names those of its properties that must be there."""
    schema: JsonObject = {"type": "object", "properties": properties, **keywords}
    if required:
        schema["required"] = list(required)
    return schema


def string(description: str, **keywords: Json) -> JsonObject:
    """A string."""
    return {"type": "string", "description": description, **keywords}


def whole(description: str, **keywords: Json) -> JsonObject:
    """An integer."""
    return {"type": "integer", "description": description, **keywords}


def number(description: str, **keywords: Json) -> JsonObject:
    """A number with or without a fraction."""
    return {"type": "number", "description": description, **keywords}


def flag(description: str, *, default: bool = False) -> JsonObject:
    """A yes or no."""
    return {"type": "boolean", "description": description, "default": default}


def array(description: str, items: JsonObject, **keywords: Json) -> JsonObject:
    """A list of `items`."""
    return {"type": "array", "description": description, "items": items, **keywords}


def choice(description: str, *values: str) -> JsonObject:
    """One of `values`; the first is the default."""
    return {
        "type": "string",
        "description": description,
        "enum": list(values),
        "default": values[0],
    }


def titled_choice(description: str, titles: dict[str, str]) -> JsonObject:
    """One of the keys of `titles`, shown by its title; the first is the default."""
    return {
        "type": "string",
        "description": description,
        "oneOf": [{"const": value, "title": title} for value, title in titles.items()],
        "default": next(iter(titles)),
    }
