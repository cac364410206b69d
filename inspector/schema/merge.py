"""Two schemas that both apply, merged into one: the narrower limit, arrays by union or intersection, texts of the second.

For displaying a form, not for validation. Keywords that cannot become one, such as two unions or two conditions, stay apart: those of the later
schema are in the `allOf` of the result. Any other keyword that no rule is given for is taken from the later schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.schema.json_edit import exact, is_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json, JsonObject


def merge(one: JsonObject | bool, other: JsonObject | bool) -> JsonObject | bool:
    """One schema for both."""
    if one is False or other is False:
        return False
    if one is True:
        return other
    if other is True:
        return one
    made: JsonObject = dict(one)
    apart = _apart(one, other)
    if apart:
        parts = [*_parts(one), *_parts(other), apart]
        made["allOf"] = list({exact(part): part for part in parts}.values())
    for keyword, value in other.items():
        if keyword in apart or (keyword == "allOf" and apart):
            continue
        join = JOINS.get(keyword)
        if keyword not in made or join is None:
            made[keyword] = value
        else:
            made[keyword] = join(made[keyword], value)
    return made


def _apart(one: JsonObject, other: JsonObject) -> JsonObject:
    """Return the keywords of `other` that cannot be combined with those of `one`."""
    found: JsonObject = {}
    for group in APART:
        left, right = ({key: each[key] for key in group if key in each} for each in (one, other))
        if left and right and exact(left) != exact(right):
            found |= right
    return found


def _parts(schema: JsonObject) -> list[Json]:
    listed = schema.get("allOf")
    return listed if isinstance(listed, list) else []


def _listed(one: Json, other: Json) -> Json:
    return [*one, *other] if isinstance(one, list) and isinstance(other, list) else other


def _dependent(one: Json, other: Json) -> Json:
    """Per key: lists of keys by union, schemas by both."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return other
    made: JsonObject = dict(one)
    for name, needs in other.items():
        known = made.get(name, needs)
        if isinstance(known, list) and isinstance(needs, list):
            made[name] = _both(known, needs)
        else:
            made[name] = needs if name not in made else _narrow(_schema(known), _schema(needs))
    return made


def _schema(needs: Json) -> Json:
    return {"required": needs} if isinstance(needs, list) else needs


def _narrow(one: Json, other: Json) -> Json:
    """A schema of a part (`items`, one property): both hold."""
    if one is other:
        return one
    return {"allOf": [one, other]}


def _properties(one: Json, other: Json) -> Json:
    if not isinstance(one, dict) or not isinstance(other, dict):
        return other
    made: JsonObject = dict(one)
    for name, schema in other.items():
        made[name] = _narrow(made[name], schema) if name in made else schema
    return made


def _additional(one: Json, other: Json) -> Json:
    if one is False or other is False:
        return False
    return _narrow(one, other)


def _both(one: Json, other: Json) -> Json:
    if not isinstance(one, list) or not isinstance(other, list):
        return other
    return list(dict.fromkeys([*map(_hashable, one), *map(_hashable, other)]))


def _hashable(item: Json) -> str:
    return item if isinstance(item, str) else exact(item)


def _types(one: Json, other: Json) -> Json:
    left = one if isinstance(one, list) else [one]
    right = other if isinstance(other, list) else [other]
    shared: list[Json] = [kind for kind in left if kind in right]
    if "integer" not in shared and {"integer", "number"} <= {*map(str, left), *map(str, right)}:
        shared.append("integer")
    return shared[0] if len(shared) == 1 else (shared or other)


def _shared_values(one: Json, other: Json) -> Json:
    if not isinstance(one, list) or not isinstance(other, list):
        return other
    known = {exact(value) for value in one}
    return [value for value in other if exact(value) in known] or other


def _larger(one: Json, other: Json) -> Json:
    return max(one, other) if is_number(one) and is_number(other) else other


def _smaller(one: Json, other: Json) -> Json:
    return min(one, other) if is_number(one) and is_number(other) else other


JOINS: dict[str, Callable[[Json, Json], Json]] = {
    "properties": _properties,
    "patternProperties": _properties,
    "$defs": _properties,
    "definitions": _properties,
    "items": _narrow,
    "additionalProperties": _additional,
    "allOf": _listed,
    "required": _both,
    "dependentRequired": _dependent,
    "dependentSchemas": _dependent,
    "dependencies": _dependent,
    "type": _types,
    "enum": _shared_values,
    "minimum": _larger,
    "exclusiveMinimum": _larger,
    "minLength": _larger,
    "minItems": _larger,
    "minProperties": _larger,
    "maximum": _smaller,
    "exclusiveMaximum": _smaller,
    "maxLength": _smaller,
    "maxItems": _smaller,
    "maxProperties": _smaller,
}
"""Keyword → how two of its values become one."""

APART: tuple[tuple[str, ...], ...] = (
    ("anyOf",),
    ("oneOf",),
    ("not",),
    ("if", "then", "else"),
    ("contains", "minContains", "maxContains"),
    ("pattern",),
    ("multipleOf",),
)
"""Keywords that belong together, and of which two stay two."""
