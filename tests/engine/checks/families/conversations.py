"""What cases begin with: a server that has answered the handshake, of either era."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.keys import (
    META,
    META_CLIENT_CAPABILITIES,
    META_CLIENT_INFO,
    META_PROTOCOL_VERSION,
    META_SERVER_INFO,
)
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.talk import Talk

SERVER: JsonObject = {"name": "clock", "title": "Clock", "version": "1.2.3"}
CLIENT: JsonObject = {"name": "me", "version": "1"}
STATELESS = "2026-07-28"


def connect(talk: Talk, version: str = "2025-11-25", **capabilities: Json) -> None:
    """The handshake with a server that declares these capabilities."""
    talk.request(1, "initialize", protocolVersion=version, capabilities={}, clientInfo=CLIENT)
    talk.result(1, protocolVersion=version, capabilities=capabilities, serverInfo=SERVER)
    talk.sent({"jsonrpc": "2.0", "method": "notifications/initialized"})


def meta(more: JsonObject | None = None, *, without: str = "") -> JsonObject:
    """What a request of the stateless era tells of itself."""
    whole: JsonObject = {
        META_PROTOCOL_VERSION: STATELESS,
        META_CLIENT_INFO: CLIENT,
        META_CLIENT_CAPABILITIES: {},
        **(more or {}),
    }
    return {key: value for key, value in whole.items() if key != without}


def ask(talk: Talk, id_: int, method: str, told: JsonObject | None = None, **params: Json) -> int:
    """A request of the stateless era."""
    return talk.request(id_, method, **{META: meta() if told is None else told, **params})


def discover(talk: Talk, id_: int = 1, **members: Json) -> None:
    """A request for what the server is, and its result."""
    whole: JsonObject = {
        "resultType": "complete",
        "supportedVersions": [STATELESS],
        "capabilities": {},
        "ttlMs": 0,
        "cacheScope": "public",
        META: {META_SERVER_INFO: SERVER},
        **members,
    }
    ask(talk, id_, "server/discover")
    talk.result(
        id_,
        **whole,
    )


def notify(talk: Talk, method: str, **params: Json) -> int:
    """A notification of the server."""
    return talk.received({"jsonrpc": "2.0", "method": method, "params": params})


def end(talk: Talk, reason: str = "disconnected", **exited: Json) -> None:
    """The connection ends."""
    if exited:
        talk.note("exited", "exited with code 1", **exited)
    talk.note("closed", reason)


def post(talk: Talk, message: JsonObject) -> int:
    """A message of ours over HTTP; gives its frame."""
    lines = [RawChunk(json_codec.write_bytes(message))]
    return talk.transcript.append(Direction.SENT, Channel.BODY, lines)[0].number


def respond(talk: Talk, message: JsonObject, stream: int) -> int:
    """A message of the server in the response to the frame `stream`."""
    lines = [RawChunk(json_codec.write_bytes(message))]
    return talk.transcript.append(Direction.RECEIVED, Channel.BODY, lines, stream)[0].number
