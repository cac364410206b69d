"""Rules about HTTP responses: whether status, headers and body agree. Nothing here raises.

Source: basic/transports, "Sending Messages to the Server" and "Listening for Messages from the Server"; L-HTTP-01 to L-HTTP-15, L-SES-19.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.checks.http_exchanges import JSON, STREAM, ReportedRules
from inspector.finding import Finding, Severity
from inspector.spec.error_codes import (
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    STATELESS_ERA_CODES,
)
from inspector.spec.findings import make_finding
from inspector.spec.keys import HEADER_SESSION_ID
from inspector.transcript.index import FrameFlags
from inspector.wire import json_codec
from inspector.wire.frame import Channel
from inspector.wire.message import ABSENT, MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.http_exchanges import Exchange, Headers, HttpFrame
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript

ACCEPTED, NO_CONTENT, BAD_REQUEST, NOT_FOUND, NOT_ALLOWED = 202, 204, 400, 404, 405
NOT_IMPLEMENTED = 501
REDIRECTS = frozenset({301, 302, 303, 307, 308})
LARGEST_ENDPOINT = 4096
"""Bytes of an SSE event that are searched for the endpoint of HTTP+SSE."""
LARGEST_BODY = 1 << 20
"""Bytes of a body that is read to see whether it is JSON."""

_WITHOUT_RESPONSE = frozenset({MessageKind.NOTIFICATION, MessageKind.RESPONSE, MessageKind.ERROR})
_OF_THE_SERVER = frozenset({BAD_REQUEST, NOT_FOUND, 406, 409, 415, 422, 500, NOT_IMPLEMENTED})
"""Error statuses of a server that looked at the message; others are those of proxies, or of authorization."""

_UTF8 = frozenset({"", "utf-8", "utf8", "us-ascii"})
_CHARSET = re.compile(r";\s*charset\s*=\s*\"?([^\s\";]*)", re.IGNORECASE)
_ENDPOINT = re.compile(rb"^event: ?endpoint\r?$", re.MULTILINE)


class HttpAnswers:
    """Checks the HTTP frames of one transcript, in order."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._is_older = False  # HTTP+SSE, where every POST is answered by 202 and the response comes on the one stream
        self._has_responded = False  # to a request, in one of the two types
        self._reported = ReportedRules()
        """Rules that are reported once, however often they are broken."""

    def check(self, frame: HttpFrame, revision: Revision) -> Iterator[Finding]:
        """Yield what is wrong with an HTTP frame."""
        if frame.is_sent:
            return
        if frame.channel is Channel.SSE:
            self._is_older |= _ENDPOINT.search(frame.raw[:LARGEST_ENDPOINT]) is not None
            yield from self._of_event(frame.raw, revision)
        if self._is_older or frame.exchange.verb == "CONNECT":
            return
        if frame.headers is not None:
            yield from self._of_headers(frame, frame.headers, revision)
        elif frame.raw.strip():
            yield from self._of_body(frame, revision)

    def _of_headers(
        self, frame: HttpFrame, headers: Headers, revision: Revision
    ) -> Iterator[Finding]:
        exchange = frame.exchange
        if not exchange.status:
            return
        if exchange.status == NOT_ALLOWED and "allow" not in headers.fields:
            text = "HTTP 405 comes without an `Allow` header that names the methods there are"
            yield make_finding("L-HTTP-08", text)
        if exchange.verb == "GET" and revision.has_get_stream:
            yield from self._of_get(exchange, revision)
        elif exchange.status in REDIRECTS:
            yield from self._of_redirect(exchange)
        elif frame.asked in _WITHOUT_RESPONSE:
            yield from _of_acceptance(exchange, revision)
        elif frame.asked is MessageKind.REQUEST:
            yield from self._of_response(exchange, headers, revision)

    def _of_get(self, exchange: Exchange, revision: Revision) -> Iterator[Finding]:
        """Only for a server that responds to requests at this URL; a session that it does not know is a good reason for 404."""
        is_other = exchange.is_good and exchange.media_type != STREAM
        is_unknown = exchange.status == NOT_FOUND and HEADER_SESSION_ID.lower() not in exchange.sent
        if self._has_responded and (is_other or is_unknown or exchange.status == NOT_IMPLEMENTED):
            found_type = f" and `{exchange.media_type}`" if is_other and exchange.media_type else ""
            text = f"GET must be answered by `{STREAM}`, or by HTTP 405 where there is no stream, not by HTTP {exchange.status}{found_type}"
            yield make_finding("L-HTTP-07", text, "", revision)

    def _of_redirect(self, exchange: Exchange) -> Iterator[Finding]:
        if exchange.verb == "POST" and self._reported.add("L-HTTP-12"):
            text = f"POST is redirected (HTTP {exchange.status}): clients may not follow, or ask with GET; use the URL it leads to"
            yield make_finding("L-HTTP-12", text)

    def _of_response(
        self, exchange: Exchange, headers: Headers, revision: Revision
    ) -> Iterator[Finding]:
        """Yield what is wrong with the headers of the answer to a request."""
        if exchange.status in {ACCEPTED, NO_CONTENT}:
            text = f"a request must be answered by a response; HTTP {exchange.status} has none"
            yield make_finding("L-HTTP-06", text, "", revision)
        elif exchange.is_good:
            self._has_responded |= exchange.media_type in {JSON, STREAM}
            yield from _of_content_type(exchange.media_type, revision)
        elif exchange.status in _OF_THE_SERVER:
            yield from _of_error(exchange, headers, has_responded=self._has_responded)
        if exchange.media_type in {JSON, STREAM}:
            yield from _of_charset(headers)

    def _of_body(self, frame: HttpFrame, revision: Revision) -> Iterator[Finding]:
        if frame.asked in _WITHOUT_RESPONSE:
            yield from self._of_needless_body(frame, revision)
        elif frame.asked is MessageKind.REQUEST:
            is_meant = frame.exchange.is_good or frame.exchange.status in _OF_THE_SERVER
            if is_meant and frame.exchange.media_type == JSON and not self._is_json(frame):
                text = f"`Content-Type` says `{JSON}`, and the body is not JSON"
                yield make_finding("L-HTTP-02", text)
            if frame.channel is Channel.BODY and frame.exchange.is_good:
                yield from self._of_refusal(frame, revision)
            elif frame.channel is Channel.BODY and self._kind(frame) is MessageKind.RESPONSE:
                text = f"a result comes with HTTP {frame.exchange.status}: many clients take it for a failure"
                yield make_finding("result-with-error-status", text, "", revision)

    def _of_needless_body(self, frame: HttpFrame, revision: Revision) -> Iterator[Finding]:
        """Yield what is wrong with a body that answers a notification or response."""
        kind, exchange = self._kind(frame), frame.exchange
        if exchange.is_good and kind in {MessageKind.RESPONSE, MessageKind.ERROR}:
            text = (
                "a notification or response has no response of its own; this one belongs to nothing"
            )
            yield make_finding("L-HTTP-05", text, "", revision)
        elif exchange.status == ACCEPTED:
            text = "HTTP 202 must come without a body"
            yield make_finding("L-HTTP-04", text, "", revision)
        elif kind is MessageKind.ERROR and self._transcript.message(frame.number).id not in {
            ABSENT,
            None,
        }:
            text = "an error that refuses a notification or response must have no id: nothing waits for it"
            yield make_finding("L-HTTP-15", text, "/id", revision)

    def _of_refusal(self, frame: HttpFrame, revision: Revision) -> Iterator[Finding]:
        """Yield that an error came with a status of success although it has one of its own."""
        if self._kind(frame) is not MessageKind.ERROR:
            return
        error, status = self._transcript.message(frame.number).error, frame.exchange.status
        code = error.get("code") if isinstance(error, dict) else None
        mapped = {METHOD_NOT_FOUND: NOT_FOUND} | dict.fromkeys(STATELESS_ERA_CODES, BAD_REQUEST)
        if not isinstance(code, int) or isinstance(code, bool):
            return
        if revision.has_standard_headers and code in mapped:
            text = f"error {code} must come with HTTP {mapped[code]}, not with HTTP {status}"
            yield make_finding("L-HTTP-14", text, "/error/code", revision)
        elif code in {PARSE_ERROR, INVALID_REQUEST}:
            text = f"error {code} refuses what is no request, and comes with HTTP {status}; HTTP {BAD_REQUEST} says so to all on the way"
            yield make_finding("L-HTTP-14", text, "/error/code", revision, severity=Severity.INFO)

    def _is_json(self, frame: HttpFrame) -> bool:
        """Whether a body is JSON, as far as that can be told."""
        is_cut = self._transcript.columns.flags[frame.number - 1] & FrameFlags.FLAWED
        is_message = (
            frame.channel is Channel.BODY and self._kind(frame) is not MessageKind.MALFORMED
        )
        if is_cut or is_message or len(frame.raw) > LARGEST_BODY:
            return True
        try:
            json_codec.read(frame.raw)
        except json_codec.JsonSyntaxError:
            return False
        return True

    def _kind(self, frame: HttpFrame) -> MessageKind:
        return MessageKind(self._transcript.columns.kind[frame.number - 1])

    def _of_event(self, raw: bytes, revision: Revision) -> Iterator[Finding]:
        """Yield that the server sets a delay of almost nothing, once: it may do so with each event."""
        if "L-SES-19" in self._reported or b"retry" not in raw:
            return
        from inspector.transport.http.event_stream import MIN_DELAY_SECONDS  # brings httpx
        from inspector.wire.sse import read_block

        asked_ms, floor_ms = read_block(raw).retry_ms, MIN_DELAY_SECONDS * 1000
        if asked_ms is not None and asked_ms < floor_ms and self._reported.add("L-SES-19"):
            text = f"`retry: {asked_ms}` lets clients connect again without a pause; Spyglass uses {floor_ms:g} ms"
            yield make_finding("L-SES-19", text, "", revision)


