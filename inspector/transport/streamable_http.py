"""Streamable HTTP: every message is a POST of its own; the response is JSON or an event stream.

The exchanges themselves are in `http/`.

Source: basic/transports, "Streamable HTTP".
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.errors import TransportError
from inspector.transport.http.connection import HttpTransport
from inspector.transport.legacy_sse import LegacySseTransport
from inspector.wire.redaction import mask_urls

if TYPE_CHECKING:
    from inspector.transport.base import Sink
    from inspector.transport.http.connection import HttpConnection
    from inspector.transport.http.server_stream import ServerStream

SESSION_DELETE_TIMEOUT_SECONDS = 1.5
"""How long the server may take to respond to the DELETE that ends the session."""


class StreamableHttpTransport(HttpTransport):
    """One connection over Streamable HTTP."""

    name = "http"
    _server_stream: ServerStream | None = None

    def fallback(self) -> LegacySseTransport:
        """Return HTTP+SSE with the same URL."""
        return LegacySseTransport(self._config, credentials=self._credentials)

    async def open(self, sink: Sink) -> None:
        """Make the client; nothing is sent before the first message."""
        await self._connect(sink)
        url = mask_urls(self._config.url)
        sink.on_event("opened", f"POST endpoint {url}", url=url)

    def open_server_stream(self) -> None:
        """Open the stream for messages that respond to no request."""
        if self._connection is not None:
            self._connection.report_no_session()
        if self._connection is None or self._server_stream is not None or self._ended is not None:
            return
        from inspector.transport.http.server_stream import ServerStream

        self._server_stream = ServerStream(self._connection)
        self._tasks.spawn(self._server_stream.run(), name="server stream")

    async def verify(self) -> None:
        """Reopen a lost server stream at once: that shows whether a restarted server still has the session."""
        if self._server_stream is not None:
            await self._server_stream.verify()

    def cancel_exchange(self, frame: int) -> bool:
        """Close the exchange of a stateless request, which cancels the request (C-CAN-10)."""
        task = self._stateless.get(frame)
        if task is not None:
            task.cancel()
        return True

    async def _end_session(self, connection: HttpConnection) -> None:
        """Send DELETE. The server may reject it or not respond in time (C-HTTP-16)."""
        headers, note = connection.headers("*/*"), connection.sink.on_event
        try:
            async with asyncio.timeout(SESSION_DELETE_TIMEOUT_SECONDS):
                async with connection.client.exchange("DELETE", headers=headers) as response:
                    if response.status == 404:
                        note("not-left", "the session had expired (HTTP 404)")
                    elif not response.is_success:
                        text = f"DELETE rejected; session not ended (HTTP {response.status})"
                        note("not-left", text)
        except TimeoutError:
            note("not-left", "no response to DELETE (session)")
        except TransportError as error:
            note("not-left", f"could not end the session: {error.reason}")
