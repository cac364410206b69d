"""The runs of one server: its connections, one after the other, which a user compares.

Each run is a session with a recording of its own. What was received in an earlier run stays readable; nothing can be sent there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from inspector.errors import ConnectionLost, ProcessExited, SessionExpired
from inspector.frozen import FrozenStruct
from inspector.session.error_responses import http_of
from inspector.session.run import Run, RunCause

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from inspector.compare.run_difference import RunDifference
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
        self._was_connected = False

    def next(self, changed_files: str = "") -> Run:
        """Return the run that starts now; `changed_files` names the files because of which it starts."""
        self._last += 1
        before = self.earlier[-1] if self.earlier else None
        if before is None:
            return Run(self._last)
        cause, reason = end_of(before.session)
        if changed_files:
            cause, reason = RunCause.FILES, f"{changed_files} changed"
        return Run(self._last, reason, cause, reconnects=self._was_connected)

    def add(self, ended: S) -> None:
        """Keep a session that has ended."""
        self._was_connected = self._was_connected or ended.session.greeting is not None
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

    def compared(self, opened: S) -> S | None:
        """Return the run with which `opened` is compared: the latest one before in which the server described itself."""
        known = (each for each in self.before(opened) if each.session.greeting is not None)
        return max(known, key=lambda each: each.session.run.number, default=None)

    def transcripts(self, opened: S) -> tuple[Transcript, ...]:
        """Return the transcripts of the kept runs before `opened`, and its own, oldest first."""
        return tuple(each.session.transcript for each in (*self.before(opened), opened))

    def _held_bytes(self) -> int:
        return sum(each.session.transcript.recent.held_bytes for each in self.earlier)


class RunStart(FrozenStruct, frozen=True):
    """How a run began, and what is different in it: what divides its frames from those of the run before."""

    number: int
    wall_s: float | None
    """When it began, in seconds since 1970-01-01 UTC; None before its first frame."""
    cause: RunCause
    """Why the run before ended and this one began."""
    reason: str
    """The same as a text."""
    revision: str = ""
    """The date of the revision; empty before one was agreed on."""
    version: str = ""
    """The version of the server."""
    compared: int = 0
    """The number of the run with which it is compared; 0 for none."""
    difference: RunDifference | None = None
    """The difference from that run; None before the lists of both were read."""


_AROUND_NAME = re.compile(r"^\d{8}-\d{6}-|-\d{1,3}$")
"""What the name of a recording has around the one of its server."""


def recording_before(own: Path | None, recordings: Iterable[Path]) -> Path | None:
    """Return the latest recording before `own` of the same server, which has the same name after the time; None without one.

    `recordings` are in the order of their names, the latest first.
    """
    if own is None:
        return None
    name = _AROUND_NAME.sub("", own.stem)
    earlier = (path for path in recordings if path.name < own.name)
    return next((path for path in earlier if _AROUND_NAME.sub("", path.stem) == name), None)


def end_of(session: Session) -> tuple[RunCause, str]:
    """Return why the run of `session`, which has ended, ended and another one follows."""
    name = f"run {session.run.number}"
    failure = session.failure
    http = http_of(failure) if failure is not None else None
    if http is not None and http.needs_user:
        return RunCause.AUTHORIZATION, f"{name} required authorization"
    if failure is not None and session.greeting is None:
        return RunCause.NOT_CONNECTED, f"{name} failed to connect: {failure.reason}"
    if not session.closed_reason:
        return RunCause.USER, "reconnected"
    causes = (
        (ProcessExited, RunCause.EXIT),
        (SessionExpired, RunCause.EXPIRED),
        (ConnectionLost, RunCause.LOST),
    )
    cause = next((cause for kind, cause in causes if isinstance(failure, kind)), RunCause.LOST)
    return cause, f"{name} ended: {session.closed_reason}"
