"""How something ended that failed, in a line: whether the server refused, we gave up, or nobody was there. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import (
    AnswerLost,
    AuthError,
    CalledOff,
    ConnectFailed,
    ConnectionLost,
    HttpStatus,
    InspectorError,
    InvalidAnswer,
    NotSent,
    PeerError,
    ProcessExited,
    SessionGone,
    TimedOut,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


class Failure(NamedTuple):
    """A line to show."""

    words: str
    """What happened; the error itself says why."""
    tone: str
    """The colour's name."""


def failure(error: InspectorError | None, *, was_sent: bool) -> Failure:
    """The line for what ended with `error`, whose request was sent before or not."""
    if isinstance(error, NotSent) and was_sent:
        return _GIVEN_UP
    if isinstance(error, PeerError) and error.http is not None and error.http.prevails:
        return Failure(f"HTTP error {error.http.status}: the server rejected the request", "error")
    return next((line for kind, line in _LINES if isinstance(error, kind)), _FAILED)


_GIVEN_UP = Failure("given up: this side did not go on with it", "warning")
_FAILED = Failure("failed", "error")
_LINES: Sequence[tuple[type[InspectorError], Failure]] = (
    (PeerError, Failure("protocol error: the server refused the request", "error")),
    (NotSent, Failure("not sent", "warning")),
    (InvalidAnswer, Failure("invalid response", "error")),
    (TimedOut, Failure("timed out", "warning")),
    (ConnectFailed, Failure("no connection: the server was not reached", "error")),
    (ProcessExited, Failure("lost: the process of the server ended first", "error")),
    (SessionGone, Failure("lost: the server does not know the session any more", "error")),
    (AnswerLost, Failure("lost: the exchange ended without its answer", "error")),
    (ConnectionLost, Failure("lost: the connection ended first", "error")),
    (HttpStatus, Failure("HTTP error: the server answered without a message", "error")),
    (CalledOff, Failure("called off by the server", "warning")),
    (AuthError, Failure("not authorized", "error")),
)
"""The first that fits counts."""
