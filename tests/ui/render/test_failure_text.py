"""The line of what failed follows what failed."""

from __future__ import annotations

import pytest

from inspector.errors import (
    AnswerLost,
    AuthError,
    CalledOff,
    ConnectFailed,
    ConnectionLost,
    HttpStatus,
    InspectorError,
    InvalidAnswer,
    NegotiationFailed,
    NotSent,
    PeerError,
    ProcessExited,
    SessionGone,
    TimedOut,
)
from ui.render.failure_text import failure


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (PeerError(-32602, "no"), "JSON-RPC error"),
        (NotSent("no"), "not sent"),
        (InvalidAnswer("no"), "invalid response"),
        (TimedOut("no"), "timed out"),
        (ConnectFailed("no"), "connection failed"),
        (ConnectionLost("no"), "no response: connection closed"),
        (ProcessExited("no"), "no response: server process"),
        (SessionGone("no"), "no response: session expired"),
        (AnswerLost("no"), "no response: stream ended"),
        (HttpStatus("no", status=502), "HTTP error"),
        (CalledOff("no"), "cancelled by server"),
        (AuthError("no"), "not authorized"),
        (NegotiationFailed("no"), "failed"),
    ],
)
def test_only_an_error_of_the_server_is_a_refusal(error: InspectorError, words: str) -> None:
    """Ours."""
    line = failure(error, was_sent=False)

    assert line.words.startswith(words)
    assert (line.words == "JSON-RPC error") == isinstance(error, PeerError)


def test_what_was_sent_and_not_gone_on_with_is_given_up() -> None:
    """Ours: a question that the person rejected in the middle of a call."""
    assert failure(NotSent("no"), was_sent=True).words.startswith("cancelled")
