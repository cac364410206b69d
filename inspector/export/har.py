"""HTTP exchanges as HAR 1.2, as they were: every request of a redirect is an entry, the events of a stream are its text.

Fields whose name begins with `_` are our own: the numbers of the frames, and what was not kept or not received.

Source: https://w3c.github.io/web-performance/specs/HAR/Overview.html.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from inspector.export.csv_rows import iso_time
from inspector.export.curl import request_url, schemes
from inspector.export.offered import OVER_HTTP
from inspector.export.pieces import Piece, is_utf8, json_string, masked
from inspector.frozen import FrozenStruct
from inspector.version import VERSION
from inspector.wire import json_codec
from inspector.wire.frame import HTTP_CHANNELS, Direction
from inspector.wire.json_codec import RawJson
from inspector.wire.redaction import is_header_block

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json, JsonObject

TURN_FRAMES = 20_000
"""Frames that are looked through between two turns of the loop."""


class _Headers(FrozenStruct, frozen=True):
    """A header block, taken apart."""

    first_line: str
    fields: tuple[tuple[str, str], ...]
    size: int

    def value(self, name: str) -> str:
        """The first value of a field; empty without one."""
        return next((value for each, value in self.fields if each.lower() == name), "")


class _Hop(FrozenStruct, frozen=True):
    """The frames of one HTTP request."""

    request: int
    sent: list[int]
    """Those with its body."""
    response: int
    """The one with the header block of the response; 0 without one."""
    received: list[int]
    """Those with the body of the response."""


class _Body:
    """A body, frame by frame: a stream may have any number of them."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        """What was taken."""
        self.size = self.dropped = 0
        """Bytes that were taken, and those that were not kept."""

    def take(
        self, transcript: Transcript, numbers: Iterable[int], masking: Masking
    ) -> Iterator[str]:
        """Take frames, and give the loop a turn after each."""
        for number in numbers:
            frame = transcript.frame(number)
            self.parts.append((yield from masked(masking, number, frame.raw)))
            self.size += len(self.parts[-1])
            self.dropped += frame.dropped
            yield ""


def har(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> Iterator[str]:
    """Yield the lines of a HAR file with every HTTP exchange that the frames belong to; an empty text gives a turn to the loop."""
    creator: JsonObject = {"name": "Spyglass", "version": VERSION}
    yield f'{{"log":{{"version":"1.2","creator":{json_codec.write(creator)},"pages":[],"entries":['
    yield from _entries(transcript, numbers, masking)
    yield "]}}"


def _entries(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> Iterator[str]:
    streams: dict[int, array[int]] = {}
    known = schemes(transcript)
    channels, stream = transcript.columns.channel, transcript.columns.stream
    for number in numbers:
        if channels[number - 1] in OVER_HTTP:
            streams.setdefault(stream[number - 1] or number, array("I"))
        if number % TURN_FRAMES == 0:
            yield ""
    for at, opener in enumerate(stream):
        if opener and (frames := streams.get(opener)) is not None:
            frames.append(at + 1)
        if at % TURN_FRAMES == 0:
            yield ""
    separator = ""
    for opener, frames in streams.items():
        for hop in _hops(transcript, [opener, *frames]):
            bodies = _Body(), _Body()
            yield from bodies[0].take(transcript, hop.sent, masking)
            yield from bodies[1].take(transcript, hop.received, masking)
            yield Piece(separator)
            yield from _entry(transcript, opener, hop, bodies, masking, known)
            separator = ","


def _hops(transcript: Transcript, frames: Sequence[int]) -> Iterator[_Hop]:
    """Yield the requests of one exchange, in order; the first one carries the message that was posted."""
    columns = transcript.columns
    sent: list[int] = []
    received: list[int] = []
    request = response = 0
    for frame in frames:
        is_sent = columns.direction[frame - 1] == Direction.SENT
        is_headers = columns.channel[frame - 1] in HTTP_CHANNELS and is_header_block(
            transcript.raw(frame)
        )
        if is_sent and is_headers:
            if request:
                yield _Hop(request, sent, response, received)
                sent, received = [], []
            request, response = frame, 0
        elif is_sent:
            sent.append(frame)
        elif is_headers and not response:
            response = frame
        else:
            received.append(frame)
    if request:
        yield _Hop(request, sent, response, received)


def _entry(
    transcript: Transcript,
    opener: int,
    hop: _Hop,
    bodies: tuple[_Body, _Body],
    masking: Masking,
    known: Mapping[str, str],
) -> Iterator[str]:
    """Yield the pieces of an entry: its bodies may have many megabytes."""
    sent, received = bodies
    columns = transcript.columns
    start: JsonObject = {
        "startedDateTime": iso_time(columns.wall_s[hop.request - 1]),
        **_timing(transcript, hop),
    }
    numbers = sorted({opener, *hop.sent, hop.request, hop.response, *hop.received} - {0})
    end: JsonObject = {"cache": {}, "_frames": [*numbers]}
    if lost := sent.dropped + received.dropped:
        end["comment"] = f"{lost:,} bytes were not kept"
    yield Piece(f'{{{_members(start)},"request":')
    yield from _request(known, hop, sent, masking)
    yield Piece(',"response":')
    yield from _response(hop, received, masking)
    yield f",{_members(end)}}}"


def _members(value: JsonObject) -> str:
    """Return the members of an object without its braces."""
    return json_codec.write(value)[1:-1]


def _timing(transcript: Transcript, hop: _Hop) -> JsonObject:
    at = transcript.columns.monotonic_s
    start = at[hop.request - 1]
    first = at[hop.response - 1] if hop.response else start
    last = at[hop.received[-1] - 1] if hop.received else first
    wait, receive = _ms(first - start), _ms(last - first)
    timings: JsonObject = {"send": 0, "wait": wait, "receive": receive}
    return {"time": RawJson(f"{float(wait) + float(receive):.3f}"), "timings": timings}


def _ms(seconds: float) -> RawJson:
    return RawJson(f"{max(0.0, seconds) * 1000:.3f}")


def _request(known: Mapping[str, str], hop: _Hop, body: _Body, masking: Masking) -> Iterator[str]:
    headers = _headers(masking.raw(hop.request))
    verb, _, rest = headers.first_line.partition(" ")
    url = request_url(known, verb, rest.rpartition(" ")[0], headers.value("host"))
    request: JsonObject = {
        "method": verb,
        "url": url,
        "httpVersion": rest.rpartition(" ")[2],
        "cookies": _cookies(headers, "cookie"),
        "headers": _pairs(headers.fields),
        "queryString": _pairs(parse_qsl(urlsplit(url).query, keep_blank_values=True)),
        "headersSize": headers.size,
        "bodySize": body.size,
    }
    yield Piece(f"{{{_members(request)}")
    if body.size:
        posted: JsonObject = {"mimeType": headers.value("content-type")}
        yield Piece(f',"postData":{{{_members(posted)},"text":')
        yield from json_string(body.parts, is_text=True)
        yield Piece("}")
    yield Piece("}")


def _response(hop: _Hop, body: _Body, masking: Masking) -> Iterator[str]:
    headers = _headers(masking.raw(hop.response)) if hop.response else _Headers("", (), -1)
    version, _, rest = headers.first_line.partition(" ")
    status, _, reason = rest.partition(" ")
    response: JsonObject = {
        "status": int(status) if status.isascii() and status.isdigit() else 0,
        "statusText": reason,
        "httpVersion": version,
        "cookies": _cookies(headers, "set-cookie"),
        "headers": _pairs(headers.fields),
        "redirectURL": headers.value("location"),
        "headersSize": headers.size,
        "bodySize": body.size,
    }
    if not hop.response:
        response["_error"] = "no response"
    content: JsonObject = {
        "size": body.size,
        "mimeType": headers.value("content-type") or "x-unknown",
    }
    is_text = yield from is_utf8(body.parts)
    yield Piece(f'{{{_members(response)},"content":{{{_members(content)},"text":')
    yield from json_string(body.parts, is_text=is_text)
    yield Piece("}}" if is_text else ',"encoding":"base64"}}')


def _headers(raw: bytes) -> _Headers:
    first_line, *lines = raw.decode("utf-8", "replace").split("\r\n")
    pairs = (line.partition(":") for line in lines if line)
    fields = tuple((name.strip(), value.strip()) for name, _, value in pairs)
    return _Headers(first_line, fields, len(raw) + 4)


def _pairs(pairs: Iterable[tuple[str, str]]) -> list[Json]:
    return [{"name": name, "value": value} for name, value in pairs]


def _cookies(headers: _Headers, name: str) -> list[Json]:
    values = [value for each, value in headers.fields if each.lower() == name]
    if name == "set-cookie":
        parts = [value.partition(";")[0] for value in values]
    else:
        parts = [part for value in values for part in value.split(";")]
    pairs = (part.partition("=") for part in parts if part.strip())
    return _pairs((each.strip(), value.strip()) for each, _, value in pairs)
