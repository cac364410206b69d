"""`anyOf`, `oneOf` and lists of types: which are a choice of values, which a nullable field, which have variants; and the variant of a value.

Choosing a variant is no validation: a number out of range still belongs to a variant for numbers.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from inspector.schema.json_edit import exact
from inspector.schema.key_rules import is_rule
from inspector.schema.merge import merge
from inspector.wire.json_codec import RawJson, RawNumber, is_text
from ui.widgets.form.schema import FixedChoice, Variant
from ui.widgets.form.variant_labels import UNIONS, distinct, label_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.schema.resolve import Resolver
    from inspector.wire.json_codec import Json, JsonObject

MAX_VARIANTS = 100
"""A union of more is edited as JSON."""

_TYPE_NAMES: tuple[tuple[type, str], ...] = ((str, "string"), (list, "array"), (dict, "object"))


def variants_of(keywords: JsonObject, resolver: Resolver) -> tuple[Variant, ...]:
    """The variants of a shape, each merged with the keywords around the union; empty if it is no union."""
    base, alternatives = _alternatives(keywords, resolver)
    if not 1 <= len(alternatives) <= MAX_VARIANTS:
        return ()
    shapes = [resolver.shape(alternative) for alternative in alternatives]
    found = [
        (_merged(base, shape.keywords), label_of(alternative, base, resolver))
        for alternative, shape in zip(alternatives, shapes, strict=True)
        if not shape.never
    ]
    labels = distinct([label for _, label in found], [keywords for keywords, _ in found], resolver)
    return tuple(
        Variant(label, keywords, keywords)
        for label, (keywords, _) in zip(labels, found, strict=True)
    )


def _alternatives(keywords: JsonObject, resolver: Resolver) -> tuple[JsonObject, list[Json]]:
    """The keywords around the union, and its alternatives; rules about keys are no alternatives."""
    for keyword in UNIONS:
        listed = keywords.get(keyword)
        if not isinstance(listed, list) or not listed:
            continue
        if not is_rule({keyword: listed}, resolver, of_object="type" in keywords):
            return _surroundings(keywords, keyword), listed
    types = keywords.get("type")
    if isinstance(types, list):
        return _surroundings(keywords, "type"), [{"type": name} for name in types]
    return _further(keywords, resolver)


def _further(keywords: JsonObject, resolver: Resolver) -> tuple[JsonObject, list[Json]]:
    """The first union among the `allOf` that a shape keeps apart."""
    parts = keywords.get("allOf")
    for at, part in enumerate(parts if isinstance(parts, list) else ()):
        if not isinstance(part, dict) or not {*UNIONS} & part.keys():
            continue
        base, alternatives = _alternatives(part, resolver)
        if alternatives and isinstance(parts, list):
            left: list[Json] = [*parts[:at], base, *parts[at + 1 :]]
            return _surroundings({**keywords, "allOf": left}, ""), alternatives
    return keywords, []


def _are_constants(alternatives: Sequence[Json]) -> bool:
    return all(isinstance(schema, dict) and "const" in schema for schema in alternatives)


def _surroundings(keywords: JsonObject, union: str) -> JsonObject:
    dropped = {union, "title", "description", "default", "examples"}
    return {key: value for key, value in keywords.items() if key not in dropped}


def _merged(base: JsonObject, keywords: JsonObject) -> JsonObject:
    merged = merge(base, keywords)
    return merged if isinstance(merged, dict) else {}


def is_null(shape: JsonObject) -> bool:
    """Whether only null is allowed."""
    if "const" in shape:
        return shape["const"] is None
    return shape.get("type") == "null" or shape.get("enum") == [None]


def listed_choices(shape: JsonObject) -> list[FixedChoice] | None:
    """The values of `const` or `enum`, with their titles; None without either."""
    if "const" in shape:
        return [_titled(shape["const"], shape.get("title"))]
    values = shape.get("enum")
    if not isinstance(values, list) or not values:
        return None
    names = shape.get("enumNames")
    titles: list[Json] = names if isinstance(names, list) else []
    return [_titled(value, title) for value, title in zip_longest(values, titles[: len(values)])]


def _titled(value: Json, title: Json) -> FixedChoice:
    return FixedChoice(value, title if is_text(title) else "")


def constant_choices(keywords: JsonObject, resolver: Resolver) -> list[FixedChoice] | None:
    """The values of a union of constants alone: the same as `union_choices`, for thousands of them."""
    _, alternatives = _alternatives(keywords, resolver)
    if len(alternatives) <= MAX_VARIANTS or not _are_constants(alternatives):
        return None
    return [
        _titled(schema["const"], schema.get("title"))
        for schema in alternatives
        if isinstance(schema, dict)
    ]


def union_choices(variants: Sequence[Variant]) -> list[FixedChoice] | None:
    """The values of a union whose variants all list theirs, null among them; None for any other union."""
    found: list[FixedChoice] = []
    for variant in variants:
        shape = variant.shape
        listed = [FixedChoice(None, "null")] if is_null(shape) else listed_choices(shape)
        if listed is None:
            return None
        found.extend(listed)
    return found if any(choice.value is not None for choice in found) else None


def best_variant(variants: Sequence[Variant], value: Json, current: int, resolver: Resolver) -> int:
    """The index of the variant that suits `value` best, `current` if none does better; -1 if none does at all."""
    best, found = -1, 0
    for index, variant in enumerate(variants):
        score = 2 * variant_score(variant.shape, value, resolver) + (index == current)
        if score > max(found, 1):
            best, found = index, score
    return best


def variant_score(shape: JsonObject, value: Json, resolver: Resolver) -> int:
    """How well `value` suits a shape; 0 if it does not."""
    if isinstance(value, RawJson) or not _is_typed(shape, value) or not _is_listed(shape, value):
        return 0
    if not isinstance(value, dict):
        return 100
    return _object_score(shape, value, resolver)


def _object_score(shape: JsonObject, value: JsonObject, resolver: Resolver) -> int:
    declared = shape.get("properties")
    properties: JsonObject = declared if isinstance(declared, dict) else {}
    shared = [name for name in properties if name in value]
    for name in shared:
        if not _is_listed(resolver.shape(properties[name]).keywords, value[name]):
            return 0
    required = shape.get("required")
    names: list[Json] = required if isinstance(required, list) else []
    missed = sum(1 for name in names if isinstance(name, str) and name not in value)
    return max(1, 100 + 2 * len(shared) - missed - (len(value) - len(shared)))


def _is_typed(shape: JsonObject, value: Json) -> bool:
    declared = shape.get("type")
    if declared is None:
        return not isinstance(value, dict) or "items" not in shape
    names = declared if isinstance(declared, list) else [declared]
    return any(isinstance(name, str) and name in type_names(value) for name in names)


def _is_listed(shape: JsonObject, value: Json) -> bool:
    if "const" in shape:
        return exact(shape["const"]) == exact(value)
    listed = shape.get("enum")
    return not isinstance(listed, list) or exact(value) in map(exact, listed)


def type_names(value: Json) -> tuple[str, ...]:
    """The JSON Schema types of a value; a whole number has two."""
    if isinstance(value, bool):
        return ("boolean",)
    if isinstance(value, int | float):
        return ("number", "integer") if _is_whole(value) else ("number",)
    for kind, name in _TYPE_NAMES:
        if isinstance(value, kind):
            return (name,)
    return ("null",)


def _is_whole(value: float) -> bool:
    return not isinstance(value, RawNumber) or value.is_integer()
