"""HAR, of browsers, proxies and Spyglass: every HTTP exchange in it; JSON-RPC messages among them become messages.

Source: https://w3c.github.io/web-performance/specs/HAR/Overview.html.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

import msgspec

from inspector.imports.delayed import in_order
from inspector.imports.http_frames import ForeignExchange, HttpFrames
from inspector.imports.importer import seconds
from inspector.imports.json_items import array_items

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inspector.imports.importer import ImportReport, Sample
    from inspector.wire.frame import Frame

MAX_SECONDS = 86_400.0
"""A longer duration is not believed."""


class _Pair(msgspec.Struct):
    name: str = ""
    value: str = ""


class _PostData(msgspec.Struct):
    text: str = ""
    encoding: str = ""


class _Request(msgspec.Struct, rename="camel"):
    method: str = "GET"
    url: str = ""
    headers: list[_Pair] = []
    post_data: _PostData | None = None


class _Content(msgspec.Struct):
    text: str = ""
    encoding: str = ""


class _Response(msgspec.Struct, rename="camel"):
    status: int = 0
    status_text: str = ""
    headers: list[_Pair] = []
    content: _Content | None = None


class _Timings(msgspec.Struct):
    blocked: float | None = None
    dns: float | None = None
    connect: float | None = None
    send: float | None = None
    wait: float | None = None
    receive: float | None = None


class _Entry(msgspec.Struct, rename="camel"):
    started_date_time: str
    request: _Request
    response: _Response = msgspec.field(default_factory=_Response)
    timings: _Timings = msgspec.field(default_factory=_Timings)
    time: float | None = None


_decode = msgspec.json.Decoder(_Entry, strict=False).decode


def accepts(sample: Sample) -> bool:
    """Whether a file begins as an object with a log of HTTP."""
    start = sample.start[:4096]
    return (
        sample.is_object
        and b'"log"' in start
        and (b'"entries"' in sample.start or b'"creator"' in start)
    )


def read(path: Path, session: str, report: ImportReport) -> Iterator[Frame]:
    """Yield the frames of all entries by their time: the file is in the order of the requests."""
    del session
    report.limits.append(
        "A HAR file has header blocks by their fields, and no times of the events of a stream"
    )
    yield from in_order(_groups(path, report))


def _groups(path: Path, report: ImportReport) -> Iterator[list[Frame]]:
    """The frames of each entry."""
    made = HttpFrames()
    for number, item in enumerate(array_items(path, ("log", "entries"), report), 1):
        try:
            yield list(made.frames(_exchange(_decode(item))))
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            report.skip(f"entry {number:,}", str(error))


def _exchange(entry: _Entry) -> ForeignExchange:
    started = seconds(entry.started_date_time)
    if started is None:
        raise ValueError(f"no date {entry.started_date_time[:40]!r}")
    timings, request, response = entry.timings, entry.request, entry.response
    before = (timings.blocked, timings.dns, timings.connect, timings.send, timings.wait)
    first = started + _total(before)
    content = response.content or _Content()
    post = request.post_data or _PostData()
    return ForeignExchange(
        method=request.method,
        url=request.url,
        started_s=started,
        request_headers=_fields(request.headers),
        request_body=_body(post.text, post.encoding),
        status=response.status if 0 < response.status < 1000 else 0,
        status_text=response.status_text,
        response_headers=_fields(response.headers),
        response_body=_body(content.text, content.encoding),
        first_s=first,
        last_s=first + _total((timings.receive,)),
    )


def _total(milliseconds: tuple[float | None, ...]) -> float:
    """Seconds of all parts that are known; -1 stands for one that does not apply."""
    total = sum(each for each in milliseconds if each is not None and each > 0)
    return min(total / 1000, MAX_SECONDS)


def _fields(pairs: list[_Pair]) -> tuple[tuple[str, str], ...]:
    return tuple((pair.name, pair.value) for pair in pairs)


def _body(text: str, encoding: str) -> bytes:
    if encoding == "base64":
        try:
            return base64.b64decode(text)
        except binascii.Error as error:
            raise ValueError("its body is not base64") from error
    return text.encode("utf-8", "surrogatepass")
