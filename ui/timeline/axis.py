"""The times above the tracks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import tokens
from ui.timeline.ticks import Tick, ticks
from ui.timeline.track_painter import NAMES_WIDTH
from ui.widgets.delegates import baseline

if TYPE_CHECKING:
    from ui.theme import Theme
    from ui.timeline.time_range import TimeRange

HEIGHT = 18
"""Pixels at 100%."""
TICK_WIDTH = 80
"""Pixels at 100% between two ticks at the narrowest; wider texts have more."""


class TimeAxis(QWidget):
    """Ticks at round times."""

    def __init__(self, visible: TimeRange, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Show the times of `visible`."""
        super().__init__(parent)
        self.setObjectName("timeline_axis")
        self._visible, self._theme = visible, theme
        self.edge = 0
        """Pixels at the right that stay free, above a scroll bar of the tracks."""
        self.reference_s: float | None = None
        """The moment that times are relative to; None for times of day."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        visible.changed.connect(self.update)
        theme.changed.connect(self.updateGeometry)

    def set_reference(self, reference_s: float | None) -> None:
        """Show times relative to a moment, or times of day."""
        if reference_s != self.reference_s:
            self.reference_s = reference_s
            self.update()

    def ticks(self) -> list[Tick]:
        """Return the ticks of the visible time, as far apart as their texts need."""
        visible, theme = self._visible, self._theme
        width = self.width() - theme.px(NAMES_WIDTH) - self.edge
        if width <= 0 or visible.length_s <= 0:
            return []
        metrics = QFontMetrics(theme.font(tokens.SMALL))
        pixels = theme.px(TICK_WIDTH)
        for tick in self._ticks(pixels / width)[:1]:  # shorter steps have longer texts
            pixels = max(pixels, metrics.horizontalAdvance(tick.text) + theme.px(12))
        return self._ticks(pixels / width)

    def _ticks(self, share: float) -> list[Tick]:
        """Return ticks that are at least this share of the visible time apart."""
        visible = self._visible
        step_s = share * visible.length_s
        return ticks(visible.first_s, visible.last_s, step_s, self.reference_s)

    def sizeHint(self) -> QSize:
        """One line of small text."""
        return QSize(self._theme.px(NAMES_WIDTH), self._theme.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Write the times to the right of their lines."""
        del event
        theme, visible = self._theme, self._visible
        left = theme.px(NAMES_WIDTH)
        width = self.width() - left - self.edge
        font = theme.font(tokens.SMALL)
        with QPainter(self) as painter:
            painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("hairline"))
            painter.setClipRect(left, 0, width, self.height())
            painter.setFont(font)
            for tick in self.ticks():
                x = left + round((tick.at_s - visible.first_s) / visible.length_s * width)
                painter.fillRect(x, 0, 1, self.height(), theme.color("hairline"))
                text_width = painter.fontMetrics().horizontalAdvance(tick.text)
                if x + theme.px(4) + text_width <= self.width():  # none is cut
                    painter.setPen(theme.color("muted"))
                    at = baseline(0, self.height(), font)
                    painter.drawText(x + theme.px(4), at, tick.text)
