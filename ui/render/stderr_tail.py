"""A failure that is not an answer of the server, shown where it happened: with the last words of a process that ended, and a way on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import ProcessExited, SessionExpired
from inspector.session.diagnostics.server_output import stderr_excerpt
from inspector.session.session_renewal import NEW_SESSION

if TYPE_CHECKING:
    from inspector.errors import InspectorError
    from inspector.transcript.transcript import Transcript
    from ui.widgets.error_panel import ErrorPanel

RESTART = "Restart"
SEND_AGAIN = "Send again"
SILENT = "No output on stderr."


def show_failure(panel: ErrorPanel, error: InspectorError, transcript: Transcript | None) -> None:
    """Show `error` in `panel`; `transcript` has what the server printed."""
    if not isinstance(error, ProcessExited):
        panel.show_error(error)
        panel.offer(SEND_AGAIN if may_be_sent_again(error) else "")
        return
    tail = _printed(transcript, error.frame or 0) if transcript is not None else ""
    detail = f"Output on stderr:\n{tail}" if tail else ""
    hint = error.hint or ("" if tail else SILENT)
    panel.show_words(error.reason, hint=hint, detail=detail, frame=error.frame)
    panel.open_details()
    panel.offer(RESTART)


def may_be_sent_again(error: InspectorError) -> bool:
    """Whether the session that the request was lost with has a successor."""
    return isinstance(error, SessionExpired) and error.hint == NEW_SESSION


def _printed(transcript: Transcript, request: int) -> str:
    """What was printed since the request; where that is nothing, what was printed before."""
    return stderr_excerpt(transcript, request) or stderr_excerpt(transcript)
