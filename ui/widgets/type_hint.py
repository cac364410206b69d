"""The type of a field, in small muted letters at its right end, never on the value: without room for both, there is no type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtGui import QFontMetrics, QPainter

from ui.theme import tokens

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme

EDGE_PX = 8
"""Between the type and the end of the field, at 100%."""

APART_PX = 16
"""More than the type that a value leaves free at its right, at 100%."""


def hint_width(theme: Theme, text: str) -> int:
    """Return the pixels that a type takes; 0 for none."""
    return QFontMetrics(theme.font(tokens.SMALL)).horizontalAdvance(text) if text else 0


def draw_hint(widget: QWidget, theme: Theme, text: str, area: QRect) -> None:
    """Draw `text` so that it ends where `area` ends, on the baseline that text of `widget` has in the middle of `area`."""
    metrics = widget.fontMetrics()
    baseline = area.top() + (area.height() - metrics.height() + 1) // 2 + metrics.ascent()
    painter = QPainter(widget)
    painter.setFont(theme.font(tokens.SMALL))
    painter.setPen(theme.color("muted"))
    painter.drawText(QPoint(area.right() + 1 - hint_width(theme, text), baseline), text)
    painter.end()
