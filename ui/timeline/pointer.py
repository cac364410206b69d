"""The line at the pointer with its time, and the length of what is measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from ui.theme import tokens
from ui.timeline.ticks import signed_duration
from ui.widgets.delegates import baseline
from ui.widgets.units import clock_with_millis, duration, duration_exact

if TYPE_CHECKING:
    from ui.theme import Theme
    from ui.timeline.scene import Scene

HEIGHT = 18
"""Pixels at 100% of the box with the time."""
SPACE = 6
"""Pixels at 100% left and right of its text."""


class Pointer:
    """Paints what follows the pointer."""

    def __init__(self, theme: Theme) -> None:
        """In the look of `theme`."""
        self._theme = theme
        self.position: QPoint | None = None
        """Where the pointer is; None for outside."""

    def paint(
        self,
        painter: QPainter,
        scene: Scene,
        area: QRect,
        measured: tuple[float, float] | None,
        since_s: float,
    ) -> None:
        """Paint the line with the time, also since `since_s`; instead the length between the moments of `measured`."""
        if measured is not None:
            first_s, last_s = measured
            length = abs(last_s - first_s)
            text = f"{duration(length)} ({duration_exact(length)})"
            x = round((scene.x(first_s) + scene.x(last_s)) / 2)
            self._paint_box(painter, x, area, text, is_centered=True)
        elif self.position is not None:
            x = self.position.x()
            painter.setPen(QPen(self._theme.color("text"), 1, Qt.PenStyle.DashLine))
            painter.drawLine(x, area.top(), x, area.bottom())
            at_s = scene.time(x)
            text = f"{clock_with_millis(at_s)} · {signed_duration(at_s - since_s)}"
            self._paint_box(painter, x, area, text)

    def _paint_box(
        self, painter: QPainter, x: int, area: QRect, text: str, *, is_centered: bool = False
    ) -> None:
        theme = self._theme
        font = theme.font(tokens.SMALL)
        width = QFontMetrics(font).horizontalAdvance(text) + 2 * theme.px(SPACE)
        left = x - width // 2 if is_centered else x + theme.px(4)
        left = max(min(left, area.right() - width), area.left())
        visible = painter.viewport().height()
        box = QRect(
            left, min(area.bottom(), visible) - theme.px(HEIGHT + 4), width, theme.px(HEIGHT)
        )
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("text"))
        painter.drawRoundedRect(box, theme.px(tokens.RADIUS), theme.px(tokens.RADIUS))
        painter.setFont(font)
        painter.setPen(theme.color("panel"))
        painter.drawText(
            box.left() + theme.px(SPACE), baseline(box.top(), box.height(), font), text
        )
