"""Rules about who else can reach an HTTP server, or read what is sent to it. Nothing here raises.

Source: basic/transports, "Security Warning"; basic/security_best_practices; L-HTTP-09 to L-HTTP-11.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.checks.http_exchanges import ReportedRules
from inspector.finding import Finding, Severity
from inspector.spec.revision import V2025_11_25
from inspector.spec.spec_urls import link
from inspector.transcript.event_effects import note_at
from inspector.transport.base import NOT_ENCRYPTED, OWN_ADDRESS
from inspector.transport.http.config import is_loopback
from inspector.wire.frame import Channel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.http_exchanges import Exchange, HttpFrame
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript

FORBIDDEN, UNAUTHORIZED = 403, 401
LARGEST_REASON = 4096
"""Bytes of a refusal in which its reason is looked for."""

_ORIGIN = re.compile(rb"\borigin\b", re.IGNORECASE)


class HttpConnections:
    """Judges the notes and the HTTP frames of one record, in order; each rule is told once."""

    def __init__(self, transcript: Transcript) -> None:
        """Begin at the start."""
        self._transcript = transcript
        self._reported = ReportedRules()

    def judge_note(self, number: int, revision: Revision) -> Iterator[Finding]:
        """Yield what a note shows."""
        event = note_at(self._transcript, number).get("event")
        if event == NOT_ENCRYPTED:
            text = "the server is on another host and is reached without TLS: everything can be read and changed on the way, tokens included"
            yield from self._once(Finding("L-HTTP-10", Severity.INFO, text))
        elif event == OWN_ADDRESS:
            text = "the server runs on this computer and can be reached from the network; a local server should listen on 127.0.0.1 only"
            page = link("http", revision)
            yield from self._once(Finding("L-HTTP-11", Severity.WARNING, text, "", page))

    def judge(self, frame: HttpFrame, revision: Revision) -> Iterator[Finding]:
        """Yield what an HTTP frame shows."""
        page = link("http", revision)
        if frame.channel is not Channel.HTTP:
            return
        if frame.headers is None:
            found = _of_refusal(frame, revision, page)
        elif frame.is_sent:
            found = _of_host(frame.exchange, page)
        else:
            found = _of_origin(frame.exchange, page)
        for finding in found:
            yield from self._once(finding)

    def _once(self, finding: Finding) -> Iterator[Finding]:
        if self._reported.add(finding.rule):
            yield finding


def _of_refusal(frame: HttpFrame, revision: Revision, page: str) -> Iterator[Finding]:
    """Yield that a refusal, whose reason is the origin, has another status than that for it."""
    status = frame.exchange.status
    is_other = 400 <= status < 500 and status not in {FORBIDDEN, UNAUTHORIZED}
    if "origin" not in frame.exchange.sent or not is_other or revision < V2025_11_25:
        return
    if _ORIGIN.search(frame.raw[:LARGEST_REASON]):
        text = f"an invalid `Origin` must be refused by HTTP 403, not by HTTP {status}"
        yield Finding("L-HTTP-09", Severity.WARNING, text, "", page)


def _of_host(exchange: Exchange, page: str) -> Iterator[Finding]:
    host = _host_of(f"//{exchange.sent.get('host', '')}")
    if host in {"0.0.0.0", "::"}:
        text = f"`{host}` stands for every address of a computer: a server that listens there can be reached from the network; a local server should listen on 127.0.0.1 only"
        yield Finding("L-HTTP-11", Severity.INFO, text, "", page)


def _of_origin(exchange: Exchange, page: str) -> Iterator[Finding]:
    """Yield that a local server lets a web page of somewhere else in; that is only seen where the user set such an origin."""
    origin = exchange.sent.get("origin", "")
    host = _host_of(origin)
    if not exchange.is_good or not host or is_loopback(host):
        return
    if is_loopback(_host_of(f"//{exchange.sent.get('host', '')}")):
        text = f"a request of the origin `{origin[:200]}` is accepted: unless that is allowed on purpose, any web page can use this local server"
        yield Finding("L-HTTP-09", Severity.WARNING, text, "", page)


def _host_of(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""
