"""The base of all editors of fields, and of those with one widget to type into."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.schema.json_edit import MISSING, exact
from inspector.visible_text import one_line
from inspector.wire.json_codec import is_text
from ui.widgets.form.layout import LaidOutAtOnce, take_any_width
from ui.widgets.form.schema import REQUIRED, UNSET
from ui.widgets.labels import set_style_property

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QWidget

    from inspector.schema.json_edit import JsonOrMissing, Path
    from ui.widgets.form.row import ProblemIndex, Row
    from ui.widgets.form.schema import Field, FieldContext


class Editor(LaidOutAtOnce):
    """Edits the value of one field; keeps no value of its own beyond the one it last showed or set.

    A subclass implements `_display`, and calls `_edit` with what the user made of the value.
    """

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        take_any_width(self)
        self._field = field
        self._context = context
        self._value: JsonOrMissing = MISSING
        self._has_value = False
        self._problems: ProblemIndex | None = None

    def mark(self, problems: ProblemIndex) -> None:
        """Show the problems of the rows inside, also of those made later."""
        self._problems = problems
        for row in self.rows():
            row.mark(problems)

    def is_showing(self, value: JsonOrMissing) -> bool:
        """Whether `value` is the one that is displayed, or was just set."""
        return self._has_value and value is self._value

    def show_value(self, value: JsonOrMissing) -> None:
        """Show `value`; nothing happens to what is being typed if it already is that."""
        if self.is_showing(value):
            return
        self._value, self._has_value = value, True
        self._display(value)

    def rows(self) -> Iterable[Row]:
        """The rows inside that have been made."""
        return ()

    def reach(self, path: Path) -> Row | None:
        """Make the row that leads to `path`, and return the one closest to it."""
        return None

    def start_typing(self) -> None:
        """Put the focus where the first value is typed; a placeholder that stands there is selected."""
        self.setFocus()

    def rename(self) -> None:
        """Set the names of the widgets again; the field has moved."""

    def set_problem(self, *, wrong: bool) -> None:
        """Mark the widget that is typed into."""

    def filter_text(self) -> str:
        """The text that the rows inside are filtered by; empty without a filter."""
        return ""

    def set_filter(self, text: str) -> None:
        """Filter the rows inside, where that is possible."""

    def header_widget(self) -> QWidget | None:
        """A widget that belongs beside the name, if there is one."""
        return None

    def _display(self, value: JsonOrMissing) -> None:
        raise NotImplementedError

    def _edit(self, value: JsonOrMissing) -> None:
        """Set a new value, as typed."""
        if value is MISSING and self._context.is_added:
            value = None
        self._value = value
        self._context.set_value(value)

    def _state_text(self, value: JsonOrMissing) -> str:
        """The text of a value that displays as nothing: absent, null or empty."""
        if value is None:
            return "null"
        if value is MISSING:
            return self._absent_text()
        return "empty string" if is_text(value) and not value else ""

    def _absent_text(self) -> str:
        default = self._field.default
        text = REQUIRED if self._context.required else UNSET
        return text if default is MISSING else f"{text} (default {one_line(exact(default), 40)})"


class InputEditor(Editor):
    """An editor with one widget to type into or select from, which it names, marks and gives the focus."""

    _name = "field"
    """Start of the object name of the widget; the pointer of the field follows."""
    _accessible_suffix = ""
    """What follows the name of the field in the accessible name of the widget."""

    def _set_input(self, widget: QComboBox | QLineEdit | QPlainTextEdit) -> None:
        self._input = widget
        self.setFocusProxy(widget)
        self.rename()

    def rename(self) -> None:
        """Name the widget after the field."""
        self._input.setObjectName(f"{self._name}:{self._context.pointer}")
        self._input.setAccessibleName(f"{self._context.full_name}{self._accessible_suffix}")

    def set_problem(self, *, wrong: bool) -> None:
        """Draw the frame in the color of errors."""
        set_style_property(self._input, "problem", wrong)

    def _show_state(self, text: str) -> None:
        """Show the state of a value that displays as nothing; an empty text for a value that can be seen."""
        self._input.setPlaceholderText(text)
        self._input.setAccessibleDescription(text or self._field.type_text)
