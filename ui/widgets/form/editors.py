"""Which editor each kind of field gets, and which row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.widgets.form.array_field import ArrayField
from ui.widgets.form.block_row import BlockRow
from ui.widgets.form.choice_field import ChoiceField
from ui.widgets.form.editor import Editor, row_layout
from ui.widgets.form.json_field import JsonField
from ui.widgets.form.line_row import LineRow
from ui.widgets.form.multi_choice_field import MultiChoiceField
from ui.widgets.form.number_field import NumberField
from ui.widgets.form.object_field import ObjectField
from ui.widgets.form.option_field import OptionField, boolean_options, fixed_options
from ui.widgets.form.schema import FieldKind, is_block
from ui.widgets.form.text_field import TextField
from ui.widgets.form.union_field import UnionField
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import JsonOrMissing
    from ui.widgets.form.field_context import FieldContext
    from ui.widgets.form.row import Row
    from ui.widgets.form.schema import Field


class NeverField(Editor):
    """Says that there is nothing to edit."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        label = plain_label("no value allowed", tone="muted", parent=self)
        row_layout(self, space=0).addWidget(label)

    def _display(self, value: JsonOrMissing) -> None:
        """There is nothing to show."""


def _boolean(field: Field, context: FieldContext, parent: QWidget) -> Editor:
    return OptionField(field, context, boolean_options(field), parent)


def _fixed(field: Field, context: FieldContext, parent: QWidget) -> Editor:
    return OptionField(field, context, fixed_options(field), parent)


EDITORS: dict[FieldKind, Callable[[Field, FieldContext, QWidget], Editor]] = {
    FieldKind.TEXT: TextField,
    FieldKind.INTEGER: NumberField,
    FieldKind.NUMBER: NumberField,
    FieldKind.BOOLEAN: _boolean,
    FieldKind.CHOICE: ChoiceField,
    FieldKind.CONST: _fixed,
    FieldKind.OBJECT: ObjectField,
    FieldKind.ARRAY: ArrayField,
    FieldKind.MULTI_CHOICE: MultiChoiceField,
    FieldKind.UNION: UnionField,
    FieldKind.ANY: JsonField,
    FieldKind.FALSE_SCHEMA: NeverField,
}
"""Kind of field → its editor."""


def make_editor(field: Field, context: FieldContext, parent: QWidget) -> Editor:
    """The editor of a field."""
    return EDITORS[field.kind](field, context, parent)


def make_row(field: Field, context: FieldContext, parent: QWidget) -> Row:
    """The row of a field."""
    return BlockRow(field, context, parent) if is_block(field) else LineRow(field, context, parent)
