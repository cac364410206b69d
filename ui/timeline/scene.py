"""Which marks are where in the visible part of a session. Pixels and positions only: names are found when they are painted."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRect

from inspector.transcript.spans.arrays import MAX_ROWS, Spans
from inspector.transcript.spans.track import Track
from ui.timeline.track_rows import ROW_HEIGHT, SPAN_HEIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inspector.transcript.spans.arrays import Points
    from inspector.transcript.spans.transcript_spans import TranscriptSpans
    from ui.theme import Theme
    from ui.timeline.feed import TimelineFeed
    from ui.timeline.track_rows import TrackRow

COLUMN = 3
"""Pixels at 100% of the columns in which crowded spans are counted."""
POINT_WIDTH, POINT_HEIGHT = 3, 14
"""Pixels at 100% of a moment; a span is at least as wide."""
LINE_HEIGHT = 6
"""Pixels at 100% of a line on standard error, at the bottom of the process: above it is the name."""


REQUEST_TRACKS = frozenset({Track.REQUESTS_OUT, Track.REQUESTS_IN})


class Mark(NamedTuple):
    """Something that is painted in a track. Plain integers: to make and delete thousands of rectangles of Qt takes as long as to paint them."""

    left: int
    top: int
    width: int
    height: int
    run: int
    """Position of its run in the timeline."""
    track: Track
    at: int
    """Position of the span in its track; of several, the first one. -1 for the process itself."""
    size: int
    """How many spans it stands for."""
    tone: int
    """The most severe of their tones."""
    is_open: bool = False
    """Whether it has not ended, so that its right end is open."""

    @property
    def rect(self) -> QRect:
        """Where it is."""
        return QRect(self.left, self.top, self.width, self.height)


class Scene:
    """The marks of one part of a session in an area."""

    def __init__(self, rows: Sequence[TrackRow], theme: Theme) -> None:
        """Empty, with tracks at `rows`; `build` fills it."""
        self.rows = tuple(rows)
        self.marks: list[Mark] = []
        self.totals: dict[Track, int] = {}
        """Spans that are in view, by track."""
        self.overflow: dict[Track, int] = {}
        """Spans in view that have no row, because too many overlap."""
        self._theme = theme
        self._left, self._width = 0, 1
        self._first_s, self._last_s = 0.0, 1.0

    def build(
        self, feed: TimelineFeed, left: int, width: int, visible: tuple[float, float]
    ) -> None:
        """Find what is visible from `left` on, `width` pixels wide, of the time from the first to the last of `visible`."""
        self._left, self._width = left, max(width, 1)
        self._first_s, self._last_s = visible
        self.marks, self.totals, self.overflow = [], {}, {}
        for row in self.rows:
            for at, run in enumerate(feed.runs):
                if (
                    not run.taken
                    or run.first_s > self._last_s
                    or feed.end_of_run(at) < self._first_s
                ):
                    continue
                if row.track is Track.PROCESS and run.events:
                    self._add_process(row, at, run.first_s, feed.end_of_run(at), run.is_over)
                self._add_track(row, at, feed.runs, feed.end_of_run(at))

    def x(self, at_s: float) -> float:
        """Where a moment is."""
        length = self._last_s - self._first_s
        return (
            self._left + (at_s - self._first_s) / length * self._width if length > 0 else self._left
        )

    def time(self, x: float) -> float:
        """Which moment is there."""
        return self._first_s + (x - self._left) / self._width * (self._last_s - self._first_s)

    def marks_at(self, x: int, y: int) -> Iterator[Mark]:
        """The marks there, or a pixel or two beside, those that are on top first."""
        near = self._theme.px(2)
        for mark in reversed(self.marks):
            is_beside = -near <= x - mark.left < mark.width + near
            if is_beside and -near <= y - mark.top < mark.height + near:
                yield mark

    def mark_of(self, run: int, track: Track, at: int) -> Mark | None:
        """The mark that a span has alone; None while it has none."""
        for mark in self.marks:
            if mark.at == at and mark.track is track and mark.run == run and mark.size == 1:
                return mark
        return None

    def _add_track(
        self, row: TrackRow, run: int, runs: Sequence[TranscriptSpans], run_end_s: float
    ) -> None:
        points = runs[run].tracks[row.track]
        columns = max(self._width // max(self._theme.px(COLUMN), 1), 1)
        view = points.visible(self._first_s, self._last_s, columns)
        self.totals[row.track] = self.totals.get(row.track, 0) + view.total
        top, height = self._line(row, 0)
        step = self._width / columns
        for column in view.columns:
            x = self._left + round(column.column * step)
            width = max(self._left + round((column.column + 1) * step) - x, 1)
            first, size, tone = column.first, column.size, column.tone
            self.marks.append(Mark(x, top, width, height, run, row.track, first, size, tone))
        for at in view.singles:
            rect = self._rect(row, points, at, run_end_s)
            if rect is None:
                self.overflow[row.track] = self.overflow.get(row.track, 0) + 1
                continue
            is_open = points.end(at) == inf
            tone = points.tone(at)
            if is_open and row.track in REQUEST_TRACKS:  # a subscription may be open by now
                tone = runs[run].tone_of(points.numbers[at])
            self.marks.append(Mark(*rect, run, row.track, at, 1, tone, is_open))

    def _rect(
        self, row: TrackRow, points: Points, at: int, run_end_s: float
    ) -> tuple[int, int, int, int] | None:
        """Left, top, width and height of a span; None for one without a row."""
        line = points.row(at)
        if line >= MAX_ROWS:
            return None
        px = self._theme.px
        left, narrow = self.x(points.starts[at]), px(POINT_WIDTH)
        if not isinstance(points, Spans):
            high = px(POINT_HEIGHT)
            top = row.top + (row.height - high) // 2
            if row.track is Track.PROCESS:
                line_top, line_height = self._line(row, 0)
                high = px(LINE_HEIGHT)
                top = line_top + line_height - high
            return round(left - narrow / 2), top, narrow, high
        # Far beyond the area, integers of Qt would overflow.
        right = min(self.x(min(points.end(at), run_end_s)), self._left + self._width + narrow)
        left = max(left, self._left - narrow)
        top, height = self._line(row, line)
        return round(left), top, max(round(right) - round(left), narrow), height

    def _line(self, row: TrackRow, line: int) -> tuple[int, int]:
        """Top and height of the spans in a line of a track."""
        px = self._theme.px
        height = px(SPAN_HEIGHT)
        first = row.top + (row.height - px((row.rows - 1) * ROW_HEIGHT) - height) // 2
        return first + px(line * ROW_HEIGHT), height

    def _add_process(
        self, row: TrackRow, run: int, first_s: float, last_s: float, is_over: bool
    ) -> None:
        left = max(self.x(first_s), self._left - 1)
        right = min(self.x(last_s), self._left + self._width + 1)
        top, height = self._line(row, 0)
        width = max(round(right - left), 1)
        self.marks.append(
            Mark(round(left), top, width, height, run, row.track, -1, 1, 0, not is_over)
        )
