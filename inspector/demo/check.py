"""Checks arguments against the plain part of a schema, so that wrong ones are refused with a text.

Only the plain keywords of the schemas of this server are checked: types, required names, bounds, lengths, patterns, enumerations.
Unions and references are not: the tools that have them show how a client writes their values.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.wire.json_codec import Json, JsonObject


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Json) -> bool:
    return _is_number(value) and isinstance(value, int | float) and value == value // 1


TYPES: dict[str, Callable[[Json], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": _is_whole,
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


def problems(schema: JsonObject, value: Json, pointer: str = "") -> Iterator[str]:
    """What is wrong with `value`, one sentence each."""
    name = pointer or "arguments"
    types = schema.get("type")
    allowed = types if isinstance(types, list) else [types]
    if types is not None and not any(
        TYPES[kind](value) for kind in allowed if isinstance(kind, str)
    ):
        yield f"{name} must be of type {' or '.join(map(str, allowed))}"
    elif isinstance(value, dict):
        yield from _object_problems(schema, value, pointer)
    elif isinstance(value, list):
        yield from _array_problems(schema, value, name)
    elif isinstance(value, str):
        yield from _text_problems(schema, value, name)
    elif isinstance(value, int | float):
        yield from _number_problems(schema, value, name)


def _object_problems(schema: JsonObject, value: JsonObject, pointer: str) -> Iterator[str]:
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    required = schema.get("required")
    for name in required if isinstance(required, list) else []:
        if isinstance(name, str) and name not in value:
            yield f"{_below(pointer, name)} is required"
    for name, member in value.items():
        member_schema = known.get(name)
        if isinstance(member_schema, dict):
            yield from problems(member_schema, member, _below(pointer, name))
        elif name not in known and schema.get("additionalProperties") is False:
            yield f"{_below(pointer, name)} is not known"


def _array_problems(schema: JsonObject, value: list[Json], name: str) -> Iterator[str]:
    yield from _bounds(schema, len(value), name, ("minItems", "maxItems"), " entries")
    items = schema.get("items")
    if isinstance(items, dict):
        for index, entry in enumerate(value):
            yield from problems(items, entry, f"{name}[{index}]")


def _text_problems(schema: JsonObject, value: str, name: str) -> Iterator[str]:
    yield from _bounds(schema, len(value), name, ("minLength", "maxLength"), " characters")
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and not re.search(pattern, value):
        yield f"{name} must match {pattern}"
    choices = _choices(schema)
    if choices and value not in choices:
        yield f"{name} must be one of {', '.join(map(str, choices))}"


def _number_problems(schema: JsonObject, value: float, name: str) -> Iterator[str]:
    yield from _bounds(schema, value, name, ("minimum", "maximum"), "")


def _choices(schema: JsonObject) -> list[Json]:
    listed = schema.get("enum")
    if isinstance(listed, list):
        return listed
    titled = schema.get("oneOf")
    if not isinstance(titled, list):
        return []
    return [arm["const"] for arm in titled if isinstance(arm, dict) and "const" in arm]


def _bounds(
    schema: JsonObject, size: float, name: str, keywords: tuple[str, str], unit: str
) -> Iterator[str]:
    minimum, maximum = (schema.get(keyword) for keyword in keywords)
    if isinstance(minimum, int | float) and size < minimum:
        yield f"{name} must be at least {minimum}{unit}"
    if isinstance(maximum, int | float) and size > maximum:
        yield f"{name} must be at most {maximum}{unit}"


def _below(pointer: str, name: str) -> str:
    return f"{pointer}.{name}" if pointer else name
