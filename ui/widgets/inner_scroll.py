"""A column of fields that scrolls, in a column that scrolls as a whole where there is little height."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent


class InnerScroll(QScrollArea):
    """Tells the column around it how high it has to be to need no scroll bar of its own.

    Signals:
        refitted: its content, or its size, is another one.
    """

    refitted = Signal()

    def __init__(self, content: QWidget | None = None, *, parent: QWidget | None = None) -> None:
        """Hold `content`, in the width that there is."""
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # all that is in it takes the focus
        if content is not None:
            self.setWidget(content)

    def needed_height(self) -> int:
        """The height at which nothing has to be scrolled, in the present width."""
        content = self.widget()
        if content is None:
            return 0
        width = self.maximumViewportSize().width()
        needed = content.minimumSizeHint().height()
        if content.hasHeightForWidth():
            needed = max(needed, content.heightForWidth(width))
        return needed + self.height() - self.maximumViewportSize().height()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the content."""
        done = super().eventFilter(watched, event)
        if watched is self.widget() and event.type() is QEvent.Type.LayoutRequest:
            self.refitted.emit()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What is around it has another size, or there is another width."""
        super().resizeEvent(event)
        self.refitted.emit()
