"""The event stream of HTTP+SSE: it names the address of the POSTs first, and carries everything the server says.

Source: basic/transports of the first revision, "HTTP with SSE"; C-SSE-01, C-SSE-03, C-SSE-05.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from inspector.errors import ConnectFailed, ConnectionLost, Hint, TransportError
from inspector.transport.http import statuses
from inspector.transport.http.body import is_message
from inspector.transport.http.config import origin, origin_text, with_credentials_of
from inspector.transport.http.event_stream import read_blocks
from inspector.transport.http.response import STREAM_TYPE
from inspector.wire.frame import Channel
from inspector.wire.secrecy import mask_addresses
from inspector.wire.sse import read_block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.transport.http.connection import HttpConnection
    from inspector.transport.http.response import HttpResponse
    from inspector.wire.lines import Line

MAX_BODY_BYTES = 1 << 20
"""Bytes kept of an answer that is no stream."""


_NEWER = Hint(
    "Select the transport Streamable HTTP for this server: its URL supports no event stream by GET.",
    cli="Leave out --transport sse: the URL supports no event stream by GET.",
)


class LegacyEventStream:
    """The stream of one connection."""

    def __init__(self, connection: HttpConnection, url: str) -> None:
        """Prepare to open it at `url`."""
        self.endpoint: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """The address of the POSTs, once it is known."""
        self._connection = connection
        self._url = url
        self._heard = self._comments = self._messages = 0

    @property
    def is_ready(self) -> bool:
        """Whether the address of the POSTs is known."""
        done = self.endpoint.done() and not self.endpoint.cancelled()
        return done and self.endpoint.exception() is None

    @property
    def received_text(self) -> str:
        """What came instead of the address."""
        if self._messages:
            return f"{self._messages} messages received instead"
        if self._heard:
            return (
                "1 other event received"
                if self._heard == 1
                else f"{self._heard} other events received"
            )
        return "only comments received" if self._comments else "no events received"

    @property
    def hint(self) -> str:
        """What to do about that."""
        if self._messages:
            return "Let the server send the response to a POST in the response of that POST, not on the stream of a GET."
        return "Check the URL: the event stream of HTTP+SSE begins with the event `endpoint`."

    async def run(self) -> None:
        """Read until the stream ends; before the address is known its future fails, afterwards the connection ends."""
        try:
            await self._read()
            error = ConnectionLost("the server closed its event stream")
        except ConnectionLost as lost:
            error = lost
        except TransportError as failure:
            self._fail(failure)
            return
        self._fail(ConnectFailed(f"{error.words} before the endpoint event"))
        self._connection.end(error)

    def _fail(self, error: TransportError) -> None:
        if not self.endpoint.done():
            self.endpoint.set_exception(error)

    async def _read(self) -> None:
        headers = self._connection.headers(STREAM_TYPE)
        async with self._connection.client.exchange("GET", headers=headers) as response:
            if not response.is_stream:
                await self._refuse(response)
            stream = response.frame
            await read_blocks(
                response, self._connection.sink, lambda blocks: self._take(blocks, stream)
            )

    async def _refuse(self, response: HttpResponse) -> None:
        body = await response.read(MAX_BODY_BYTES)
        if body.raw:
            self._connection.sink.received(Channel.HTTP, [body], response.frame)
        unwanted = "no event stream" if response.is_success else ""
        remedy = _NEWER if response.status == 405 else ""
        raise statuses.from_status(response, body.raw, unwanted=unwanted, remedy=remedy)

    def _take(self, blocks: Sequence[Line], stream: int) -> None:
        self._connection.sink.received(Channel.SSE, blocks, stream)
        if not self.endpoint.done():
            for block in blocks:
                self._look_for_the_endpoint(block)

    def _look_for_the_endpoint(self, block: Line) -> None:
        event = read_block(block.raw)
        named = event.data.strip()
        if self.endpoint.done():
            return
        if event.event != "endpoint" or not named:
            self._comments += event.is_comment
            self._heard += not event.is_comment
            self._messages += is_message(event.data.encode())
            return
        if named.startswith(("{", "[", '"', "<")):
            words = f"the event `endpoint` must hold a URL alone; it holds {statuses.excerpt(named.encode())}"
            self._fail(
                ConnectFailed(words, remedy="Let the server write the URL alone into `data`.")
            )
            return
        url = urljoin(self._url, named)
        if origin(url) == origin(self._url):
            self.endpoint.set_result(with_credentials_of(url, self._url))
            return
        where = origin_text(self._url)
        self._fail(
            ConnectFailed(
                f"endpoint {mask_addresses(url)} has a different origin than {where}; nothing was sent",
                remedy="Let the server name its endpoint by a path, such as /messages, or use the URL of the server at that origin.",
            )
        )
