"""The runs of one server: its connections, one after the other, which a user compares.

Each run is a session with a recording of its own. What was received in an earlier run stays readable; nothing can be sent there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from inspector.session.error_responses import http_of
from inspector.session.session import Run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.session.session import Session
    from inspector.transcript.transcript import Transcript

MAX_EARLIER = 20
"""Earlier runs of one server that are kept open; those before are in their recordings."""

MAX_BYTES = 128 << 20
"""Bytes in memory that all earlier runs of one server may take together, as `Recent.held_bytes` counts them."""

NOTE = "run"
"""Event of the note that begins every run but the first."""


class HasSession(Protocol):
    """A session with what can be done in it."""

    session: Session


S = TypeVar("S", bound=HasSession)


class Runs(Generic[S]):
    """The sessions of one server, oldest first, within a budget."""

    def __init__(self, *, most: int = MAX_EARLIER, max_bytes: int = MAX_BYTES) -> None:
        """Start without any; keep at most `most` earlier ones, and of those at most `max_bytes` in memory."""
        self.earlier: list[S] = []
        """Those that are over and kept."""
        self.dropped = 0
        """Those that the budget let go of; their recordings are where they were."""
        self._most = most
        self._max_bytes = max_bytes
        self._last = 0

    def next(self) -> Run:
        """The run that starts now."""
        self._last += 1
        before = self.earlier[-1] if self.earlier else None
        return Run(self._last, reason_after(before.session) if before is not None else "")

    def add(self, over: S) -> None:
        """Keep a session that is over."""
        over.session.transcript.recent.set_aside()
        self.earlier.append(over)
        while len(self.earlier) > self._most or self._held_bytes() > self._max_bytes:
            del self.earlier[0]
            self.dropped += 1

    def before(self, opened: S) -> Sequence[S]:
        """The kept runs before `opened`."""
        return [
            each for each in self.earlier if each.session.run.number < opened.session.run.number
        ]

    def transcripts(self, opened: S) -> tuple[Transcript, ...]:
        """Those of the kept runs before `opened`, and its own, oldest first."""
        return tuple(each.session.transcript for each in (*self.before(opened), opened))

    def _held_bytes(self) -> int:
        return sum(each.session.transcript.recent.held_bytes for each in self.earlier)


def reason_after(session: Session) -> str:
    """Why another run follows that of `session`, which is over."""
    name = f"run {session.run.number}"
    http = http_of(session.failure) if session.failure is not None else None
    if http is not None and http.needs_user:
        return f"{name} required authorization"
    if session.failure is not None and session.greeting is None:
        return f"{name} failed to connect: {session.failure.reason}"
    if session.closed_words:
        return f"{name} ended: {session.closed_words}"
    return "reconnected"
