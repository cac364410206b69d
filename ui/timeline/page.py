"""The page of the timeline: a bar, the overview of the session, the axis and the tracks."""

from __future__ import annotations

from functools import partial
from math import inf
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from inspector.clock import Clock, SystemClock
from ui.navigator import navigator_of
from ui.theme import tokens
from ui.timeline.axis import TimeAxis
from ui.timeline.feed import TimelineFeed
from ui.timeline.filters import range_terms
from ui.timeline.overview import Overview
from ui.timeline.selection import SpanSelection
from ui.timeline.time_range import TimeRange
from ui.timeline.tracks import ZOOM_STEP, TracksView
from ui.widgets.buttons import link_button, tool_button
from ui.widgets.empty_state import EmptyState
from ui.widgets.labels import ShorteningLabel, set_tone
from ui.widgets.layout_parts import Hairline, column_layout, row_layout
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.units import clock_time, clock_with_millis, duration, plural

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from inspector.transcript.transcript import Transcript
    from ui.models.timeline import Timeline
    from ui.theme import Theme
    from ui.timeline.latency import LatencyView

BAR_HEIGHT = 34
"""Pixels at 100% of the bar."""
REFRESH_MS = 33
"""At most once in this time is painted again because of new frames."""
BUILDING_MS = 200
"""The same while a long session is read, which painting would hold up."""
FINE_SECONDS = 10.0
"""A shorter time is named to the millisecond."""
NOTHING = ("No traffic", "What is sent and received appears here over time.")
"""Title and text without frames."""


