"""Beside the list of sends: how often a message is repeated, how far that is, and how long the responses took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QStackedWidget, QWidget

from inspector.features.repeated_sends import (
    MAX_COUNT,
    MAX_PARALLEL,
    Plan,
    histogram,
    read_count,
    read_pace,
)
from inspector.transcript.exchange import Status
from inspector.transcript.latency import ERRORS
from ui.features.repeat.bars_table import BarsTable
from ui.features.repeat.histogram import HistogramView
from ui.features.repeat.sends_table import SendsPanel
from ui.models.traffic_cells import status_text
from ui.theme import tokens
from ui.widgets.buttons import link_button, push_button
from ui.widgets.labels import ElidedLabel, plain_label, set_style_property, set_tone
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.splitter import Splitter
from ui.widgets.units import plural

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from inspector.features.repeat import Sends
    from inspector.features.repeated_sends import Bar, RepeatedSends
    from ui.theme import Theme

HEADER_HEIGHT, LINE_HEIGHT = 34, 26
"""Pixels at 100%."""

COUNT_WIDTH, PARALLEL_WIDTH, DELAY_WIDTH = 54, 42, 60
"""Pixels at 100% of the fields."""

MICROSECOND = 1e-6
"""What filters distinguish."""

DEFAULT_COUNT, DEFAULT_PARALLEL, DEFAULT_PACE = "100", "4", "0 ms"


SENDS_WIDTH, RUN_WIDTH = 760, 470
"""Widths of the list of sends and of the panel, in proportion."""

BOTH_FROM = 900
"""Pixels at 100% of the page from which on there is space for both."""


class SendsAndRun(Splitter):
    """The list of sends, and the panel beside it once it is opened; where there is little width, in place of it."""

    def __init__(
        self, sends: Sends, *, theme: Theme, name: str, parent: QWidget | None = None
    ) -> None:
        """Show the list alone."""
        super().__init__(theme=theme, parent=parent)
        self.setObjectName(f"{name}_run_splitter")
        self._theme = theme
        self.sends = SendsPanel(sends, theme=theme, name=name, parent=self)
        self.panel = RepeatPanel(theme=theme, name=name, parent=self)
        for at, part in enumerate((self.sends, self.panel)):
            self.addWidget(part)
            self.setStretchFactor(at, 1)
        self.setSizes([SENDS_WIDTH, RUN_WIDTH])
        self.panel.hide()

    def show_panel(self, *, is_visible: bool) -> None:
        """Show the panel, or the list alone."""
        self.panel.setVisible(is_visible)
        self._fit()

    def _fit(self) -> None:
        is_wide = self.width() >= self._theme.px(BOTH_FROM)
        self.sends.setVisible(is_wide or self.panel.isHidden())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Both where there is space."""
        super().resizeEvent(event)
        self._fit()


