"""What came of what a person asked: earlier attempts, how it went, and the answer in its views.

The attempt that is shown stays until the person wants another or makes one; an answer that comes late is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from inspector.errors import PeerError
from inspector.event import Event
from inspector.features.elicitation import url_visits
from inspector.session.operation import Operation, OperationState
from inspector.visible_text import one_line
from ui.bind import bind, bind_coalesced
from ui.models.error_detail_rows import complaint_rows, hint_beside
from ui.models.round_text import (
    ended_words,
    is_ours_to_answer,
    repeated_words,
    running_words,
)
from ui.models.run_words import place_words
from ui.navigator import navigator_of
from ui.render.beside_call import BesideCall
from ui.render.failure_text import failure, may_be_sent_again, show_failure
from ui.render.url_visits import UrlVisitsPanel
from ui.theme import tokens
from ui.widgets.answer_views import AnswerViews
from ui.widgets.empty_state import EmptyState
from ui.widgets.error_panel import ErrorPanel
from ui.widgets.history_box import HistoryBox
from ui.widgets.outcome_line import OutcomeLine, ProgressLine
from ui.widgets.units import duration

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.finding import Finding
    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme
    from ui.widgets.comparison_table import ComparisonRow
    from ui.widgets.error_text import ErrorText

LATE_MS = 200
"""How often it is looked at most whether an answer came late."""

EXCERPT = 80
"""Characters of what was asked in the list of attempts."""

A = TypeVar("A", bound=Operation)


_OUTCOMES = {
    OperationState.RUNNING: ("running", "pending"),
    OperationState.DONE: ("ok", "ok"),
    OperationState.CANCELLED: ("cancelled", "warning"),
    OperationState.TIMED_OUT: ("timed out", "warning"),
}
"""Ends that say all by themselves; for the others, the error does."""


class ResultAdapter(NamedTuple, Generic[A]):
    """How attempts of one kind are looked at."""

    asked: Callable[[A], str]
    """What was asked, in a line."""
    findings: Callable[[A], Sequence[Finding]]
    """What is odd about the answer."""
    fill: Callable[[A], None]
    """Draws the answer into the first view."""
    refuse: Callable[[A, PeerError], ErrorText]
    """Puts a refusal into words."""


class PanelText(NamedTuple):
    """The words of one panel."""

    name: str
    """Begins the names of its parts."""
    primary_view: str
    """The first view."""
    empty: tuple[str, str]
    """Title and words while there is nothing."""
    again: str
    """What asking again does."""
    reuse: str
    """What putting the question back does; empty for no such button."""
    icon: str
    """The icon while there is nothing."""


class AnswerPanel(QWidget, Generic[A]):
    """Attempts, one of them shown.

    Signals:
        again_wanted: this attempt is to be made again.
        reuse_wanted: what this attempt asked is to be put back into the fields.
    """

    again_wanted = Signal(object)
    reuse_wanted = Signal(object)

    def __init__(
        self,
        lead: QWidget,
        lens: ResultAdapter[A],
        wording: PanelText,
        *,
        theme: Theme,
        beside: QWidget | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Show answers in `lead`; `beside` stands between how it went and the answer."""
        super().__init__(parent)
        self.setObjectName(f"{wording.name}_panel")
        self.attempt: A | None = None
        self._theme = theme
        self._lens = lens
        self._attempts: Sequence[A] = ()
        self._runs = 1
        self._connected = False
        self._touched: Event[()] = Event()
        self._unbind: Callable[[], None] | None = None
        self._unbind_transcript: Callable[[], None] | None = None
        self._drawn: tuple[A, OperationState, bool] | None = None
        self._build(lead, wording, beside)
        self._wire()
        self._refresh()

    def _build(self, lead: QWidget, wording: PanelText, beside: QWidget | None) -> None:
        theme, name = self._theme, wording.name
        title, text = wording.empty
        self._empty = EmptyState(title, text, theme=theme, icon=wording.icon, name=f"{name}_empty")
        self.history = HistoryBox(
            theme=theme,
            name=f"{name}_history",
            text="History",
            again=wording.again,
            reuse=wording.reuse,
        )
        self.outcome = OutcomeLine(theme=theme, name=f"{name}_outcome")
        self.progress = ProgressLine(theme=theme, name=f"{name}_progress")
        self.meanwhile = BesideCall(theme=theme, name=name)
        self.error = ErrorPanel(theme=theme, name=f"{name}_error")
        self.views = AnswerViews(
            lead,
            wording.primary_view,
            theme=theme,
            name=f"{name}_answer",
            wanted_name=f"{name}.json",
        )
        filled = QWidget()
        column = QVBoxLayout(filled)
        column.setContentsMargins(
            theme.PADDING_PX, theme.PADDING_PX, theme.PADDING_PX, theme.PADDING_PX
        )
        column.setSpacing(theme.SPACING_PX)
        self.visits = UrlVisitsPanel(theme=theme, again=wording.again)
        told = (self.history, self.outcome, self.meanwhile)
        parts = (*told, beside, self.progress, self.visits, self.error)
        for part in parts:
            if part is not None:
                column.addWidget(part)
        column.addWidget(self.views, 1)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(filled)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self._clock = QTimer(self, interval=tokens.CLOCK_MS)

    def _wire(self) -> None:
        self.history.chosen.connect(self._on_row_chosen)
        self.history.again_wanted.connect(self._on_again_wanted)
        self.history.reuse_wanted.connect(self._on_reuse_wanted)
        self.history.traffic_wanted.connect(self._on_traffic_wanted)
        self.error.frame_requested.connect(self._show_frame)
        self.error.offer_taken.connect(self._on_offer_taken)
        self.visits.again_wanted.connect(self._on_again_wanted)
        self.views.lead_requested.connect(self._on_lead_requested)
        self._clock.timeout.connect(self._show_progress)
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

    def set_connected(self, connected: bool) -> None:
        """Whether anything can be asked again."""
        if connected != self._connected:
            self._connected = connected
            self._refresh()

    def show_attempts(
        self, attempts: Sequence[A], wanted: A | None = None, *, runs: int = 1
    ) -> None:
        """Offer `attempts`: shown is the `wanted` one, the one shown before if it is among them, or the latest.

        With several `runs` of their server, it is said to which each belongs.
        """
        self._attempts, self._runs = tuple(attempts), runs
        kept = wanted or (self.attempt if self.attempt in self._attempts else None)
        self._show(kept or (self._attempts[-1] if self._attempts else None))

    def _show(self, attempt: A | None) -> None:
        if self._unbind is not None:
            self._unbind()
            self._unbind = None
        self.attempt = attempt
        if attempt is not None and not attempt.is_over:
            self._unbind = bind(self, attempt.changed, self._touched.fire)
        rows = [self._row_words(at) for at in reversed(range(len(self._attempts)))]
        current = -1
        if attempt in self._attempts:
            current = len(self._attempts) - 1 - self._attempts.index(attempt)
        self.history.show_rows(rows, current)
        self._refresh()

    def _row_words(self, at: int) -> str:
        attempt = self._attempts[at]
        how = str(attempt.state)
        if attempt.is_over:
            how = f"{how} · {duration(attempt.took_seconds)}"
        asked = one_line(self._lens.asked(attempt), EXCERPT)
        place = place_words(at + 1, len(self._attempts), attempt.run, self._runs)
        return " · ".join(p for p in (place, how, asked) if p)

    def _refresh(self) -> None:
        attempt = self.attempt
        self._stack.setCurrentIndex(0 if attempt is None else 1)
        if attempt is None:
            self._clock.stop()
            self.views.clear()
            self._drawn = None
            return
        if attempt.is_over:
            self._clock.stop()
        elif not self._clock.isActive():
            self._clock.start()
        if attempt in self._attempts:
            text = self._row_words(self._attempts.index(attempt))
            has_frame = attempt.request_frame > 0
            self.history.refresh(text, has_frame=has_frame, can_ask=self._connected)
        self._show_progress()
        self._show_error(attempt)
        self._draw(attempt)

    def _draw(self, attempt: A) -> None:
        drawn = (attempt, attempt.state, bool(attempt.response_frame or attempt.late_frame))
        if self._drawn == drawn:
            return
        self._drawn = drawn
        if not attempt.is_over:
            self.views.clear()
            return
        done = attempt.state is OperationState.DONE
        findings = self._lens.findings(attempt) if done else ()
        self.views.show_answer(attempt.response, attempt.message, findings, has_lead=done)

    def _show_progress(self) -> None:
        attempt = self.attempt
        if attempt is None:
            return
        text, tone = _outcome(attempt)
        if attempt.earlier_frames:
            text += f" · {repeated_words(attempt.earlier_frames, attempt.request_frame)}"
        if attempt.late_frame:
            text += f"; late response #{attempt.late_frame}"
        self.outcome.set_outcome(text, tone, seconds=attempt.took_seconds)
        self.meanwhile.show_attempt(attempt)
        if attempt.is_over:
            self.progress.finish()
            return
        progress = attempt.progress
        said = progress.status_text if progress is not None else ""
        share = progress.fraction if progress is not None else None
        # What cancels it stands beside the button that sent it.
        self.progress.set_progress(said or "waiting for response", share, cancellable=False)

    def _show_error(self, attempt: A) -> None:
        error = attempt.error
        pages = url_visits(error) if isinstance(error, PeerError) else ()
        self.visits.show_visits(pages, error.reason if isinstance(error, PeerError) else "")
        if error is None or pages:
            self.error.clear()
        elif isinstance(error, PeerError):
            self._show_refusal(attempt, error)
        else:
            show_failure(self.error, error, attempt.transcript)

    def _show_refusal(self, attempt: A, error: PeerError) -> None:
        said = self._lens.refuse(attempt, error)
        rows: Sequence[ComparisonRow] = ()
        if error.frame is not None:
            rows = complaint_rows(attempt.transcript, error.frame, attempt.revision)
        hint = hint_beside(rows, error, said.hint)
        self.error.show_text(
            said.text, hint=hint, detail=said.detail, frame=error.frame, beside=rows
        )

    def _on_appended(self) -> None:
        attempt = self.attempt
        if attempt is None or self._drawn != (attempt, attempt.state, False):
            return
        if attempt.late_frame:
            self._refresh()

    def _on_lead_requested(self) -> None:
        if self.attempt is not None:
            self._lens.fill(self.attempt)

    def _on_row_chosen(self, at: int) -> None:
        self._show(self._attempts[len(self._attempts) - 1 - at])

    def _on_traffic_wanted(self) -> None:
        if self.attempt is not None and self.attempt.request_frame:
            self._show_frame(self.attempt.request_frame)

    def _show_frame(self, number: int) -> None:
        if self.attempt is not None:
            navigator_of(self).show_frame(number, self.attempt.transcript)

    def _on_offer_taken(self) -> None:
        error = self.attempt.error if self.attempt is not None else None
        if error is not None and may_be_sent_again(error):
            self._on_again_wanted()
        else:
            navigator_of(self).reconnect()

    def _on_again_wanted(self) -> None:
        if self.attempt is not None:
            self.again_wanted.emit(self.attempt)

    def _on_reuse_wanted(self) -> None:
        if self.attempt is not None:
            self.reuse_wanted.emit(self.attempt)


def _outcome(attempt: Operation) -> tuple[str, str]:
    text, tone = _OUTCOMES.get(attempt.state) or failure(
        attempt.error, was_sent=attempt.request_frame > 0
    )
    exchange = attempt.exchange
    if not attempt.is_over:
        now = attempt.started_at + attempt.took_seconds
        asked = running_words(exchange, attempt.most_rounds, now)
        return (asked, "person" if is_ours_to_answer(exchange) else tone) if asked else (text, tone)
    rounds = ended_words(exchange)
    return (f"{text} · {rounds}" if rounds else text), tone
