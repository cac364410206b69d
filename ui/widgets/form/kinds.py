"""The kinds of fields: one row each, with the editor, the values that it can show, and the value that a field starts with.

A new kind is a member of `FieldKind` and a row of `KINDS`. An editor for strings of one `format` is an entry of `FORMATS`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.schema.json_edit import exact, is_number
from inspector.wire.json_codec import is_text
from ui.widgets.form.array_field import ArrayField
from ui.widgets.form.choice_fields import ChoiceField, boolean_field, constant_field
from ui.widgets.form.editor import Editor
from ui.widgets.form.initial_value import constant_value, nested_object_value
from ui.widgets.form.json_editors import JsonField
from ui.widgets.form.line_fields import NumberField, TextField
from ui.widgets.form.multi_choice_field import MultiChoiceField
from ui.widgets.form.object_field import ObjectField
from ui.widgets.form.rows import BlockRow, LineRow
from ui.widgets.form.schema import FieldKind, KindSpec, is_inline
from ui.widgets.form.union_field import UnionField
from ui.widgets.form.unions import variant_score
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import row_layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import JsonOrMissing
    from inspector.schema.resolve import Resolver
    from inspector.wire.json_codec import Json
    from ui.widgets.form.row import Row
    from ui.widgets.form.schema import Field, FieldContext

UNTYPABLE = re.compile("[\x00-\x08\x0b-\x1f\u2028\u2029\ud800-\udfff\ufdd0\ufdd1]")
"""Characters that a text box changes or drops: such texts are edited as JSON, in which they are escapes."""


class NeverField(Editor):
    """The text that no value is allowed."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        label = plain_label("no value allowed", tone="muted", parent=self)
        row_layout(self, space=0).addWidget(label)

    def _display(self, value: JsonOrMissing) -> None:
        """There is nothing to show."""


def _is_typable(_field: Field, value: Json, _resolver: Resolver) -> bool:
    return is_text(value) and not UNTYPABLE.search(value)


def _is_number(_field: Field, value: Json, _resolver: Resolver) -> bool:
    return is_number(value)


def _is_boolean(field: Field, value: Json, _resolver: Resolver) -> bool:
    return isinstance(value, bool) or (value is None and field.nullable)


def _is_choice(field: Field, value: Json, _resolver: Resolver) -> bool:
    text = exact(value)
    return any(exact(choice.value) == text for choice in field.choices)


def _is_object(_field: Field, value: Json, _resolver: Resolver) -> bool:
    return isinstance(value, dict)


def _is_array(_field: Field, value: Json, _resolver: Resolver) -> bool:
    return isinstance(value, list)


def _has_variant(field: Field, value: Json, resolver: Resolver) -> bool:
    variants = field.variants
    return value is None or any(variant_score(each.shape, value, resolver) for each in variants)


def _never(_field: Field, _value: Json, _resolver: Resolver) -> bool:
    return False


KINDS: dict[FieldKind, KindSpec] = {
    FieldKind.OBJECT: KindSpec(
        ObjectField,
        _is_object,
        type_text="object",
        json_type="object",
        keywords=frozenset(
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
        initial=nested_object_value,
        empty_text="Empty object",
        is_block=True,
    ),
    FieldKind.ARRAY: KindSpec(
        ArrayField,
        _is_array,
        type_text="array",
        json_type="array",
        keywords=frozenset({"items", "prefixItems"}),
        added=[],
        empty_text="Empty array",
        is_block=True,
    ),
    FieldKind.TEXT: KindSpec(
        TextField,
        _is_typable,
        type_text="string",
        json_type="string",
        keywords=frozenset({"minLength", "maxLength", "pattern"}),
        item="",
        empty_text="Empty string",
        shows_null=True,
        has_null_button=True,
    ),
    FieldKind.NUMBER: KindSpec(
        NumberField,
        _is_number,
        type_text="number",
        json_type="number",
        keywords=frozenset({"minimum", "maximum", "multipleOf"}),
        shows_null=True,
        has_null_button=True,
    ),
    FieldKind.INTEGER: KindSpec(
        NumberField,
        _is_number,
        type_text="integer",
        json_type="integer",
        shows_null=True,
        has_null_button=True,
    ),
    FieldKind.BOOLEAN: KindSpec(
        boolean_field, _is_boolean, type_text="boolean", json_type="boolean", item=False
    ),
    FieldKind.CHOICE: KindSpec(ChoiceField, _is_choice, has_null_button=True),
    FieldKind.CONST: KindSpec(
        constant_field,
        _is_choice,
        initial=constant_value,
        has_null_button=True,
        is_editable=False,
    ),
    FieldKind.MULTI_CHOICE: KindSpec(
        MultiChoiceField, _is_array, added=[], empty_text="Empty array"
    ),
    FieldKind.UNION: KindSpec(UnionField, _has_variant, is_block=True),
    FieldKind.ANY: KindSpec(JsonField, _never, type_text="any JSON"),
    FieldKind.FALSE_SCHEMA: KindSpec(
        NeverField, _never, type_text="no value allowed", is_editable=False
    ),
}
"""Kind of field → its row. The keywords of a schema without a type are looked up in this order."""

FORMATS: dict[str, Callable[[Field, FieldContext, QWidget], Editor]] = {}
"""`format` of a string → an editor of its own; the other formats get the one of `FieldKind.TEXT`."""


def make_editor(field: Field, context: FieldContext, parent: QWidget) -> Editor:
    """The editor of a field."""
    make = KINDS[field.kind].make_editor
    if field.kind is FieldKind.TEXT:
        make = FORMATS.get(str(field.shape.get("format")), make)
    return make(field, context, parent)


def make_row(field: Field, context: FieldContext, parent: QWidget) -> Row:
    """The row of a field."""
    needs_block = KINDS[field.kind].is_block and not (
        field.kind is FieldKind.UNION and is_inline(field)
    )
    return BlockRow(field, context, parent) if needs_block else LineRow(field, context, parent)
