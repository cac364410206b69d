"""The event stream of HTTP+SSE: it names the address of the POSTs first, and carries everything the server says.

Source: basic/transports of the first revision, "HTTP with SSE"; C-SSE-01, C-SSE-03, C-SSE-05.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from inspector.errors import ConnectFailed, ConnectionLost, TransportError
from inspector.transport.http import statuses
from inspector.transport.http.address import origin, origin_words, with_credentials_of
from inspector.transport.http.answer import STREAM_TYPE
from inspector.transport.http.event_blocks import read_blocks
from inspector.wire.frame import Channel
from inspector.wire.secrecy import mask_addresses
from inspector.wire.sse import read_block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.transport.http.answer import Answer
    from inspector.transport.http.link import Link
    from inspector.wire.lines import Line

BODY_BUDGET = 1 << 20
"""Bytes kept of an answer that is no stream."""


class EndpointStream:
    """The stream of one connection."""

    def __init__(self, link: Link, url: str) -> None:
        """Prepare to open it at `url`."""
        self.endpoint: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """The address of the POSTs, once it is known."""
        self._link = link
        self._url = url
        self._heard = 0

    @property
    def is_ready(self) -> bool:
        """Whether the address of the POSTs is known."""
        done = self.endpoint.done() and not self.endpoint.cancelled()
        return done and self.endpoint.exception() is None

    @property
    def heard_words(self) -> str:
        """What came instead of the address."""
        return f"{self._heard} other events came" if self._heard else "nothing came on the stream"

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
        self._fail(ConnectFailed(f"{error.words}, before it named its endpoint"))
        self._link.end(error)

    def _fail(self, error: TransportError) -> None:
        if not self.endpoint.done():
            self.endpoint.set_exception(error)

    async def _read(self) -> None:
        headers = self._link.headers(STREAM_TYPE)
        async with self._link.wire.exchange("GET", headers=headers) as answer:
            if not answer.is_stream:
                await self._refuse(answer)
            stream = answer.stream
            await read_blocks(answer, self._link.sink, lambda blocks: self._take(blocks, stream))

    async def _refuse(self, answer: Answer) -> None:
        body = await answer.read(BODY_BUDGET)
        if body.raw:
            self._link.sink.received(Channel.HTTP, [body], answer.stream)
        unwanted = "no event stream" if answer.is_good else ""
        raise statuses.of_status(answer, body.raw, unwanted=unwanted)

    def _take(self, blocks: Sequence[Line], stream: int) -> None:
        self._link.sink.received(Channel.SSE, blocks, stream)
        if not self.endpoint.done():
            for block in blocks:
                self._look_for_the_endpoint(block)

    def _look_for_the_endpoint(self, block: Line) -> None:
        event = read_block(block.raw)
        named = event.data.strip()
        if self.endpoint.done():
            return
        if event.event != "endpoint" or not named:
            self._heard += not event.is_comment
            return
        url = urljoin(self._url, named)
        if origin(url) == origin(self._url):
            self.endpoint.set_result(with_credentials_of(url, self._url))
            return
        where = origin_words(self._url)
        self._fail(
            ConnectFailed(
                f"the endpoint {mask_addresses(url)} is not at {where}; nothing was sent there"
            )
        )
