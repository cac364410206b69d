"""The head of an HTTP message, as it crossed the wire.

httpcore tells of the header pairs as they are written and as they were received; the text made of them here differs from the
wire at most in the white space around a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    import httpcore

_SENDING = {"http11.send_request_headers.started", "http2.send_request_headers.started"}
_SENT = {"http11.send_request_body.complete", "http2.send_request_body.complete"}
_CONNECTED = "connection.connect_tcp.complete"
_RECEIVED = {
    "http11.receive_response_headers.complete",
    "http2.receive_response_headers.complete",
}


def request_header(method: bytes, target: bytes, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Request line and headers."""
    lines = [b"%b %b HTTP/1.1" % (method, target), *(b"%b: %b" % pair for pair in headers)]
    return b"\r\n".join(lines)


def response_header(
    version: bytes, status: int, reason: bytes, headers: Iterable[tuple[bytes, bytes]]
) -> bytes:
    """Status line and headers."""
    first = b"%b %d %b" % (version, status, reason)
    return b"\r\n".join([first.rstrip(), *(b"%b: %b" % pair for pair in headers)])


def httpcore_trace(
    sending: Callable[[bytes], object],
    sent: Callable[[], object],
    received: Callable[[bytes], object],
    connected: Callable[[object, object], object],
) -> Callable[[str, Mapping[str, object]], Awaitable[None]]:
    """What httpcore is to tell: each head goes to `sending` or `received`; `sent` is called when a request is written.

    `connected` is called with the addresses of both ends, ours first, when a connection was made for it.
    """

    async def trace(event: str, info: Mapping[str, object]) -> None:
        if event in _SENDING:
            request = cast("httpcore.Request", info["request"])
            sending(request_header(request.method, request.url.target, request.headers))
        elif event in _SENT:
            sent()
        elif event in _RECEIVED:
            head = cast("tuple[bytes, int, bytes, list[tuple[bytes, bytes]]]", info["return_value"])
            received(response_header(*head))
        elif event == _CONNECTED:
            stream = cast("httpcore.AsyncNetworkStream", info["return_value"])
            connected(stream.get_extra_info("client_addr"), stream.get_extra_info("server_addr"))

    return trace
