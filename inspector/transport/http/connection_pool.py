"""Connections side by side: each exchange has one to itself, and every byte that it reads is reported.

The pool of httpcore checks every connection it holds, with a system call each, whenever one is requested or returned, and hands an idle one
to several requests at once, which then queue again. That takes a tenth of the time of an exchange, and with many requests in flight more than
the exchanges. Here each exchange has one connection, which is checked once, when it is used.
"""

from __future__ import annotations

import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol, cast

import httpcore
import httpx

from inspector.transport.http.header_recorder import ResponseStart

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable

KEEPALIVE_SECONDS = 5.0
"""How long an idle connection is kept and used again; the default of httpx."""

_SCHEMES = (b"http", b"https")


class ExclusivePool(httpx.AsyncBaseTransport):
    """Sends each request on a connection that no other request uses at that time."""

    def __init__(self, context: ssl.SSLContext, proxy: httpx.Proxy | None = None) -> None:
        """Use `context` for TLS and `proxy` if there is one; connections are made when they are needed."""
        self._context = context
        self._proxy = proxy
        self._busy: set[_Connection] = set()
        self._idle: deque[tuple[float, _Connection]] = deque()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; its connection is idle again when the response is closed."""
        is_reused = bool(self._idle) and self._idle[-1][0] >= time.monotonic() - KEEPALIVE_SECONDS
        connection = self._idle.pop()[1] if is_reused else _Connection(self._context, self._proxy)
        self._busy.add(connection)
        connection.start = request.extensions.get("response_start") or ResponseStart()
        connection.start.is_reused = is_reused
        connection.start.is_tunneled = is_reused and request.url.scheme == "https"
        try:
            response = await connection.handle_async_request(request)
        except BaseException:
            self._set_idle(connection)
            raise
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _Body(response.stream, lambda: self._on_response_closed(connection))
        return response

    async def aclose(self) -> None:
        """Close all connections."""
        connections = [*self._busy, *(connection for _, connection in self._idle)]
        self._busy.clear()
        self._idle.clear()
        for connection in connections:
            await connection.aclose()

    async def _on_response_closed(self, connection: _Connection) -> None:
        self._set_idle(connection)
        # Old connections are closed now and not before a request, which would have to wait.
        if self._idle and self._idle[0][0] < time.monotonic() - KEEPALIVE_SECONDS:
            await self._idle.popleft()[1].aclose()

    def _set_idle(self, connection: _Connection) -> None:
        if connection in self._busy:
            self._busy.discard(connection)
            self._idle.append((time.monotonic(), connection))


class _Body(httpx.AsyncByteStream):
    """A body that reports when it is closed."""

    def __init__(self, body: httpx.AsyncByteStream, closed: Callable[[], Awaitable[None]]) -> None:
        self._body = body
        self._closed = closed

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._body:
            yield part

    async def aclose(self) -> None:
        try:
            await self._body.aclose()
        finally:
            await self._closed()


class _Connection(httpx.AsyncHTTPTransport):
    """One connection of the pool. It gives what it reads to `start`, because httpx drops what is not HTTP/1.1."""

    def __init__(self, context: ssl.SSLContext, proxy: httpx.Proxy | None = None) -> None:
        super().__init__(verify=context)
        self.start = ResponseStart()
        self._pool = _SingleConnection(
            context,
            _to_httpcore(proxy, context) if proxy is not None else None,
            keepalive_expiry=KEEPALIVE_SECONDS,
            network_backend=_Backend(self),
        )


def _to_httpcore(proxy: httpx.Proxy, context: ssl.SSLContext) -> httpcore.Proxy:
    proxy_context = context if proxy.url.scheme == "https" else None
    return httpcore.Proxy(str(proxy.url), proxy.raw_auth, ssl_context=proxy_context)


class _SingleConnection(httpcore.AsyncConnectionPool):
    """Makes a new connection when the last one cannot be used again; the caller sends one request at a time."""

    _connection: httpcore.AsyncConnectionInterface | None = None

    async def handle_async_request(self, request: httpcore.Request) -> httpcore.Response:
        while True:
            connection = await self._connection_to(request.url.origin)
            try:
                response = await connection.handle_async_request(request)
            except httpcore.ConnectionNotAvailable:  # it was closed while the request waited for it
                continue
            response.stream = _ResponseStream(cast("_HttpcoreStream", response.stream))
            return response

    async def aclose(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.aclose()

    async def _connection_to(self, origin: httpcore.Origin) -> httpcore.AsyncConnectionInterface:
        connection = self._connection
        if (
            connection is not None
            and connection.can_handle_request(origin)
            and connection.is_available()
            and not connection.has_expired()  # nor closed by the server, which is noticed here
        ):
            return connection
        await self.aclose()
        if origin.scheme not in _SCHEMES:
            scheme = origin.scheme.decode()
            raise httpcore.UnsupportedProtocol(f"the protocol {scheme!r} is not supported")
        self._connection = self.create_connection(origin)
        return self._connection


class _HttpcoreStream(Protocol):
    def __aiter__(self) -> AsyncGenerator[bytes, None]: ...

    async def aclose(self) -> None: ...


class _ResponseStream:
    """A body whose reading ends when it is closed.

    A generator of httpcore that is left half read awaits when it is collected as garbage, outside any task, and fails there.
    """

    def __init__(self, stream: _HttpcoreStream) -> None:
        self._stream = stream
        self._parts = aiter(stream)

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._parts

    async def aclose(self) -> None:
        with suppress(RuntimeError):  # another task reads: its own exception ends the generator
            await self._parts.aclose()
        await self._stream.aclose()


class _Backend(httpcore.AsyncNetworkBackend):
    def __init__(self, connection: _Connection) -> None:
        self._connection = connection
        self._network = cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self._connection.start.is_reused = self._connection.start.is_tunneled = False
        stream = await self._network.connect_tcp(host, port, timeout, local_address, socket_options)
        return _Stream(stream, self._connection)

    async def sleep(self, seconds: float) -> None:
        await self._network.sleep(seconds)


class _Stream(httpcore.AsyncNetworkStream):
    def __init__(self, stream: httpcore.AsyncNetworkStream, connection: _Connection) -> None:
        self._stream = stream
        self._connection = connection

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = await self._stream.read(max_bytes, timeout)
        self._connection.start.add(data)
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
        return _Stream(stream, self._connection)

    def get_extra_info(self, info: str) -> object:
        return self._stream.get_extra_info(info)
