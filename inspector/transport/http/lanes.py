"""Connections side by side: each exchange has one to itself, and gives it back for the next.

The pool of httpcore looks at every connection it holds, with a system call each, whenever one is wanted or given back, and hands one that
is idle to several requests at once, which then queue anew. With many requests in flight that costs more than the exchanges; here each lane
is a pool that never holds more than one connection.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING

import httpx

from inspector.transport.http.heard import ResponseStart, ConnectionTransport

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Awaitable, Callable

IDLE_SECONDS = 5.0
"""How long a connection that nobody needs is kept."""


class ExclusivePool(httpx.AsyncBaseTransport):
    """Makes exchanges, each on a connection of its own."""

    def __init__(self, context: ssl.SSLContext, proxy: httpx.Proxy | None = None) -> None:
        """Use `context` where there is TLS, and `proxy` if there is one; connections are made when they are needed."""
        self._context = context
        self._proxy = proxy
        self._busy: set[ConnectionTransport] = set()
        self._idle: deque[tuple[float, ConnectionTransport]] = deque()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; its lane is given back when the response is closed."""
        is_fresh = bool(self._idle) and self._idle[-1][0] >= time.monotonic() - IDLE_SECONDS
        lane = self._idle.pop()[1] if is_fresh else ConnectionTransport(self._context, self._proxy)
        self._busy.add(lane)
        lane.response_start = request.extensions.get("heard") or ResponseStart()
        lane.response_start.is_reused = is_fresh
        lane.response_start.is_tunneled = is_fresh and request.url.scheme == "https"
        try:
            response = await lane.handle_async_request(request)
        except BaseException:
            self._give_back(lane)
            raise
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _Body(response.stream, lambda: self._take_back(lane))
        return response

    async def aclose(self) -> None:
        """Close all connections."""
        lanes = [*self._busy, *(lane for _, lane in self._idle)]
        self._busy.clear()
        self._idle.clear()
        for lane in lanes:
            await lane.aclose()

    async def _take_back(self, lane: ConnectionTransport) -> None:
        """Only now are old lanes closed: before a request it would keep that waiting."""
        self._give_back(lane)
        await self._close_oldest()

    def _give_back(self, lane: ConnectionTransport) -> None:
        if lane in self._busy:
            self._busy.discard(lane)
            self._idle.append((time.monotonic(), lane))

    async def _close_oldest(self) -> None:
        if self._idle and self._idle[0][0] < time.monotonic() - IDLE_SECONDS:
            await self._idle.popleft()[1].aclose()


class _Body(httpx.AsyncByteStream):
    """A body that tells when it is closed."""

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
