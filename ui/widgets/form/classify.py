"""From the shape of a schema to a field: which kind of editor it needs, and what that editor has to know.

Never raises, whatever the schema: what is wrong becomes a note of the field, and what a form cannot express a field of kind ANY.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.schema.json_edit import MISSING, exact, is_text
from inspector.schema.key_rules import is_rule
from inspector.visible_text import one_line, visible
from ui.widgets.form.facts import facts, type_words
from ui.widgets.form.representable import can_show
from ui.widgets.form.schema import BLOCKS, Field, FieldKind, FixedChoice, told_apart
from ui.widgets.form.unions import (
    UNIONS,
    constant_choices,
    is_null,
    listed_choices,
    union_choices,
    variants_of,
)

if TYPE_CHECKING:
    from inspector.schema.resolve import Resolver, Shape
    from inspector.wire.json_codec import JsonObject
    from ui.widgets.form.schema import Variant

MAX_PICKS = 24
"""A list of more choices than this is a list of drop-downs, not of boxes to tick."""

MAX_DESCRIPTION = 20_000
"""Characters of a description; what is beyond is not shown."""

_TYPES = {
    "string": FieldKind.TEXT,
    "integer": FieldKind.INTEGER,
    "number": FieldKind.NUMBER,
    "boolean": FieldKind.BOOLEAN,
    "object": FieldKind.OBJECT,
    "array": FieldKind.ARRAY,
}

_TELLING: tuple[tuple[frozenset[str], FieldKind], ...] = (
    (
        frozenset(
            {
                "properties",
                "additionalProperties",
                "patternProperties",
                "required",
                "dependentRequired",
                "dependentSchemas",
                "minProperties",
                "maxProperties",
            }
        ),
        FieldKind.OBJECT,
    ),
    (frozenset({"items", "prefixItems"}), FieldKind.ARRAY),
    (frozenset({"minLength", "maxLength", "pattern"}), FieldKind.TEXT),
    (frozenset({"minimum", "maximum", "multipleOf"}), FieldKind.NUMBER),
)
"""What a schema without a type is about, by its keywords."""

_OUTER = ("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly")
"""Keywords that, standing beside a union, are about the whole of it."""


def classify(shape: Shape, resolver: Resolver) -> Field:
    """The field of a shape."""
    if shape.never:
        return Field(FieldKind.FALSE_SCHEMA, {}, notes=(*shape.notes, "the schema allows no value"))
    keywords = shape.keywords
    field = _listed(keywords) or _union(keywords, resolver) or _typed(keywords, resolver)
    outer: JsonObject = {key: keywords[key] for key in _OUTER if key in keywords}
    field = replace(field, shape={**field.shape, **outer}, notes=(*shape.notes, *field.notes))
    return _with_default(_described(field), resolver)


def _listed(keywords: JsonObject) -> Field | None:
    choices = listed_choices(keywords)
    if choices is None:
        return None
    kind = FieldKind.CONST if "const" in keywords else FieldKind.CHOICE
    return Field(kind, keywords, choices=told_apart(choices))


def _union(keywords: JsonObject, resolver: Resolver) -> Field | None:
    choices = constant_choices(keywords, resolver)
    arms = () if choices else variants_of(keywords, resolver)
    if not arms and not choices:
        return None
    choices = choices or union_choices(arms)
    if choices is not None:
        return Field(FieldKind.CHOICE, keywords, choices=told_apart(choices))
    others = [arm for arm in arms if not is_null(arm.shape)]
    single = _single(others[0], resolver) if len(others) == 1 else None
    if single is None or (len(arms) > 1 and single.kind in BLOCKS | {FieldKind.ANY}):
        return Field(FieldKind.UNION, keywords, variants=arms)
    return replace(single, nullable=len(arms) > 1 or single.nullable)


def _single(arm: Variant, resolver: Resolver) -> Field:
    """The only arm beside null."""
    return _listed(arm.shape) or _typed(arm.shape, resolver)


def _typed(keywords: JsonObject, resolver: Resolver) -> Field:
    kind = _kind(keywords, resolver)
    if keywords.get("type") == "null":
        return Field(FieldKind.CONST, keywords, choices=(FixedChoice(None, "null"),))
    if kind is None:
        return Field(FieldKind.ANY, keywords, notes=_unknown_type(keywords))
    if kind is FieldKind.ARRAY:
        return _array(keywords, resolver)
    return Field(kind, keywords, nullable=keywords.get("nullable") is True)


def _kind(keywords: JsonObject, resolver: Resolver) -> FieldKind | None:
    declared = keywords.get("type")
    if isinstance(declared, list) and len(declared) == 1:
        declared = declared[0]
    if isinstance(declared, str):
        return _TYPES.get(declared)
    unions = [{keyword: keywords[keyword]} for keyword in UNIONS if keyword in keywords]
    if declared is not None or not all(is_rule(union, resolver) for union in unions):
        return None
    told = next((kind for text, kind in _TELLING if text & keywords.keys()), None)
    return told or (FieldKind.OBJECT if unions else None)


def _array(keywords: JsonObject, resolver: Resolver) -> Field:
    items = keywords.get("items")
    if isinstance(items, list) or "prefixItems" in keywords:
        return Field(FieldKind.ARRAY, keywords, type_words="array")
    shape = resolver.shape(True if items is None else items)
    arms = variants_of(shape.keywords, resolver)
    choices = listed_choices(shape.keywords) or (union_choices(arms) if arms else None)
    text = type_words(FieldKind.ARRAY, keywords, _item_word(shape.keywords, listed=bool(choices)))
    if choices and len(choices) <= MAX_PICKS:
        return Field(FieldKind.MULTI_CHOICE, keywords, type_words=text, choices=told_apart(choices))
    return Field(FieldKind.ARRAY, keywords, type_words=text)


def _item_word(shape: JsonObject, *, listed: bool) -> str:
    declared = shape.get("type")
    if listed:
        return "choices"
    return one_line(declared, 40) if is_text(declared) else ""


def _described(field: Field) -> Field:
    title, description = field.shape.get("title"), field.shape.get("description")
    return replace(
        field,
        title=one_line(title, 200) if is_text(title) else "",
        description=visible(description[:MAX_DESCRIPTION]).strip() if is_text(description) else "",
        facts=facts(field.shape),
        type_words=field.type_words or type_words(field.kind, field.shape),
    )


def _with_default(field: Field, resolver: Resolver) -> Field:
    declared = field.shape.get("default", MISSING)
    if declared is MISSING:
        return field
    if declared is None or field.kind is FieldKind.ANY or can_show(field, declared, resolver):
        return replace(field, default=declared)
    text = f"default {one_line(exact(declared), 60)} is invalid and ignored"
    return replace(field, notes=(*field.notes, text))


def _unknown_type(keywords: JsonObject) -> tuple[str, ...]:
    declared = keywords.get("type")
    if is_text(declared) and declared not in _TYPES:
        return (f"unknown type {one_line(exact(declared), 60)}",)
    return ()
