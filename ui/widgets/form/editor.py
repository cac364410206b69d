"""What every editor of a field has in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector.schema.json_edit import MISSING, exact, is_text
from inspector.visible_text import one_line
from ui.widgets.form.laying_out import LaidOutAtOnce, take_any_width

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.schema.json_edit import JsonOrMissing, Path
    from ui.widgets.form.field_context import FieldContext
    from ui.widgets.form.problem_index import ProblemIndex
    from ui.widgets.form.row import Row
    from ui.widgets.form.schema import Field


class Editor(LaidOutAtOnce):
    """Edits the value at one place; keeps no value of its own beyond what it last showed or put.

    A subclass implements `_display`, and calls `_edit` with what a person made of the value.
    """

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        take_any_width(self)
        self._field = field
        self._place = context
        self._value: JsonOrMissing = MISSING
        self._shown = False
        self._findings: ProblemIndex | None = None

    def mark(self, findings: ProblemIndex) -> None:
        """Show what is wrong in the rows inside, and in those made later."""
        self._findings = findings
        for row in self.rows():
            row.mark(findings)

    def holds(self, value: JsonOrMissing) -> bool:
        """Whether `value` is what it shows already, or just put."""
        return self._shown and value is self._value

    def show_value(self, value: JsonOrMissing) -> None:
        """Show `value`; nothing happens to what is being typed if it already is that."""
        if self.holds(value):
            return
        self._value, self._shown = value, True
        self._display(value)

    def rows(self) -> Iterable[Row]:
        """The rows inside that have been made."""
        return ()

    def reach(self, path: Path) -> Row | None:
        """Make the row that leads on to `path`, and return the one closest to it."""
        return None

    def start_typing(self) -> None:
        """Put the focus where the first value is typed; a placeholder that was put there is selected."""
        self.setFocus()

    def rename(self) -> None:
        """Give the widgets their names again; the place has moved."""

    def set_problem(self, *, wrong: bool) -> None:
        """Mark the widget that is typed into."""

    def filter_text(self) -> str:
        """What the rows inside are filtered by; empty where they are not."""
        return ""

    def set_filter(self, text: str) -> None:
        """Filter the rows inside, where that is possible."""

    def head(self) -> QWidget | None:
        """A widget that belongs beside the name, if there is one."""
        return None

    def _display(self, value: JsonOrMissing) -> None:
        raise NotImplementedError

    def _edit(self, value: JsonOrMissing) -> None:
        """Put a new value, as typed."""
        if value is MISSING and self._place.is_added:
            value = None
        self._value = value
        self._place.put(value)

    def _state_words(self, value: JsonOrMissing) -> str:
        """What to show where there is nothing to see: absent, null or empty."""
        if value is None:
            return "null"
        if value is MISSING:
            return self._absent_words()
        return "empty string" if is_text(value) and not value else ""

    def _absent_words(self) -> str:
        default = self._field.default
        text = "required" if self._place.required else "unset"
        return text if default is MISSING else f"{text} (default {one_line(exact(default), 40)})"


def row_layout(owner: QWidget | None, *, space: int) -> QHBoxLayout:
    """A layout from left to right without margins; without an owner it goes into another one."""
    layout = QHBoxLayout()
    if owner is not None:
        owner.setLayout(layout)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(space)
    return layout


def column_layout(owner: QWidget, *, space: int) -> QVBoxLayout:
    """A layout from top to bottom without margins."""
    layout = QVBoxLayout(owner)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(space)
    return layout
