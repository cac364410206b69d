"""The histogram of a repeated request: how many responses took how long. Painted, and read out bar by bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QFontMetrics, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from inspector.features.repeated_sends import Histogram
from ui.theme import tokens
from ui.widgets.labels import tool_tip
from ui.widgets.units import duration, plural

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent

    from inspector.features.repeated_sends import Bar
    from ui.theme import Theme

WIDTH, HEIGHT = 200, 90
"""Pixels at 100% that it needs."""

GAP = 1
"""Pixels at 100% between bars."""

MIN_BAR = 3
"""Pixels at 100% of a bar with one call."""

LABELS = (0, 5, 10, 15)
"""Edges with a label."""

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class HistogramView(QWidget):
    """Bars with lines at the percentiles. The arrow keys go from bar to bar.

    Signals:
        bar_requested: the user clicked on this bar, or pressed Enter on it.
    """

    bar_requested = Signal(object)

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Without bars."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._histogram = Histogram()
        self._current = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self.updateGeometry)
        self._name_current()

    def set_histogram(self, made: Histogram) -> None:
        """Show other bars; the current one stays."""
        self._histogram = made
        self._current = min(self._current, max(len(made.bars) - 1, 0))
        self._name_current()
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as there is space for."""
        return QSize(self._theme.px(WIDTH), self._theme.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """Enough for the labels."""
        return self.sizeHint()

    def bar_text(self, at: int) -> str:
        """Return what there is to know of a bar."""
        bar = self._histogram.bars[at]
        return f"{duration(bar.first_s)} to {duration(bar.end_s)}: {plural(bar.count, 'call')}"

    def is_slow(self, bar: Bar) -> bool:
        """Whether the calls of a bar took longer than 99% of all."""
        return bar.count > 0 and bar.first_s > self._histogram.p99_s

    def bar_rect(self, at: int) -> QRect:
        """Return where a bar is painted."""
        area, bars, px = self._area(), self._histogram.bars, self._theme.px
        highest = max(bar.count for bar in bars)
        share = bars[at].count / highest if highest else 0
        height = max(round(share * area.height()), px(MIN_BAR)) if bars[at].count else 0
        left, right = self._x(at), self._x(at + 1) - px(GAP)
        return QRect(left, area.bottom() + 1 - height, max(right - left, 1), height)

    def _small(self) -> QFontMetrics:
        return QFontMetrics(self._theme.font(tokens.SMALL))

    def _area(self) -> QRect:
        line = self._small().height()
        return self.rect().adjusted(0, line + self._theme.px(4), 0, -line - self._theme.px(2))

    def _x(self, bars: float) -> int:
        return round(bars * self.width() / max(len(self._histogram.bars), 1))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint bars, percentiles, axis."""
        del event
        theme, area = self._theme, self._area()
        with QPainter(self) as painter:
            painter.setFont(theme.font(tokens.SMALL))
            for at, bar in enumerate(self._histogram.bars):
                tone = "error" if self.is_slow(bar) else "accent"
                painter.fillRect(self.bar_rect(at), theme.color(tone))
            painter.fillRect(0, area.bottom() + 1, self.width(), 1, theme.color("outline"))
            self._paint_percentiles(painter)
            self._paint_axis(painter)
            if self.hasFocus() and self._histogram.bars:
                left = self._x(self._current)
                width = self._x(self._current + 1) - left - 1
                painter.setPen(QPen(theme.color("accent"), theme.px(2)))
                painter.drawRect(
                    QRect(left, area.top(), width, area.height()).adjusted(1, 1, -1, -1)
                )

    def _paint_percentiles(self, painter: QPainter) -> None:
        """Paint a line at each, and its label beside it: to the left where there is no space to the right."""
        theme, area, metrics = self._theme, self._area(), self._small()
        gap, limit = theme.px(4), self.width()
        lines = [
            (f"{name} {duration(seconds)}", self._percentile_x(seconds), name == "p99")
            for name, seconds in reversed(self._histogram.percentiles)
        ]
        for _, x, is_slow in lines:
            painter.setPen(
                QPen(theme.color("error" if is_slow else "text"), 1, Qt.PenStyle.DashLine)
            )
            painter.drawLine(x, 0, x, area.bottom())
        for text, x, is_slow in lines:
            width = metrics.horizontalAdvance(text)
            left = x + gap
            if left + width > limit:
                left = min(x, limit) - gap - width
            if left >= 0:
                line = QRect(left - 1, 0, width + 2, metrics.height())
                painter.fillRect(line, theme.color("panel"))
                painter.setPen(theme.color("error" if is_slow else "text"))
                painter.drawText(left, metrics.ascent(), text)
                limit = left - gap

    def _percentile_x(self, seconds: float) -> int:
        return min(self._x(self._histogram.position(seconds)), self.width() - 1)

    def _paint_axis(self, painter: QPainter) -> None:
        bars, metrics = self._histogram.bars, self._small()
        painter.setPen(self._theme.color("muted"))
        for edge in LABELS if bars else ():
            seconds = bars[edge].first_s if edge < len(bars) else bars[-1].end_s
            text = duration(seconds)
            width = metrics.horizontalAdvance(text)
            left = min(max(self._x(edge) - width // 2, 0), self.width() - width)
            painter.drawText(left, self.height() - metrics.descent(), text)

    def _bar_at(self, point: QPoint) -> int | None:
        count = len(self._histogram.bars)
        if not count or not self.rect().contains(point):
            return None
        return min(point.x() * count // max(self.width(), 1), count - 1)

    def _set_current(self, at: int) -> None:
        count = len(self._histogram.bars)
        if count:
            self._current = min(max(at, 0), count - 1)
            self._name_current()
            self.update()

    def _name_current(self) -> None:
        """Let assistive technology read the current bar."""
        name = "Latency histogram, no responses"
        if self._histogram.bars:
            at, count = self._current, len(self._histogram.bars)
            slow = ", above p99" if self.is_slow(self._histogram.bars[at]) else ""
            name = f"Latency histogram, bar {at + 1} of {count}, {self.bar_text(at)}{slow}"
        if name != self.accessibleName():
            self.setAccessibleName(name)
            percentiles = self._histogram.percentiles
            self.setAccessibleDescription(
                ", ".join(f"{name} {duration(seconds)}" for name, seconds in percentiles)
            )
            if self.hasFocus():
                QAccessible.updateAccessibility(
                    QAccessibleEvent(self, QAccessible.Event.NameChanged)
                )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on a bar, or above it."""
        at = self._bar_at(event.position().toPoint())
        if at is not None and event.button() is Qt.MouseButton.LeftButton:
            self._set_current(at)
            self._request()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """From bar to bar, and Enter."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: len(self._histogram.bars) - 1}
        key = Qt.Key(event.key())
        if key in steps:
            self._set_current(self._current + steps[key])
        elif key in ends:
            self._set_current(ends[key])
        elif key in ENTER and not event.modifiers():
            self._request()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The current bar is marked."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """It is not any more."""
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        """The tool tip of a bar."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            at = self._bar_at(event.pos())
            text = self.bar_text(at) if at is not None else ""
            QToolTip.showText(event.globalPos(), tool_tip(text), self)
            return True
        return super().event(event)

    def _request(self) -> None:
        if self._histogram.bars and self._histogram.bars[self._current].count:
            self.bar_requested.emit(self._histogram.bars[self._current])
