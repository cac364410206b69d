"""How a failure is told: the line for each kind, what the process printed, and the way on that is offered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QPushButton

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
from inspector.session.session_recovery import NEW_SESSION
from inspector.wire.frame import Channel
from tests.support.talk import Talk
from tests.ui.qt_actions import find
from ui.render.failure_text import failure, show_failure
from ui.widgets.error_panel import ErrorPanel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


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
        (HttpStatus("no", status=502), "HTTP error 502"),
        (HttpStatus("no", status=200), "no JSON-RPC response"),
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


def test_what_was_printed_since_the_request_is_shown_and_nothing_older(
    qtbot: QtBot, theme: Theme
) -> None:
    """C-STD-06: a traceback of a minute earlier is not the reason."""
    talk, panel = Talk(), ErrorPanel(theme=theme)
    qtbot.addWidget(panel)
    talk.stderr(b"old traceback")
    request = talk.call(1, "crash")
    show_failure(panel, ProcessExited("gone", frame=request), talk.transcript)
    assert "old traceback" in panel.as_text()

    talk.stderr(b"\rbuilding 1%\rbuilding 2%")
    talk.transcript.unfinished.note(Channel.STDERR, 5, b"fatal", b"fatal")
    show_failure(panel, ProcessExited("gone", frame=request), talk.transcript)
    text = panel.as_text()
    assert "old traceback" not in text
    assert "building 1%" not in text
    assert "building 2%\nfatal" in text


@pytest.mark.parametrize(
    ("error", "offered"),
    [
        (SessionExpired("gone", hint=NEW_SESSION), "Send again"),
        (SessionExpired("gone"), ""),
        (ConnectionLost("lost"), ""),
        (ProcessExited("exited"), "Restart"),
    ],
)
def test_the_way_on_is_offered_as_a_button(
    qtbot: QtBot, theme: Theme, error: InspectorError, offered: str
) -> None:
    """Ours: where a new session was started, the request can be sent again at once."""
    panel = ErrorPanel(theme=theme)
    qtbot.addWidget(panel)
    show_failure(panel, error, None)

    assert find(panel, QPushButton, "error_offer").text() == offered
