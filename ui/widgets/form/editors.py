"""Which editor each kind of field gets, and which row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel

from ui.widgets.form.array_field import ArrayField
from ui.widgets.form.block_row import BlockRow
from ui.widgets.form.choice_field import ChoiceField
from ui.widgets.form.editor import Editor, row_layout
from ui.widgets.form.json_field import JsonField
from ui.widgets.form.line_row import LineRow
from ui.widgets.form.number_field import NumberField
from ui.widgets.form.object_field import ObjectField
from ui.widgets.form.option_field import OptionField, boolean_options, fixed_options
from ui.widgets.form.picks_field import PicksField
from ui.widgets.form.schema import Kind, is_block
from ui.widgets.form.text_field import TextField
from ui.widgets.form.union_field import UnionField

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import Held
    from ui.widgets.form.place import Place
    from ui.widgets.form.row import Row
    from ui.widgets.form.schema import Field


class NeverField(Editor):
    """Says that there is nothing to edit."""

    def __init__(self, field: Field, place: Place, parent: QWidget | None = None) -> None:
        super().__init__(field, place, parent)
        label = QLabel("no value allowed", self)
        label.setProperty("look", "muted")
        row_layout(self, space=0).addWidget(label)

    def _display(self, value: Held) -> None:
        """There is nothing to show."""


def _boolean(field: Field, place: Place, parent: QWidget) -> Editor:
    return OptionField(field, place, boolean_options(field), parent)


def _fixed(field: Field, place: Place, parent: QWidget) -> Editor:
    return OptionField(field, place, fixed_options(field), parent)


EDITORS: dict[Kind, Callable[[Field, Place, QWidget], Editor]] = {
    Kind.TEXT: TextField,
    Kind.INTEGER: NumberField,
    Kind.NUMBER: NumberField,
    Kind.BOOLEAN: _boolean,
    Kind.CHOICE: ChoiceField,
    Kind.FIXED: _fixed,
    Kind.OBJECT: ObjectField,
    Kind.ARRAY: ArrayField,
    Kind.PICKS: PicksField,
    Kind.UNION: UnionField,
    Kind.ANY: JsonField,
    Kind.NEVER: NeverField,
}
"""Kind of field → its editor."""


def make_editor(field: Field, place: Place, parent: QWidget) -> Editor:
    """The editor of a field."""
    return EDITORS[field.kind](field, place, parent)


def make_row(field: Field, place: Place, parent: QWidget) -> Row:
    """The row of a field."""
    return BlockRow(field, place, parent) if is_block(field) else LineRow(field, place, parent)
