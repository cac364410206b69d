"""A link that gives up its end where there is no room for all of its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionButton

from inspector.visible_text import visible
from ui.widgets.buttons import PushButton, dress_link

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget


class ElidedLink(PushButton):
    """As wide as its words if it may, and never what keeps a window from being narrow."""

    def __init__(self, *, name: str, parent: QWidget | None = None) -> None:
        """Start without words."""
        super().__init__("", repeats=False, parent=parent)
        self._text = ""
        self.setObjectName(name)
        self.setAutoDefault(False)
        dress_link(self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def whole_text(self) -> str:
        """All of the words, seen or not."""
        return self._text

    def set_words(self, text: str) -> None:
        """Show `words`, which assistive technology gets whole."""
        self._text = visible(text)
        self.setAccessibleName(self._text)
        self._fit()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Room for all of the words."""
        return self._around(self._text)

    def minimumSizeHint(self) -> QSize:
        """Room for a letter and the ellipsis."""
        return self._around("M…")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What is elided may have changed."""
        super().resizeEvent(event)
        self._fit()

    def _around(self, message: str) -> QSize:
        """The size that `words` would need."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        text = QSize(self._advance(message), self.fontMetrics().height())
        kind = QStyle.ContentsType.CT_PushButton
        return self.style().sizeFromContents(kind, option, text, self)

    def _fit(self) -> None:
        room = self.width() - self._around(self._text).width() + self._advance(self._text)
        text = self.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, room)
        if text != self.text():
            self.setText(text)

    def _advance(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text)