def _of_acceptance(exchange: Exchange, revision: Revision) -> Iterator[Finding]:
    if exchange.is_good and exchange.status != ACCEPTED:
        text = f"an accepted notification or response must be answered by HTTP 202 without a body, not by HTTP {exchange.status}"
        yield make_finding("L-HTTP-03", text, "", revision)


def _of_content_type(media_type: str, revision: Revision) -> Iterator[Finding]:
    if media_type not in {JSON, STREAM}:
        found_type = f"`{media_type}`" if media_type else "missing"
        text = (
            f"the `Content-Type` of a response must be `{JSON}` or `{STREAM}`; it is {found_type}"
        )
        yield make_finding("L-HTTP-01", text, "", revision)


def _of_charset(headers: Headers) -> Iterator[Finding]:
    found = _CHARSET.search(headers.fields.get("content-type", ""))
    if found is not None and found[1].lower() not in _UTF8:
        text = f"messages are in UTF-8; `Content-Type` says `charset={found[1][:40]}`"
        yield make_finding("L-HTTP-02", text)


def _of_error(exchange: Exchange, headers: Headers, *, has_responded: bool) -> Iterator[Finding]:
    """Yield that an error has no JSON-RPC body; a 404 page is what any URL returns that is not the server's."""
    is_page = exchange.media_type.startswith("text/") and exchange.media_type != STREAM
    is_empty = headers.fields.get("content-length") == "0"
    if is_page and not is_empty and (has_responded or exchange.status != NOT_FOUND):
        text = f"HTTP {exchange.status} comes with `{exchange.media_type}`; a JSON-RPC error would reach whoever called"
        yield make_finding("L-HTTP-13", text)
