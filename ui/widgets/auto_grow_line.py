"""A line with suggestions that becomes a box of several lines when its text has some, as those that are pasted do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.widgets.form.text_inputs import GrowingText
from ui.widgets.suggest_edit import SuggestEdit

if TYPE_CHECKING:
    from ui.theme import Theme


class AutoGrowLine(QWidget):
    """One text, exactly as typed.

    Signals:
        changed: the text is different.
        submitted: Ctrl+Enter was pressed in the line; a box of several lines leaves that key to what is around it.
    """

    changed = Signal()
    submitted = Signal()

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start with an empty line, which is called `name`."""
        super().__init__(parent)
        self.line = SuggestEdit(theme=theme, name=name, parent=self)
        self.lines: GrowingText | None = None
        """Stands in the place of the line for texts that have several."""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self.line)
        self.setFocusProxy(self.line)
        self.line.textChanged.connect(self._on_text_changed)
        self.line.line_requested.connect(self._on_line_requested)
        self.line.submitted.connect(self.submitted)

    def text(self) -> str:
        """What it holds."""
        return self.line.text() if self.lines is None else self.lines.text()

    def show_text(self, text: str) -> None:
        """Hold `text`, in as many lines as it has."""
        if self.lines is not None:
            self._use_line()
        self.line.setText(text)

    def _use_lines(self) -> None:
        """The cursor stays where it is."""
        at, focused = self.line.cursorPosition(), self.line.hasFocus()
        self.line.hide_suggestions()
        self.lines = lines = GrowingText(parent=self)
        lines.setObjectName(f"{self.line.objectName()}s")
        lines.setAccessibleName(self.line.accessibleName())
        lines.setAccessibleDescription(self.line.accessibleDescription())
        lines.show_text(self.line.text())
        lines.textChanged.connect(self._on_text_changed)
        cursor = lines.textCursor()
        cursor.setPosition(min(at, lines.document().characterCount() - 1))
        lines.setTextCursor(cursor)
        self._swap(self.line, lines, focused=focused)

    def _use_line(self) -> None:
        if self.lines is not None:
            lines, self.lines = self.lines, None
            self._swap(lines, self.line, focused=lines.hasFocus())
            lines.deleteLater()

    def _swap(self, old: QWidget, new: QWidget, *, focused: bool) -> None:
        self._column.replaceWidget(old, new)
        QWidget.setTabOrder(old, new)
        new.show()
        self.setFocusProxy(new)
        if focused:
            new.setFocus()
        old.hide()

    def _on_text_changed(self) -> None:
        if self.lines is None and "\n" in self.line.text():
            self._use_lines()
        self.changed.emit()

    def _on_line_requested(self) -> None:
        """Begin another line where the cursor is."""
        self._use_lines()
        if self.lines is not None:
            self.lines.insertPlainText("\n")
