"""Rules about who else can reach an HTTP server, or read what is sent to it. Nothing here raises.

Source: basic/transports, "Security Warning"; basic/security_best_practices; L-HTTP-09 to L-HTTP-11.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.checks.http_exchanges import Exchanges, read_headers
from inspector.errors import StorageError
from inspector.finding import Finding, Severity
from inspector.spec.links import link
from inspector.spec.revision import FOURTH
from inspector.transport.http.address import is_loopback
from inspector.transport.http.exposure import NOT_ENCRYPTED, OWN_ADDRESS
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import Kind
from inspector.wire.secrecy import is_head

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.http_exchanges import Exchange
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript

FORBIDDEN, UNAUTHORIZED = 403, 401
LARGEST_REASON = 4096
"""Bytes of a refusal in which its reason is looked for."""

_ORIGIN = re.compile(rb"\borigin\b", re.IGNORECASE)


class HttpConnections:
    """Judges the HTTP frames and the notes of one record, in order; each rule is told once."""

    def __init__(self, transcript: Transcript) -> None:
        """Begin at the start."""
        self._transcript = transcript
        self._exchanges = Exchanges()
        self._told: set[str] = set()

    def judge(self, number: int, revision: Revision) -> Iterator[Finding]:
        """Yield what frame `number` shows."""
        columns = self._transcript.columns
        try:
            if columns.kind[number - 1] == Kind.NOTE:
                found = self._of_note(number, revision)
            elif columns.channel[number - 1] == Channel.HTTP:
                found = self._of_http(number, revision)
            else:
                return
            for finding in found:
                if finding.rule not in self._told:
                    self._told.add(finding.rule)
                    yield finding
        except StorageError:
            return

    def _of_note(self, number: int, revision: Revision) -> Iterator[Finding]:
        note = self._transcript.message(number).value
        event = note.get("event") if isinstance(note, dict) else None
        if event == NOT_ENCRYPTED:
            words = "the server is on another host and is reached without TLS: everything can be read and changed on the way, tokens included"
            yield Finding("L-HTTP-10", Severity.INFO, words)
        elif event == OWN_ADDRESS:
            words = "the server runs on this computer and can be reached from the network; a local server should listen on 127.0.0.1 only"
            yield Finding("L-HTTP-11", Severity.WARNING, words, "", link("http", revision))

    def _of_http(self, number: int, revision: Revision) -> Iterator[Finding]:
        columns = self._transcript.columns
        opener = columns.stream[number - 1] or number
        raw, page = self._transcript.raw(number), link("http", revision)
        if not is_head(raw):
            yield from self._of_refusal(raw, self._exchanges.of(opener), revision, page)
        elif columns.direction[number - 1] == Direction.SENT:
            exchange = self._exchanges.take_request(opener, read_headers(raw))
            yield from _of_host(exchange, page)
        else:
            exchange = self._exchanges.take_response(opener, read_headers(raw))
            yield from _of_origin(exchange, page)

    def _of_refusal(
        self, raw: bytes, exchange: Exchange, revision: Revision, page: str
    ) -> Iterator[Finding]:
        """Yield that a refusal, whose reason is the origin, has another status than that for it."""
        is_refused = 400 <= exchange.status < 500
        is_other = exchange.status not in {FORBIDDEN, UNAUTHORIZED} and revision >= FOURTH
        if "origin" not in exchange.sent or not (is_refused and is_other):
            return
        if _ORIGIN.search(raw[:LARGEST_REASON]):
            words = (
                f"an invalid `Origin` must be refused by HTTP 403, not by HTTP {exchange.status}"
            )
            yield Finding("L-HTTP-09", Severity.WARNING, words, "", page)


def _of_host(exchange: Exchange, page: str) -> Iterator[Finding]:
    host = _host_of(f"//{exchange.sent.get('host', '')}")
    if host in {"0.0.0.0", "::"}:
        words = f"`{host}` stands for every address of a computer: a server that listens there can be reached from the network; a local server should listen on 127.0.0.1 only"
        yield Finding("L-HTTP-11", Severity.INFO, words, "", page)


def _of_origin(exchange: Exchange, page: str) -> Iterator[Finding]:
    """Yield that a local server lets a web page of somewhere else in; that is only seen where the user set such an origin."""
    origin, host = exchange.sent.get("origin", ""), _host_of(f"//{exchange.sent.get('host', '')}")
    if not exchange.is_good or not is_loopback(host):
        return
    if _host_of(origin) and not is_loopback(_host_of(origin)):
        words = f"a request of the origin `{origin[:200]}` is accepted: unless that is allowed on purpose, any web page can use this local server"
        yield Finding("L-HTTP-09", Severity.WARNING, words, "", page)


def _host_of(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""
