"""A line to type into that offers suggestions in a list under it, and the box of several lines that it becomes when its text has some.

Suggestions are supplied by the caller. Typing never waits for them: a list that belongs to an earlier text is closed. A suggestion is
inserted exactly as supplied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView, QVBoxLayout, QWidget

from ui.theme import tokens
from ui.widgets.buttons import take_submit_key
from ui.widgets.delegates import TONE_ROLE, ListDelegate
from ui.widgets.form.text_inputs import GrowingText
from ui.widgets.labels import tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QFocusEvent, QKeyEvent

    from ui.theme import Theme

ROWS = 10
"""Suggestions that are seen at once."""

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_NOT_BY_HAND = {Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason}


class SuggestEdit(QLineEdit):
    """One line with suggestions.

    Signals:
        suggestions_requested: suggestions for this text would help now.
        submitted: Ctrl+Enter was pressed.
        line_requested: Shift+Enter was pressed: the text is to have another line.
    """

    suggestions_requested = Signal(str)
    submitted = Signal()
    line_requested = Signal()

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start empty, asking for nothing until `set_suggesting`."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._suggesting = False
        self._separator = ""
        self._build()
        self._wire()

    def _build(self) -> None:
        self.suggestions = _Suggestions(self)
        self.popup = QListView()
        self.popup.setObjectName(f"{self.objectName()}_suggestions")
        self.popup.setAccessibleName("Suggestions")
        self.popup.setUniformItemSizes(True)
        self.popup.setProperty("popup", True)
        self._timer = QTimer(self, singleShot=True, interval=tokens.DEBOUNCE_MS)
        self._completer = QCompleter(self)
        self._completer.setModel(self.suggestions)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setCompletionRole(Qt.ItemDataRole.EditRole)
        self._completer.setMaxVisibleItems(ROWS)
        self._completer.setWidget(self)
        self._completer.setPopup(self.popup)
        # Only now: the completer brings a delegate of its own.
        self.popup.setItemDelegate(ListDelegate(theme=self._theme, parent=self.popup))

    def _wire(self) -> None:
        self.textEdited.connect(self._on_text_edited)
        self._timer.timeout.connect(self._on_timer_timeout)
        self._completer.activated.connect(self._on_activated)

    def set_suggesting(self, suggesting: bool) -> None:
        """Whether to ask for suggestions."""
        self._suggesting = suggesting
        if not suggesting:
            self._timer.stop()
            self.hide_suggestions()

    def set_separator(self, separator: str) -> None:
        """Suggest for what stands behind the last `separator`, in texts that have several parts."""
        self._separator = separator

    def part(self) -> str:
        """The text that suggestions are for."""
        return self.text()[self._part_start() :]

    def show_suggestions(self, values: Sequence[str], text: str = "") -> None:
        """Offer `values`, with `text` about them as a last line."""
        self.suggestions.set_values(values, text)
        if not values or not self.hasFocus():
            self.hide_suggestions()
            return
        # A pixel off the field, whose border stays whole.
        self._completer.complete(QRect(0, 0, self.width(), self.height() + 2))

    def hide_suggestions(self) -> None:
        """Take the list away."""
        self.popup.hide()

    def is_suggesting(self) -> bool:
        """Whether the list is open."""
        return self.popup.isVisible()

    def _part_start(self) -> int:
        return self.text().rfind(self._separator) + 1 if self._separator else 0

    def _on_text_edited(self) -> None:
        self.hide_suggestions()
        self._request_soon()

    def _request_soon(self) -> None:
        if self._suggesting:
            self._timer.start()

    def _on_timer_timeout(self) -> None:
        if self.hasFocus() and self._suggesting:
            self.suggestions_requested.emit(self.part())

    def _on_activated(self, value: str) -> None:
        self.setText(self.text()[: self._part_start()] + value)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Suggestions may help before the first key."""
        super().focusInEvent(event)
        if event.reason() not in _NOT_BY_HAND:
            self._request_soon()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down asks for the list; Ctrl+Enter submits, Shift+Enter begins a line."""
        if event.key() == Qt.Key.Key_Down and self._suggesting:
            self.suggestions_requested.emit(self.part())
            return
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.hide_suggestions()
            if take_submit_key(event, self.submitted.emit):
                return
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.line_requested.emit()
                return
        super().keyPressEvent(event)


class _Suggestions(QAbstractListModel):
    """Exact values to put in, visible ones to read, and a line about them."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.values: tuple[str, ...] = ()
        self.text = ""

    def set_values(self, values: Sequence[str], text: str) -> None:
        """Hold these instead."""
        self.beginResetModel()
        self.values, self.text = tuple(values), text
        self.endResetModel()

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """The values, and the line about them."""
        return 0 if parent.isValid() else len(self.values) + bool(self.text)

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """One value."""
        row = index.row()
        if row >= len(self.values):
            about = {int(Qt.ItemDataRole.DisplayRole): self.text, TONE_ROLE: "muted"}
            return about.get(role)
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole}:
            return self.values[row]
        if role == Qt.ItemDataRole.ToolTipRole:
            return tool_tip(self.values[row])
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """The line about them cannot be chosen."""
        if index.row() >= len(self.values):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


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
