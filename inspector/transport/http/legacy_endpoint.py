"""The event stream of HTTP+SSE: its first event has the URL of the POSTs, and it carries every message of the server.

Source: basic/transports of the first revision, "HTTP with SSE"; C-SSE-01, C-SSE-03, C-SSE-05.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from inspector.errors import ConnectFailed, ConnectionLost, Hint, TransportError
from inspector.transport.http import statuses
from inspector.transport.http.body import is_message
from inspector.transport.http.config import origin, origin_text, with_credentials_of
from inspector.transport.http.event_stream import read_blocks
from inspector.transport.http.response import STREAM_TYPE
from inspector.visible_text import one_line
from inspector.wire.frame import Channel
from inspector.wire.redaction import mask_urls
from inspector.wire.sse import read_block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.transport.http.connection import HttpConnection
    from inspector.wire.line_splitter import RawChunk

_KEEP_STREAM = "Check the log of the server, and any proxy in between: the responses of HTTP+SSE come on this stream, which has to stay open."

_USE_HTTP = Hint(
    "Select the transport Streamable HTTP for this server: its URL supports no event stream by GET.",
    cli="Leave out --transport sse: the URL supports no event stream by GET.",
)

MAX_NAME, MAX_URL = 40, 120
"""Characters of the type of an event and of a URL in a sentence."""

_LOCATION = re.compile(r"(?:/|https?://)\S*\Z")


class LegacyEventStream:
    """The event stream of one connection."""

    def __init__(self, connection: HttpConnection, url: str) -> None:
        self.endpoint: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """The URL of the POSTs."""
        self._connection = connection
        self._url = url
        self._events = self._comments = self._messages = 0
        self._misnamed = ""
        """What is wrong with an event that has the URL, but another type."""

    @property
    def is_ready(self) -> bool:
        """True when the URL of the POSTs is known."""
        is_done = self.endpoint.done() and not self.endpoint.cancelled()
        return is_done and self.endpoint.exception() is None

    @property
    def received_text(self) -> str:
        """What was received instead of the `endpoint` event."""
        if self._misnamed:
            return self._misnamed
        if self._messages:
            return f"{self._messages} messages received instead"
        if self._events:
            return f"{self._events} other {'event' if self._events == 1 else 'events'} received"
        return "only comments received" if self._comments else "no events received"

    @property
    def hint(self) -> str:
        """What to do when no `endpoint` event was received."""
        if self._misnamed:
            return "Let the server send its URL as an event of the type `endpoint`: `event: endpoint` before `data:`."
        if self._messages:
            return "Let the server send the response to a POST in the response of that POST, not on the stream of a GET."
        return "Check that the URL is that of the event stream of HTTP+SSE, which starts with the event `endpoint`."

    async def run(self) -> None:
        """Read until the stream ends. Before the `endpoint` event that fails the future `endpoint`, afterwards it ends the connection."""
        try:
            await self._read()
            error = ConnectionLost("the server closed its event stream", hint=_KEEP_STREAM)
        except ConnectionLost as lost:
            error = lost
        except TransportError as failure:
            self._fail(failure)
            return
        self._fail(ConnectFailed(f"{error.reason} before the endpoint event"))
        self._connection.end(error)

    def _fail(self, error: TransportError) -> None:
        if not self.endpoint.done():
            self.endpoint.set_exception(error)

    async def _read(self) -> None:
        headers, sink = self._connection.headers(STREAM_TYPE), self._connection.sink
        async with self._connection.client.exchange("GET", headers=headers) as response:
            if not response.is_stream:
                body = await self._connection.read_error(response)
                unwanted = "no event stream" if response.is_success else ""
                hint = _USE_HTTP if response.status == 405 else ""
                raise statuses.from_status(response, body, unwanted=unwanted, hint=hint)
            frame = response.frame
            await read_blocks(response, sink, lambda blocks: self._process(blocks, frame))

    def _process(self, blocks: Sequence[RawChunk], stream: int) -> None:
        self._connection.sink.received(Channel.SSE, blocks, stream)
        for block in blocks:
            if self.endpoint.done():
                return
            self._find_endpoint(block)

    def _find_endpoint(self, block: RawChunk) -> None:
        event = read_block(block.raw)
        endpoint = event.data.strip()
        if event.event != "endpoint" or not endpoint:
            self._comments += event.is_comment
            self._events += not event.is_comment
            self._messages += is_message(event.data.encode())
            if not self._misnamed and _LOCATION.match(endpoint):
                name = one_line(event.event, MAX_NAME)
                self._misnamed = f"the event with {_excerpt(endpoint)} has the type `{name}`"
            return
        if endpoint.startswith(("{", "[", '"', "<")):
            text = statuses.excerpt(endpoint.encode())
            reason = f"the event `endpoint` must contain only a URL, not {text}"
            hint = "Let the server write the URL alone into `data`."
            self._fail(ConnectFailed(reason, hint=hint))
            return
        url = urljoin(self._url, endpoint)
        # The headers of the user, which may hold secrets, are never sent to another origin.
        if origin(url) == origin(self._url):
            self.endpoint.set_result(with_credentials_of(url, self._url))
            return
        where = origin_text(self._url)
        self._fail(
            ConnectFailed(
                f"endpoint {_excerpt(url)} has a different origin than {where}; nothing was sent",
                hint="Let the server name its endpoint by a path, such as /messages, or use the URL of the server at that origin.",
            )
        )


def _excerpt(url: str) -> str:
    """Return the beginning of a URL of the server, masked before it is cut: what is cut may not look like a secret any more."""
    return one_line(mask_urls(url), MAX_URL)
