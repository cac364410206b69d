"""The one line between two panels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

if TYPE_CHECKING:
    from ui.theme import Theme


class Hairline(QWidget):
    """One pixel, across or down."""

    def __init__(
        self, *, theme: Theme, vertical: bool = False, parent: QWidget | None = None
    ) -> None:
        """Draw across, or down if `vertical`."""
        super().__init__(parent)
        self._theme = theme
        fixed, free = QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding
        if vertical:
            self.setFixedWidth(1)
            self.setSizePolicy(fixed, free)
        else:
            self.setFixedHeight(1)
            self.setSizePolicy(free, fixed)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fill with the colour of the moment."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.colour("hairline"))
        painter.end()
