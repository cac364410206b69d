"""HTTP+SSE, the transport that came before streamable HTTP: one event stream for everything the server says, POSTs for what we say.

The first event, `endpoint`, names the address of the POSTs. It must have the origin of the stream, or the headers of the person
would go elsewhere. Nothing is resumed: the end of the stream is the end of the connection.

Source: basic/transports of the first revision, "HTTP with SSE"; C-SSE-01 to C-SSE-05.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.background_tasks import BackgroundTasks
from inspector.errors import ConnectFailed, ConnectionLost
from inspector.transport.base import NO_CONTEXT
from inspector.transport.http.loading import import_http
from inspector.wire.frame import Channel
from inspector.wire.message import Kind
from inspector.wire.secrecy import mask_addresses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.transport.base import SendContext, Sink
    from inspector.transport.http.address import HttpConfig
    from inspector.transport.http.credentials import Credentials
    from inspector.transport.http.endpoint import LegacyEventStream
    from inspector.transport.http.link import HttpConnection

ENDPOINT_SECONDS = 10.0
"""What a server gets to name the address of the POSTs."""

ACK_TIMEOUT_SECONDS = 5.0
"""How long the next message waits for the server to say that it took a message that has no answer."""


class LegacySseTransport:
    """One connection over HTTP+SSE."""

    name = "sse"
    channel = Channel.BODY

    def __init__(
        self,
        address: HttpConfig,
        *,
        endpoint_seconds: float = ENDPOINT_SECONDS,
        credentials: Credentials | None = None,
    ) -> None:
        """Prepare to open the stream at `address`, let in by `credentials`."""
        self._address = address
        self._credentials = credentials
        self._limit = endpoint_seconds
        self._link: HttpConnection | None = None
        self._stream: LegacyEventStream | None = None
        self._ended: ConnectionLost | None = None
        self._tasks = BackgroundTasks()
        self._closing: asyncio.Task[None] | None = None

    def fallback(self) -> None:
        """There is nothing older."""

    async def open(self, sink: Sink) -> None:
        """Open the stream and wait for the address of the POSTs."""
        await import_http()
        from inspector.transport.http.endpoint import LegacyEventStream
        from inspector.transport.http.link import HttpConnection
        from inspector.transport.http.wire import RecordingClient

        if self._credentials is not None:
            self._credentials.attach(sink)
        wire = RecordingClient(self._address, sink, credentials=self._credentials)
        await wire.open()
        self._link = HttpConnection(wire, sink, self._end)
        self._stream = LegacyEventStream(self._link, self._address.url)
        self._tasks.spawn(self._stream.run(), name="event stream")
        try:
            async with asyncio.timeout(self._limit):
                url = await self._stream.endpoint
        except TimeoutError:
            raise ConnectFailed(
                f"no endpoint event came within {self._limit:g} s; {self._stream.received_text}",
                remedy=self._stream.hint,
            ) from None
        finally:
            if not self._stream.is_ready:
                await self._tasks.aclose()
                await wire.aclose()
        shown = mask_addresses(url)
        sink.on_event("opened", f"the stream is open; messages go to {shown}", url=shown)

    async def send(self, raw: bytes, sending: SendContext = NO_CONTEXT) -> None:
        """Post a message; returns when it was taken, which says nothing about its answer."""
        if self._link is None or self._stream is None or not self._is_open or self._ended:
            raise self._ended or ConnectionLost("the connection is not open")
        from inspector.transport.http.post import Post

        url = await self._stream.endpoint
        post = Post(self._link, raw, sending, url=url, answered_here=False)
        self._tasks.spawn(post.run(), name=f"post {sending.method or sending.kind.name.lower()}")
        if sending.kind is Kind.REQUEST:
            await post.accepted.wait()
            return
        try:
            async with asyncio.timeout(ACK_TIMEOUT_SECONDS):
                await post.accepted.wait()
        except TimeoutError:
            words = f"the server has not said for {ACK_TIMEOUT_SECONDS:g} s that it took the message"
            self._link.sink.on_event("not-taken", words, request=sending.frame)

    def set_default_headers(self, headers: Mapping[str, str]) -> None:
        """Send these headers with everything from now on."""
        if self._link is not None:
            self._link.default_headers = list(headers.items())

    def open_server_stream(self) -> None:
        """Everything comes on the stream that is open."""

    async def verify(self) -> None:
        """The end of the stream is told when it comes."""

    def cancel_exchange(self, frame: int) -> bool:
        """Every answer comes on the one stream."""
        return False

    async def aclose(self) -> None:
        """Close the stream: that is the end, for the server too (C-SSE-04)."""
        if self._link is None or not self._is_open:
            return
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close(self._link))
        await asyncio.shield(self._closing)

    @property
    def _is_open(self) -> bool:
        return self._stream is not None and self._stream.is_ready

    async def _close(self, link: HttpConnection) -> None:
        await self._tasks.aclose()
        await link.client.aclose()
        self._end(ConnectionLost("disconnected"))

    def _end(self, error: ConnectionLost) -> None:
        """The connection is over; what still runs is stopped."""
        if self._ended is None and self._link is not None and self._is_open:
            self._ended = error
            self._tasks.cancel()
            self._link.sink.ended(error)
