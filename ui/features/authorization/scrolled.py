"""A scroll area that scrolls only below a least height of its own, and not whenever its content would like to be higher."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget


class Scrolled(QScrollArea):
    """Holds one widget, as large as there is room for."""

    def __init__(self, content: QWidget, *, name: str, label: str) -> None:
        """Hold `content`; `label` is its accessible name."""
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(label)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # all that is in it takes the focus
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._holder = _FreeHeight(content)
        outer = QWidget()
        column = QVBoxLayout(outer)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._holder)
        self.setWidget(outer)

    def set_least_height(self, pixels: int) -> None:
        """Scroll where there is less."""
        self._holder.setMinimumHeight(pixels)


class _FreeHeight(QWidget):
    """Wishes no height for its width: a scroll area gives what is wished, whatever room there is."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(content)

    def hasHeightForWidth(self) -> bool:
        """Give way."""
        return False
