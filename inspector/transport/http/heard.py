"""What arrived in response to a request before it was a head: for servers that do not speak HTTP/1.1, whose bytes httpx drops."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import httpcore
import httpx

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterable

MAX_START_BYTES = 4096
"""Bytes that are kept of each response; the others are counted."""

KEEPALIVE_SECONDS = 5.0
"""How long an idle connection is used again, as httpx has it."""


HEADER_END = b"\r\n\r\n"
"""What ends the headers of a response."""


class ResponseStart:
    """The first bytes of one response."""

    def __init__(
        self,
        tell: Callable[[int, bytes], object] = lambda _size, _data: None,
        *,
        is_known: bool = False,
    ) -> None:
        """Nothing has arrived yet; `tell` takes how much came of headers that are not complete, and its beginning.

        `is_known` says whether the server has responded over HTTP before.
        """
        self.data = b""
        self.dropped = 0
        self.is_known = is_known
        self.is_tunneled = False
        """A proxy has made a tunnel: everything is of the server now."""
        self.is_reused = False
        """The connection carried another response before."""
        self._tell = tell
        self._is_told = self._is_over = False

    def add(self, data: bytes) -> None:
        """Keep what there is room for."""
        room = max(0, MAX_START_BYTES - len(self.data))
        self.data += data[:room]
        self.dropped += max(0, len(data) - room)
        if not self._is_over and HEADER_END not in self.data:
            self._is_told = True
            self._tell(len(self.data) + self.dropped, self.data)

    def enter_tunnel(self) -> None:
        """Take note that what follows comes from the server."""
        self.is_tunneled, self.data, self.dropped = True, b"", 0

    def on_header_end(self) -> None:
        """Take note that the headers are complete, or that no more is waited for."""
        self._is_over = True
        if self._is_told:
            self._is_told = False
            self._tell(0, b"")


class ConnectionTransport(httpx.AsyncHTTPTransport):
    """A transport that tells what it reads."""

    def __init__(self, context: ssl.SSLContext, proxy: httpx.Proxy | None = None) -> None:
        """Use `context` where there is TLS; go through `proxy` if there is one."""
        super().__init__(verify=context)
        self.response_start = ResponseStart()
        """Where the bytes of the current response go."""
        if proxy is None:
            self._pool = httpcore.AsyncConnectionPool(
                context, keepalive_expiry=KEEPALIVE_SECONDS, network_backend=_RecordingBackend(self)
            )
            return
        self._pool = httpcore.AsyncHTTPProxy(
            str(proxy.url),
            proxy_auth=proxy.raw_auth,
            ssl_context=context,
            proxy_ssl_context=context if proxy.url.scheme == "https" else None,
            keepalive_expiry=KEEPALIVE_SECONDS,
            network_backend=_RecordingBackend(self),
        )


class _RecordingBackend(httpcore.AsyncNetworkBackend):
    def __init__(self, lane: ConnectionTransport) -> None:
        self._lane = lane
        self._network = cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self._lane.response_start.is_reused = self._lane.response_start.is_tunneled = False
        stream = await self._network.connect_tcp(host, port, timeout, local_address, socket_options)
        return _RecordingStream(stream, self._lane)

    async def sleep(self, seconds: float) -> None:
        await self._network.sleep(seconds)


class _RecordingStream(httpcore.AsyncNetworkStream):
    def __init__(self, stream: httpcore.AsyncNetworkStream, lane: ConnectionTransport) -> None:
        self._stream = stream
        self._lane = lane

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = await self._stream.read(max_bytes, timeout)
        self._lane.response_start.add(data)
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.AsyncNetworkStream:
        stream = await self._stream.start_tls(ssl_context, server_hostname, timeout)
        return _RecordingStream(stream, self._lane)

    def get_extra_info(self, info: str) -> object:
        return self._stream.get_extra_info(info)
