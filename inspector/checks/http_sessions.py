"""What HTTP answers say of the session: whether there is one, and whether it stays the same. Nothing here raises.

Source: basic/transports, "Session Management"; L-SES-01, L-SES-03.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.http_exchanges import JSON, STREAM, ReportedRules
from inspector.finding import Finding, Severity
from inspector.spec.headers import SESSION_ID
from inspector.spec.spec_urls import link
from inspector.transcript.event_effects import note_at
from inspector.transport.base import BAD_SESSION, NO_SESSION
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.http_exchanges import HttpFrame
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript

_INITIALIZE = "initialize"
_HEADER = SESSION_ID.lower()


class HttpSessions:
    """Judges the notes and the HTTP frames of one record, in order."""

    def __init__(self, transcript: Transcript) -> None:
        """Begin at the start."""
        self._transcript = transcript
        self._has_been_given = False
        self._is_repeated = False  # by responses to other requests, which is allowed
        self._reported = ReportedRules()

    def judge_note(self, number: int, revision: Revision) -> Iterator[Finding]:
        """Yield what a note says of the session."""
        event = note_at(self._transcript, number).get("event")
        if event == NO_SESSION:
            again = "this time, " if self._has_been_given else ""
            text = f"{again}the response to initialize has no `{SESSION_ID}`: the server keeps no session, or the header was lost on the way"
            severity = Severity.WARNING if again else Severity.INFO
            yield Finding("no-session-id", severity, text)
        elif event == BAD_SESSION:
            text = f"`{SESSION_ID}` must be visible ASCII; this one cannot be sent back"
            yield Finding("L-SES-01", Severity.ERROR, text, "", link("http", revision))

    def judge(self, frame: HttpFrame, revision: Revision) -> Iterator[Finding]:
        """Yield what the headers of a response say of the session."""
        if frame.is_sent or frame.headers is None or not revision.has_http_sessions:
            return
        given = frame.headers.fields.get(_HEADER, "")
        if frame.method == _INITIALIZE:
            self._has_been_given |= bool(given)
            self._is_repeated = False
            return
        sent = frame.exchange.sent.get(_HEADER, "")
        if not sent or not frame.exchange.is_good:
            return
        if given and given != sent:
            text = (
                f"the response has another `{SESSION_ID}` than the request: a session keeps its id"
            )
            if self._reported.add("L-SES-03"):
                yield Finding("L-SES-03", Severity.WARNING, text, "", link("http", revision))
        elif given:
            self._is_repeated = True
        elif self._is_repeated and _is_response(frame):
            text = f"earlier responses repeat `{SESSION_ID}`, this one does not: something else may have answered"
            if self._reported.add("session-id-missing"):
                yield Finding("session-id-missing", Severity.INFO, text)


def _is_response(frame: HttpFrame) -> bool:
    return frame.asked is MessageKind.REQUEST and frame.exchange.media_type in {JSON, STREAM}
