"""Records HTTP headers as they are sent and received, and the first bytes of a response that never becomes one.

httpcore reports header pairs; the text made of them here differs from the bytes at most in the whitespace around a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from inspector.wire.frame import FrameDefect
from inspector.wire.line_splitter import EXCERPT_BYTES, RawChunk

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    import httpcore

    from inspector.transport.base import Sink
    from inspector.wire.frame import Channel

_SENDING = {"http11.send_request_headers.started", "http2.send_request_headers.started"}
_SENT = {"http11.send_request_body.complete", "http2.send_request_body.complete"}
_CONNECTED = "connection.connect_tcp.complete"
_RECEIVED = {"http11.receive_response_headers.complete", "http2.receive_response_headers.complete"}

MAX_START_BYTES = 4096
"""Bytes kept of the start of a response; the others are counted."""

HEADER_END = b"\r\n\r\n"


class ResponseStart:
    """The first bytes of one response, which httpx drops when they are not HTTP/1.1."""

    def __init__(
        self,
        report: Callable[[int, bytes], object] = lambda _size, _data: None,
        *,
        is_known: bool = False,
    ) -> None:
        """Start empty; `report` takes the size and the start of an incomplete header block, and 0 when it is complete.

        `is_known` is True when the server has responded over HTTP before.
        """
        self.data = b""
        self.dropped = 0
        self.is_known = is_known
        self.is_tunneled = False
        """A proxy has opened a tunnel: all data comes from the server itself."""
        self.is_reused = False
        """The connection carried another response before."""
        self._report = report
        self._is_reported = self._is_complete = False

    def add(self, data: bytes) -> None:
        """Keep at most `MAX_START_BYTES` and count the others."""
        free = max(0, MAX_START_BYTES - len(self.data))
        self.data += data[:free]
        self.dropped += max(0, len(data) - free)
        if not self._is_complete and HEADER_END not in self.data:
            self._is_reported = True
            self._report(len(self.data) + self.dropped, self.data)

    def enter_tunnel(self) -> None:
        """Start again: what follows comes from the server."""
        self.is_tunneled, self.data, self.dropped = True, b"", 0

    def complete(self) -> None:
        """Report nothing more: the header block is complete, or the request has ended."""
        self._is_complete = True
        if self._is_reported:
            self._is_reported = False
            self._report(0, b"")


class HeaderRecorder:
    """Records the header blocks of one HTTP exchange."""

    def __init__(self, sink: Sink, channel: Channel, frame: int) -> None:
        """Record into the exchange that `frame` opens; 0: the first request header opens it."""
        self.frame = frame
        self.start = ResponseStart()
        self.header = b""
        """Header block of the response to the latest request; empty before it is received."""
        self._sink = sink
        self._channel = channel
        self._is_connect = False

    def expect_response(self, *, is_known: bool) -> ResponseStart:
        """Return where the bytes of the next response go."""
        self.start = ResponseStart(self._on_incomplete, is_known=is_known)
        return self.start

    def sending(self, header: bytes) -> None:
        """Record the header block of a request."""
        self.header, self._is_connect = b"", header.startswith(b"CONNECT ")
        number = self._sink.sent(self._channel, [RawChunk(header)], self.frame)
        self.frame = self.frame or number

    def sent_body(self, body: bytes) -> None:
        """Record the body of a request."""
        self._sink.sent(self._channel, [RawChunk(body)], self.frame)

    def received(self, header: bytes) -> None:
        """Record the header block of a response."""
        self._sink.received(self._channel, [RawChunk(header)], self.frame)
        if self._is_connect:
            self.start.enter_tunnel()
        else:
            self.header = header
            self.start.complete()

    def failed(self) -> None:
        """Record the bytes that never became a header block."""
        start = self.start
        if start.data:
            flaw = FrameDefect.TRUNCATED if start.dropped else FrameDefect.UNTERMINATED
            line = RawChunk(start.data, flaw, start.dropped)
            self._sink.received(self._channel, [line], self.frame)

    def unfinished(self, channel: Channel, size: int, head: bytes, tail: bytes) -> None:
        """Report a body that is not complete, as `Sink.unfinished` does."""
        self._sink.unfinished(channel, size, head, tail, self.frame)

    def rest(self, line: RawChunk) -> None:
        """Record what was received of a body that was not read to its end."""
        self._sink.received(self._channel, [line], self.frame)

    def _on_incomplete(self, size: int, data: bytes) -> None:
        self.unfinished(self._channel, size, data, data[-EXCERPT_BYTES:])


def request_header(method: bytes, target: bytes, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return request line and header fields."""
    lines = [b"%b %b HTTP/1.1" % (method, target), *(b"%b: %b" % pair for pair in headers)]
    return b"\r\n".join(lines)


def response_header(
    version: bytes, status: int, reason: bytes, headers: Iterable[tuple[bytes, bytes]]
) -> bytes:
    """Return status line and header fields."""
    status_line = b"%b %d %b" % (version, status, reason)
    return b"\r\n".join([status_line.rstrip(), *(b"%b: %b" % pair for pair in headers)])


def httpcore_trace(
    recorder: HeaderRecorder,
    sent: Callable[[], object],
    connected: Callable[[object, object], object],
) -> Callable[[str, Mapping[str, object]], Awaitable[None]]:
    """Return the `trace` extension of httpcore that gives every header block to `recorder`.

    `sent` is called when a request is written, `connected` with the local and the remote address of a new connection.
    """

    async def trace(event: str, info: Mapping[str, object]) -> None:
        if event in _SENDING:
            request = cast("httpcore.Request", info["request"])
            recorder.sending(request_header(request.method, request.url.target, request.headers))
        elif event in _SENT:
            sent()
        elif event in _RECEIVED:
            block = cast(
                "tuple[bytes, int, bytes, list[tuple[bytes, bytes]]]", info["return_value"]
            )
            recorder.received(response_header(*block))
        elif event == _CONNECTED:
            stream = cast("httpcore.AsyncNetworkStream", info["return_value"])
            connected(stream.get_extra_info("client_addr"), stream.get_extra_info("server_addr"))

    return trace
