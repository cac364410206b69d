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
"""Earlier runs of one server that are kept open; older ones are only in their recordings."""

MAX_BYTES = 128 << 20
"""Bytes in memory of all earlier runs of one server, as `Recent.held_bytes` counts them."""

NOTE = "run"
"""Event of the note that begins every run but the first."""


class HasSession(Protocol):
    """A session with what can be done in it."""

    session: Session


S = TypeVar("S", bound=HasSession)


class Runs(Generic[S]):
    """The sessions of one server, oldest first, within a budget."""

    def __init__(self, *, max_runs: int = MAX_EARLIER, max_bytes: int = MAX_BYTES) -> None:
        """Start without runs; keep at most `max_runs` earlier ones, with at most `max_bytes` in memory."""
        self.earlier: list[S] = []
        """The earlier runs that are kept."""
        self.dropped = 0
        """The number of runs that the budget dropped; their recordings stay."""
        self._max_runs = max_runs
        self._max_bytes = max_bytes
        self._last = 0

    def next(self) -> Run:
        """Return the run that starts now."""
        self._last += 1
        before = self.earlier[-1] if self.earlier else None
        return Run(self._last, reason_after(before.session) if before is not None else "")

    def add(self, ended: S) -> None:
        """Keep a session that has ended."""
        ended.session.transcript.recent.set_aside()
        self.earlier.append(ended)
        while len(self.earlier) > self._max_runs or self._held_bytes() > self._max_bytes:
            del self.earlier[0]
            self.dropped += 1

    def before(self, opened: S) -> Sequence[S]:
        """Return the kept runs before `opened`."""
        return [
            each for each in self.earlier if each.session.run.number < opened.session.run.number
        ]

    def transcripts(self, opened: S) -> tuple[Transcript, ...]:
        """Return the transcripts of the kept runs before `opened`, and its own, oldest first."""
        return tuple(each.session.transcript for each in (*self.before(opened), opened))

    def _held_bytes(self) -> int:
        return sum(each.session.transcript.recent.held_bytes for each in self.earlier)


def reason_after(session: Session) -> str:
    """Return why another run follows the one of `session`, which has ended."""
    name = f"run {session.run.number}"
    http = http_of(session.failure) if session.failure is not None else None
    if http is not None and http.needs_user:
        return f"{name} required authorization"
    if session.failure is not None and session.greeting is None:
        return f"{name} failed to connect: {session.failure.reason}"
    if session.closed_reason:
        return f"{name} ended: {session.closed_reason}"
    return "reconnected"
