"""How an operation goes or went: its outcome, its progress, what happens meanwhile, and its error with a way on."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from inspector.errors import PeerError, ProcessExited
from inspector.features.client_capabilities import missing_flags
from inspector.features.elicitation import url_visits
from inspector.session.operation import Operation, OperationState
from inspector.transcript.exchange import Meanwhile, meanwhile
from inspector.visible_text import one_line
from inspector.workspace import is_closed
from ui.bind import Bindings, bind_coalesced
from ui.models.error_detail_rows import complaint_rows, hint_beside, is_refuted
from ui.models.run_text import attempts_text, ended_text, is_ours_to_answer, running_text
from ui.navigator import navigator_of
from ui.render.failure_text import failure, may_be_sent_again, show_failure
from ui.render.operation_problems import OperationProblems, message_frames
from ui.render.url_visits import UrlVisitsPanel
from ui.theme.signs import Sign
from ui.widgets.buttons import link_button, push_button
from ui.widgets.error_panel import ErrorPanel
from ui.widgets.heading_parts import Excerpt
from ui.widgets.labels import ElidedLabel, set_tone
from ui.widgets.layout_parts import row_layout
from ui.widgets.outcome_line import OutcomeLine, ProgressLine
from ui.widgets.row_painter import SIGNS
from ui.widgets.units import plural, stopwatch

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from inspector.errors import InspectorError
    from inspector.inbox import InboxItem
    from inspector.open_session import OpenSession
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json
    from ui.theme import Theme
    from ui.widgets.comparison_table import ComparisonRow
    from ui.widgets.error_panel import ErrorText

MAX_QUESTION = 400
"""Characters of what a server asks; its dialog has the whole."""

QUESTION_LINES = 3
"""Lines of it."""

DECLARE = "Declare capability"
DECLARED = "Capability declared. Send the request again to use it."


class Outcome(NamedTuple):
    """The state of an operation in one line."""

    text: str
    """What happened."""
    tone: str
    """The name of its color."""


_OUTCOMES = {
    OperationState.RUNNING: Outcome("running", "pending"),
    OperationState.DONE: Outcome("ok", "ok"),
    OperationState.TOOL_ERROR: Outcome("tool error (isError)", "error"),
    OperationState.CANCELLED: Outcome("cancelled", "warning"),
    OperationState.TIMED_OUT: Outcome("timed out", "warning"),
}
"""The states that need no explanation; for the others, the error has it."""

_IN_HISTORY = {
    OperationState.RUNNING: ("Running", "pending"),
    OperationState.DONE: ("OK", "muted"),
    OperationState.TOOL_ERROR: ("Tool error", "error"),
    OperationState.ERROR: ("Error", "error"),
    OperationState.CANCELLED: ("Cancelled", "warning"),
    OperationState.TIMED_OUT: ("Timed out", "warning"),
    OperationState.NO_RESPONSE: ("No response", "warning"),
}
"""State → its text and tone where it is one of many, as in the traffic."""


def brief_outcome(state: OperationState, waiting: str) -> tuple[str, str, str]:
    """Return text, tone and sign of a state where it is one of many; `waiting` says that requests wait for the user."""
    text, tone = (waiting, "person") if waiting else _IN_HISTORY[state]
    is_cancelled = state is OperationState.CANCELLED
    return text, tone, Sign.CANCELLED if is_cancelled else SIGNS.get(tone, Sign.NONE)


def outcome_of(operation: Operation) -> Outcome:
    """Return the state of an operation, with its rounds and attempts."""
    exchange, was_sent = operation.exchange, operation.request_frame > 0
    text, tone = _OUTCOMES.get(operation.state) or failure(operation.error, was_sent=was_sent)
    if operation.state is OperationState.CANCELLED and operation.cancelled_by:
        text = f"cancelled by {operation.cancelled_by}"
    if not operation.is_finished:
        now = operation.started_at + operation.took_seconds
        rounds = running_text(exchange, operation.max_rounds, now)
        text = rounds or (text if was_sent else "sending")
        tone = "person" if rounds and is_ours_to_answer(exchange) else tone
    elif rounds := ended_text(exchange):
        text += f" · {rounds}"
    return Outcome(text, tone)


class OperationStatus(QObject):
    """The widgets that show the status of one operation.

    Signals:
        repeat_requested: send the request again.
    """

    repeat_requested = Signal()

    def __init__(self, *, theme: Theme, name: str, repeat: str, parent: QObject) -> None:
        """Start hidden; `name` begins the object names, `repeat` is the label for sending the request again."""
        super().__init__(parent)
        self._operation: Operation | None = None
        self._outcome = Outcome("", "muted")
        self._session: OpenSession | None = None
        self.problems = OperationProblems(self)
        self._displayed_error: tuple[Operation, InspectorError, str] | None = None
        self.outcome = OutcomeLine(theme=theme, name=f"{name}_outcome")
        self.review = push_button("Review", name=f"{name}_review", primary=True)
        self.review.hide()
        self.meanwhile = BesideCall(theme=theme, name=name)
        self.question = Excerpt(
            theme=theme, name=f"{name}_question", lines=QUESTION_LINES, tone="muted"
        )
        self.question.hide()
        self.progress = ProgressLine(theme=theme, name=f"{name}_progress")
        self.visits = UrlVisitsPanel(theme=theme, again=repeat)
        self.error = ErrorPanel(theme=theme, name=f"{name}_error")
        self.problems.changed.connect(lambda: self.outcome.set_found(self.problems.found))
        self.outcome.frame_requested.connect(self.show_frame)
        self.review.clicked.connect(self.meanwhile.review)
        self.meanwhile.changed.connect(self._show_outcome)
        self.progress.cancelled.connect(self._on_cancelled)
        self.visits.repeat_requested.connect(self.repeat_requested)
        self.error.frame_requested.connect(self.show_frame)
        self.error.offer_taken.connect(self._on_offer_taken)

    def set_session(self, session: OpenSession | None) -> None:
        """Show requests of the server in `session`, and declare capabilities there."""
        self._session = session
        self.visits.set_elicitation(session.elicitation if session is not None else None)
        self.meanwhile.set_session(session)
        self.problems.set_session(session)

    def show_operation(
        self, operation: Operation, outcome: Outcome, progress: str, *, can_cancel: bool
    ) -> None:
        """Show the current state of `operation`; `progress` is shown beside the bar while it runs."""
        self._operation, self._outcome = operation, outcome
        self.meanwhile.show_operation(operation)
        self._show_outcome()
        is_for_user = bool(self.meanwhile.pending_text) and not can_cancel
        if operation.is_finished or is_for_user:
            self.progress.finish()
            return
        fraction = operation.progress.fraction if operation.progress is not None else None
        self.progress.set_progress(
            progress or "waiting for response", fraction, cancellable=can_cancel
        )

    def _show_outcome(self) -> None:
        """Show the outcome, or that the operation waits for the user, and for how long."""
        operation, (text, tone) = self._operation, self._outcome
        if operation is None:
            return
        self.problems.show_operation(operation)
        pending = self.meanwhile.pending_text
        self.review.setVisible(bool(pending))
        self.question.set_text(self.meanwhile.question)
        self.question.setVisible(bool(pending))
        if pending:
            now = operation.started_at + operation.took_seconds
            clock = stopwatch(now - self.meanwhile.pending_since)
            self.outcome.set_outcome(
                pending, "person", clock=clock, frames=message_frames(operation)
            )
            return
        if operation.earlier_frames:
            text += f" · {attempts_text(operation.earlier_frames, operation.request_frame)}"
        if operation.late_frame:
            text += f"; late response #{operation.late_frame}"
        self.outcome.set_outcome(
            text,
            tone,
            seconds=operation.took_seconds,
            size_bytes=_size_bytes(operation),
            frames=message_frames(operation),
        )

    def show_error(self, operation: Operation, text: ErrorText | None, schema: Json) -> None:
        """Show the error of `operation`: `text` if the server responded with it; `schema` describes the arguments.

        An error that is displayed already stays as it is, with details that the user opened and what became of an offer.
        """
        error = operation.error
        pages = url_visits(error) if isinstance(error, PeerError) else ()
        self.visits.show_visits(pages, error.reason if isinstance(error, PeerError) else "")
        if error is None or pages:
            self._displayed_error = None
            self.error.clear()
            return
        displayed = operation, error, error.reason
        if displayed == self._displayed_error:
            return
        self._displayed_error = displayed
        if text is not None and isinstance(error, PeerError):
            rows: Sequence[ComparisonRow] = ()
            if error.frame is not None:
                revision = operation.revision
                rows = complaint_rows(operation.transcript, error.frame, revision, schema)
            hint = hint_beside(rows, error, text.hint)
            detail = text.data if is_refuted(rows, error) else text.detail
            self.error.show_text(
                text.text, hint=hint, detail=detail, frame=error.frame, beside=rows
            )
            is_undeclared = any(not row.fits for row in rows) and missing_flags(error, {})
            self.error.offer(DECLARE if is_undeclared else "")
        else:
            show_failure(self.error, error, operation.transcript)

    def show_frame(self, number: int) -> None:
        """Show a frame of the operation in the traffic."""
        if self._operation is not None:
            navigator_of(self).show_frame(number, self._operation.transcript)

    def _on_cancelled(self) -> None:
        if self._operation is not None:
            self._operation.cancel()

    def _on_offer_taken(self) -> None:
        error = self._operation.error if self._operation is not None else None
        if isinstance(error, ProcessExited):
            navigator_of(self).reconnect()
        elif isinstance(error, PeerError):
            self._declare(error)
        elif error is not None and may_be_sent_again(error):
            self.repeat_requested.emit()

    def _declare(self, error: PeerError) -> None:
        """Declare the capabilities that the server requires. The user repeats the request: it may have effects."""
        self.error.show_text(DECLARED, frame=error.frame, tone="info")
        session = self._session
        if session is None:
            return
        for name in missing_flags(error, {}):
            session.client.capabilities.switch(name, on=True)
        if is_closed(session.session) or not session.session.redeclare():
            navigator_of(self).reconnect()


class BesideCall(QWidget):
    """What happens meanwhile: other output, and requests of the server that wait for the user. Hidden without output.

    Signals:
        changed: other requests wait, during this operation or during others.
    """

    changed = Signal()

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start hidden; `name` begins the names of the parts."""
        super().__init__(parent)
        self.setObjectName(f"{name}_beside")
        self._transcript: Transcript | None = None
        self._session: OpenSession | None = None
        self._frames: Collection[int] = ()
        self._items: tuple[InboxItem, ...] = ()
        self._meanwhile = Meanwhile()
        self._bindings = Bindings()
        self._other = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._other.setObjectName(f"{name}_meanwhile")
        self._show = link_button("Show in traffic", name=f"{name}_show_meanwhile", parent=self)
        row_layout(self, self._other, self._show, space=theme.PADDING_PX).addStretch(1)
        self._show.clicked.connect(self._on_show_clicked)
        self._refresh()

    @property
    def pending_text(self) -> str:
        """`Waiting for you (2)`; empty while no request waits. Which it is says `question`: it may have no space beside that."""
        return _pending_text(self._items)

    def pending_text_of(self, operation: Operation) -> str:
        """The same for any operation of the session."""
        return _pending_text(self._pending_during(_running_frames(operation)))

    @property
    def question(self) -> str:
        """What is asked by the requests that wait: `Sampling: Describe a telescope`."""
        asked = (
            (item.kind.capitalize(), one_line(item.title, MAX_QUESTION)) for item in self._items
        )
        return " · ".join(": ".join(filter(None, parts)) for parts in asked)

    @property
    def pending_since(self) -> float:
        """When the oldest of them arrived, in monotonic seconds."""
        return min((item.received_at for item in self._items), default=0.0)

    def review(self) -> None:
        """Open the oldest request."""
        if self._items:
            navigator_of(self).review(self._items[0])

    def set_session(self, session: OpenSession | None) -> None:
        """Look for requests of the server in `session`."""
        self._bindings.replace()
        self._session = session
        if session is not None:
            self._bindings.replace(
                bind_coalesced(self, session.inbox.changed, self._on_inbox_changed)
            )
        self._refresh()

    def show_operation(self, operation: Operation | None) -> None:
        """Show what happened during `operation` until now."""
        self._frames, self._meanwhile = (), Meanwhile()
        self._transcript = operation.transcript if operation is not None else None
        if operation is not None and operation.request_frame:
            self._frames = _running_frames(operation)
            request = operation.request_frame
            self._meanwhile = meanwhile(operation.transcript, request, _end(operation))
        self._refresh()

    def _pending_during(self, frames: Collection[int]) -> tuple[InboxItem, ...]:
        """Return the requests that wait and came because of one of these frames."""
        session = self._session
        if session is None or not frames:
            return ()
        return session.inbox.pending_during(session.session, frames)

    def _refresh(self) -> None:
        self._items = self._pending_during(self._frames)
        text = _text(self._meanwhile)
        self._other.set_text(text)
        set_tone(self._other, "warning" if self._meanwhile.malformed else "muted")
        self.setVisible(bool(text))

    def _on_inbox_changed(self) -> None:
        self._refresh()
        self.changed.emit()

    def _on_show_clicked(self) -> None:
        frame = self._meanwhile.first_malformed or self._meanwhile.first_stderr
        if frame:
            navigator_of(self).show_frame(frame, self._transcript)


