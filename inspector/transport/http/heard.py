"""What arrived in response to a request before it was a head: for servers that do not speak HTTP/1.1, whose bytes httpx drops."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import httpcore
import httpx

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable

BUDGET = 4096
"""Bytes that are kept of each response; the others are counted."""

KEPT_SECONDS = 5.0
"""How long an idle connection is used again, as httpx has it."""


class Heard:
    """The first bytes of one response."""

    def __init__(self) -> None:
        """Nothing has arrived yet."""
        self.data = b""
        self.dropped = 0

    def take(self, data: bytes) -> None:
        """Keep what there is room for."""
        room = max(0, BUDGET - len(self.data))
        self.data += data[:room]
        self.dropped += max(0, len(data) - room)


class Lane(httpx.AsyncHTTPTransport):
    """A transport that tells what it reads."""

    def __init__(self, context: ssl.SSLContext) -> None:
        """Use `context` where there is TLS."""
        super().__init__(verify=context)
        self.heard = Heard()
        """Where the bytes of the current response go."""
        self._pool = httpcore.AsyncConnectionPool(
            context, keepalive_expiry=KEPT_SECONDS, network_backend=_Ear(self)
        )


class _Ear(httpcore.AsyncNetworkBackend):
    def __init__(self, lane: Lane) -> None:
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
        stream = await self._network.connect_tcp(host, port, timeout, local_address, socket_options)
        return _Heard(stream, self._lane)

    async def sleep(self, seconds: float) -> None:
        await self._network.sleep(seconds)


class _Heard(httpcore.AsyncNetworkStream):
    def __init__(self, stream: httpcore.AsyncNetworkStream, lane: Lane) -> None:
        self._stream = stream
        self._lane = lane

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = await self._stream.read(max_bytes, timeout)
        self._lane.heard.take(data)
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
        return _Heard(stream, self._lane)

    def get_extra_info(self, info: str) -> object:
        return self._stream.get_extra_info(info)
