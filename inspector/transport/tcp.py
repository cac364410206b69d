"""Messages over a TCP connection, one per line, as over standard streams.

Source: basic/transports, "Custom Transports": byte streams reuse the framing of stdio. Nothing is encrypted.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.errors import ConnectFailed, ConnectionLost
from inspector.transport.base import NO_CONTEXT, RESPONSE_KINDS, Transport
from inspector.transport.line_reader import LineReader
from inspector.wire.frame import Channel
from inspector.wire.line_splitter import DEFAULT_LINE_BUDGET

if TYPE_CHECKING:
    from inspector.transport.base import SendContext, Sink

CONNECT_SECONDS = 10.0
"""For the attempt to connect."""


ENDED = "Check the log of the server, and that it supports MCP over TCP: for HTTP, use a URL with http:// or https://."


def host_and_port(url: str) -> tuple[str, int]:
    """Return host and port of `tcp://host:port`.

    Raises:
        ConnectFailed: the URL has another form.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port or parts.scheme != "tcp":  # pyright: ignore[reportPossiblyUnboundVariable] - without parts there is no host
        reason = f"invalid TCP URL {url}"
        raise ConnectFailed(reason, hint="Use tcp://host:port.", is_of_settings=True)
    return host, port


class TcpTransport(Transport):
    """One TCP connection."""

    name = "tcp"
    channel = Channel.TCP

    def __init__(self, host: str, port: int, *, line_budget: int = DEFAULT_LINE_BUDGET) -> None:
        self._budget = line_budget
        self._host = host
        self._port = port
        self._protocol: _LineProtocol | None = None

    async def open(self, sink: Sink) -> None:
        """Connect."""
        where = f"{self._host}:{self._port}"
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                _, self._protocol = await asyncio.get_running_loop().create_connection(
                    lambda: _LineProtocol(sink, self._budget), self._host, self._port
                )
        except TimeoutError:
            hint = "Check the host, the port and any firewall."
            raise ConnectFailed(f"connection to {where} timed out", hint=hint) from None
        except ConnectionRefusedError as error:
            hint = "Check that the server is running and the port is correct."
            raise ConnectFailed(f"{where} refused the connection", hint=hint) from error
        except OSError as error:
            raise ConnectFailed(
                f"cannot connect to {where}: {error.strerror or error}",
                hint="Check the host and port.",
            ) from error
        sink.on_event("opened", f"connected to {where}")

    async def send(self, raw: bytes, context: SendContext = NO_CONTEXT) -> None:
        """Write a line."""
        if self._protocol is None:
            raise ConnectionLost("not connected")
        await self._protocol.write(raw + b"\n", awaits_drain=context.kind not in RESPONSE_KINDS)

    async def aclose(self) -> None:
        """Close the connection."""
        if self._protocol is not None:
            await self._protocol.close()


class _LineProtocol(asyncio.Protocol):
    """The connection, as the protocol of asyncio."""

    def __init__(self, sink: Sink, budget: int) -> None:
        self._sink = sink
        self._reader = LineReader(sink, Channel.TCP, budget, on_endless=self._end)
        self._reason = self._hint = ""
        self._has_ended = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._reader.attach(transport)

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._reason:
            why = (exc.strerror if isinstance(exc, OSError) else "") or exc
            self._reason = f"connection lost: {why}" if exc else "the server closed the connection"
            self._hint = ENDED
        self._writable.set()
        self._reader.finish(self._on_read)

    def _on_read(self) -> None:
        """All data is delivered."""
        self._has_ended.set()
        self._sink.ended(ConnectionLost(self._reason, hint=self._hint))

    async def write(self, data: bytes, *, awaits_drain: bool) -> None:
        if (
            self._transport.is_closing()
        ):  # also when writing failed, which `connection_lost` reports a turn later
            raise ConnectionLost(self._reason or "the connection is lost", hint=self._hint or ENDED)
        self._transport.write(data)
        if awaits_drain:
            await self._writable.wait()

    async def close(self) -> None:
        self._end("disconnected")
        self._reader.stop_decoding()
        await self._has_ended.wait()

    def _end(self, reason: str) -> None:
        if not self._has_ended.is_set():
            self._reason = self._reason or reason
            self._transport.abort()
