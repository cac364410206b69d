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
from inspector.transport.base import UNKNOWN
from inspector.transport.http.loading import load_http
from inspector.wire.frame import Channel
from inspector.wire.message import Kind
from inspector.wire.secrecy import mask_addresses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.transport.base import Sending, Sink
    from inspector.transport.http.address import HttpAddress
    from inspector.transport.http.credentials import Credentials
    from inspector.transport.http.endpoint import EndpointStream
    from inspector.transport.http.link import Link

ENDPOINT_SECONDS = 10.0
"""What a server gets to name the address of the POSTs."""

TAKEN_SECONDS = 5.0
"""How long the next message waits for the server to say that it took a message that has no answer."""


class LegacySseTransport:
    """One connection over HTTP+SSE."""

    name = "sse"
    channel = Channel.BODY

    def __init__(
        self,
        address: HttpAddress,
        *,
        endpoint_seconds: float = ENDPOINT_SECONDS,
        credentials: Credentials | None = None,
    ) -> None:
        """Prepare to open the stream at `address`, let in by `credentials`."""
        self._address = address
        self._credentials = credentials
        self._limit = endpoint_seconds
        self._link: Link | None = None
        self._stream: EndpointStream | None = None
        self._ended: ConnectionLost | None = None
        self._tasks = BackgroundTasks()
        self._closing: asyncio.Task[None] | None = None

    def older(self) -> None:
        """There is nothing older."""

    async def open(self, sink: Sink) -> None:
        """Open the stream and wait for the address of the POSTs."""
        await load_http()
        from inspector.transport.http.endpoint import EndpointStream
        from inspector.transport.http.link import Link
        from inspector.transport.http.wire import HttpWire

        if self._credentials is not None:
            self._credentials.attach(sink)
        wire = HttpWire(self._address, sink, credentials=self._credentials)
        await wire.open()
        self._link = Link(wire, sink, self._end)
        self._stream = EndpointStream(self._link, self._address.url)
        self._tasks.spawn(self._stream.run(), name="event stream")
        try:
            async with asyncio.timeout(self._limit):
                url = await self._stream.endpoint
        except TimeoutError:
            raise ConnectFailed(
                f"no endpoint event came within {self._limit:g} s; {self._stream.heard_words}",
                remedy=self._stream.hint,
            ) from None
        finally:
            if not self._stream.is_ready:
                await self._tasks.aclose()
                await wire.aclose()
        shown = mask_addresses(url)
        sink.noted("opened", f"the stream is open; messages go to {shown}", url=shown)

    async def send(self, raw: bytes, sending: Sending = UNKNOWN) -> None:
        """Post a message; returns when it was taken, which says nothing about its answer."""
        if self._link is None or self._stream is None or not self._is_open or self._ended:
            raise self._ended or ConnectionLost("the connection is not open")
        from inspector.transport.http.post import Post

        url = await self._stream.endpoint
        post = Post(self._link, raw, sending, url=url, answered_here=False)
        self._tasks.spawn(post.run(), name=f"post {sending.method or sending.kind.name.lower()}")
        if sending.kind is Kind.REQUEST:
            await post.taken.wait()
            return
        try:
            async with asyncio.timeout(TAKEN_SECONDS):
                await post.taken.wait()
        except TimeoutError:
            words = f"the server has not said for {TAKEN_SECONDS:g} s that it took the message"
            self._link.sink.noted("not-taken", words, request=sending.frame)

    def agree(self, headers: Mapping[str, str]) -> None:
        """Send these headers with everything from now on."""
        if self._link is not None:
            self._link.agreed = list(headers.items())

    def listen(self) -> None:
        """Everything comes on the stream that is open."""

    async def verify(self) -> None:
        """The end of the stream is told when it comes."""

    def hang_up(self, frame: int) -> bool:
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

    async def _close(self, link: Link) -> None:
        await self._tasks.aclose()
        await link.wire.aclose()
        self._end(ConnectionLost("disconnected"))

    def _end(self, error: ConnectionLost) -> None:
        """The connection is over; what still runs is stopped."""
        if self._ended is None and self._link is not None and self._is_open:
            self._ended = error
            self._tasks.cancel()
            self._link.sink.ended(error)