class TimelinePage(QWidget):
    """When everything of all runs was sent and received.

    Signals:
        frame_selected: select this frame of this transcript in the traffic.
        range_requested: narrow the traffic by these terms about a time.
        filter_requested: show the traffic with this filter.
    """

    frame_selected = Signal(int, object)
    range_requested = Signal(str)
    filter_requested = Signal(str)

    def __init__(
        self, *, theme: Theme, clock: Clock | None = None, parent: QWidget | None = None
    ) -> None:
        """Without frames, until `set_timeline`; `clock` is the one that stamps frames."""
        super().__init__(parent)
        self.setObjectName("timeline_page")
        self.setAccessibleName("Timeline")
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._clock = clock or SystemClock()
        self._is_taking = False
        """Whether the session is taken as it is now, which may have made the visible range longer."""
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self.feed = TimelineFeed(self._clock, parent=self)
        self.visible_time = TimeRange(self)
        self.selection = SpanSelection(self.feed, self.visible_time, self._clock, parent=self)
        self.overview = Overview(self.feed, self.visible_time, theme=theme, parent=self)
        self.axis = TimeAxis(self.visible_time, theme=theme, parent=self)
        self.tracks = TracksView(
            self.feed,
            self.visible_time,
            self.selection,
            self.axis,
            clock=self._clock,
            theme=theme,
        )
        self._scroll = QScrollArea(self)
        self._scroll.setObjectName("timeline_scroll")
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self.tracks)
        self._empty = EmptyState(*NOTHING, theme=theme, name="timeline_empty", parent=self)
        self._empty.setMinimumHeight(1)  # the dock may be lower than this text
        filled = QWidget(self)
        column = column_layout(filled, self.overview, self.axis, space=0)
        column.addWidget(self._scroll, 1)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(filled)
        self.latency: LatencyView | None = None
        """The table of latency; None until it is first shown."""
        self._build_bar()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        for part in (self._bar, Hairline(theme=theme)):
            self._column.addWidget(part)
        self._column.addWidget(self._stack, 1)
        self._later = QTimer(self, interval=REFRESH_MS, singleShot=True)
        self._ticks = QTimer(self, interval=tokens.CLOCK_MS)

    def _build_bar(self) -> None:
        theme, bar = self._theme, QWidget(self)
        bar.setObjectName("timeline_bar")
        views = (("tracks", "Tracks"), ("latency", "Latency"))
        self.views = SegmentedControl(views, name="timeline_views", parent=bar)
        self.range_link = link_button(
            "Filter traffic to this range", name="timeline_range", parent=bar
        )
        self.caption = ShorteningLabel(parent=bar)
        self.caption.setObjectName("timeline_caption")
        set_tone(self.caption, "muted")
        buttons = (
            ("mdi6.magnify-minus-outline", "Zoom out (−)", "zoom_out"),
            ("mdi6.magnify-plus-outline", "Zoom in (+)", "zoom_in"),
            ("mdi6.fit-to-screen-outline", "Show whole session (Esc)", "zoom_whole"),
        )
        self.buttons = [
            tool_button(theme, icon, text, name=f"timeline_{key}", parent=bar)
            for icon, text, key in buttons
        ]
        self._bar = bar
        parts = (self.views, self.caption, self.range_link, *self.buttons)
        self._row = row_layout(bar, *parts, space=0)
        self._row.setStretchFactor(self.caption, 1)

    def _wire(self) -> None:
        zoom_out, zoom_in, zoom_whole = self.buttons
        zoom_out.clicked.connect(partial(self.visible_time.zoom, 1 / ZOOM_STEP))
        zoom_in.clicked.connect(partial(self.visible_time.zoom, ZOOM_STEP))
        zoom_whole.clicked.connect(self.visible_time.show_whole)
        self.views.chosen.connect(self._show_view)
        self.range_link.clicked.connect(self.filter_range)
        self.feed.changed.connect(self._on_feed_changed)
        self.visible_time.changed.connect(self._show_caption)
        self.selection.frame_selected.connect(self.frame_selected)
        self.selection.changed.connect(self._show_caption)
        self.tracks.resized.connect(self._on_tracks_resized)
        self.tracks.frame_opened.connect(self._on_tracks_frame_opened)
        self._later.timeout.connect(self._take_session)
        self._ticks.timeout.connect(self._on_ticks_timeout)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        px = self._theme.px
        self._bar.setFixedHeight(px(BAR_HEIGHT) - 1)  # the hairline is the last pixel
        self._row.setContentsMargins(px(tokens.DENSE_PADDING_PX), 0, px(8), 0)
        self._row.setSpacing(px(6))

    def set_timeline(self, timeline: Timeline) -> None:
        """Show these runs; the visible time stays if one of them was there before."""
        if timeline.transcripts == self.feed.timeline.transcripts:
            return
        again = set(map(id, timeline.transcripts)) & set(map(id, self.feed.timeline.transcripts))
        if not again:
            self.visible_time.clear()
        self.feed.set_timeline(timeline)
        if self.latency is not None:
            self.latency.set_transcripts(timeline.transcripts)
        if again:
            self.selection.forget_other_runs()
        else:
            self.selection.clear()

    def range_text(self) -> str:
        """Which time is visible, how long it is, and how many frames are in it."""
        feed, visible = self.feed, self.visible_time
        if not feed.timeline.count or visible.length_s <= 0:
            return ""
        clock = clock_with_millis if visible.length_s < FINE_SECONDS else clock_time
        frames = plural(feed.timeline.count, "frame")
        inside = feed.frames_between(visible.first_s, visible.last_s)
        counted = frames if visible.is_whole else f"{inside:,} of {frames}"
        if not feed.is_complete:
            counted = f"reading frames, {feed.share:.0%}"
        times = f"{clock(visible.first_s)} – {clock(visible.last_s)}"
        return f"{times} · {duration(visible.length_s)} · {counted}"

    def show_latency(self) -> None:
        """Show how long requests took."""
        self.views.choose("latency")
        self._show_view()

    def show_whole(self) -> None:
        """Show the tracks of the whole session."""
        self.show_tracks()
        self.visible_time.show_whole()

    def show_tracks(self) -> None:
        """Show the tracks."""
        self.views.choose("tracks")
        self._show_view()

    def _latency_text(self) -> str:
        rows = self.latency.rows if self.latency is not None else None
        if rows is None or not rows.rowCount():
            return ""
        counted = sum(row.count for row in rows.statistics.rows.values())
        kinds = plural(rows.rowCount(), "method or tool", "methods and tools")
        return f"{plural(counted, 'request')} · {kinds}"

    def _show_view(self) -> None:
        is_latency = self.views.current() == "latency"
        if is_latency and self.latency is None:
            from ui.timeline.latency import LatencyView  # for those who look at it

            self.latency = LatencyView(theme=self._theme)
            self.latency.filter_requested.connect(self.filter_requested)
            self.latency.set_transcripts(self.feed.timeline.transcripts)
            self.latency.rows.counted.connect(self._show_caption)
            self._stack.addWidget(self.latency)
        for part in (self.range_link, *self.buttons):
            part.setVisible(not is_latency)
        self._update_activity()
        self._take_session()

    def _update_activity(self) -> None:
        """Count and build only what can be seen."""
        is_latency = self.views.current() == "latency"
        self.feed.set_active(self.isVisible())
        if self.latency is not None:
            self.latency.set_active(self.isVisible() and is_latency)

    def filter_range(self) -> None:
        """Narrow the traffic to what is visible here."""
        visible = self.visible_time
        if visible.length_s > 0:
            self.range_requested.emit(range_terms(visible.first_s, visible.last_s))

    def _show_caption(self) -> None:
        text = self.range_text()
        self.tracks.set_caption(text, is_new=not self._is_taking)
        if self.views.current() == "latency":
            self.caption.set_texts(self._latency_text())
            return
        whole = "   ".join(part for part in (text, self.selection.sentence()) if part)
        _, _, without_times = text.partition(" · ")
        self.caption.set_texts(whole, without_times, without_times.partition(" · ")[0])

    def _on_feed_changed(self) -> None:
        if not self._later.isActive():
            self._later.start(REFRESH_MS if self.feed.is_complete else BUILDING_MS)

    def _take_session(self) -> None:
        feed = self.feed
        has_latency = self.latency is not None and self.views.current() == "latency"
        self._stack.setCurrentIndex(0 if not feed.timeline.count else 2 if has_latency else 1)
        for part in (self.range_link, *self.buttons):
            part.setEnabled(bool(feed.timeline.count))
        self.axis.set_reference(feed.reference_s)
        self._is_taking = True
        if feed.first_s < inf:
            self.visible_time.set_session(feed.first_s, feed.last_s)
        self.tracks.refresh()
        self.overview.update()
        self._show_caption()
        self._is_taking = False
        if self.isVisible() and feed.is_waiting:
            self._ticks.start()

    def _on_tracks_resized(self) -> None:
        """Keep the times above their lines beside a scroll bar."""
        edge = self._scroll.width() - self.tracks.width()
        for part in (self.axis, self.overview):
            part.edge = edge
            part.update()

    def _on_tracks_frame_opened(self, number: int, transcript: Transcript) -> None:
        navigator_of(self).show_frame(number, transcript)

    def _on_ticks_timeout(self) -> None:
        """Let the clocks of pending requests run."""
        if not self.feed.is_waiting or not self.isVisible():
            self._ticks.stop()
        self._take_session()

    def showEvent(self, event: QShowEvent) -> None:
        """Go on with what came meanwhile."""
        super().showEvent(event)
        self._update_activity()
        self._take_session()

    def hideEvent(self, event: QHideEvent) -> None:
        """Build nothing that cannot be seen."""
        super().hideEvent(event)
        self._update_activity()
        self._ticks.stop()