class RepeatPanel(QWidget):
    """Fields, progress, histogram.

    Signals:
        run_requested: send with this plan.
        stop_requested: stop sending.
        filter_requested: show the requests that match this filter.
    """

    run_requested = Signal(object)
    stop_requested = Signal()
    filter_requested = Signal(str)

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Without a run."""
        super().__init__(parent)
        self.setObjectName(f"{name}_repeat_panel")
        self._theme = theme
        self._run: RepeatedSends | None = None
        self._is_ready = False
        self._build(name)
        self._wire()
        self._apply_theme()
        self.show_run(None)

    def _build(self, name: str) -> None:
        theme = self._theme
        self._title = plain_label("Repeat", name=f"{name}_repeat_title", parent=self)
        self.count = _field(DEFAULT_COUNT, f"{name}_repeat_count", f"Count: at most {MAX_COUNT:,}")
        self.parallel = _field(
            *(DEFAULT_PARALLEL, f"{name}_repeat_parallel"),
            f"Requests that are pending at once: at most {MAX_PARALLEL}",
        )
        self.pace = _field(
            *(DEFAULT_PACE, f"{name}_repeat_delay"),
            "A pause between a response and the next send, such as 250 ms,\n"
            "or a rate at which sends start, such as 20/s",
        )
        self.start = push_button("Run", name=f"{name}_repeat_start")
        self._labels = [plain_label(text, tone="muted") for text in ("count", "parallel", "delay")]
        self._header = QWidget(self)
        self._row = row_layout(self._header, self._title, space=0)
        for label, field in zip(self._labels, self._fields, strict=True):
            field.setAccessibleName(label.text())
            self._row.addWidget(label)
            self._row.addWidget(field)
        self._row.addStretch(1)
        self._row.addWidget(self.start)
        self._progress = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._progress.setObjectName(f"{name}_repeat_progress")
        self.stop = link_button("Stop", name=f"{name}_repeat_stop", parent=self)
        self.slow = link_button("Show slow calls", name=f"{name}_repeat_slow", parent=self)
        self.as_table = link_button("Table", name=f"{name}_repeat_table_link", parent=self)
        self._line = QWidget(self)
        self._line_row = row_layout(self._line, self._progress, space=0)
        self._line_row.setStretch(0, 1)
        for link in (self.stop, self.slow, self.as_table):
            self._line_row.addWidget(link)
        self._stack = stack = QStackedWidget(self)
        self.chart = HistogramView(theme=theme, name=f"{name}_repeat_histogram", parent=stack)
        self.table = BarsTable(theme=theme, name=f"{name}_repeat_table", parent=stack)
        self._stack.addWidget(self.chart)
        self._stack.addWidget(self.table)
        self._column = column_layout(self, self._header, self._line, space=0)
        self._column.addWidget(self._stack, 1)

    @property
    def _fields(self) -> tuple[QLineEdit, ...]:
        return self.count, self.parallel, self.pace

    def _wire(self) -> None:
        self.start.clicked.connect(self._on_start_clicked)
        for field in self._fields:
            field.returnPressed.connect(self._on_start_clicked)
            field.textChanged.connect(self._refresh_start)
        self.stop.clicked.connect(self.stop_requested)
        self.slow.clicked.connect(self._on_slow_clicked)
        self.as_table.clicked.connect(self._on_table_clicked)
        self.chart.bar_requested.connect(self._on_bar_requested)
        self.table.bar_requested.connect(self._on_bar_requested)
        self._theme.changed.connect(self._apply_theme)

    def set_ready(self, *, is_ready: bool) -> None:
        """Show whether there is something to send, and a connection."""
        self._is_ready = is_ready
        self._refresh_start()

    def focus_fields(self) -> None:
        """Let the user type how often."""
        self.count.setFocus()
        self.count.selectAll()

    def show_run(self, run: RepeatedSends | None) -> None:
        """Show a run as it is now; None before there is one."""
        self._run = run
        is_running = run is not None and run.is_running
        made = histogram(run.durations if run is not None else ())
        self.chart.set_histogram(made)
        self.table.bars.set_histogram(made)
        self._stack.setVisible(bool(made.bars))
        self.as_table.setVisible(bool(made.bars))
        self.stop.setVisible(is_running)
        slow = run.slow_count(made.p99_s) if run is not None else 0
        self.slow.setText(f"Show the {plural(slow, 'slow call')}")
        self.slow.setAccessibleName(self.slow.text())
        self.slow.setVisible(slow > 0 and not is_running)
        is_early = run is not None and bool(run.reason)
        self._progress.set_text(progress_text(run) if run is not None else "No response yet")
        set_tone(self._progress, "error" if is_early else "" if run is not None else "muted")
        text = "Run" if run is None else "Run again"
        self.start.setText(text)
        self.start.setAccessibleName(text)
        self._refresh_start()

    def plan(self) -> Plan | None:
        """Return what is typed; None if a field cannot be read."""
        count, parallel = (
            read_count(self.count.text(), MAX_COUNT),
            read_count(self.parallel.text(), MAX_PARALLEL),
        )
        pace = read_pace(self.pace.text())
        if count is None or parallel is None or pace is None:
            return None
        return Plan(count, parallel, pace)

    def _refresh_start(self) -> None:
        valid = (
            read_count(self.count.text(), MAX_COUNT),
            read_count(self.parallel.text(), MAX_PARALLEL),
            read_pace(self.pace.text()),
        )
        for field, value in zip(self._fields, valid, strict=True):
            set_style_property(field, "problem", "true" if value is None else "")
        is_running = self._run is not None and self._run.is_running
        self.start.setEnabled(self._is_ready and None not in valid and not is_running)

    def _on_start_clicked(self) -> None:
        plan = self.plan()
        if self.start.isEnabled() and plan is not None:
            self.run_requested.emit(plan)

    def _on_table_clicked(self) -> None:
        is_table = self._stack.currentWidget() is self.chart
        self._stack.setCurrentWidget(self.table if is_table else self.chart)
        text = "Chart" if is_table else "Table"
        self.as_table.setText(text)
        self.as_table.setAccessibleName(text)

    def _on_bar_requested(self, bar: Bar) -> None:
        if self._run is not None:
            self.filter_requested.emit(self._run.terms(bar.first_s, bar.end_s))

    def _on_slow_clicked(self) -> None:
        if self._run is not None:
            p99_s = self.table.bars.histogram.p99_s
            self.filter_requested.emit(self._run.terms(p99_s + MICROSECOND))

    def _apply_theme(self) -> None:
        theme, px = self._theme, self._theme.px
        self._title.setFont(theme.font(bold=True))
        for label in self._labels:
            label.setFont(theme.font(tokens.SMALL))
        side = px(tokens.DENSE_PADDING_PX)
        self._header.setFixedHeight(px(HEADER_HEIGHT))
        self._line.setFixedHeight(px(LINE_HEIGHT))
        self._row.setSpacing(px(6))
        self._line_row.setSpacing(px(12))
        self._column.setContentsMargins(side, 0, side, px(4))
        widths = (COUNT_WIDTH, PARALLEL_WIDTH, DELAY_WIDTH)
        for field, width in zip(self._fields, widths, strict=True):
            field.setFixedWidth(px(width))


def progress_text(run: RepeatedSends) -> str:
    """Return how far a run is, and how the requests ended."""
    total = f"{run.plan.count:,}"
    if run.is_running:
        return f"{run.finished:,} of {total}"
    parts = [f"{run.sent:,} of {total} sent"]
    errors = [status for status in run.statuses if status in ERRORS]
    if run.statuses[Status.OK]:
        parts.append(f"{run.statuses[Status.OK]:,} OK")
    parts += [f"{run.statuses[each]:,} {status_text(each.value).lower()}" for each in errors]
    unanswered = run.statuses[Status.PENDING] + run.sent - run.finished
    if unanswered:
        parts.append(f"{unanswered:,} without response")
    if run.is_stopped:
        parts.append("stopped")
    elif run.reason:
        parts.append(f"ended early: {run.reason}")
    return " · ".join(parts)


def _field(text: str, name: str, tooltip: str) -> QLineEdit:
    field = QLineEdit(text)
    field.setObjectName(name)
    field.setToolTip(tooltip)
    return field
