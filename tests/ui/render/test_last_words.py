"""What a server printed before its process ended, beside the failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import ProcessExited
from inspector.wire.frame import Channel
from tests.support.talk import Talk
from ui.render.last_words import show_failure
from ui.widgets.error_panel import ErrorPanel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


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
