"""What came of a call: outcome, content by type, structured content, the message as it came, and what is wrong with it.

The call that is shown stays until the person wants another or makes one; an answer that comes late is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from inspector.errors import PeerError, ProcessExited
from inspector.event import Event
from inspector.features.client_capabilities import missing_flags
from inspector.features.elicitation import url_visits
from inspector.visible_text import one_line
from ui.bind import bind, bind_coalesced
from ui.features.tools.call_history import CallHistory
from ui.features.tools.compare import comparison
from ui.features.tools.outcome import error_words, outcome
from ui.features.tools.output_schema_check import OutputSchemaCheck, outcome_text
from ui.features.tools.result_body import ResultBody
from ui.models.error_detail_rows import complaint_rows, hint_beside
from ui.navigator import navigator_of
from ui.render.beside_call import BesideCall
from ui.render.failure_text import may_be_sent_again, show_failure
from ui.render.url_visits import UrlVisitsPanel
from ui.theme import tokens
from ui.widgets.buttons import link_button
from ui.widgets.empty_state import EmptyState
from ui.widgets.error_panel import ErrorPanel
from ui.widgets.outcome_line import OutcomeLine, ProgressLine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.features.tools import ToolCall
    from inspector.session.operation import OperationState
    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme
    from ui.widgets.comparison_table import ComparisonRow

DECLARE = "Declare capability"
DECLARED = "Capability declared. Call again to use it."

LATE_MS = 200
"""How often it is looked at most whether an answer came late."""


class CallResultPanel(QWidget):
    """The calls of one tool, one of them shown.

    Signals:
        cancel_wanted: the running call is to be given up.
        again_wanted: this call is to be made again.
        reuse_wanted: this JSON text is to be put into the form.
        declare_wanted: the person wants these switches of what we declare on, by name.
    """

    cancel_wanted = Signal()
    again_wanted = Signal(object)
    reuse_wanted = Signal(str)
    declare_wanted = Signal(object)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("result_panel")
        self.call: ToolCall | None = None
        self._theme = theme
        self._calls: Sequence[ToolCall] = ()
        self._runs = 1
        self._touched: Event[()] = Event()
        self._unbind: Callable[[], None] | None = None
        self._unbind_transcript: Callable[[], None] | None = None
        self._drawn: tuple[ToolCall, OperationState, int] | None = None
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self._empty = EmptyState(
            "No result yet",
            "Call the tool to see its content, structured content and raw response.",
            theme=theme,
            icon="mdi6.message-reply-text-outline",
            name="result_empty",
        )
        self.history = CallHistory(theme=theme)
        self.outcome = OutcomeLine(theme=theme, name="call_outcome")
        self.progress = ProgressLine(theme=theme, name="call_progress")
        self.meanwhile = BesideCall(theme=theme, name="call")
        self._task = link_button("Show task", name="call_task")
        self.error = ErrorPanel(theme=theme, name="call_error")
        self.visits = UrlVisitsPanel(theme=theme, again="Call again")
        self.checks = OutputSchemaCheck(parent=self)
        self.body = ResultBody(self.checks, theme=theme)
        filled = QWidget()
        column = QVBoxLayout(filled)
        column.setContentsMargins(
            theme.PADDING_PX, theme.PADDING_PX, theme.PADDING_PX, theme.PADDING_PX
        )
        column.setSpacing(theme.SPACING_PX)
        line = QHBoxLayout()
        line.addWidget(self.outcome, 1)
        line.addWidget(self._task)
        column.addWidget(self.history)
        column.addLayout(line)
        column.addWidget(self.meanwhile)
        column.addWidget(self.progress)
        column.addWidget(self.visits)
        column.addWidget(self.error)
        column.addWidget(self.body, 1)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(filled)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self._clock = QTimer(self, interval=tokens.CLOCK_MS)
        # A turn later: the one that brought the answer had enough to do.
        self._drawing = QTimer(self, interval=0, singleShot=True)

    def _wire(self) -> None:
        self.history.chosen.connect(self._show)
        self.history.again_wanted.connect(self._on_again_wanted)
        self.history.reuse_wanted.connect(self._on_reuse_wanted)
        self.history.compare_wanted.connect(self.compare)
        self.progress.cancelled.connect(self.cancel_wanted)
        self.error.frame_requested.connect(self._show_frame)
        self.error.offer_taken.connect(self._on_offer_taken)
        self.visits.again_wanted.connect(self._on_again_wanted)
        self.history.traffic_wanted.connect(self._on_traffic_wanted)
        self._task.clicked.connect(self._on_task_clicked)
        self._clock.timeout.connect(self._show_progress)
        self._drawing.timeout.connect(self._draw_in_turns)
        self.checks.checked.connect(self._on_checked)
        bind_coalesced(self, self._touched, self._refresh)

    def set_transcript(self, transcript: Transcript | None) -> None:
        """Look for answers that come late in `transcript` from now on."""
        if self._unbind_transcript is not None:
            self._unbind_transcript()
            self._unbind_transcript = None
        if transcript is not None:
            self._unbind_transcript = bind_coalesced(
                self, transcript.appended, self._on_appended, LATE_MS
            )

    def show_calls(
        self, calls: Sequence[ToolCall], wanted: ToolCall | None = None, *, runs: int = 1
    ) -> None:
        """Offer `calls`, all of one tool: shown is the `wanted` one, the one shown before if it is among them, or the latest.

        With several `runs` of their server, it is said to which each belongs.
        """
        self._calls, self._runs = calls, runs
        kept = wanted or (self.call if self.call in calls else None)
        self._show(kept or (calls[-1] if calls else None))

    def _show(self, call: ToolCall | None) -> None:
        if self._unbind is not None:
            self._unbind()
            self._unbind = None
        self.call = call
        self._drawing.stop()
        if call is not None and not call.is_over:
            self._unbind = bind(self, call.changed, self._touched.fire)
        self.history.show_calls(self._calls, call, runs=self._runs)
        self._refresh()

    def _refresh(self) -> None:
        call = self.call
        self._stack.setCurrentIndex(0 if call is None else 1)
        if call is None:
            self._clock.stop()
            self._drawing.stop()
            self.body.clear()
            self._drawn = None
            return
        if call.is_over:
            self._clock.stop()
        elif not self._clock.isActive():
            self._clock.start()
        self.history.refresh()
        self._show_progress()
        self._show_error(call)
        if self._is_told:
            return
        if self._unbind is None:
            self._draw(at_once=True)
        else:
            self._drawing.start()

    @property
    def is_drawn(self) -> bool:
        """Whether the body shows the call as it is now; an answer is drawn in the turns after it came."""
        return self._is_told and not self.body.is_drawing

    @property
    def _is_told(self) -> bool:
        """Whether the body knows how the call stands now."""
        return self._drawn == self._to_draw()

    def _to_draw(self) -> tuple[ToolCall, OperationState, int] | None:
        call = self.call
        if call is None:
            return None
        return call, call.state, call.response_frame or self._answer_of(call)

    def _draw_in_turns(self) -> None:
        self._show_progress()  # an answer, or an error, may have come since this was ordered
        if self.call is not None:
            self._show_error(self.call)
        self._draw(at_once=False)

    def _draw(self, *, at_once: bool) -> None:
        self._drawn = self._to_draw()
        if self.call is not None:
            self.body.show_call(self.call, at_once=at_once)

    def _answer_of(self, call: ToolCall) -> int:
        """The latest answer to a call that ended without one, a late one perhaps; cheap, unlike asking which it is."""
        transcript, request = call.transcript, call.request_frame
        if not request or not call.is_over or request > transcript.count:
            return 0
        return transcript.columns.response[request - 1]

    def _show_progress(self) -> None:
        call = self.call
        if call is None:
            return
        text, tone = outcome(call)
        checked = self.checks.of(call)
        if checked is not None and (broken := outcome_text(checked)):
            text, tone = f"{text}, {broken}", "warning"
        self.outcome.set_outcome(text, tone, seconds=call.took_seconds)
        self._task.setVisible(call.task is not None)
        self.meanwhile.show_attempt(call)
        if call.is_over:
            self.progress.finish()
            return
        progress = call.progress
        share = progress.fraction if progress is not None else None
        # The newest is cancelled beside the button that made it.
        is_earlier = call is not self._calls[-1]
        self.progress.set_progress(_progress_words(call), share, cancellable=is_earlier)

    def _show_error(self, call: ToolCall) -> None:
        error = call.error
        pages = url_visits(error) if isinstance(error, PeerError) else ()
        self.visits.show_visits(pages, error.reason if isinstance(error, PeerError) else "")
        if error is None or pages:
            self.error.clear()
        elif isinstance(error, PeerError):
            text, hint, detail = error_words(error, call.revision)
            rows = self._complaints(call, error)
            hint = hint_beside(rows, error, hint)
            self.error.show_text(text, hint=hint, detail=detail, frame=error.frame, beside=rows)
            missing = any(not row.fits for row in rows) and missing_flags(error, {})
            self.error.offer(DECLARE if missing else "")
        else:
            show_failure(self.error, error, call.transcript)

    def _on_offer_taken(self) -> None:
        error = self.call.error if self.call is not None else None
        if isinstance(error, ProcessExited):
            navigator_of(self).reconnect()
        elif error is not None and may_be_sent_again(error):
            self._on_again_wanted()
        if isinstance(error, PeerError):
            self.error.show_text(DECLARED, frame=error.frame, tone="info")
            self.declare_wanted.emit(missing_flags(error, {}))

    def _complaints(self, call: ToolCall, error: PeerError) -> Sequence[ComparisonRow]:
        if error.frame is None:
            return ()
        schema = call.tool.input_schema
        return complaint_rows(call.transcript, error.frame, call.revision, schema)

    def _on_checked(self, frame: int) -> None:
        call = self.call
        if call is None or call.response_frame != frame:
            return
        self._show_progress()
        if self._is_told:
            self.body.show_checked(call)

    def _on_appended(self) -> None:
        if self.call is not None and self.call.is_over and not self._is_told:
            self._refresh()

    def _on_traffic_wanted(self) -> None:
        if self.call is not None and self.call.request_frame:
            self._show_frame(self.call.request_frame)

    def _show_frame(self, number: int) -> None:
        if self.call is not None:
            navigator_of(self).show_frame(number, self.call.transcript)

    def _on_task_clicked(self) -> None:
        if self.call is not None and self.call.task is not None:
            navigator_of(self).show_task(self.call.task.id)

    def _on_again_wanted(self) -> None:
        if self.call is not None:
            self.again_wanted.emit(self.call)

    def _on_reuse_wanted(self) -> None:
        if self.call is not None and self.call.arguments is not None:
            self.reuse_wanted.emit(self.call.arguments)

    @property
    def can_compare(self) -> bool:
        """Whether the shown call has one before it."""
        return self.call is not None and self.history.before(self.call) is not None

    def compare(self) -> None:
        """Show how the call differs from the one before."""
        before = self.history.before(self.call) if self.call is not None else None
        if self.call is not None and before is not None:
            self.body.show_comparison(comparison(before, self.call))


def _progress_words(call: ToolCall) -> str:
    progress, parts = call.progress, list[str]()
    if call.task is not None:
        parts += [one_line(call.task.status, 40), call.task.view.status_message]
    if progress is not None:
        parts.append(progress.status_text)
    return " · ".join(part for part in parts if part) or "waiting for response"
