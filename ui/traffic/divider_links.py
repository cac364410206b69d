"""Links at the right of rows with which runs begin, painted, and where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QFontMetrics

from ui.models.traffic import TrafficModel
from ui.theme import tokens
from ui.widgets.delegates import baseline
from ui.widgets.row_painter import RowPainter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFont, QPainter

    from ui.theme import Theme

DIFFERENCE_LINK = "Show differences"
"""The way to what changed since the run before."""
RUN_LINK = "Show this run only"
"""The way to the rows of a run."""
LINK_GAP_PX = 12
"""Between two links."""


def link_areas(texts: Sequence[str], row: QRect, font: QFont, theme: Theme) -> dict[str, QRect]:
    """Return where links are in the line at the top of a row, by their texts, from the right."""
    metrics, right = QFontMetrics(font), row.right() - theme.px(tokens.DENSE_PADDING_PX)
    areas: dict[str, QRect] = {}
    for text in texts:
        width = metrics.horizontalAdvance(text)
        areas[text] = QRect(right - width, row.top(), width, theme.ROW_HEIGHT_PX)
        right -= width + theme.px(LINK_GAP_PX)
    return areas


def draw_link(painter: QPainter, text: str, area: QRect, font: QFont, theme: Theme) -> None:
    """Draw a link."""
    painter.setFont(font)
    painter.setPen(theme.color("accent"))
    painter.drawText(area.left(), baseline(area.top(), area.height(), font), text)


class MessagePainter(RowPainter):
    """Draws the rows of a `TrafficModel`: those with which runs begin have the way to what changed."""

    def difference_link(self, row: QRect) -> QRect:
        """Return where the link is in a row; empty where nothing is known to have changed."""
        model = self._table.model()
        assert isinstance(model, TrafficModel)
        if not model.has_difference(self._table.rowAt(row.top())):
            return QRect()
        return link_areas((DIFFERENCE_LINK,), row, self._font, self._theme)[DIFFERENCE_LINK]

    def _draw_divider(self, painter: QPainter, row: QRect, text: str) -> None:
        """Draw the row as usual, in the width that the link leaves."""
        link = self.difference_link(row)
        rest = QRect(row)
        if not link.isEmpty():
            rest.setRight(link.left())
            draw_link(painter, DIFFERENCE_LINK, link, self._font, self._theme)
        super()._draw_divider(painter, rest, text)
        line = max(self._theme.px(1), 1)
        painter.fillRect(
            QRect(row.topLeft(), QSize(row.width(), line)), self._theme.color("outline")
        )
