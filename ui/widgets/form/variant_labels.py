"""What the alternatives of a union are called: their titles, the names of their definitions, their constants, else what they hold.

Two that would read the same are told apart by their formats, keys or limits, and by a number where nothing else differs.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import unquote

from inspector.schema.json_edit import exact
from inspector.schema.merge import merge
from inspector.spec.pointer import parts
from inspector.visible_text import one_line
from inspector.wire.json_codec import is_text
from ui.widgets.form.facts import facts, format_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.schema.resolve import Resolver
    from inspector.wire.json_codec import Json, JsonObject

UNIONS = ("oneOf", "anyOf")

MAX_INNER = 3
"""Levels of alternatives and items that are named; a schema may contain itself."""

MAX_NAMED = 5
"""Alternatives inside an alternative that are named."""

MAX_LABEL = 60
"""Characters of a label that is put together."""

ANYTHING = "anything"

_CONTENTS = {"array": "items", "object": "additionalProperties"}
"""Label → keyword of the schema of what such a value holds."""


def label_of(alternative: Json, around: JsonObject, resolver: Resolver, level: int = 0) -> str:
    """The label of one alternative of a union with the keywords `around` it."""
    own = resolver.shape(alternative).keywords
    title = own.get("title")
    if is_text(title) and title.strip():
        return one_line(title, 80)
    for keyword in ("const", "enum"):
        if keyword in own:
            return one_line(exact(own[keyword]), 40)
    merged = merge(around, own)
    name = _reference_name(alternative) if {*UNIONS, "properties"} & own.keys() else ""
    return (
        _constants(own)
        or name  # says more than a type where there is more than a type
        or _type_label(merged if isinstance(merged, dict) else {}, resolver, level)
    )


def _reference_name(schema: Json) -> str:
    """The name of the definition that an alternative refers to."""
    reference = schema.get("$ref") if isinstance(schema, dict) else None
    if not is_text(reference):
        return ""
    names = parts(f"/{unquote(reference.rpartition('/')[2].lstrip('#'))}")
    return one_line(names[-1], 40)


def _constants(keywords: JsonObject) -> str:
    """The constant properties of an object, which identify it."""
    properties = keywords.get("properties")
    if not isinstance(properties, dict):
        return ""
    fixed = [
        f"{name}: {schema['const']}"
        for name, schema in properties.items()
        if isinstance(schema, dict) and is_text(schema.get("const"))
    ]
    return one_line(", ".join(fixed[:2]), MAX_LABEL)


def _type_label(keywords: JsonObject, resolver: Resolver, level: int) -> str:
    kind = keywords.get("type")
    if {"properties", "required"} & keywords.keys() and kind in (None, "object", ["object"]):
        return _object_label(keywords)
    if is_text(kind):
        return one_line(kind, 40)
    if isinstance(kind, list) and kind and all(map(is_text, kind)):
        return one_line(" or ".join(map(str, kind)), MAX_LABEL)
    unions = (keywords.get(union) for union in UNIONS)
    listed = next((union for union in unions if isinstance(union, list)), None)
    if kind is None and listed is not None:
        return one_line(_inner_labels(listed, resolver, level) or ANYTHING, MAX_LABEL)
    return ANYTHING if kind is None else one_line(exact(kind), 40)


def _inner_labels(schemas: Sequence[Json], resolver: Resolver, level: int) -> str:
    """The labels of what stands inside an alternative; empty deeper than `MAX_INNER`."""
    if level >= MAX_INNER:
        return ""
    labels = [label_of(schema, {}, resolver, level + 1) for schema in schemas[:MAX_NAMED]]
    more = ["…"] if len(schemas) > MAX_NAMED else []
    return " or ".join(dict.fromkeys([*labels, *more]))


def _object_label(keywords: JsonObject) -> str:
    """The label of an object: its required keys."""
    required = keywords.get("required")
    names = [name for name in required if is_text(name)] if isinstance(required, list) else []
    return one_line(f"object with {', '.join(names[:3])}", MAX_LABEL) if names else "object"


def distinct(labels: Sequence[str], shapes: Sequence[JsonObject], resolver: Resolver) -> list[str]:
    """The labels of the alternatives with these shapes, each of them once."""
    labels = _with_contents(labels, shapes, resolver)
    count = Counter(labels)
    distinguished = [
        label if count[label] == 1 else _distinguished(label, shape, _others(at, labels, shapes))
        for at, (label, shape) in enumerate(zip(labels, shapes, strict=True))
    ]
    taken = set(distinguished)
    made: list[str] = []
    for label in distinguished:
        numbered = (f"{label} ({number})" for number in itertools.count(2))
        made.append(
            next(each for each in numbered if each not in taken) if label in made else label
        )
        taken.add(made[-1])
    return made


def _with_contents(
    labels: Sequence[str], shapes: Sequence[JsonObject], resolver: Resolver
) -> list[str]:
    """The same; but several arrays, or several objects, are called by what they hold."""
    count = Counter(labels)
    made: list[str] = []
    for label, shape in zip(labels, shapes, strict=True):
        content = shape.get(_CONTENTS.get(label, "")) if count[label] > 1 else None
        inner = _inner_labels([content], resolver, 0) if isinstance(content, dict) else ""
        made.append(one_line(f"{label} of {inner}", MAX_LABEL) if inner else label)
    return made


def _others(at: int, labels: Sequence[str], shapes: Sequence[JsonObject]) -> list[JsonObject]:
    """The other alternatives of the same label."""
    return [shape for i, shape in enumerate(shapes) if i != at and labels[i] == labels[at]]


def _distinguished(label: str, shape: JsonObject, others: Sequence[JsonObject]) -> str:
    """The label, with what only this one of those of the same label has; without any such thing, with its format."""
    shared = {key for other in others for key in _keys(other)}
    own_keys = ", ".join([key for key in _keys(shape) if key not in shared][:3])
    known = {text for other in others for text in facts(other)}
    own_facts = [text for text in facts(shape) if text not in known]
    own_format = format_text(shape)
    is_shared = any(format_text(other) == own_format for other in others)
    details = ("" if is_shared else own_format, own_keys, *own_facts[:1], own_format)
    detail = next(filter(None, details), "")
    return f"{label} ({one_line(detail, 40)})" if detail else label


def _keys(shape: JsonObject) -> list[str]:
    properties = shape.get("properties")
    return list(properties) if isinstance(properties, dict) else []
