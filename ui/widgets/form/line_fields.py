"""Editors that are one line: strings, in a box of several lines when the text has some or is long; and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.schema.json_edit import MISSING, exact, is_number
from inspector.schema.json_input import typed
from inspector.wire.json_codec import is_text
from ui.widgets.form.editor import InputEditor
from ui.widgets.form.schema import FieldKind
from ui.widgets.form.text_inputs import GrowingText, TypedLineEdit
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import JsonOrMissing
    from ui.widgets.form.schema import Field, FieldContext

LINE_CHARACTERS = 200
"""A longer text gets several lines."""


class LineField(InputEditor):
    """Edits a value in a line, in which the type of the field is displayed."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        self._line = TypedLineEdit(field.type_text, theme=context.form.theme, parent=self)
        self._line.textEdited.connect(self._on_edited)
        self._layout = column_layout(self, space=0)
        self._layout.addWidget(self._line)
        self._set_input(self._line)

    def _show_line(self, text: str) -> None:
        if text != self._line.text():
            self._line.setText(text)
            self._line.setCursorPosition(0)

    def _on_edited(self, text: str) -> None:
        raise NotImplementedError


class TextField(LineField):
    """Edits a string; erasing an optional one makes it absent."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        self._box: GrowingText | None = None

    def use_lines(self) -> None:
        """Become a box of several lines; the cursor stays where it is."""
        if self._box is not None:
            return
        line = self._line
        text, position, focused = line.text(), line.cursorPosition(), line.hasFocus()
        self._box = box = GrowingText(parent=self)
        box.show_text(text)
        box.setPlaceholderText(line.placeholderText())
        box.edited.connect(self._on_edited)
        self._layout.replaceWidget(line, box)
        line.hide()
        line.setObjectName("")
        self._set_input(box)
        if focused:
            box.setFocus()
            cursor = box.textCursor()
            cursor.setPosition(min(position, len(text)))
            box.setTextCursor(cursor)

    def _display(self, value: JsonOrMissing) -> None:
        text = value if is_text(value) else ""
        if len(text) > LINE_CHARACTERS or "\n" in text:
            self.use_lines()
        if self._box is not None:
            self._box.show_text(text)
        else:
            self._show_line(text)
        self._show_state(self._state_text(value))

    def _on_edited(self, text: str) -> None:
        if "\n" in text:
            self.use_lines()
        empty: JsonOrMissing = "" if self._context.is_added else MISSING
        self._edit(text or empty)
        self._show_state(self._state_text(self._value))


class NumberField(LineField):
    """Edits a number as text, of any size and exactly as typed. Text that is no number is sent as a string, and marked as wrong."""

    def _display(self, value: JsonOrMissing) -> None:
        self._show_line(exact(value) if is_number(value) else "")
        self._show_number_state(value)

    def _show_number_state(self, value: JsonOrMissing) -> None:
        expected = "an integer" if self._field.kind is FieldKind.INTEGER else "a number"
        is_string = is_text(value)
        self._line.set_type_text(
            f"not {expected}; sent as a string" if is_string else self._field.type_text
        )
        self._show_state("" if is_number(value) else self._state_text(value))

    def _on_edited(self, text: str) -> None:
        self._edit(typed(text))
        self._show_number_state(self._value)
