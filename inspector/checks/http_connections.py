"""Rules about HTTP connections and sessions: who else can reach a server or read what is sent to it, and the session id. Nothing raises.

Source: basic/transports, "Security Warning", "Session Management"; basic/security_best_practices (L-HTTP-09 to L-HTTP-11, L-SES-01,
L-SES-03).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.checks.http_exchanges import JSON, STREAM, ReportedRules
from inspector.finding import Finding, Severity
from inspector.spec.findings import make_finding
from inspector.spec.keys import HEADER_SESSION_ID
from inspector.spec.revision import V2025_11_25
from inspector.transcript.event_effects import note_at
from inspector.transport.base import BAD_SESSION, NO_SESSION, NOT_ENCRYPTED, OWN_ADDRESS
from inspector.transport.http.config import is_loopback
from inspector.wire.frame import Channel
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.http_exchanges import Exchange, HttpFrame
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript

FORBIDDEN, UNAUTHORIZED = 403, 401
LARGEST_REASON = 4096
"""Bytes of a rejection that are searched for its reason."""

_ORIGIN = re.compile(rb"\borigin\b", re.IGNORECASE)


class HttpConnections:
    """Checks the notes and the HTTP frames of one transcript, in order; each rule is reported once."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._reported = ReportedRules()

    def check_note(self, number: int, revision: Revision) -> Iterator[Finding]:
        """Yield what a note shows."""
        event = note_at(self._transcript, number).get("event")
        if event == NOT_ENCRYPTED:
            text = "the server is on another host and is reached without TLS: everything can be read and changed on the way, tokens included"
            yield from self._once(make_finding("L-HTTP-10", text))
        elif event == OWN_ADDRESS:
            text = "the server runs on this computer and can be reached from the network; a local server should listen on 127.0.0.1 only"
            yield from self._once(make_finding("L-HTTP-11", text, "", revision))

    def check(self, frame: HttpFrame, revision: Revision) -> Iterator[Finding]:
        """Yield what an HTTP frame shows."""
        if frame.channel is not Channel.HTTP:
            return
        if frame.headers is None:
            found = _of_refusal(frame, revision)
        elif frame.is_sent:
            found = _of_host(frame.exchange, revision)
        else:
            found = _of_origin(frame.exchange, revision)
        for finding in found:
            yield from self._once(finding)

    def _once(self, finding: Finding) -> Iterator[Finding]:
        if self._reported.add(finding.rule):
            yield finding


def _of_refusal(frame: HttpFrame, revision: Revision) -> Iterator[Finding]:
    """Yield that a refusal, whose reason is the origin, has another status than that for it."""
    status = frame.exchange.status
    is_other = 400 <= status < 500 and status not in {FORBIDDEN, UNAUTHORIZED}
    if "origin" not in frame.exchange.sent or not is_other or revision < V2025_11_25:
        return
    if _ORIGIN.search(frame.raw[:LARGEST_REASON]):
        text = f"an invalid `Origin` must be refused by HTTP 403, not by HTTP {status}"
        yield make_finding("L-HTTP-09", text, "", revision)


def _of_host(exchange: Exchange, revision: Revision) -> Iterator[Finding]:
    host = _host_of(f"//{exchange.sent.get('host', '')}")
    if host in {"0.0.0.0", "::"}:
        text = f"`{host}` stands for every address of a computer: a server that listens there can be reached from the network; a local server should listen on 127.0.0.1 only"
        yield make_finding("L-HTTP-11", text, "", revision, severity=Severity.INFO)


def _of_origin(exchange: Exchange, revision: Revision) -> Iterator[Finding]:
    """Yield that a local server lets a web page of somewhere else in; that is only seen where the user set such an origin."""
    origin = exchange.sent.get("origin", "")
    host = _host_of(origin)
    if not exchange.is_good or not host or is_loopback(host):
        return
    if is_loopback(_host_of(f"//{exchange.sent.get('host', '')}")):
        text = f"a request of the origin `{origin[:200]}` is accepted: unless that is allowed on purpose, any web page can use this local server"
        yield make_finding("L-HTTP-09", text, "", revision)


def _host_of(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""


_INITIALIZE = "initialize"
_HEADER = HEADER_SESSION_ID.lower()


class HttpSessions:
    """Checks the notes and the HTTP frames of one transcript, in order."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._has_been_given = False
        self._is_repeated = False  # by responses to other requests, which is allowed
        self._reported = ReportedRules()

    def check_note(self, number: int, revision: Revision) -> Iterator[Finding]:
        """Yield what a note says of the session."""
        event = note_at(self._transcript, number).get("event")
        if event == NO_SESSION:
            again = "this time, " if self._has_been_given else ""
            text = f"{again}the response to initialize has no `{HEADER_SESSION_ID}`: the server keeps no session, or the header was lost on the way"
            severity = Severity.WARNING if again else Severity.INFO
            yield make_finding("no-session-id", text, "", revision, severity=severity)
        elif event == BAD_SESSION:
            text = f"`{HEADER_SESSION_ID}` must be visible ASCII; this one cannot be sent back"
            yield make_finding("L-SES-01", text, "", revision)

    def check(self, frame: HttpFrame, revision: Revision) -> Iterator[Finding]:
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
            text = f"the response has another `{HEADER_SESSION_ID}` than the request: a session keeps its id"
            if self._reported.add("L-SES-03"):
                yield make_finding("L-SES-03", text, "", revision)
        elif given:
            self._is_repeated = True
        elif self._is_repeated and _is_response(frame):
            text = f"earlier responses repeat `{HEADER_SESSION_ID}`, this one does not: something else may have answered"
            if self._reported.add("session-id-missing"):
                yield make_finding("session-id-missing", text)


def _is_response(frame: HttpFrame) -> bool:
    return frame.asked is MessageKind.REQUEST and frame.exchange.media_type in {JSON, STREAM}
