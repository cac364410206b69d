"""A server that speaks HTTP+SSE, over the HTTP stub."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from tests.support.http_stub import STREAM_TYPE, Asked, HttpStub, Reply, reply, well_behaved

if TYPE_CHECKING:
    from types import TracebackType


class OldServer:
    """One stream, POSTs taken with 202, answers on the stream; the method `hang` is never answered."""

    def __init__(self, *, endpoint: str = "/messages?sessionId=1", path: str = "/sse") -> None:
        self._endpoint = endpoint
        self._said: asyncio.Queue[bytes] = asyncio.Queue()
        self.stub = HttpStub({"GET": self._stream, "POST": self._take}, path=path)

    @property
    def url(self) -> str:
        """Where the stream is."""
        return self.stub.url

    def say(self, message: bytes) -> None:
        """Put a message on the stream."""
        self._said.put_nowait(b"event: message\ndata: %b\n\n" % message)

    def close_stream(self) -> None:
        """End the stream."""
        self._said.put_nowait(b"")

    async def __aenter__(self) -> OldServer:
        await self.stub.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stub.__aexit__(kind, error, trace)

    def _stream(self, _asked: Asked) -> Reply:
        named = self._endpoint.replace("{{origin}}", self.stub.origin)
        self._said.put_nowait(f"event: endpoint\ndata: {named}\n\n".encode())
        return Reply(200, (("Content-Type", STREAM_TYPE),), feed=self._said)

    def _take(self, asked: Asked) -> Reply:
        if asked.rpc == "hang" or "id" not in asked.message or not asked.rpc:
            return reply(202)
        made = well_behaved(asked, session=None)
        (body,) = made.pieces
        assert isinstance(body, bytes)
        self.say(body.replace(b"{{id}}", json.dumps(asked.message["id"]).encode()))
        return reply(202, b"Accepted", "text/plain")
