"""Texts: a line, which becomes a box of several lines when the text has some or is long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.schema.json_edit import MISSING, is_text
from ui.widgets.form.editor import Editor, column_layout
from ui.widgets.form.text_inputs import GrowingText, TypedLineEdit
from ui.widgets.labels import set_style_property

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import JsonOrMissing
    from ui.widgets.form.field_context import FieldContext
    from ui.widgets.form.schema import Field

LINE_CHARACTERS = 200
"""A longer text gets several lines."""


class TextField(Editor):
    """Edits a string; erasing it puts an optional one away."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        self._box: GrowingText | None = None
        self._build()
        self._wire()

    def use_lines(self) -> None:
        """Become a box of several lines; the cursor stays where it is."""
        if self._box is not None:
            return
        text, cursor, focused = (
            self._line.text(),
            self._line.cursorPosition(),
            self._line.hasFocus(),
        )
        self._box = box = GrowingText(parent=self)
        box.show_text(text)
        box.setPlaceholderText(self._line.placeholderText())
        box.edited.connect(self._on_edited)
        self._layout.replaceWidget(self._line, box)
        self._line.hide()
        self.setFocusProxy(box)
        self.rename()
        if focused:
            box.setFocus()
            place = box.textCursor()
            place.setPosition(min(cursor, len(text)))
            box.setTextCursor(place)

    def rename(self) -> None:
        """Name the box after the place."""
        for box in (self._line, self._box):
            if box is not None:
                box.setObjectName(f"field:{self._place.pointer}" if box is self._active() else "")
                box.setAccessibleName(self._place.spoken)

    def set_problem(self, *, wrong: bool) -> None:
        """Draw the frame in the colour of errors."""
        set_style_property(self._active(), "problem", wrong)

    def _build(self) -> None:
        theme = self._place.site.theme
        self._line = TypedLineEdit(self._field.type_words, theme=theme, parent=self)
        self._layout = column_layout(self, space=0)
        self._layout.addWidget(self._line)
        self.setFocusProxy(self._line)
        self.rename()

    def _wire(self) -> None:
        self._line.textEdited.connect(self._on_edited)

    def _active(self) -> QWidget:
        return self._line if self._box is None else self._box

    def _display(self, value: JsonOrMissing) -> None:
        text = value if is_text(value) else ""
        if len(text) > LINE_CHARACTERS or "\n" in text:
            self.use_lines()
        if self._box is not None:
            self._box.show_text(text)
        elif text != self._line.text():
            self._line.setText(text)
            self._line.setCursorPosition(0)
        self._show_state(value)

    def _show_state(self, value: JsonOrMissing) -> None:
        text = self._state_words(value)
        self._line.setPlaceholderText(text)
        if self._box is not None:
            self._box.setPlaceholderText(text)
        self._active().setAccessibleDescription(text or self._field.type_words)

    def _on_edited(self, text: str) -> None:
        if "\n" in text:
            self.use_lines()
        empty: JsonOrMissing = "" if self._place.is_added else MISSING
        self._edit(text or empty)
        self._show_state(self._value)
