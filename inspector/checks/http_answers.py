"""Rules about HTTP answers: what a status, its headers and its body say together. Nothing here raises.

Source: basic/transports, "Sending Messages to the Server" and "Listening for Messages from the Server"; L-HTTP-01 to L-HTTP-16.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.finding import Finding, Severity
from inspector.spec.links import link
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import Kind
from inspector.wire.secrecy import is_head

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript

ACCEPTED, NO_CONTENT, NOT_ALLOWED = 202, 204, 405
JSON_TYPES = ("application/json", "text/event-stream")
LARGEST_ENDPOINT = 4096
"""Bytes of an event in which the address of HTTP+SSE is looked for."""

_ENDPOINT = re.compile(rb"^event: ?endpoint\r?$", re.MULTILINE)

MAX_OPEN = 1_000
"""Answers whose body may still come that are remembered."""


class HttpAnswers:
    """Judges the HTTP frames of one record, in order."""

    def __init__(self, transcript: Transcript) -> None:
        """Begin at the start."""
        self._transcript = transcript
        self._is_older = False  # HTTP+SSE, where every POST is answered by 202 and the response comes on the one stream
        self._accepted: dict[int, int] = {}
        """By the frame that opened an exchange for a notification or response, the status of its answer."""
        self._was_hurried = False

    def judge(self, number: int, revision: Revision) -> Iterator[Finding]:
        """Yield what is wrong with HTTP frame `number`."""
        columns = self._transcript.columns
        opener = columns.stream[number - 1]
        if columns.direction[number - 1] != Direction.RECEIVED or not opener:
            return
        try:
            raw = self._transcript.raw(number)
        except StorageError:
            return
        page = link("http", revision)
        if columns.channel[number - 1] == Channel.SSE:
            self._is_older |= _ENDPOINT.search(raw[:LARGEST_ENDPOINT]) is not None
            yield from self._of_event(raw, page)
        if self._is_older:
            return
        if columns.channel[number - 1] == Channel.HTTP and is_head(raw):
            yield from self._of_headers(raw, opener, page)
        elif opener in self._accepted and raw.strip():
            yield from self._of_body(number, opener, page)

    def _of_headers(self, raw: bytes, opener: int, page: str) -> Iterator[Finding]:
        status, headers = _parsed(raw)
        if not status:
            return
        if status == NOT_ALLOWED and "allow" not in headers:
            words = "HTTP 405 comes without an `Allow` header that names the methods there are"
            yield Finding("L-HTTP-08", Severity.INFO, words)
        if not 200 <= status < 300:
            return
        if self._needs_no_response(opener):
            self._remember(opener, status)
            if status != ACCEPTED:
                words = f"an accepted notification or response must be answered by HTTP 202 without a body, not by HTTP {status}"
                yield Finding("L-HTTP-03", Severity.WARNING, words, "", page)
        elif self._is_request(opener) and status in {ACCEPTED, NO_CONTENT}:
            words = f"a request must be answered by a response; HTTP {status} has none"
            yield Finding("L-HTTP-06", Severity.WARNING, words, "", page)
        elif self._is_request(opener):
            yield from _of_content_type(headers.get("content-type", ""), page)

    def _of_body(self, number: int, opener: int, page: str) -> Iterator[Finding]:
        status = self._accepted[opener]
        kind = Kind(self._transcript.columns.kind[number - 1])
        if kind in {Kind.RESPONSE, Kind.ERROR}:
            words = (
                "a notification or response has no response of its own; this one belongs to nothing"
            )
            yield Finding("L-HTTP-05", Severity.ERROR, words, "", page)
        elif status == ACCEPTED:
            words = "HTTP 202 must come without a body"
            yield Finding("L-HTTP-04", Severity.WARNING, words, "", page)

    def _of_event(self, raw: bytes, page: str) -> Iterator[Finding]:
        """Yield that the server sets a delay of almost nothing, once: it may do so with each event."""
        if self._was_hurried or b"retry" not in raw:
            return
        from inspector.transport.http.place import MIN_DELAY_SECONDS  # brings httpx
        from inspector.wire.sse import read_block

        asked_ms, floor_ms = read_block(raw).retry_ms, MIN_DELAY_SECONDS * 1000
        if asked_ms is not None and asked_ms < floor_ms:
            self._was_hurried = True
            words = f"`retry: {asked_ms}` lets clients connect again without a pause; Spyglass waits {floor_ms:g} ms"
            yield Finding("L-HTTP-16", Severity.WARNING, words, "", page)

    def _remember(self, opener: int, status: int) -> None:
        self._accepted[opener] = status
        if len(self._accepted) > MAX_OPEN:
            del self._accepted[next(iter(self._accepted))]

    def _needs_no_response(self, opener: int) -> bool:
        return self._sent_kind(opener) in {Kind.NOTIFICATION, Kind.RESPONSE, Kind.ERROR}

    def _is_request(self, opener: int) -> bool:
        return self._sent_kind(opener) is Kind.REQUEST

    def _sent_kind(self, opener: int) -> Kind | None:
        columns = self._transcript.columns
        is_sent = columns.direction[opener - 1] == Direction.SENT
        return Kind(columns.kind[opener - 1]) if is_sent else None


def _of_content_type(content_type: str, page: str) -> Iterator[Finding]:
    media = content_type.partition(";")[0].strip().lower()
    if media not in JSON_TYPES:
        shown = f"`{media}`" if media else "missing"
        words = f"the `Content-Type` of a response must be `application/json` or `text/event-stream`; it is {shown}"
        yield Finding("L-HTTP-01", Severity.ERROR, words, "", page)


def _parsed(raw: bytes) -> tuple[int, dict[str, str]]:
    """Return status and headers of a header block, names in lower case; status 0 where there is none."""
    first, *lines = raw.decode("latin-1").split("\r\n")
    parts = first.split(" ", 2)
    if len(parts) < 2 or not parts[0].startswith("HTTP/") or not parts[1].isdigit():
        return 0, {}
    pairs = (line.partition(":") for line in lines)
    return int(parts[1]), {name.strip().lower(): value.strip() for name, _, value in pairs}
