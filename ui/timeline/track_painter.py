"""Paints the marks of a scene. It looks nothing up but the names of spans that are wide enough to show one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from inspector.transcript.spans.track import SpanTone, Track
from inspector.visible_text import isolated
from ui.theme import tokens
from ui.timeline.span_text import TONES, label, tone_of
from ui.timeline.time_splits import PART_TONES, TimeSplits
from ui.timeline.track_rows import (
    EMPTY_TEXTS,
    NONE_IN_RANGE,
    ROW_HEIGHT,
    TITLES,
    TRACK_HEIGHT,
)
from ui.widgets.delegates import baseline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme
    from ui.timeline.feed import TimelineFeed
    from ui.timeline.scene import Mark, Scene
    from ui.timeline.ticks import Tick
    from ui.timeline.track_rows import TrackRow

NAMES_WIDTH = 120
"""Pixels at 100% of the names of the tracks, which stay where they are."""
LABEL_WIDTH = 60
"""Pixels at 100% from which on a span shows its name."""
FOOT = 4
"""Pixels at 100% of the parts of the time of a request, at the bottom of its span."""
TINT = 0.18
"""Opacity of a span inside of its border."""
CROWD = (0.45, 0.9)
"""Opacity of a column of two spans, and of many."""
MANY = 8
"""Binary digits of the number of spans in a column that counts as many."""
SEVERE = {SpanTone.PENDING: "pending", SpanTone.WARNING: "warning", SpanTone.ERROR: "error"}
"""Colors by how severe an outcome is."""


class TrackPainter:
    """Paints tracks in the colors and sizes of a theme."""

    def __init__(self, theme: Theme) -> None:
        """Paint in the look of `theme`."""
        self._theme = theme
        self._splits = TimeSplits()
        self._crowd: dict[tuple[int, Track, int], QColor] = {}
        """Colors of columns: there are thousands in a view."""
        theme.changed.connect(self._crowd.clear)

    def paint(self, painter: QPainter, scene: Scene, feed: TimelineFeed, area: QRect) -> None:
        """Paint the marks of `scene` in `area`, and the empty tracks."""
        painter.setClipRect(area)
        for mark in scene.marks:
            if mark.size > 1:
                self._paint_column(painter, mark)
            elif mark.track in {Track.NOTIFICATIONS, Track.PROCESS} and mark.at >= 0:
                color = self._color(feed, mark)
                painter.fillRect(mark.left, mark.top, mark.width, mark.height, color)
            else:
                self._paint_span(painter, mark, feed, area)
        for row in scene.rows:
            self._paint_empty(painter, row, scene, area)
        painter.setClipping(False)

    def paint_names(
        self, painter: QPainter, rows: Sequence[TrackRow], overflow: dict[Track, int], width: int
    ) -> None:
        """Paint the names of the tracks, and the hairlines between them, `width` pixels long."""
        theme = self._theme
        for row in rows:
            font = theme.font(tokens.SMALL) if row.is_folded else theme.font()
            painter.setFont(font)
            painter.setPen(theme.color("muted" if row.is_folded else "text"))
            left = theme.px(tokens.DENSE_PADDING_PX)
            line = min(theme.px(TRACK_HEIGHT), row.height)
            painter.drawText(left, baseline(row.top, line, font), TITLES[row.track])
            painter.fillRect(0, row.bottom - 1, width, 1, theme.color("hairline"))
            if count := overflow.get(row.track, 0):
                small = theme.font(tokens.SMALL)
                painter.setFont(small)
                painter.setPen(theme.color("muted"))
                below = theme.px(ROW_HEIGHT)
                text = f"+{count:,} overlapping"
                painter.drawText(left, baseline(row.top + line, below, small), text)

    def paint_grid(
        self, painter: QPainter, scene: Scene, marks: Sequence[Tick], height: int
    ) -> None:
        """Paint a vertical line at each tick."""
        color = self._theme.color("hairline")
        for tick in marks:
            painter.fillRect(round(scene.x(tick.at_s)), 0, 1, height, color)

    def paint_runs(self, painter: QPainter, scene: Scene, feed: TimelineFeed, area: QRect) -> None:
        """Paint a line where each run but the first begins, with its name."""
        theme = self._theme
        small = theme.font(tokens.SMALL)
        painter.setFont(small)
        for run in feed.runs[1:]:
            x = round(scene.x(run.first_s)) if run.taken else -1
            if area.left() <= x <= area.right():
                painter.fillRect(x, area.top(), 1, area.height(), theme.color("outline"))
                text = feed.timeline.run_label(run.transcript).capitalize()
                painter.setPen(theme.color("muted"))
                at = QPoint(x + theme.px(4), area.bottom() - theme.px(4))
                painter.drawText(at, text)

    def paint_selection(self, painter: QPainter, mark: Mark, area: QRect) -> None:
        """Paint a border around the selected span."""
        edge = self._theme.px(2)
        painter.setClipRect(area)
        painter.setPen(QPen(self._theme.color("accent"), edge))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(mark.rect.adjusted(-edge // 2, -edge // 2, edge // 2, edge // 2))
        painter.setClipping(False)

    def _color(self, feed: TimelineFeed, mark: Mark) -> QColor:
        return self._theme.color(SEVERE.get(mark.tone) or tone_of(feed, mark))

    def _paint_column(self, painter: QPainter, mark: Mark) -> None:
        level = min(mark.size.bit_length(), MANY)
        key = (mark.tone, mark.track, level)
        color = self._crowd.get(key)
        if color is None:
            color = QColor(self._theme.color(SEVERE.get(mark.tone) or TONES[mark.track]))
            few, many = CROWD
            color.setAlphaF(few + (many - few) * level / MANY)
            self._crowd[key] = color
        painter.fillRect(mark.left, mark.top, mark.width, mark.height, color)

    def _paint_span(self, painter: QPainter, mark: Mark, feed: TimelineFeed, area: QRect) -> None:
        color = self._color(feed, mark)
        tint = QColor(color)
        tint.setAlphaF(TINT)
        rect = mark.rect
        painter.fillRect(rect, tint)
        painter.setPen(color)
        if mark.is_open:
            top, bottom, left, right = rect.top(), rect.bottom(), rect.left(), rect.right()
            painter.drawLine(left, top, right, top)
            painter.drawLine(left, bottom, right, bottom)
            painter.drawLine(left, top, left, bottom)
        else:
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        inside = rect.intersected(area)
        if inside.width() >= self._theme.px(LABEL_WIDTH):
            has_foot = mark.track is Track.REQUESTS_OUT and self._paint_foot(painter, mark, feed)
            foot = self._theme.px(FOOT) if has_foot else 0
            self._write(painter, inside.adjusted(0, 0, 0, -foot), label(feed, mark))

    def _paint_foot(self, painter: QPainter, mark: Mark, feed: TimelineFeed) -> bool:
        """Paint how the time of a request divides; returns whether that is known."""
        run = feed.runs[mark.run]
        shares = self._splits.shares(run, run.tracks[mark.track].numbers[mark.at])
        height, rect, done = self._theme.px(FOOT), mark.rect, 0.0
        for share, tone in zip(shares, PART_TONES, strict=False):
            left, right = (rect.left() + round(at * rect.width()) for at in (done, done + share))
            done += share
            if right > left:  # one pixel between parts
                width = max(right - left - (done < 1), 1)
                top = rect.bottom() + 1 - height
                painter.fillRect(left, top, width, height, self._theme.color(tone))
        return bool(shares)

    def _write(self, painter: QPainter, rect: QRect, text: str) -> None:
        theme = self._theme
        font = theme.mono(tokens.SMALL)
        space = theme.px(6)
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        width = rect.width() - 2 * space
        elided = QFontMetrics(font).elidedText(isolated(text), Qt.TextElideMode.ElideRight, width)
        painter.drawText(rect.left() + space, baseline(rect.top(), rect.height(), font), elided)

    def _paint_empty(self, painter: QPainter, row: TrackRow, scene: Scene, area: QRect) -> None:
        has_process = row.track is Track.PROCESS and not row.is_folded
        if scene.totals.get(row.track, 0) or has_process:
            return
        theme = self._theme
        small = theme.font(tokens.SMALL)
        painter.setFont(small)
        painter.setPen(theme.color("muted"))
        text = EMPTY_TEXTS[row.track] if row.is_folded else NONE_IN_RANGE
        left = area.left() + theme.px(tokens.DENSE_PADDING_PX)
        width = painter.fontMetrics().horizontalAdvance(text) + 2 * theme.px(2)
        behind = QRect(left - theme.px(2), row.top, width, row.height - 1)
        painter.fillRect(behind, theme.color("panel"))  # no line goes through the letters
        painter.drawText(left, baseline(row.top, row.height, small), text)
