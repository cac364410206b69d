"""Beside the latency of a method or tool: which requests are the slowest 1%, and what they have in common."""

from __future__ import annotations

from math import floor
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from inspector.transcript.shared_traits import SLOW_SHARE, SlowRequests
from inspector.visible_text import isolated, one_line
from ui.theme import tokens
from ui.timeline.filters import latency_terms
from ui.widgets.labels import plain_label, show_text, tool_tip
from ui.widgets.layout_parts import ScrollColumn, clear_layout, column_layout
from ui.widgets.links import ElidedLink
from ui.widgets.units import duration, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from inspector.transcript.latency import LatencyRow
    from inspector.transcript.shared_traits import SharedTrait
    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme

SLICE_MS = 6
"""How long one slice of comparing may take."""
PAUSE_S = 2.0
"""Seconds between two comparisons of the same row while requests end."""
MAX_NAME = 80
"""Characters of a name."""


class SlowPanel(QWidget):
    """The slowest requests of one row.

    Signals:
        filter_requested: show the requests that match this filter.
    """

    filter_requested = Signal(str)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Empty until `show_row`."""
        super().__init__(parent)
        self.setObjectName("timeline_slow")
        self._theme = theme
        self._row: LatencyRow | None = None
        self._count = 0
        self._compared_at = 0.0
        self.slow: SlowRequests | None = None
        """What was found so far; None without a row."""
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._on_timer_timeout)
        self._title = plain_label(wrap=True, name="timeline_slow_title", parent=self)
        self._text = plain_label(tone="muted", wrap=True, name="timeline_slow_text", parent=self)
        self._all = ElidedLink(name="timeline_slow_all", parent=self)
        self._all.setProperty("align", "left")
        self._all.clicked.connect(self._on_all_clicked)
        self._scroll = ScrollColumn(name="timeline_slow_scroll", parent=self)
        inside = self._scroll.column
        for part in (self._title, self._text, self._all):
            inside.addWidget(part)
        self._traits = column_layout(None, space=0)
        inside.addLayout(self._traits)
        inside.addStretch(1)
        column_layout(self, self._scroll, space=0)
        theme.changed.connect(self._refresh)
        self._refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a line to the table: at the left beside it, at the top below it."""
        del event
        is_below = self.y() > 0
        width, height = (self.width(), 1) if is_below else (1, self.height())
        with QPainter(self) as painter:
            painter.fillRect(0, 0, width, height, self._theme.color("hairline"))

    def _refresh(self) -> None:
        theme = self._theme
        edge = theme.px(tokens.DENSE_PADDING_PX)
        self._scroll.column.setContentsMargins(edge, theme.px(6), edge, theme.px(6))
        self._scroll.column.setSpacing(theme.px(4))
        self._traits.setSpacing(theme.px(2))
        self._title.setFont(theme.font(tokens.SMALL, bold=True))

    def show_row(self, row: LatencyRow | None, transcripts: Sequence[Transcript]) -> None:
        """Compare the slowest requests of `row` with its others, unless that was done just now."""
        is_same = row is self._row
        if row is None or (is_same and row.count == self._count):
            return
        if is_same and perf_counter() - self._compared_at < PAUSE_S:
            return
        self._row, self._count, self._compared_at = row, row.count, perf_counter()
        min_s = floor(row.durations.slowest(SLOW_SHARE) * 1e6) / 1e6  # as a filter says it
        self.slow = SlowRequests(transcripts, row.key, min_s)
        if not is_same:
            clear_layout(self._traits)
            name = f"{row.key.method} {row.key.name}".rstrip()
            show_text(self._title, f"Slowest 1% of {isolated(one_line(name, MAX_NAME))}")
            show_text(self._text, "")
            self._all.hide()
        self._timer.start()

    def clear(self) -> None:
        """Compare nothing, and show nothing of what was compared."""
        self._timer.stop()
        self._row, self._count, self.slow = None, 0, None
        clear_layout(self._traits)
        for label in (self._title, self._text):
            show_text(label, "")
        self._all.hide()

    def set_active(self, active: bool) -> None:
        """Compare, or leave the rest for later."""
        if active and self.slow is not None and not self.slow.is_done:
            self._timer.start()
        elif not active:
            self._timer.stop()

    def _on_timer_timeout(self) -> None:
        if self.slow is None or self.slow.advance(perf_counter() + SLICE_MS / 1000):
            self._timer.stop()
            if self.slow is not None:
                self._show(self.slow)

    def _show(self, slow: SlowRequests) -> None:
        clear_layout(self._traits)
        total = slow.slow_count + slow.other_count
        if not slow.slow_count:
            show_text(self._text, "No response yet")
            return
        took = f"{slow.slow_count:,} of {plural(total, 'request')} took {duration(slow.min_s)}"
        self._all.set_text(f"{took} or longer")
        self._all.show()
        traits = slow.traits()
        show_text(self._text, "In common, unlike the others:" if traits else _nothing(slow))
        self._scroll.column.removeWidget(self._text)
        self._scroll.column.insertWidget(2, self._text)
        for trait in traits:
            self._add_trait(slow, trait)

    def _add_trait(self, slow: SlowRequests, common: SharedTrait) -> None:
        text = isolated(one_line(common.trait.text, MAX_NAME))
        link = ElidedLink(name="timeline_trait", parent=self)
        link.setProperty("align", "left")
        link.setFont(self._theme.mono())
        link.set_text(text)
        link.setEnabled(bool(common.trait.term))
        link.setToolTip(tool_tip(f"{common.trait.text}\nClick to show the slow requests with it"))
        link.clicked.connect(lambda: self._request(common.trait.term))
        share = common.others / slow.others_read
        counted = plain_label(
            f"{common.slow:,} of {slow.slow_read:,} · {share:.0%} of the others",
            tone="muted",
            parent=self,
        )
        link.setAccessibleName(f"{text}, {counted.text()}")
        self._traits.addWidget(link)
        self._traits.addWidget(counted)

    def _on_all_clicked(self) -> None:
        self._request("")

    def _request(self, term: str) -> None:
        if self._row is not None and self.slow is not None:
            terms = latency_terms(self._row.key, min_s=self.slow.min_s)
            self.filter_requested.emit(f"{terms} {term}".strip())


def _nothing(slow: SlowRequests) -> str:
    if not slow.other_count:
        return "No others to compare them with"
    return "Nothing in common that tells them from the others"
