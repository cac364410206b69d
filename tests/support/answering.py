"""A server in memory that answers by method, for tests that are not about the order of a conversation."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeAlias

from inspector.config.profile import Profile
from inspector.errors import PeerError
from inspector.session.negotiation import HANDSHAKE
from inspector.session.session import Session
from inspector.spec.revision import NEWEST_STATEFUL, Revision
from inspector.transcript.transcript import Transcript
from inspector.wire import json_codec
from inspector.wire.message import read
from tests.support.memory_transport import MemoryTransport

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from inspector.clock import Clock
    from inspector.session.transport_factory import ConnectionTarget
    from inspector.transport.http.credentials import Credentials
    from inspector.wire.json_codec import Json, JsonObject

Answer: TypeAlias = "Callable[[JsonObject], Json]"
"""Takes params and gives a result, raises `PeerError`, or raises `Silence`."""


class Silence(Exception):
    """There will be no answer."""


def tool(name: str, **more: Json) -> JsonObject:
    """A tool as servers list it."""
    return {"name": name, "inputSchema": {"type": "object"}, **more}


class AnsweringServer:
    """Answers each request at once with what `answers` has for its method."""

    def __init__(
        self,
        answers: dict[str, Answer] | None = None,
        *,
        capabilities: JsonObject | None = None,
        revision: Revision = NEWEST_STATEFUL,
    ) -> None:
        self.answers: dict[str, Answer] = {"initialize": self._greet, "ping": lambda _: {}}
        self.answers |= answers or {}
        self.received: list[JsonObject] = []
        """Every message of the client, in order."""
        self.raws: list[bytes] = []
        """Every frame of the client, messages or not."""
        self._capabilities: JsonObject = {"tools": {}} if capabilities is None else capabilities
        self._revision = revision
        self._transport: MemoryTransport | None = None

    def connect(
        self, _target: ConnectionTarget, credentials: Credentials | None = None
    ) -> MemoryTransport:
        """Make a transport to this server, which asks for no authorization."""
        assert credentials is None
        self._transport = MemoryTransport(self._on_sent)
        return self._transport

    def methods(self) -> list[Json]:
        """The methods that the client sent, in order, those of the handshake left out."""
        named = [message.get("method") for message in self.received]
        return [
            method for method in named if method not in {"initialize", "notifications/initialized"}
        ]

    def send(self, message: JsonObject | bytes) -> None:
        """Send anything."""
        assert self._transport is not None
        raw = message if isinstance(message, bytes) else json_codec.write(message).encode()
        self._transport.deliver(raw)

    def notify(self, method: str, params: JsonObject | None = None) -> None:
        """Send a notification."""
        message: JsonObject = {"jsonrpc": "2.0", "method": method}
        self.send(message if params is None else {**message, "params": params})

    def reply(self, request: JsonObject, result: Json) -> None:
        """Answer a request that was met with silence."""
        self.send({"jsonrpc": "2.0", "id": request["id"], "result": result})

    def end(self) -> None:
        """Close the connection."""
        assert self._transport is not None
        self._transport.end()

    def _on_sent(self, raw: bytes, _transport: MemoryTransport) -> None:
        self.raws.append(raw)
        message = read(raw).value
        if not isinstance(message, dict):
            return
        self.received.append(message)
        if "id" in message and "method" in message:
            asyncio.get_running_loop().call_soon(self._answer, message)

    def _answer(self, message: JsonObject) -> None:
        answer: JsonObject = {"jsonrpc": "2.0", "id": message["id"]}
        params = message.get("params")
        try:
            perform = self.answers[str(message["method"])]
            answer["result"] = perform(params if isinstance(params, dict) else {})
        except Silence:
            return
        except KeyError:
            answer["error"] = {"code": -32601, "message": "Method not found"}
        except PeerError as error:
            answer["error"] = {"code": error.code, "message": error.message, "data": error.data}
        self.send(answer)

    def _greet(self, _params: JsonObject) -> Json:
        return {
            "protocolVersion": self._revision.date,
            "capabilities": self._capabilities,
            "serverInfo": {"name": "answering", "version": "1"},
        }


def silence(_params: JsonObject) -> Json:
    """Never answer."""
    raise Silence


@asynccontextmanager
async def connected(
    server: AnsweringServer, *, timeout: float = 5, clock: Clock | None = None
) -> AsyncGenerator[Session]:
    """A session that is ready, by the system's clock or another; closed afterwards."""
    profile = Profile(
        name="answering", command="answering", revision=HANDSHAKE, timeout_seconds=timeout
    )
    session = Session(profile, Transcript(), server.connect, clock=clock)
    try:
        await session.connect()
        yield session
    finally:
        await session.aclose()
