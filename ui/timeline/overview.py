"""The whole session as bars of how much happened when, with the visible part as a brush."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import tokens
from ui.timeline.track_painter import NAMES_WIDTH
from ui.widgets.delegates import baseline

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from ui.theme import Theme
    from ui.timeline.feed import TimelineFeed
    from ui.timeline.time_range import TimeRange

HEIGHT = 26
"""Pixels at 100%."""
PITCH, BAR = 4, 3
"""Pixels at 100% from bar to bar, and of a bar."""
BRUSH = 0.14
"""Opacity of the visible part."""
HANDLE = 4
"""Pixels at 100% of the handles at its ends."""
GRAB = 6
"""Pixels at 100% beside a handle that belong to it."""


class _Bar(NamedTuple):
    rect: QRect
    is_error: bool


class Overview(QWidget):
    """Bars of the frames of all runs. Dragging the brush moves the visible part, its handles change it; dragging beside it selects another one.

    The tracks have the keys for all of that.
    """

    def __init__(
        self,
        feed: TimelineFeed,
        visible: TimeRange,
        *,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Show the frames of `feed`, and which of them are in the time of `visible`."""
        super().__init__(parent)
        self.setObjectName("timeline_overview")
        self.setAccessibleName("Overview of the session")
        self._feed, self._visible, self._theme = feed, visible, theme
        self.edge = 0
        """Pixels at the right that stay free, above a scroll bar of the tracks."""
        self._bars: list[_Bar] | None = None
        self._counted: tuple[object, ...] = ()
        self._drag: tuple[str, float, float, float] | None = None
        """What is dragged, from which moment, and what was visible then."""
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        visible.changed.connect(self.update)
        theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(self._theme.px(NAMES_WIDTH), self._theme.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.sizeHint()

    def _area(self) -> QRect:
        left = self._theme.px(NAMES_WIDTH)
        return QRect(left, 0, max(self.width() - left - self.edge, 1), self.height())

    def _x(self, at_s: float) -> int:
        low, high = self._visible.bounds
        area = self._area()
        return area.left() + round((at_s - low) / (high - low) * area.width()) if high > low else 0

    def _time(self, x: float) -> float:
        low, high = self._visible.bounds
        area = self._area()
        return low + (x - area.left()) / area.width() * (high - low)

    def bars(self) -> list[_Bar]:
        """The bars, counted again only if there is more to count."""
        taken = tuple((run.taken, len(run.errors), len(run.tool_errors)) for run in self._feed.runs)
        counted = (self._visible.bounds, taken, self._area().getRect(), self._theme.scale)
        if self._bars is None or counted != self._counted:
            self._counted, self._bars = counted, self._count()
        return self._bars

    def _count(self) -> list[_Bar]:
        px, area = self._theme.px, self._area()
        pitch, high = max(px(PITCH), 2), area.height() - px(4)
        lefts = range(area.left(), area.right() - pitch, pitch)
        times = [self._time(left) for left in (*lefts, lefts.stop)]
        counts = [self._feed.frames_between(*ends) for ends in pairwise(times)]
        highest = max(counts, default=0)
        found: list[_Bar] = []
        for at, (left, count) in enumerate(zip(lefts, counts, strict=False)):
            if count:
                height = max(round(sqrt(count / highest) * high), px(2))
                rect = QRect(left, area.bottom() - px(2) - height, px(BAR), height)
                errors = self._feed.errors_between(times[at], times[at + 1])
                found.append(_Bar(rect, errors > 0))
        return found

    def brush(self) -> QRect:
        """Where the visible part is."""
        left, right = self._x(self._visible.first_s), self._x(self._visible.last_s)
        return QRect(left, 0, max(right - left, self._theme.px(2)), self.height() - 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bars, and the brush over them."""
        del event
        theme, area = self._theme, self._area()
        font = theme.font(tokens.SMALL)
        with QPainter(self) as painter:
            painter.fillRect(area, theme.color("window"))
            painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("hairline"))
            painter.setFont(font)
            painter.setPen(theme.color("muted"))
            at = baseline(0, self.height(), font)
            painter.drawText(theme.px(tokens.DENSE_PADDING_PX), at, "Overview")
            if self._visible.length_s <= 0:
                return
            for bar in self.bars():
                painter.fillRect(bar.rect, theme.color("error" if bar.is_error else "outline"))
            self._paint_brush(painter)

    def _paint_brush(self, painter: QPainter) -> None:
        accent, brush, handle = self._theme.color("accent"), self.brush(), self._theme.px(HANDLE)
        tint = QColor(accent)
        tint.setAlphaF(BRUSH)
        painter.fillRect(brush, tint)
        painter.setPen(accent)
        painter.drawRect(brush.adjusted(0, 0, -1, -1))
        high = self.height() // 2
        for x in (brush.left() - handle // 2, brush.right() + 1 - handle // 2):
            painter.fillRect(QRect(x, (self.height() - high) // 2, handle, high), accent)

    def _grabbed(self, x: float) -> str:
        """What is at a position: `first` or `last` for a handle, `all` for the brush, `new` for none."""
        brush, near = self.brush(), self._theme.px(GRAB)
        if abs(x - brush.left()) <= near:
            return "first"
        if abs(x - brush.right()) <= near:
            return "last"
        return "all" if brush.left() < x < brush.right() and not self._visible.is_whole else "new"

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to drag."""
        x = event.position().x()
        if event.button() is Qt.MouseButton.LeftButton and x >= self._area().left() - GRAB:
            visible = self._visible
            self._drag = (self._grabbed(x), self._time(x), visible.first_s, visible.last_s)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show another part."""
        x = event.position().x()
        if self._drag is None:
            shapes = {"all": Qt.CursorShape.OpenHandCursor, "new": Qt.CursorShape.CrossCursor}
            self.setCursor(shapes.get(self._grabbed(x), Qt.CursorShape.SizeHorCursor))
            return
        what, start_s, first_s, last_s = self._drag
        now_s = self._time(x)
        if what == "first":
            first_s = min(now_s, last_s)
        elif what == "last":
            last_s = max(now_s, first_s)
        elif what == "all":
            first_s, last_s = first_s + now_s - start_s, last_s + now_s - start_s
        else:
            first_s, last_s = min(start_s, now_s), max(start_s, now_s)
        self._visible.show(first_s, last_s)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag; a click beside the brush moves its middle there."""
        drag, self._drag = self._drag, None
        at_s = self._time(event.position().x())
        if drag is not None and drag[0] == "new" and abs(at_s - drag[1]) < 1e-9:
            half = (drag[3] - drag[2]) / 2
            self._visible.show(at_s - half, at_s + half)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the whole session."""
        del event
        self._visible.show_whole()

    def leaveEvent(self, event: QEvent) -> None:
        """Leave the shape of the pointer to the others."""
        super().leaveEvent(event)
        self.unsetCursor()
