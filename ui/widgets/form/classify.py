"""From the shape of a schema to a field: its kind, the texts of its limits, and what the editor of that kind has to know.

Never raises, for any schema: what is wrong becomes a note of the field, and what a form cannot express a field of kind ANY.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.schema.json_edit import exact
from inspector.schema.key_rules import is_rule
from inspector.visible_text import one_line, visible
from inspector.wire.json_codec import is_text
from ui.widgets.form.facts import facts, format_text
from ui.widgets.form.schema import Field, FieldKind, FixedChoice, mark_twins
from ui.widgets.form.unions import (
    UNIONS,
    constant_choices,
    is_null,
    listed_choices,
    union_choices,
    variants_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.schema.resolve import Resolver, Shape
    from inspector.wire.json_codec import JsonObject
    from ui.widgets.form.schema import KindSpec

MAX_BOXES = 24
"""An array of more choices than this is edited as a list of drop-downs, not as boxes to check."""

MAX_DESCRIPTION = 20_000
"""Characters of a description; the rest is not displayed."""

_OUTER = ("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly")
"""Keywords that, beside a union, describe the whole union."""


class Classifier:
    """Makes fields of one schema document by the rows of `kinds`."""

    def __init__(self, kinds: Mapping[FieldKind, KindSpec], resolver: Resolver) -> None:
        """Resolve references with `resolver`."""
        self._kinds = kinds
        self._resolver = resolver
        self._types = {spec.json_type: kind for kind, spec in kinds.items() if spec.json_type}

    def field(self, shape: Shape) -> Field:
        """The field of a shape."""
        if shape.never:
            notes = (*shape.notes, "the schema allows no value")
            return Field(FieldKind.FALSE_SCHEMA, {}, notes=notes)
        keywords = shape.keywords
        field = _listed(keywords) or self._union(keywords) or self._typed(keywords)
        outer: JsonObject = {key: keywords[key] for key in _OUTER if key in keywords}
        field = replace(field, shape={**field.shape, **outer}, notes=(*shape.notes, *field.notes))
        return self._described(field)

    def _union(self, keywords: JsonObject) -> Field | None:
        choices = constant_choices(keywords, self._resolver)
        variants = () if choices else variants_of(keywords, self._resolver)
        if not variants and not choices:
            return None
        choices = choices or union_choices(variants)
        if choices is not None:
            return Field(FieldKind.CHOICE, keywords, choices=mark_twins(choices))
        others = [variant.shape for variant in variants if not is_null(variant.shape)]
        # The only variant beside null.
        single = _listed(others[0]) or self._typed(others[0]) if len(others) == 1 else None
        if single is None or (len(variants) > 1 and self._needs_variants(single)):
            return Field(FieldKind.UNION, keywords, variants=variants)
        return replace(single, nullable=len(variants) > 1 or single.nullable)

    def _needs_variants(self, single: Field) -> bool:
        """Whether its editor could not offer null too."""
        return single.kind is FieldKind.ANY or self._kinds[single.kind].is_block

    def _typed(self, keywords: JsonObject) -> Field:
        kind = self._kind(keywords)
        if keywords.get("type") == "null":
            return Field(FieldKind.CONST, keywords, choices=(FixedChoice(None, "null"),))
        if kind is None:
            return Field(FieldKind.ANY, keywords, notes=self._unknown_type(keywords))
        if kind is FieldKind.ARRAY:
            return self._array(keywords)
        return Field(kind, keywords, nullable=keywords.get("nullable") is True)

    def _kind(self, keywords: JsonObject) -> FieldKind | None:
        declared = keywords.get("type")
        if isinstance(declared, list) and len(declared) == 1:
            declared = declared[0]
        if isinstance(declared, str):
            return self._types.get(declared)
        unions = [{keyword: keywords[keyword]} for keyword in UNIONS if keyword in keywords]
        if declared is not None or not all(is_rule(union, self._resolver) for union in unions):
            return None
        rows = self._kinds.items()
        found = next((kind for kind, spec in rows if spec.keywords & keywords.keys()), None)
        return found or (FieldKind.OBJECT if unions else None)

    def _array(self, keywords: JsonObject) -> Field:
        items = keywords.get("items")
        if isinstance(items, list) or "prefixItems" in keywords:
            return Field(FieldKind.ARRAY, keywords)
        shape = self._resolver.shape(True if items is None else items)
        variants = variants_of(shape.keywords, self._resolver)
        choices = listed_choices(shape.keywords) or (union_choices(variants) if variants else None)
        item = _item_type(shape.keywords, listed=bool(choices))
        text = f"array of {item}" if item else ""
        if choices and len(choices) <= MAX_BOXES:
            kind, listed = FieldKind.MULTI_CHOICE, mark_twins(choices)
            return Field(kind, keywords, type_text=text, choices=listed)
        return Field(FieldKind.ARRAY, keywords, type_text=text)

    def _described(self, field: Field) -> Field:
        title, description = field.shape.get("title"), field.shape.get("description")
        text = visible(description[:MAX_DESCRIPTION]).strip() if is_text(description) else ""
        format_name = format_text(field.shape) if field.kind is FieldKind.TEXT else ""
        return replace(
            field,
            title=one_line(title, 200) if is_text(title) else "",
            description=text,
            facts=facts(field.shape),
            type_text=field.type_text or format_name or self._kinds[field.kind].type_text,
        )

    def _unknown_type(self, keywords: JsonObject) -> tuple[str, ...]:
        declared = keywords.get("type")
        if is_text(declared) and declared not in self._types:
            return (f"unknown type {one_line(exact(declared), 60)}",)
        return ()


def _listed(keywords: JsonObject) -> Field | None:
    choices = listed_choices(keywords)
    if choices is None:
        return None
    kind = FieldKind.CONST if "const" in keywords else FieldKind.CHOICE
    return Field(kind, keywords, choices=mark_twins(choices))


def _item_type(shape: JsonObject, *, listed: bool) -> str:
    declared = shape.get("type")
    if listed:
        return "choices"
    return one_line(declared, 40) if is_text(declared) else ""
