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
from ui.render.failure_words import failure


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (PeerError(-32602, "no"), "protocol error: the server refused"),
        (NotSent("no"), "not sent"),
        (InvalidAnswer("no"), "invalid response"),
        (TimedOut("no"), "timed out"),
        (ConnectFailed("no"), "no connection"),
        (ConnectionLost("no"), "lost: the connection ended"),
        (ProcessExited("no"), "lost: the process"),
        (SessionGone("no"), "lost: the server does not know"),
        (AnswerLost("no"), "lost: the exchange ended"),
        (HttpStatus("no", status=502), "HTTP error"),
        (CalledOff("no"), "called off"),
        (AuthError("no"), "not authorized"),
        (NegotiationFailed("no"), "failed"),
    ],
)
def test_only_an_error_of_the_server_is_a_refusal(error: InspectorError, words: str) -> None:
    """Ours."""
    line = failure(error, was_sent=False)

    assert line.words.startswith(words)
    assert ("refused" in line.words) == isinstance(error, PeerError)


def test_what_was_sent_and_not_gone_on_with_is_given_up() -> None:
    """Ours: a question that the person rejected in the middle of a call."""
    assert failure(NotSent("no"), was_sent=True).words.startswith("given up")
