"""HTTP+SSE, the transport before Streamable HTTP: one event stream for every message of the server, POSTs for those of the client.

The first event, `endpoint`, has the URL of the POSTs. It must have the origin of the stream, or the headers of the user
would be sent to another host. Nothing is resumed: the end of the stream is the end of the connection.

Source: basic/transports of the first revision, "HTTP with SSE"; C-SSE-01 to C-SSE-05.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.errors import ConnectFailed
from inspector.transport.http.connection import HttpTransport
from inspector.wire.redaction import mask_urls

if TYPE_CHECKING:
    from inspector.transport.base import Sink
    from inspector.transport.http.config import HttpConfig
    from inspector.transport.http.credentials import Credentials
    from inspector.transport.http.legacy_endpoint import LegacyEventStream

ENDPOINT_SECONDS = 10.0
"""How long the server may take to send the `endpoint` event."""


class LegacySseTransport(HttpTransport):
    """One connection over HTTP+SSE."""

    name = "sse"

    def __init__(
        self,
        config: HttpConfig,
        *,
        endpoint_seconds: float = ENDPOINT_SECONDS,
        credentials: Credentials | None = None,
    ) -> None:
        super().__init__(config, credentials=credentials)
        self._limit = endpoint_seconds
        self._stream: LegacyEventStream | None = None

    async def open(self, sink: Sink) -> None:
        """Open the stream and wait for the URL of the POSTs."""
        connection = await self._connect(sink)
        from inspector.transport.http.legacy_endpoint import LegacyEventStream

        self._stream = LegacyEventStream(connection, self._config.url)
        self._tasks.spawn(self._stream.run(), name="event stream")
        try:
            async with asyncio.timeout(self._limit):
                endpoint = await self._stream.endpoint
        except TimeoutError:
            raise ConnectFailed(
                f"no endpoint event within {self._limit:g} s; {self._stream.received_text}",
                hint=self._stream.hint,
            ) from None
        finally:
            if not self._is_open:
                await self._tasks.aclose()
                await connection.client.aclose()
        url = mask_urls(endpoint)
        sink.on_event("opened", f"stream open; POST endpoint {url}", url=url)

    @property
    def _is_open(self) -> bool:
        return self._stream is not None and self._stream.is_ready

    @property
    def _endpoint(self) -> str:
        return self._stream.endpoint.result() if self._stream is not None else ""
