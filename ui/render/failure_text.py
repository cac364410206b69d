"""How something ended that failed, in a line: whether the server refused, we gave up, or nobody was there. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import (
    AuthError,
    CancelledByServer,
    ConnectFailed,
    ConnectionLost,
    HttpStatus,
    InspectorError,
    InvalidResult,
    PeerError,
    ProcessExited,
    RequestAborted,
    ResponseLost,
    SessionExpired,
    TimedOut,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


class Failure(NamedTuple):
    """A line to show."""

    text: str
    """What happened; the error itself says why."""
    tone: str
    """The colour's name."""


def failure(error: InspectorError | None, *, was_sent: bool) -> Failure:
    """The line for what ended with `error`, whose request was sent before or not."""
    if isinstance(error, RequestAborted) and was_sent:
        return _GIVEN_UP
    if isinstance(error, PeerError) and error.http is not None and error.http.prevails:
        return Failure(f"HTTP error {error.http.status}: the server rejected the request", "error")
    return next((line for kind, line in _LINES if isinstance(error, kind)), _FAILED)


_GIVEN_UP = Failure("cancelled by client", "warning")
_FAILED = Failure("failed", "error")
_LINES: Sequence[tuple[type[InspectorError], Failure]] = (
    (PeerError, Failure("JSON-RPC error", "error")),
    (RequestAborted, Failure("not sent", "warning")),
    (InvalidResult, Failure("invalid response", "error")),
    (TimedOut, Failure("timed out", "warning")),
    (ConnectFailed, Failure("connection failed", "error")),
    (ProcessExited, Failure("no response: server process exited", "error")),
    (SessionExpired, Failure("no response: session expired", "error")),
    (ResponseLost, Failure("no response: stream ended early", "error")),
    (ConnectionLost, Failure("no response: connection closed", "error")),
    (HttpStatus, Failure("HTTP error without a JSON-RPC message", "error")),
    (CancelledByServer, Failure("cancelled by server", "warning")),
    (AuthError, Failure("not authorized", "error")),
)
"""The first that fits counts."""
