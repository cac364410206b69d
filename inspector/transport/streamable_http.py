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
from inspector.transport.base import NO_CONTEXT
from inspector.transport.http.loading import import_http
from inspector.transport.legacy_sse import LegacySseTransport
from inspector.wire.frame import Channel
from inspector.wire.message import Kind
from inspector.wire.secrecy import mask_addresses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.transport.base import SendContext, Sink
    from inspector.transport.http.address import HttpConfig
    from inspector.transport.http.credentials import Credentials
    from inspector.transport.http.link import HttpConnection
    from inspector.transport.http.standing import ServerStream

SESSION_DELETE_TIMEOUT_SECONDS = 1.5
"""What a server gets to answer that the session is over."""

LINGER_SECONDS = 0.5
"""How long what comes of messages without an answer is still read before the connection is closed."""

ACK_TIMEOUT_SECONDS = 5.0
"""How long the next message waits for the server to say that it took a message that has no answer."""


class StreamableHttpTransport:
    """One connection over streamable HTTP."""

    name = "http"
    channel = Channel.BODY

    def __init__(self, address: HttpConfig, *, credentials: Credentials | None = None) -> None:
        """Prepare to talk to `address`, let in by `credentials`; nothing is sent before the first message."""
        self._address = address
        self._credentials = credentials
        self._link: HttpConnection | None = None
        self._ended: ConnectionLost | None = None
        self._tasks = BackgroundTasks()
        self._standing: ServerStream | None = None
        self._alone: dict[int, asyncio.Task[None]] = {}
        self._telling: set[asyncio.Task[None]] = set()
        self._closing: asyncio.Task[None] | None = None

    def fallback(self) -> LegacySseTransport:
        """HTTP+SSE at the same address."""
        return LegacySseTransport(self._address, credentials=self._credentials)

    async def open(self, sink: Sink) -> None:
        """Make the client."""
        await import_http()
        from inspector.transport.http.link import HttpConnection
        from inspector.transport.http.wire import RecordingClient

        if self._credentials is not None:
            self._credentials.attach(sink)
        wire = RecordingClient(self._address, sink, credentials=self._credentials)
        await wire.open()
        self._link = HttpConnection(wire, sink, self._end)
        shown = mask_addresses(self._address.url)
        sink.on_event("opened", f"messages go to {shown}", url=shown)

    async def send(self, raw: bytes, sending: SendContext = NO_CONTEXT) -> None:
        """Post a message; returns when a request is written, or anything else was taken."""
        if self._link is None or self._ended is not None or self._closing is not None:
            raise self._ended or ConnectionLost("the connection is not open")
        from inspector.transport.http.post import Post

        post = Post(self._link, raw, sending)
        name = f"post {sending.method or sending.kind.name.lower()}"
        task = self._tasks.spawn(post.run(), name=name)
        if sending.kind is Kind.REQUEST:
            if sending.is_stateless:
                self._alone[sending.frame] = task
                task.add_done_callback(lambda _: self._alone.pop(sending.frame, None))
            await post.accepted.wait()
            return
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)
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
        """Open the stream for what the server sends of itself."""
        if self._link is None or self._standing is not None or self._ended is not None:
            return
        from inspector.transport.http.standing import ServerStream

        self._standing = ServerStream(self._link)
        self._tasks.spawn(self._standing.run(), name="server stream")

    async def verify(self) -> None:
        """Have the server stream tried again at once if it broke off: only then is it known that a restarted server has no session."""
        if self._standing is not None:
            await self._standing.verify()

    def cancel_exchange(self, frame: int) -> bool:
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

    async def _close(self, link: HttpConnection) -> None:
        if self._telling and self._ended is None:
            await asyncio.wait(self._telling, timeout=LINGER_SECONDS)
        await self._tasks.aclose()
        if self._ended is None and link.session_id:
            await _leave(link)
        await link.client.aclose()
        self._end(ConnectionLost("disconnected"))

    def _end(self, error: ConnectionLost) -> None:
        """The connection is over; what still runs is stopped."""
        if self._ended is None and self._link is not None:
            self._ended = error
            self._tasks.cancel()
            self._link.sink.ended(error)


async def _leave(link: HttpConnection) -> None:
    """End the session; a server may refuse, and is not waited for long (C-HTTP-16)."""
    try:
        async with asyncio.timeout(SESSION_DELETE_TIMEOUT_SECONDS):
            async with link.client.exchange("DELETE", headers=link.headers("*/*")) as answer:
                if answer.status == 404:
                    link.sink.on_event("not-left", "the server knew the session no more (HTTP 404)")
                elif not answer.is_success:
                    words = f"the server did not end the session (HTTP {answer.status})"
                    link.sink.on_event("not-left", words)
    except TimeoutError:
        link.sink.on_event("not-left", "the server did not say in time that the session is over")
    except TransportError as error:
        link.sink.on_event("not-left", f"the session could not be ended: {error.words}")
