"""Streamable HTTP: every message is a POST of its own, answered with JSON or an event stream.

This file holds the connection together; the exchanges themselves are in `http/`, which is imported when a connection is opened.

A message that stands alone belongs to no session; it is the business of whoever sends it to say so (`Sending`).

Source: basic/transports, "Streamable HTTP".
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.background_tasks import BackgroundTasks
from inspector.errors import ConnectionLost, TransportError
from inspector.transport.base import UNKNOWN
from inspector.transport.http.loading import load_http
from inspector.transport.legacy_sse import LegacySseTransport
from inspector.wire.frame import Channel
from inspector.wire.message import Kind
from inspector.wire.secrecy import mask_addresses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.transport.base import Sending, Sink
    from inspector.transport.http.address import HttpAddress
    from inspector.transport.http.credentials import Credentials
    from inspector.transport.http.link import Link
    from inspector.transport.http.standing import StandingStream

LEAVE_SECONDS = 1.5
"""What a server gets to answer that the session is over."""

LINGER_SECONDS = 0.5
"""How long what comes of messages without an answer is still read before the connection is closed."""

TAKEN_SECONDS = 5.0
"""How long the next message waits for the server to say that it took a message that has no answer."""


class StreamableHttpTransport:
    """One connection over streamable HTTP."""

    name = "http"
    channel = Channel.BODY

    def __init__(self, address: HttpAddress, *, credentials: Credentials | None = None) -> None:
        """Prepare to talk to `address`, let in by `credentials`; nothing is sent before the first message."""
        self._address = address
        self._credentials = credentials
        self._link: Link | None = None
        self._ended: ConnectionLost | None = None
        self._tasks = BackgroundTasks()
        self._standing: StandingStream | None = None
        self._alone: dict[int, asyncio.Task[None]] = {}
        self._telling: set[asyncio.Task[None]] = set()
        self._closing: asyncio.Task[None] | None = None

    def older(self) -> LegacySseTransport:
        """HTTP+SSE at the same address."""
        return LegacySseTransport(self._address, credentials=self._credentials)

    async def open(self, sink: Sink) -> None:
        """Make the client."""
        await load_http()
        from inspector.transport.http.link import Link
        from inspector.transport.http.wire import HttpWire

        if self._credentials is not None:
            self._credentials.attach(sink)
        wire = HttpWire(self._address, sink, credentials=self._credentials)
        await wire.open()
        self._link = Link(wire, sink, self._end)
        shown = mask_addresses(self._address.url)
        sink.noted("opened", f"messages go to {shown}", url=shown)

    async def send(self, raw: bytes, sending: Sending = UNKNOWN) -> None:
        """Post a message; returns when a request is written, or anything else was taken."""
        if self._link is None or self._ended is not None or self._closing is not None:
            raise self._ended or ConnectionLost("the connection is not open")
        from inspector.transport.http.post import Post

        post = Post(self._link, raw, sending)
        name = f"post {sending.method or sending.kind.name.lower()}"
        task = self._tasks.spawn(post.run(), name=name)
        if sending.kind is Kind.REQUEST:
            if sending.stands_alone:
                self._alone[sending.frame] = task
                task.add_done_callback(lambda _: self._alone.pop(sending.frame, None))
            await post.taken.wait()
            return
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)
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
        """Open the stream for what the server sends of itself."""
        if self._link is None or self._standing is not None or self._ended is not None:
            return
        from inspector.transport.http.standing import StandingStream

        self._standing = StandingStream(self._link)
        self._tasks.spawn(self._standing.run(), name="server stream")

    async def verify(self) -> None:
        """Have the server stream tried again at once if it broke off: only then is it known that a restarted server has no session."""
        if self._standing is not None:
            await self._standing.verify()

    def hang_up(self, frame: int) -> bool:
        """Close the exchange of a request that stands alone: that calls it off (C-CAN-10)."""
        task = self._alone.get(frame)
        if task is not None:
            task.cancel()
        return True

    async def aclose(self) -> None:
        """Stop reading, and tell the server that the session is over."""
        if self._link is None:
            return
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close(self._link))
        await asyncio.shield(self._closing)

    async def _close(self, link: Link) -> None:
        if self._telling and self._ended is None:
            await asyncio.wait(self._telling, timeout=LINGER_SECONDS)
        await self._tasks.aclose()
        if self._ended is None and link.session_id:
            await _leave(link)
        await link.wire.aclose()
        self._end(ConnectionLost("disconnected"))

    def _end(self, error: ConnectionLost) -> None:
        """The connection is over; what still runs is stopped."""
        if self._ended is None and self._link is not None:
            self._ended = error
            self._tasks.cancel()
            self._link.sink.ended(error)


async def _leave(link: Link) -> None:
    """End the session; a server may refuse, and is not waited for long (C-HTTP-16)."""
    try:
        async with asyncio.timeout(LEAVE_SECONDS):
            async with link.wire.exchange("DELETE", headers=link.headers("*/*")) as answer:
                if answer.status == 404:
                    link.sink.noted("not-left", "the server knew the session no more (HTTP 404)")
                elif not answer.is_good:
                    words = f"the server did not end the session (HTTP {answer.status})"
                    link.sink.noted("not-left", words)
    except TimeoutError:
        link.sink.noted("not-left", "the server did not say in time that the session is over")
    except TransportError as error:
        link.sink.noted("not-left", f"the session could not be ended: {error.words}")
