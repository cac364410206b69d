"""How an operation goes or went: its outcome, its progress, what happens meanwhile, and its error with a way on."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.errors import PeerError, ProcessExited
from inspector.features.client_capabilities import missing_flags
from inspector.features.elicitation import url_visits
from inspector.session.operation import Operation, OperationState
from inspector.transcript.exchange import Meanwhile, meanwhile
from inspector.workspace import is_closed
from ui.bind import Bindings, bind_coalesced
from ui.models.error_detail_rows import complaint_rows, hint_beside
from ui.models.run_text import attempts_text, ended_text, is_ours_to_answer, running_text
from ui.navigator import navigator_of
from ui.render.failure_text import failure, may_be_sent_again, show_failure
from ui.render.url_visits import UrlVisitsPanel
from ui.widgets.buttons import link_button
from ui.widgets.error_panel import ErrorPanel
from ui.widgets.labels import ElidedLabel, set_tone
from ui.widgets.layout_parts import row_layout
from ui.widgets.outcome_line import OutcomeLine, ProgressLine
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from inspector.errors import InspectorError
    from inspector.inbox import InboxItem
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json
    from inspector.workspace import OpenSession
    from ui.theme import Theme
    from ui.widgets.comparison_table import ComparisonRow
    from ui.widgets.error_panel import ErrorText

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


def outcome_of(operation: Operation) -> Outcome:
    """Return the state of an operation, with its rounds and attempts."""
    exchange, was_sent = operation.exchange, operation.request_frame > 0
    text, tone = _OUTCOMES.get(operation.state) or failure(operation.error, was_sent=was_sent)
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
        self._session: OpenSession | None = None
        self._displayed_error: tuple[Operation, InspectorError, str] | None = None
        self.outcome = OutcomeLine(theme=theme, name=f"{name}_outcome")
        self.meanwhile = BesideCall(theme=theme, name=name)
        self.progress = ProgressLine(theme=theme, name=f"{name}_progress")
        self.visits = UrlVisitsPanel(theme=theme, again=repeat)
        self.error = ErrorPanel(theme=theme, name=f"{name}_error")
        self.progress.cancelled.connect(self._on_cancelled)
        self.visits.repeat_requested.connect(self.repeat_requested)
        self.error.frame_requested.connect(self.show_frame)
        self.error.offer_taken.connect(self._on_offer_taken)

    def set_session(self, session: OpenSession | None) -> None:
        """Show requests of the server in `session`, and declare capabilities there."""
        self._session = session
        self.visits.set_elicitation(session.elicitation if session is not None else None)
        self.meanwhile.set_session(session)

    def show_operation(
        self, operation: Operation, outcome: Outcome, progress: str, *, can_cancel: bool
    ) -> None:
        """Show the current state of `operation`; `progress` is shown beside the bar while it runs."""
        self._operation = operation
        text = outcome.text
        if operation.earlier_frames:
            text += f" · {attempts_text(operation.earlier_frames, operation.request_frame)}"
        if operation.late_frame:
            text += f"; late response #{operation.late_frame}"
        self.outcome.set_outcome(text, outcome.tone, seconds=operation.took_seconds)
        self.meanwhile.show_operation(operation)
        if operation.is_finished:
            self.progress.finish()
            return
        fraction = operation.progress.fraction if operation.progress is not None else None
        self.progress.set_progress(
            progress or "waiting for response", fraction, cancellable=can_cancel
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
            self.error.show_text(
                text.text, hint=hint, detail=text.detail, frame=error.frame, beside=rows
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
    """What happens meanwhile: requests of the server that wait for the user, and other output. Hidden if there is neither."""

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start hidden; `name` begins the names of the parts."""
        super().__init__(parent)
        self.setObjectName(f"{name}_beside")
        self._theme = theme
        self._transcript: Transcript | None = None
        self._session: OpenSession | None = None
        self._frames: Collection[int] = ()
        self._items: tuple[InboxItem, ...] = ()
        self._meanwhile = Meanwhile()
        self._bindings = Bindings()
        self._build(name)
        self._review.clicked.connect(self._on_review_clicked)
        self._show.clicked.connect(self._on_show_clicked)
        self._refresh()

    def _build(self, name: str) -> None:
        self._waiting_label = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._waiting_label.setObjectName(f"{name}_waiting")
        set_tone(self._waiting_label, "person")
        self._review = link_button("Review…", name=f"{name}_review", parent=self)
        self._other = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._other.setObjectName(f"{name}_meanwhile")
        self._show = link_button("Show in traffic", name=f"{name}_show_meanwhile", parent=self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.px(2))
        for label, button in ((self._waiting_label, self._review), (self._other, self._show)):
            row = row_layout(None, label, button, space=self._theme.PADDING_PX)
            row.addStretch(1)
            column.addLayout(row)

    def set_session(self, session: OpenSession | None) -> None:
        """Look for requests of the server in `session`."""
        self._bindings.replace()
        self._session = session
        if session is not None:
            self._bindings.replace(bind_coalesced(self, session.inbox.changed, self._refresh))
        self._refresh()

    def show_operation(self, operation: Operation | None) -> None:
        """Show what happened during `operation` until now."""
        self._frames, self._meanwhile = (), Meanwhile()
        self._transcript = operation.transcript if operation is not None else None
        if operation is not None and operation.request_frame:
            exchange, request = operation.exchange, operation.request_frame
            rounds = exchange.rounds if exchange is not None else ()
            if not operation.is_finished:
                self._frames = {request, *(each.request for each in rounds)}
            self._meanwhile = meanwhile(operation.transcript, request, _end(operation))
        self._refresh()

    def _refresh(self) -> None:
        during: tuple[InboxItem, ...] = ()
        if (session := self._session) is not None and self._frames:
            during = session.inbox.pending_during(session.session, self._frames)
        self._items = during
        kinds = ", ".join(dict.fromkeys(item.kind for item in during))
        count = f" ({len(during)})" if len(during) > 1 else ""
        self._waiting_label.set_text(f"Waiting for your response: {kinds}{count}" if during else "")
        text = _text(self._meanwhile)
        self._other.set_text(text)
        set_tone(self._other, "warning" if self._meanwhile.malformed else "muted")
        for part in (self._waiting_label, self._review):
            part.setVisible(bool(during))
        for part in (self._other, self._show):
            part.setVisible(bool(text))
        self.setVisible(bool(during or text))

    def _on_review_clicked(self) -> None:
        if self._items:
            navigator_of(self).review(self._items[0])

    def _on_show_clicked(self) -> None:
        frame = self._meanwhile.first_malformed or self._meanwhile.first_stderr
        if frame:
            navigator_of(self).show_frame(frame, self._transcript)


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
