"""The line of what failed follows what failed."""

from __future__ import annotations

import pytest

from inspector.errors import (
    AuthError,
    CancelledByServer,
    ConnectFailed,
    ConnectionLost,
    HttpStatus,
    InspectorError,
    InvalidResult,
    NegotiationFailed,
    PeerError,
    ProcessExited,
    RequestAborted,
    ResponseLost,
    SessionExpired,
    TimedOut,
)
from ui.render.failure_text import failure


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (PeerError(-32602, "no"), "JSON-RPC error"),
        (RequestAborted("no"), "not sent"),
        (InvalidResult("no"), "invalid response"),
        (TimedOut("no"), "timed out"),
        (ConnectFailed("no"), "connection failed"),
        (ConnectionLost("no"), "no response: connection closed"),
        (ProcessExited("no"), "no response: server process"),
        (SessionExpired("no"), "no response: session expired"),
        (ResponseLost("no"), "no response: stream ended"),
        (HttpStatus("no", status=502), "HTTP error"),
        (CancelledByServer("no"), "cancelled by server"),
        (AuthError("no"), "not authorized"),
        (NegotiationFailed("no"), "failed"),
    ],
)
def test_only_an_error_of_the_server_is_a_refusal(error: InspectorError, text: str) -> None:
    """Ours."""
    line = failure(error, was_sent=False)

    assert line.text.startswith(text)
    assert (line.text == "JSON-RPC error") == isinstance(error, PeerError)


def test_what_was_sent_and_not_gone_on_with_is_given_up() -> None:
    """Ours: a question that the user rejected in the middle of a call."""
    assert failure(RequestAborted("no"), was_sent=True).text.startswith("cancelled")
