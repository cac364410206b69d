"""How a request ended that failed: a line that tells the server's refusal, a timeout and a lost connection apart, and the error panel."""

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
from inspector.session.diagnostics.server_output import stderr_excerpt
from inspector.session.session_recovery import NEW_SESSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.transcript.transcript import Transcript
    from ui.widgets.error_panel import ErrorPanel


RESTART = "Restart"

BAD_REQUEST = 400
"""The lowest HTTP status that is an error."""

SEND_AGAIN = "Send again"

SILENT = "No output on stderr."


class Failure(NamedTuple):
    """A line to show."""

    text: str
    """What happened; the error itself says why."""
    tone: str
    """The name of its color."""


def failure(error: InspectorError | None, *, was_sent: bool) -> Failure:
    """The line for what ended with `error`, whose request was sent before or not."""
    if isinstance(error, RequestAborted) and was_sent:
        return _GIVEN_UP
    if isinstance(error, PeerError) and error.http is not None and error.http.prevails:
        return Failure(f"HTTP error {error.http.status}: the server rejected the request", "error")
    if isinstance(error, HttpStatus) and error.status >= BAD_REQUEST:
        return Failure(f"HTTP error {error.status}", "error")
    return next((line for kind, line in _LINES if isinstance(error, kind)), _FAILED)


_GIVEN_UP = Failure("cancelled by Spyglass", "warning")
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
    (HttpStatus, Failure("no JSON-RPC response", "error")),
    (CancelledByServer, Failure("cancelled by server", "warning")),
    (AuthError, Failure("not authorized", "error")),
)
"""The first that matches counts."""


def show_failure(panel: ErrorPanel, error: InspectorError, transcript: Transcript | None) -> None:
    """Show `error` in `panel`; `transcript` has what the server printed."""
    if not isinstance(error, ProcessExited):
        panel.show_error(error)
        panel.offer(SEND_AGAIN if may_be_sent_again(error) else "")
        return
    tail = _printed(transcript, error.frame or 0) if transcript is not None else ""
    detail = f"Output on stderr:\n{tail}" if tail else ""
    hint = error.hint or ("" if tail else SILENT)
    panel.show_text(error.reason, hint=hint, detail=detail, frame=error.frame)
    panel.offer(RESTART)


def may_be_sent_again(error: InspectorError) -> bool:
    """Whether the session that the request was lost with has a successor."""
    return isinstance(error, SessionExpired) and error.hint == NEW_SESSION


def _printed(transcript: Transcript, request: int) -> str:
    """Return the output since the request, or before the request if there was none since."""
    return stderr_excerpt(transcript, request) or stderr_excerpt(transcript)
