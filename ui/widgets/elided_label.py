"""One line of text that gives way in the middle; the whole is in the tool tip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from inspector.visible_text import isolated, one_line
from ui.widgets.tool_tip import tool_tip

WIDEST_CHARACTERS = 400
"""Longer texts are cut before they are measured."""


class ElidedLabel(QLabel):
    """A label that never asks for more room than there is."""

    def __init__(
        self,
        text: str = "",
        *,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
        parent: QWidget | None = None,
    ) -> None:
        """Show `text` as plain text on one line."""
        super().__init__(parent)
        self._elide = elide
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_text(text)

    def whole_text(self) -> str:
        """The text as given."""
        return self._whole

    def set_text(self, text: str) -> None:
        """Show `text` from now on."""
        self._whole = text
        self.setText(isolated(one_line(text, WIDEST_CHARACTERS)))
        self.setAccessibleName(visible_name(text))
        self._refresh_tool_tip()

    def is_elided(self) -> bool:
        """Whether something is not shown."""
        return (
            self.fontMetrics().horizontalAdvance(self.text()) > self.contentsRect().width()
            or len(self._whole) > WIDEST_CHARACTERS
        )

    def _refresh_tool_tip(self) -> None:
        self.setToolTip(tool_tip(self._whole) if self.is_elided() else "")

    def minimumSizeHint(self) -> QSize:
        """Enough for a letter on either side of the ellipsis."""
        return QSize(
            self.fontMetrics().horizontalAdvance("M…M"), super().minimumSizeHint().height()
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What is elided may have changed."""
        super().resizeEvent(event)
        self._refresh_tool_tip()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what fits."""
        painter = QPainter(self)
        room = self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), self._elide, room.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(room, self.alignment(), shown)
        painter.end()


def visible_name(text: str) -> str:
    """`text` as an accessible name: one visible line, not too long to listen to."""
    return one_line(text, 200)
