"""Numbers: a line that keeps the spelling, of any size, and keeps what is no number too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.schema.json_edit import exact, is_number, is_text
from inspector.schema.json_input import typed
from ui.widgets.form.editor import Editor, column_layout
from ui.widgets.form.schema import FieldKind
from ui.widgets.form.text_inputs import TypedLineEdit
from ui.widgets.labels import set_style_property

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import JsonOrMissing
    from ui.widgets.form.field_context import FieldContext
    from ui.widgets.form.schema import Field


class NumberField(Editor):
    """Edits a number as text. What is not spelled like a number is put as that text, and said to be wrong."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        self._line = TypedLineEdit(field.type_words, theme=context.site.theme, parent=self)
        self._line.textEdited.connect(self._on_edited)
        column_layout(self, space=0).addWidget(self._line)
        self.setFocusProxy(self._line)
        self.rename()

    def rename(self) -> None:
        """Name the line after the place."""
        self._line.setObjectName(f"field:{self._place.pointer}")
        self._line.setAccessibleName(self._place.spoken)

    def set_problem(self, *, wrong: bool) -> None:
        """Draw the frame in the colour of errors."""
        set_style_property(self._line, "problem", wrong)

    def _display(self, value: JsonOrMissing) -> None:
        text = exact(value) if is_number(value) else ""
        if text != self._line.text():
            self._line.setText(text)
            self._line.setCursorPosition(0)
        self._show_state(value)

    def _show_state(self, value: JsonOrMissing) -> None:
        text = "" if is_number(value) else self._state_words(value)
        spelled = f"not {self._article()}; sent as a string" if is_text(value) else ""
        self._line.set_type_words(spelled or self._field.type_words)
        self._line.setPlaceholderText(text)
        self._line.setAccessibleDescription(text or self._field.type_words)

    def _article(self) -> str:
        return "an integer" if self._field.kind is FieldKind.INTEGER else "a number"

    def _on_edited(self, text: str) -> None:
        self._edit(typed(text))
        self._show_state(self._value)
