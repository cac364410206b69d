"""The exports of the official MCP Inspector: *Protocol*, *Network*, *Logs* and *Console*, each an array of entries.

A response is in the entry of its request, with the duration. Who sent a message is in newer exports only; in older ones the method tells it.
The messages were written again by the Inspector, so their bytes are its.

Source: `MessageEntry`, `FetchRequestEntry` and `StderrLogEntry` of modelcontextprotocol/inspector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from inspector.imports.delayed import in_order
from inspector.imports.http_frames import ForeignExchange, HttpFrames
from inspector.imports.importer import foreign_frame, seconds
from inspector.imports.json_items import array_items
from inspector.spec import methods
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inspector.imports.importer import ImportReport, Sample
    from inspector.wire.frame import Frame

_CHANNELS = {Direction.SENT: Channel.STDIN, Direction.RECEIVED: Channel.STDOUT}
_OTHER = {Direction.SENT: Direction.RECEIVED, Direction.RECEIVED: Direction.SENT}

REWRITTEN = "The Inspector wrote the messages again: spaces and the spelling of numbers are its"


class _Message(msgspec.Struct):
    method: str | None = None


class _Entry(msgspec.Struct, rename="camel"):
    """An entry of any of the exports."""

    timestamp: str | float | None = None
    direction: str = ""
    origin: str = ""
    message: msgspec.Raw = msgspec.Raw()
    response: msgspec.Raw = msgspec.Raw()
    duration: float | None = None
    url: str = ""
    method: str = ""
    request_headers: dict[str, str] = {}
    request_body: str | None = None
    response_status: int | None = None
    response_status_text: str | None = None
    response_headers: dict[str, str] | None = None
    response_body: str | None = None
    category: str = ""
    params: msgspec.Raw = msgspec.Raw()
    received_at: str | float | None = None


_decode = msgspec.json.Decoder(_Entry).decode
_method = msgspec.json.Decoder(_Message).decode


def accepts(sample: Sample) -> bool:
    """Whether a file begins as an array of such entries."""
    start = sample.start[:8192]
    is_entry = b'"timestamp"' in start or b'"receivedAt"' in start
    is_known = b'"message"' in start or b'"requestHeaders"' in start or b'"params"' in start
    return sample.is_array and is_entry and is_known


def read(path: Path, session: str, report: ImportReport) -> Iterator[Frame]:
    """Yield the frames of an export."""
    del session
    report.limits.append(REWRITTEN)
    yield from in_order(_groups(path, report))


def _groups(path: Path, report: ImportReport) -> Iterator[list[Frame]]:
    made = HttpFrames()
    for number, item in enumerate(array_items(path, (), report), 1):
        try:
            entry = _decode(item)
            moment = seconds(entry.timestamp) or seconds(entry.received_at)
            if moment is None:
                raise ValueError("it has no time")
            if entry.url:
                yield list(made.frames(_exchange(entry, moment)))
            else:
                yield _pair(entry, moment)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            report.skip(f"entry {number:,}", str(error))


def _pair(entry: _Entry, moment: float) -> list[Frame]:
    """A message, and the response to it."""
    raw = bytes(entry.message)
    if raw[:1] == b'"':
        line = msgspec.json.decode(raw, type=str).rstrip("\n")
        return [foreign_frame(Direction.RECEIVED, Channel.STDERR, moment, line.encode())]
    if not raw and (params := bytes(entry.params)):
        return [_notification(entry, params, moment)]
    if raw[:1] != b"{":
        raise ValueError("it has no message")
    side = _side(entry, raw)
    first = foreign_frame(side, _CHANNELS[side], moment, one_line(raw))
    answer = bytes(entry.response)
    if answer[:1] != b"{":
        return [first]
    at = moment + max(0.0, entry.duration or 0.0) / 1000
    return [first, foreign_frame(_OTHER[side], _CHANNELS[_OTHER[side]], at, one_line(answer))]


def _notification(entry: _Entry, params: bytes, moment: float) -> Frame:
    """An entry of *Logs*: a notification of the server."""
    method = entry.method or "notifications/message"
    text = f'{{"jsonrpc":"2.0","method":{json_codec.write(method)},"params":'
    raw = text.encode() + one_line(params) + b"}"
    return foreign_frame(Direction.RECEIVED, Channel.STDOUT, moment, raw)


def _side(entry: _Entry, raw: bytes) -> Direction:
    if entry.origin in {"client", "server"}:
        return Direction.SENT if entry.origin == "client" else Direction.RECEIVED
    method = _method(raw).method
    if entry.direction == "response" or method is None:
        return Direction.RECEIVED
    return Direction.RECEIVED if is_of_server(method) else Direction.SENT


def is_of_server(method: str) -> bool:
    """Whether only servers send a method."""
    return methods.TABLE.direction(method) == frozenset({Direction.RECEIVED})


def one_line(raw: bytes) -> bytes:
    """Return JSON text without line ends."""
    if b"\n" not in raw and b"\r" not in raw:
        return raw
    return json_codec.compact(raw.decode("utf-8", "replace")).encode()


def _exchange(entry: _Entry, moment: float) -> ForeignExchange:
    ended = moment + max(0.0, entry.duration or 0.0) / 1000
    return ForeignExchange(
        method=entry.method,
        url=entry.url,
        started_s=moment,
        request_headers=tuple(entry.request_headers.items()),
        request_body=(entry.request_body or "").encode("utf-8", "surrogatepass"),
        status=entry.response_status or 0,
        status_text=entry.response_status_text or "",
        response_headers=tuple((entry.response_headers or {}).items()),
        response_body=(entry.response_body or "").encode("utf-8", "surrogatepass"),
        first_s=ended,
        last_s=ended,
        is_authorization=entry.category == "auth",
    )
