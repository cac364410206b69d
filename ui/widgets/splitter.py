"""A splitter with a hairline between its parts, which is grabbed from further away than it is wide.

The grip reaches into the padding of what is right of the hairline, or below it; left and above, scroll bars and last rows are closer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QResizeEvent

    from ui.theme import Theme

BEFORE_PX, AFTER_PX = 4, 11
"""Pixels at 100% of the grip before and after a hairline that divides what is side by side."""

ABOVE_PX, BELOW_PX = 4, 4
"""The same where one part is above the other."""


class Splitter(QSplitter):
    """Parts that cannot be closed by dragging."""

    def __init__(
        self,
        orientation: Qt.Orientation = Qt.Orientation.Horizontal,
        *,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Start without parts."""
        self._grip_theme = theme
        super().__init__(orientation, parent)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)

    def createHandle(self) -> QSplitterHandle:
        """Return the hairline with its grip."""
        return _Handle(self.orientation(), self, self._grip_theme)


class _Handle(QSplitterHandle):
    """One pixel that is painted, and margins in which it is grabbed."""

    def __init__(self, orientation: Qt.Orientation, splitter: QSplitter, theme: Theme) -> None:
        super().__init__(orientation, splitter)
        self._theme = theme
        self._grabbed_at = 0
        self.setAttribute(Qt.WidgetAttribute.WA_MouseNoMask)

    def _along(self, point: QPoint) -> int:
        return point.x() if self.orientation() is Qt.Orientation.Horizontal else point.y()

    def _before(self) -> int:
        margins = self.contentsMargins()
        is_beside = self.orientation() is Qt.Orientation.Horizontal
        return margins.left() if is_beside else margins.top()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the margins, for which Qt has others, and paint what is between them."""
        px = self._theme.px
        if self.orientation() is Qt.Orientation.Horizontal:
            self.setContentsMargins(px(BEFORE_PX), 0, px(AFTER_PX), 0)
        else:
            self.setContentsMargins(0, px(ABOVE_PX), 0, px(BELOW_PX))
        self.setMask(QRegion(self.contentsRect()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Note where the handle is grabbed."""
        self._grabbed_at = self._along(event.position().toPoint())
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move by as much as the pointer: Qt would leave out the margin."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            point = self.splitter().mapFromGlobal(event.globalPosition().toPoint())
            self.moveSplitter(self._along(point) - self._grabbed_at + self._before())
