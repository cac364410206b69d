"""HTTP requests and responses that a file describes by their fields, as frames; exact but for the spelling of header blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.frozen import FrozenStruct
from inspector.imports.importer import foreign_frame
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.json_codec import JsonSyntaxError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.wire.frame import Frame

_SENT, _RECEIVED = Direction.SENT, Direction.RECEIVED
_LINE_ENDS = str.maketrans("\r\n", "  ")


class ForeignExchange(FrozenStruct, frozen=True):
    """One HTTP request and its response."""

    method: str
    url: str
    started_s: float
    """Seconds since 1970."""
    request_headers: tuple[tuple[str, str], ...] = ()
    request_body: bytes = b""
    status: int = 0
    """0 without a response."""
    status_text: str = ""
    response_headers: tuple[tuple[str, str], ...] = ()
    response_body: bytes = b""
    first_s: float = 0.0
    """When the response began."""
    last_s: float = 0.0
    """When it ended."""
    is_authorization: bool = False


class HttpFrames:
    """Makes frames of exchanges, and numbers them."""

    def __init__(self) -> None:
        """Start with frame 1."""
        self.count = 0
        self._origins: set[str] = set()

    def frames(self, exchange: ForeignExchange) -> Iterator[Frame]:
        """Yield the frames of an exchange, in the order in which Spyglass records them.

        Raises:
            ValueError: its URL is none; before the first frame.
        """
        yield from self._origin(exchange)
        opener = 0
        is_message = not exchange.is_authorization and is_message_text(exchange.request_body)
        if is_message:
            yield self._frame(_SENT, Channel.BODY, exchange.started_s, exchange.request_body)
            opener = self.count
        channel = Channel.AUTH if exchange.is_authorization else Channel.HTTP
        block = header_block(*_request_line(exchange))
        yield self._frame(_SENT, channel, exchange.started_s, block, opener)
        opener = opener or self.count
        if exchange.request_body and not is_message:
            yield self._frame(_SENT, channel, exchange.started_s, exchange.request_body, opener)
        if exchange.status:
            yield from self._response(exchange, channel, opener, is_message=is_message)

    def _response(
        self, exchange: ForeignExchange, channel: Channel, opener: int, *, is_message: bool
    ) -> Iterator[Frame]:
        line = f"HTTP/1.1 {exchange.status} {exchange.status_text}"
        block = header_block(line, exchange.response_headers)
        yield self._frame(_RECEIVED, channel, exchange.first_s, block, opener)
        body = exchange.response_body
        if body and _content_type(exchange.response_headers) == "text/event-stream":
            from inspector.wire.sse import BlockSplitter  # brings httpx, which takes its time

            splitter = BlockSplitter()
            for part in [*splitter.feed(body), *splitter.finish()]:
                yield self._frame(_RECEIVED, Channel.SSE, exchange.last_s, part.raw, opener)
        elif body:
            is_answer = is_message and is_message_text(body)
            kind = Channel.BODY if is_answer else channel
            yield self._frame(_RECEIVED, kind, exchange.last_s, body, opener)

    def _origin(self, exchange: ForeignExchange) -> Iterator[Frame]:
        """A note about the URL of a server that was not seen before: header blocks do not have the scheme."""
        origin = urlsplit(exchange.url)
        key = f"{origin.scheme}://{origin.netloc}"
        if key not in self._origins and len(self._origins) < MAX_ORIGINS:
            self._origins.add(key)
            text = f"imported requests to {key}"
            raw = json_codec.write_bytes({"event": "opened", "words": text, "url": exchange.url})
            yield self._frame(Direction.NOTE, Channel.NOTE, exchange.started_s, raw)

    def _frame(
        self, direction: Direction, channel: Channel, wall_s: float, raw: bytes, stream: int = 0
    ) -> Frame:
        self.count += 1
        return foreign_frame(direction, channel, wall_s, raw, number=self.count, stream=stream)


MAX_ORIGINS = 100
"""Servers that are noted."""


def is_message_text(body: bytes) -> bool:
    """Whether a body is a JSON-RPC message, or several."""
    if b'"jsonrpc"' not in body:
        return False
    try:
        value = json_codec.read(body).value
    except JsonSyntaxError:
        return False
    return isinstance(value, (dict, list))


def header_block(first_line: str, fields: Iterable[tuple[str, str]]) -> bytes:
    """Return the lines of a header block; a line end within a field would begin another one."""
    lines = [first_line, *(f"{name}: {value}" for name, value in fields)]
    return "\r\n".join(line.translate(_LINE_ENDS) for line in lines).encode("utf-8", "replace")


def _request_line(exchange: ForeignExchange) -> tuple[str, list[tuple[str, str]]]:
    parts = urlsplit(exchange.url)
    target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}".replace(" ", "%20")
    fields = [pair for pair in exchange.request_headers if not pair[0].startswith(":")]
    if not any(name.lower() == "host" for name, _ in fields):
        fields.insert(0, ("Host", parts.netloc.rpartition("@")[2]))
    method = exchange.method.replace(" ", "") or "GET"
    return f"{method} {target} HTTP/1.1", fields


def _content_type(fields: Iterable[tuple[str, str]]) -> str:
    value = next((value for name, value in fields if name.lower() == "content-type"), "")
    return value.partition(";")[0].strip().lower()
