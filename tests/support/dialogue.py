"""Scripted conversations over the memory transport: what the client must say, what it then hears.

    dialogue = Dialogue(*greeted(), says("ping"), hears_result({}))

What the client says is compared member by member with what the script names; members the script is silent about may be
anything. `check` shows both sides of the conversation where they part.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inspector.config.profile import Profile
from inspector.session.negotiation import HANDSHAKE
from inspector.session.session import Session
from inspector.spec.revision import NEWEST_STATEFUL, Revision
from inspector.transcript.transcript import Transcript
from inspector.wire import json_codec
from tests.support.memory_transport import MemoryTransport

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.session.transport_factory import ConnectionTarget
    from inspector.wire.json_codec import Json, JsonObject


@dataclass(frozen=True)
class Said:
    """What the client must send next."""

    wanted: JsonObject
    """Members that its message must have."""


@dataclass(frozen=True)
class Heard:
    """What the server sends then."""

    message: JsonObject | bytes
    """The message, or any bytes."""
    to: str = ""
    """Method of the client's latest request of that kind, whose id the message takes."""


@dataclass(frozen=True)
class Ended:
    """The server goes."""

    words: str = "the server closed the connection"
    """Why, as the transport would say."""


Line = Said | Heard | Ended


def says(method: str, params: JsonObject | None = None) -> Said:
    """The client sends a request or notification."""
    wanted: JsonObject = {"method": method}
    return Said(wanted if params is None else {**wanted, "params": params})


def says_result(id_: Json, result: JsonObject) -> Said:
    """The client answers a request of the server."""
    return Said({"id": id_, "result": result})


def says_error(id_: Json, code: int) -> Said:
    """The client refuses a request of the server."""
    return Said({"id": id_, "error": {"code": code}})


def hears(message: JsonObject | bytes) -> Heard:
    """The server sends anything at all."""
    return Heard(message)


def hears_result(result: Json, *, to: str = "") -> Heard:
    """The server answers the latest request, or the latest one of the method `to`."""
    return Heard({"jsonrpc": "2.0", "result": result}, to or "*")


def hears_error(code: int, message: str, data: Json = None, *, to: str = "") -> Heard:
    """The server refuses the latest request, or the latest one of the method `to`."""
    error: JsonObject = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return Heard({"jsonrpc": "2.0", "error": error}, to or "*")


def greeted(
    revision: Revision = NEWEST_STATEFUL, *, capabilities: JsonObject | None = None
) -> tuple[Line, ...]:
    """The handshake."""
    result: JsonObject = {
        "protocolVersion": revision.date,
        "capabilities": {} if capabilities is None else capabilities,
        "serverInfo": {"name": "scripted", "version": "1"},
    }
    return says("initialize"), hears_result(result), says("notifications/initialized")


class Dialogue:
    """A script and how far it has been played, over as many connections as the client opens."""

    def __init__(self, *lines: Line) -> None:
        self.sent: list[JsonObject] = []
        """Every message of the client that is an object, in order."""
        self.connections: list[MemoryTransport] = []
        """Every connection that was opened."""
        self._lines = list(lines)
        self._at = 0
        self._wanted: list[str] = []
        self._told: list[str] = []

    def connect(self, _target: ConnectionTarget) -> MemoryTransport:
        """Make a transport; the script goes on where it stands."""
        transport = MemoryTransport(self._on_sent)
        self.connections.append(transport)
        return transport

    def play(self, *lines: Line) -> None:
        """Go on with more lines; what the server says first is sent at once."""
        self._lines += lines
        self._say(self.connections[-1])

    def check(self) -> None:
        """Both sides said what the script has, all of it."""
        rest = [line.wanted for line in self._lines[self._at :] if isinstance(line, Said)]
        assert self._told == self._wanted + [_shown(wanted) for wanted in rest]

    def _on_sent(self, raw: bytes, transport: MemoryTransport) -> None:
        value = json_codec.read(raw).value
        line = self._lines[self._at] if self._at < len(self._lines) else None
        if isinstance(value, dict):
            self.sent.append(value)
        if isinstance(line, Said):
            self._at += 1
            fits = _has(value, line.wanted)
            self._wanted.append(_shown(line.wanted))
            self._told.append(_shown(line.wanted) if fits else raw.decode())
        else:
            self._told.append(raw.decode())
        self._say(transport)

    def _say(self, transport: MemoryTransport) -> None:
        """Deliver the server's lines up to the client's next one, a little later, as from a wire."""
        loop = asyncio.get_running_loop()
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if isinstance(line, Said):
                return
            self._at += 1
            if isinstance(line, Ended):
                loop.call_soon(transport.end, line.words)
            else:
                loop.call_soon(transport.deliver, self._written(line))

    def _written(self, line: Heard) -> bytes:
        if isinstance(line.message, bytes):
            return line.message
        message = dict(line.message)
        if line.to:
            message["id"] = self._latest_id(line.to)
        return json_codec.write(message).encode()

    def _latest_id(self, method: str) -> Json:
        requests = [sent for sent in self.sent if "id" in sent and "method" in sent]
        return next(sent["id"] for sent in reversed(requests) if method in ("*", sent["method"]))


@asynccontextmanager
async def session_of(
    dialogue: Dialogue, *, revision: str = HANDSHAKE, timeout: float = 5, total: float = 60
) -> AsyncGenerator[Session]:
    """A session, not yet connected; afterwards it is closed and the script must have been played."""
    profile = Profile(
        name="scripted",
        command="scripted",
        revision=revision,
        timeout_seconds=timeout,
        total_timeout_seconds=total,
    )
    session = Session(profile, Transcript(), dialogue.connect)
    try:
        yield session
    finally:
        await session.aclose()
    dialogue.check()


def _has(value: Json, wanted: Json) -> bool:
    if isinstance(wanted, dict) and isinstance(value, dict):
        return all(name in value and _has(value[name], each) for name, each in wanted.items())
    return type(value) is type(wanted) and value == wanted


def _shown(message: JsonObject) -> str:
    return json.dumps(message)
