"""A field for one exact value, with the keys that lead from row to row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QToolButton

EDGE = 2
"""Pixels between the outline of a field and the buttons in it."""

LONGEST = 10_000_000
"""Characters of a field; Qt would cut at 32,767 without a word."""


class LineEdit(QLineEdit):
    """A field for one value; line breaks in it show as signs and stay what they are.

    Signals:
        entered: Return was pressed.
        left_empty: Backspace was pressed in the empty field.
        raised: Alt and the upward arrow were pressed.
        lowered: Alt and the downward arrow were pressed.
    """

    entered = Signal()
    left_empty = Signal()
    raised = Signal()
    lowered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setMaxLength(LONGEST)
        self._buttons: tuple[QToolButton, ...] = ()

    def set_buttons(self, *buttons: QToolButton) -> None:
        """Put `buttons` into the field, at its end; Tab stops at them after the field."""
        self._buttons = buttons
        for button in buttons:
            button.setParent(self)
            button.setCursor(Qt.CursorShape.ArrowCursor)
        self.arrange_buttons()

    def arrange_buttons(self) -> None:
        """Place those that are shown, and end the text before them."""
        right = self.width() - EDGE
        for button in reversed([each for each in self._buttons if not each.isHidden()]):
            size = button.sizeHint().boundedTo(QSize(self.width(), self.height() - 2 * EDGE))
            right -= size.width()
            button.setGeometry(QRect(QPoint(right, (self.height() - size.height()) // 2), size))
        self.setTextMargins(0, 0, self.width() - right if right < self.width() - EDGE else 0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The buttons stay at the end."""
        super().resizeEvent(event)
        self.arrange_buttons()

    def set_value(self, value: str) -> None:
        """Show a value from its beginning."""
        self.setText(value)
        self.setCursorPosition(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that lead from row to row."""
        arrows = {Qt.Key.Key_Up: self.raised, Qt.Key.Key_Down: self.lowered}
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Backspace and not self.text():
            self.left_empty.emit()
        elif event.modifiers() == Qt.KeyboardModifier.AltModifier and event.key() in arrows:
            arrows[Qt.Key(event.key())].emit()
        else:
            super().keyPressEvent(event)
