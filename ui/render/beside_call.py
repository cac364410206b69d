"""What stands beside a request that is under way, or was: requests of the server that wait for the person, and what else came meanwhile."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector.transcript.exchange import Meanwhile, meanwhile
from ui.bind import bind_coalesced
from ui.navigator import navigator_of
from ui.widgets.buttons import link_button
from ui.widgets.labels import ElidedLabel, set_tone
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from inspector.inbox import InboxItem
    from inspector.transcript.exchange import Exchange
    from inspector.transcript.transcript import Transcript
    from inspector.workspace import OpenSession
    from ui.theme import Theme


class Attempted(Protocol):
    """What a person asked for, as tools, resources and prompts have it."""

    @property
    def transcript(self) -> Transcript:
        """Where its frames are."""
        ...

    @property
    def exchange(self) -> Exchange | None:
        """What the record knows of it."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        ...

    @property
    def took_seconds(self) -> float:
        """How long it took, or takes so far."""
        ...

    request_frame: int
    response_frame: int
    started_at: float


class BesideCall(QWidget):
    """Two lines, each there only when it has something to say."""

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start hidden; `name` begins the names of the parts."""
        super().__init__(parent)
        self.setObjectName(f"{name}_beside")
        self._theme = theme
        self._transcript: Transcript | None = None
        self._session: OpenSession | None = None
        self._frames: Collection[int] = ()
        self._asks: tuple[InboxItem, ...] = ()
        self._meanwhile = Meanwhile()
        self._unbind: Callable[[], None] | None = None
        self._build(name)
        self._review.clicked.connect(self._on_review_clicked)
        self._show.clicked.connect(self._on_show_clicked)
        self._refresh()

    def _build(self, name: str) -> None:
        self._waiting = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._waiting.setObjectName(f"{name}_waiting")
        set_tone(self._waiting, "person")
        self._review = link_button("Review…", name=f"{name}_review", parent=self)
        self._words = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._words.setObjectName(f"{name}_meanwhile")
        self._show = link_button("Show in traffic", name=f"{name}_show_meanwhile", parent=self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.px(2))
        for label, button in ((self._waiting, self._review), (self._words, self._show)):
            row = QHBoxLayout()
            row.setSpacing(self._theme.PADDING_PX)
            row.addWidget(label)
            row.addWidget(button)
            row.addStretch(1)
            column.addLayout(row)

    def set_session(self, session: OpenSession | None) -> None:
        """Look for requests of the server of `session` from now on."""
        if self._unbind is not None:
            self._unbind()
            self._unbind = None
        self._session = session
        if session is not None:
            self._unbind = bind_coalesced(self, session.inbox.changed, self._refresh)
        self._refresh()

    def show_attempt(self, attempt: Attempted | None) -> None:
        """Show what belongs to `attempt`, as it stands now."""
        self._frames, self._meanwhile = (), Meanwhile()
        self._transcript = attempt.transcript if attempt is not None else None
        if attempt is not None and attempt.request_frame:
            exchange, request = attempt.exchange, attempt.request_frame
            rounds = exchange.rounds if exchange is not None else ()
            if not attempt.is_over:
                self._frames = {request, *(each.request for each in rounds)}
            self._meanwhile = meanwhile(attempt.transcript, request, _end(attempt))
        self._refresh()

    def _refresh(self) -> None:
        during: tuple[InboxItem, ...] = ()
        if (session := self._session) is not None and self._frames:
            during = session.inbox.pending_during(session.session, self._frames)
        self._asks = during
        kinds = ", ".join(dict.fromkeys(ask.kind for ask in during))
        count = f" ({len(during)})" if len(during) > 1 else ""
        self._waiting.set_text(f"Waiting for your response: {kinds}{count}" if during else "")
        text = _text(self._meanwhile)
        self._words.set_text(text)
        set_tone(self._words, "warning" if self._meanwhile.malformed else "muted")
        for part in (self._waiting, self._review):
            part.setVisible(bool(during))
        for part in (self._words, self._show):
            part.setVisible(bool(text))
        self.setVisible(bool(during or text))

    def _on_review_clicked(self) -> None:
        if self._asks:
            navigator_of(self).review(self._asks[0])

    def _on_show_clicked(self) -> None:
        frame = self._meanwhile.first_malformed or self._meanwhile.first_stderr
        if frame:
            navigator_of(self).show_frame(frame, self._transcript)


def _end(attempt: Attempted) -> int:
    """The frame with which it was over; 0 as long as it is not."""
    exchange = attempt.exchange
    if not attempt.is_over or exchange is None:
        return 0
    if attempt.response_frame or exchange.given_up_at:
        return attempt.response_frame or exchange.given_up_at + 1
    ended = attempt.started_at + attempt.took_seconds
    return bisect_right(attempt.transcript.columns.monotonic_s, ended) + 1


def _text(found: Meanwhile) -> str:
    malformed = f"{found.malformed:,} not JSON-RPC" if found.malformed else ""
    stderr = f"{plural(found.stderr, 'line')} on stderr" if found.stderr else ""
    said = ", ".join(part for part in (malformed, stderr) if part)
    return f"Meanwhile: {said}" if said else ""