def _pending_text(items: Sequence[InboxItem]) -> str:
    count = f" ({len(items)})" if len(items) > 1 else ""
    return f"Waiting for you{count}" if items else ""


def _running_frames(operation: Operation) -> Collection[int]:
    """Return the frames of the requests of an operation that runs; none of one that is finished."""
    if operation.is_finished or not operation.request_frame:
        return ()
    exchange = operation.exchange
    rounds = exchange.rounds if exchange is not None else ()
    return {operation.request_frame, *(each.request for each in rounds)}


def _size_bytes(operation: Operation) -> int | None:
    """Return the size of the response; None without one."""
    frame = operation.response_frame or operation.late_frame
    return operation.transcript.row(frame).size if frame else None


def _end(operation: Operation) -> int:
    """Return the number of the frame that ended an operation; 0 while it runs."""
    exchange = operation.exchange
    if not operation.is_finished or exchange is None:
        return 0
    if operation.response_frame or exchange.given_up_at:
        return operation.response_frame or exchange.given_up_at + 1
    ended = operation.started_at + operation.took_seconds
    return bisect_right(operation.transcript.columns.monotonic_s, ended) + 1


def _text(found: Meanwhile) -> str:
    malformed = f"{found.malformed:,} not JSON-RPC" if found.malformed else ""
    stderr = f"{plural(found.stderr, 'line')} on stderr" if found.stderr else ""
    text = ", ".join(part for part in (malformed, stderr) if part)
    return f"Meanwhile: {text}" if text else ""
