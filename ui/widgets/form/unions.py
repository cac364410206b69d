"""`anyOf`, `oneOf` and lists of types: which are a choice of values, which a nullable field, and which a choice of forms."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING
from urllib.parse import unquote

from inspector.schema.json_edit import exact, is_text
from inspector.schema.key_rules import is_rule
from inspector.schema.merge import merge
from inspector.visible_text import one_line
from ui.widgets.form.schema import FixedChoice, Variant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.schema.resolve import Resolver, Shape
    from inspector.wire.json_codec import Json, JsonObject

MAX_ARMS = 100
"""More alternatives are no form any more."""

UNIONS = ("oneOf", "anyOf")


def variants_of(keywords: JsonObject, resolver: Resolver) -> tuple[Variant, ...]:
    """The alternatives of a shape, each merged with what surrounds them; none if it is no union."""
    base, alternatives = _alternatives(keywords, resolver)
    if not 1 <= len(alternatives) <= MAX_ARMS:
        return ()
    shapes = [resolver.shape(alternative) for alternative in alternatives]
    arms = [
        _arm(base, shape, _reference_name(alternative))
        for alternative, shape in zip(alternatives, shapes, strict=True)
        if not shape.never
    ]
    return tuple(_told_apart(arms))


def _alternatives(keywords: JsonObject, resolver: Resolver) -> tuple[JsonObject, list[Json]]:
    """What surrounds the union, and its alternatives; rules about keys are none."""
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
    """The first union of those that a shape keeps apart."""
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


def _arm(base: JsonObject, shape: Shape, name: str) -> Variant:
    merged = merge(base, shape.keywords)
    keywords: JsonObject = merged if isinstance(merged, dict) else {}
    return Variant(_label(shape.keywords, keywords, name), keywords, keywords)


def _reference_name(schema: Json) -> str:
    """What a definition is called that an alternative refers to."""
    reference = schema.get("$ref") if isinstance(schema, dict) else None
    return one_line(unquote(reference.rpartition("/")[2]), 40) if is_text(reference) else ""


def _label(own: JsonObject, merged: JsonObject, name: str) -> str:
    title = own.get("title")
    if is_text(title) and title.strip():
        return one_line(title, 80)
    for keyword in ("const", "enum"):
        if keyword in own:
            return one_line(exact(own[keyword]), 40)
    return _constants(own) or (name if _is_shaped(own) else "") or _type_label(merged)


def _is_shaped(keywords: JsonObject) -> bool:
    """Whether there is more to it than a type: what it is called says more."""
    return bool({*UNIONS, "properties"} & keywords.keys())


def _constants(keywords: JsonObject) -> str:
    """What an object is known by: its fixed properties."""
    properties = keywords.get("properties")
    if not isinstance(properties, dict):
        return ""
    fixed = [
        f"{name}: {schema['const']}"
        for name, schema in properties.items()
        if isinstance(schema, dict) and is_text(schema.get("const"))
    ]
    return one_line(", ".join(fixed[:2]), 60)


def _type_label(keywords: JsonObject) -> str:
    kind = keywords.get("type")
    if "properties" in keywords and kind in (None, "object", ["object"]):
        return _object_label(keywords)
    if is_text(kind):
        return one_line(kind, 40)
    for union in UNIONS:
        listed = keywords.get(union)
        if kind is None and isinstance(listed, list):
            return one_line(" or ".join(dict.fromkeys(map(_inner_label, listed))), 60)
    return "anything" if kind is None else one_line(exact(kind), 40)


def _inner_label(schema: Json) -> str:
    """What an alternative within an alternative is called."""
    if not isinstance(schema, dict):
        return "anything"
    own = {key: value for key, value in schema.items() if key not in UNIONS}
    return _label(own, own, _reference_name(schema)) if own else "anything"


def _object_label(keywords: JsonObject) -> str:
    """An object by the keys it has to have."""
    required = keywords.get("required")
    names = [name for name in required if is_text(name)] if isinstance(required, list) else []
    return one_line(f"object with {', '.join(names[:3])}", 60) if names else "object"


def _told_apart(arms: Sequence[Variant]) -> list[Variant]:
    seen: dict[str, int] = {}
    made: list[Variant] = []
    for arm in arms:
        seen[arm.label] = count = seen.get(arm.label, 0) + 1
        label = arm.label if count == 1 else f"{arm.label} ({count})"
        made.append(Variant(label, arm.schema, arm.shape))
    return made


def is_null(shape: JsonObject) -> bool:
    """Whether only null is allowed."""
    if "const" in shape:
        return shape["const"] is None
    return shape.get("type") == "null" or shape.get("enum") == [None]


def listed_choices(shape: JsonObject) -> list[FixedChoice] | None:
    """The values of `const` or `enum`, with their titles; None where there is neither."""
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
    """The values of a union that is nothing but constants: the same as `union_choices`, for thousands of them."""
    _, alternatives = _alternatives(keywords, resolver)
    if len(alternatives) <= MAX_ARMS or not _are_constants(alternatives):
        return None
    return [
        _titled(schema["const"], schema.get("title"))
        for schema in alternatives
        if isinstance(schema, dict)
    ]


def union_choices(arms: Sequence[Variant]) -> list[FixedChoice] | None:
    """The values of a union whose arms all list theirs; null among them."""
    found: list[FixedChoice] = []
    for arm in arms:
        listed = [FixedChoice(None, "null")] if is_null(arm.shape) else listed_choices(arm.shape)
        if listed is None:
            return None
        found.extend(listed)
    return found if any(choice.value is not None for choice in found) else None
