"""A short text that changes often and rarely moves what is beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel

from ui.widgets.labels import set_tone
from ui.widgets.layout_parts import reserve_width

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class SteadyLabel(QLabel):
    """Changes its width in steps of some digits, and takes exactly what it needs when its font changes.

    A widget that is hidden gets the font of another text size when it is shown, which is after `Theme.changed`.
    """

    def __init__(
        self, *, digits: int, name: str, tone: str = "", parent: QWidget | None = None
    ) -> None:
        """Start empty; a step is as wide as so many `digits`, or a pixel for 0. `tone` is a color role of the style sheet."""
        super().__init__(parent)
        self._digits = digits
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setObjectName(name)
        if tone:
            set_tone(self, tone)

    def show_text(self, text: str, *, digits: int | None = None) -> None:
        """Show `text`, with other steps from now on if `digits` are given."""
        digits = self._digits if digits is None else digits
        if (text, digits) == (self.text(), self._digits) and self.minimumWidth():
            return
        self._digits = digits
        self.setText(text)
        self._reserve()

    def changeEvent(self, event: QEvent) -> None:
        """Another font needs another width, without what was reserved for the one before."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.setFixedWidth(0)
            self._reserve()

    def _reserve(self) -> None:
        reserve_width(self, max(self.fontMetrics().horizontalAdvance("0") * self._digits, 1))
