"""Each kind of field is one row of a table, and a format of strings can have an editor of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QSlider

from inspector.schema.json_edit import MISSING
from inspector.wire.json_codec import is_text
from ui.widgets.form.editor import Editor
from ui.widgets.form.kinds import FORMATS, KINDS
from ui.widgets.form.line_fields import TextField
from ui.widgets.form.reader import Reader
from ui.widgets.form.schema import FieldKind
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import JsonOrMissing
    from inspector.wire.json_codec import Json
    from tests.ui.widgets.form.player import Player
    from ui.widgets.form import Form
    from ui.widgets.form.schema import Field, FieldContext

SCHEMAS: dict[FieldKind, Json] = {
    FieldKind.TEXT: {"type": "string"},
    FieldKind.INTEGER: {"type": "integer"},
    FieldKind.NUMBER: {"type": "number"},
    FieldKind.BOOLEAN: {"type": "boolean"},
    FieldKind.CHOICE: {"enum": [1, 2]},
    FieldKind.CONST: {"const": 1},
    FieldKind.OBJECT: {"properties": {"x": True}},
    FieldKind.ARRAY: {"type": "array"},
    FieldKind.MULTI_CHOICE: {"type": "array", "items": {"enum": ["a", "b"]}},
    FieldKind.UNION: {"type": ["integer", "string"]},
    FieldKind.ANY: {},
    FieldKind.FALSE_SCHEMA: False,
}
"""Kind → a schema of it."""


class PercentField(Editor):
    """Edits a string such as `40%` with a slider."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        self._slider = QSlider(self)
        self._slider.setObjectName(f"percent:{context.pointer}")
        self._slider.setRange(0, 100)
        self._slider.valueChanged.connect(self._on_value_changed)
        column_layout(self, space=0).addWidget(self._slider)

    def _display(self, value: JsonOrMissing) -> None:
        text = value.removesuffix("%") if is_text(value) else ""
        self._slider.blockSignals(True)
        self._slider.setValue(int(text) if text.isdecimal() else 0)
        self._slider.blockSignals(False)

    def _on_value_changed(self, value: int) -> None:
        self._edit(f"{value}%" if value else MISSING)


def test_an_editor_can_be_added_for_a_format_of_strings(
    form: Form, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: one entry of the table, and the form shows, edits and validates by it; other formats keep the text field."""
    monkeypatch.setitem(FORMATS, "percent", PercentField)
    properties: Json = {
        "share": {"type": "string", "format": "percent", "default": "40%"},
        "day": {"type": "string", "format": "date"},
    }

    player.show({"type": "object", "properties": properties})
    slider = player.find(QSlider, "percent:/share")
    assert slider.value() == 40
    slider.setValue(70)

    assert form.text() == '{"share":"70%"}'
    assert player.row("/day").findChild(TextField) is not None
    assert player.row("/share").findChild(TextField) is None


@pytest.mark.parametrize("kind", FieldKind)
def test_every_kind_has_a_row_and_a_schema_that_is_read_as_it(kind: FieldKind) -> None:
    """Ours: a kind without a row would break the form that shows it."""
    assert kind in KINDS
    assert Reader(SCHEMAS[kind], KINDS).root.kind is kind


@pytest.mark.parametrize("kind", FieldKind)
def test_every_kind_is_displayed_as_a_field_of_an_object(
    kind: FieldKind, form: Form, player: Player
) -> None:
    """Ours: with a row for it, whose editor takes the first value of the field."""
    player.show({"type": "object", "properties": {"x": SCHEMAS[kind]}, "required": ["x"]})

    row = player.row("/x")

    assert row.slot is not None
    assert row.slot.editor is not None
    assert form.can_send()
