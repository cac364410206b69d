"""Two panes beside each other, one above the other where there is little width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt

from ui.widgets.splitter import Splitter

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme

BESIDE_FROM_PX = 760
"""Width at 100% from which on the panes are beside each other."""

MIN_HEIGHT_PX = 240
"""Least height of a pane, at 100%."""


class SideBySide(Splitter):
    """A splitter that asks for no width, and for the height of its panes as they are arranged."""

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(theme=theme, parent=parent)
        self.setObjectName(name)
        self._theme = theme

    def add_pane(self, pane: QWidget) -> None:
        """Add a pane, as large as the others."""
        self.addWidget(pane)
        self.setStretchFactor(self.count() - 1, 1)
        self.setSizes([1000] * self.count())

    def minimumSizeHint(self) -> QSize:
        """Room for the panes to be read; they scroll."""
        is_stacked = self.orientation() is Qt.Orientation.Vertical
        return QSize(0, self._theme.px(MIN_HEIGHT_PX) * (self.count() if is_stacked else 1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the panes for the width."""
        super().resizeEvent(event)
        is_wide = self.width() >= self._theme.px(BESIDE_FROM_PX)
        orientation = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if orientation is not self.orientation():
            self.setOrientation(orientation)
            self.setSizes([1000] * self.count())
            self.updateGeometry()
