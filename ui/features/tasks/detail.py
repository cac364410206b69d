"""One task: status, facts, the buttons that act on it, and its views."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from inspector.errors import PeerError
from inspector.session.task_record import MAX_POLL_SECONDS
from ui.features.tasks.task_text import facts, origin, outcome, poll_hint, times
from ui.features.tasks.task_views import TaskViews
from ui.navigator import frame_opener, navigator_of
from ui.widgets.buttons import link_button, push_button
from ui.widgets.empty_state import EmptyState
from ui.widgets.error_panel import ErrorPanel, error_text
from ui.widgets.heading import Heading
from ui.widgets.key_values import KeyValue, KeyValues
from ui.widgets.labels import ElidedLabel, plain_label, set_tone
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.outcome_line import OutcomeLine, ProgressLine

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from inspector.open_session import OpenSession
    from inspector.session.task_record import TaskRecord
    from ui.theme import Theme

CLOCK_MS = 200
"""Interval at which remaining times are updated."""

DELETED = "A task is deleted when its TTL expires or the server session ends."

BUTTONS = (
    ("get", "Get", "Get current status (tasks/get)"),
    ("result", "Result", "Wait for the result (tasks/result)"),
    ("follow", "Poll", "Poll until the task finishes"),
    ("cancel", "Cancel task", "Cancel the task (tasks/cancel)"),
)
"""The buttons: name, label, tooltip."""


class TaskDetail(QWidget):
    """The selected task.

    Signals:
        get_requested: get the current status.
        result_requested: wait for the result.
        poll_requested: poll the task, or (False) no longer.
        cancel_requested: cancel the task.
        poll_interval_selected: poll at this interval in seconds; 0 for the server's.
    """

    get_requested = Signal()
    result_requested = Signal()
    poll_requested = Signal(bool)
    cancel_requested = Signal()
    poll_interval_selected = Signal(float)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a task."""
        super().__init__(parent)
        self.setObjectName("task_detail")
        self.record: TaskRecord | None = None
        self._theme = theme
        self._session: OpenSession | None = None
        self._facts: list[KeyValue] = []
        self._connected = False
        self._build()
        self._wire()
        self.refresh()

    def _build(self) -> None:
        theme = self._theme
        self._empty = EmptyState(
            "No task selected",
            "Select a task to see its status and result.",
            theme=theme,
            name="task_none",
        )
        self.heading = Heading(theme=theme, name="task", copy="Copy id")
        self.outcome = OutcomeLine(theme=theme, name="task_outcome")
        self.clock = ElidedLabel(elide=Qt.TextElideMode.ElideRight)
        self.clock.setObjectName("task_clock")
        set_tone(self.clock, "muted")
        self.progress = ProgressLine(theme=theme, name="task_progress")
        self.facts = KeyValues(theme=theme, name="task_facts")
        self.error = ErrorPanel(theme=theme, name="task_error")
        self.views = TaskViews(theme=theme)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._filled())
        column_layout(self, self._stack, space=0)
        self._timer = QTimer(self, interval=CLOCK_MS)

    def _filled(self) -> QWidget:
        theme, whole = self._theme, QWidget()
        line = row_layout(None, self.outcome, space=theme.PADDING_PX)
        line.addWidget(self.clock, 1)
        column = QVBoxLayout(whole)
        column.setContentsMargins(
            theme.PADDING_PX, theme.PADDING_PX, theme.PADDING_PX, theme.PADDING_PX
        )
        column.setSpacing(theme.SPACING_PX)
        column.addWidget(self.heading)
        column.addLayout(line)
        column.addWidget(self.progress)
        column.addWidget(self.facts)
        column.addLayout(self._built_buttons())
        column.addWidget(self.error)
        column.addWidget(self.views, 1)
        return whole

    def _built_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(self._theme.PADDING_PX)
        self.buttons = {name: push_button(text, name=f"task_{name}") for name, text, _ in BUTTONS}
        for name, _, tip in BUTTONS:
            self.buttons[name].setToolTip(tip)
            row.addWidget(self.buttons[name])
        self.buttons["follow"].setCheckable(True)
        self.poll = PollField()
        row.insertWidget(row.indexOf(self.buttons["follow"]) + 1, self.poll)
        self._note = plain_label(
            "Client-side task: you provide the result, the server polls for it.",
            tone="muted",
            name="task_hosted_note",
        )
        self._traffic = link_button("Show in traffic", name="task_traffic")
        row.addWidget(self._note)
        row.addStretch(1)
        row.addWidget(self._traffic)
        return row

    def _wire(self) -> None:
        self.buttons["get"].clicked.connect(self.get_requested)
        self.buttons["result"].clicked.connect(self.result_requested)
        self.buttons["follow"].clicked.connect(self.poll_requested)
        self.buttons["cancel"].clicked.connect(self.cancel_requested)
        self.poll.interval_selected.connect(self.poll_interval_selected)
        self._traffic.clicked.connect(self._on_traffic_clicked)
        self.error.frame_requested.connect(frame_opener(self))
        self._timer.timeout.connect(self._show_times)

    def show_record(
        self, record: TaskRecord | None, session: OpenSession | None, *, connected: bool
    ) -> None:
        """Show `record`, a task of `session`."""
        self.record, self._session, self._connected = record, session, connected
        self.refresh()

    def refresh(self) -> None:
        """Show the current state of the task."""
        record, session = self.record, self._session
        self._stack.setCurrentIndex(0 if record is None else 1)
        if record is None or session is None:
            self._timer.stop()
            self.views.show_record(None, None)
            return
        self._run_clock(record)
        self.heading.show_entry(
            origin(record),
            record.id or "(no id)",
            copied=record.id,
            problems=[finding.summary for finding in record.view.notes],
        )
        text, tone = outcome(record)
        self.outcome.set_outcome(text, tone)
        self._show_facts(record)
        self._show_progress(record)
        self._show_buttons(record, session)
        self._show_error(record)
        self._show_times()
        self.views.show_record(record, session.session.transcript)

    def _run_clock(self, record: TaskRecord) -> None:
        """Run the clock while the task is visible and a time runs out."""
        runs = not record.is_final or record.expires_at is not None
        if not (runs and self.isVisible()):
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def _show_facts(self, record: TaskRecord) -> None:
        found = facts(record)
        if found != self._facts:
            self._facts = found
            self.facts.set_facts(found)

    def _show_progress(self, record: TaskRecord) -> None:
        progress = record.progress
        if progress is None or record.is_final:
            self.progress.finish()
            return
        self.progress.set_progress(progress.status_text, progress.fraction, cancellable=False)

    def _show_buttons(self, record: TaskRecord, session: OpenSession) -> None:
        for button in self.buttons.values():
            button.setVisible(not record.hosted)
            button.setEnabled(self._connected)
        self.buttons["result"].setVisible(not record.hosted and session.tasks.can_fetch)
        self.poll.setVisible(not record.hosted)
        self.poll.setEnabled(not record.is_final)
        self.poll.show_choice(record.chosen_poll_seconds, poll_hint(record))
        self._note.setVisible(record.hosted)
        self._traffic.setEnabled(bool(record.origin_frame or record.frame))
        self.buttons["follow"].setChecked(record.is_watched)
        self.buttons["follow"].setEnabled(self._connected and not record.is_final)
        self.buttons["result"].setEnabled(self._connected and not record.is_fetching)
        self.buttons["cancel"].setEnabled(self._connected and not record.is_cancelling)
        anyway = not session.tasks.can_cancel or record.is_final
        self.buttons["cancel"].setText("Cancel anyway" if anyway else "Cancel task")

    def _show_error(self, record: TaskRecord) -> None:
        error = record.error or record.polling_error
        if error is None:
            self.error.clear()
        elif isinstance(error, PeerError):
            self._show_refusal(error)
        else:
            self.error.show_error(error)

    def _show_refusal(self, error: PeerError) -> None:
        text = error_text(error, self._session.session.revision if self._session else None)
        is_expired = self.record is not None and self.record.is_deleted
        hint = DELETED if is_expired else text.hint
        self.error.show_text(text.text, hint=hint, detail=text.detail, frame=error.frame)

    def _show_times(self) -> None:
        record, session = self.record, self._session
        if record is None or session is None:
            return
        clock = session.session.steps.clock
        self.clock.set_text(times(record, wall_s=clock.wall_s(), monotonic=clock.monotonic()))

    def _on_traffic_clicked(self) -> None:
        if self.record is not None:
            navigator_of(self).show_frame(self.record.origin_frame or self.record.frame)

    def showEvent(self, event: QShowEvent) -> None:
        """Update the remaining times from now on."""
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop the clock while the task is hidden."""
        super().hideEvent(event)
        self._timer.stop()


class PollField(QDoubleSpinBox):
    """An interval in seconds; the minimum value selects the server's.

    Signals:
        interval_selected: poll at this interval in seconds; 0 for the server's.
    """

    interval_selected = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start with the server's interval."""
        super().__init__(parent)
        self.setObjectName("task_poll")
        self.setAccessibleName("Poll interval (seconds)")
        self.setToolTip("Poll interval; minimum value uses the server's interval")
        self.setRange(0, MAX_POLL_SECONDS)
        self.setDecimals(1)
        self.setPrefix("every ")
        self.setSuffix(" s")
        self.setKeyboardTracking(False)
        self.valueChanged.connect(self.interval_selected)

    def _fit(self) -> None:
        """Make the field wide enough for its special value, which Qt's minimum size ignores."""
        self.setMinimumWidth(0)
        self.setMinimumWidth(self.sizeHint().width())

    def changeEvent(self, event: QEvent) -> None:
        """Fit the width to another font."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self._fit()

    def show_choice(self, seconds: float | None, hint: str) -> None:
        """Show the interval that the user set, or `hint` for None."""
        if self.specialValueText() != hint:
            self.setSpecialValueText(hint)
            self._fit()
        if not self.hasFocus() and self.value() != (seconds or 0):
            self.blockSignals(True)
            self.setValue(seconds or 0)
            self.blockSignals(False)
