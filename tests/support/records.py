"""Transcripts written by hand, message by message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.transcript.transcript import Transcript
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.findings import protocol_rules

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import MaybeJson


class SteppingClock:
    """A clock that moves by one second each time it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        """One second later than the last time."""
        self.now += 1.0
        return self.now

    def wall_s(self) -> float:
        """The same, from some day on."""
        return 1_700_000_000.0 + self.now


class Written:
    """A transcript, and the shortest way to put messages into it; each gives the number of its frame."""

    def __init__(self, transcript: Transcript | None = None) -> None:
        self.transcript = transcript or Transcript(clock=SteppingClock())

    def sent(self, message: JsonObject | list[Json] | bytes) -> int:
        """We wrote it."""
        return self._append(Direction.SENT, Channel.STDIN, message)

    def received(self, message: JsonObject | list[Json] | bytes) -> int:
        """The server wrote it."""
        return self._append(Direction.RECEIVED, Channel.STDOUT, message)

    def stderr(self, text: str) -> int:
        """The server wrote it on standard error."""
        return self._append(Direction.RECEIVED, Channel.STDERR, text.encode())

    def rules(self, number: int) -> list[str]:
        """The rules of the findings about a frame."""
        return protocol_rules(finding.rule for finding in self.transcript.findings(number))

    def _append(
        self, direction: Direction, channel: Channel, message: JsonObject | list[Json] | bytes
    ) -> int:
        raw = message if isinstance(message, bytes) else json_codec.write(message).encode()
        self.transcript.append(direction, channel, [RawChunk(raw)])
        return self.transcript.count


def request(id_: Json, method: str = "ping", params: Json = None) -> JsonObject:
    """A request."""
    message: JsonObject = {"jsonrpc": "2.0", "id": id_, "method": method}
    return message if params is None else {**message, "params": params}


def result(id_: Json, value: Json = None) -> JsonObject:
    """A response; the result is an empty object unless given."""
    return {"jsonrpc": "2.0", "id": id_, "result": {} if value is None else value}


def error(id_: MaybeJson, code: int = -32603, message: str = "broken") -> JsonObject:
    """A response with an error."""
    told: JsonObject = {"jsonrpc": "2.0", "error": {"code": code, "message": message}}
    return {**told, "id": id_} if id_ is None or isinstance(id_, (str, int)) else told


def notification(method: str, params: Json = None) -> JsonObject:
    """A notification."""
    message: JsonObject = {"jsonrpc": "2.0", "method": method}
    return message if params is None else {**message, "params": params}


def progress(token: Json, value: int = 1) -> JsonObject:
    """A report of progress."""
    return notification("notifications/progress", {"progressToken": token, "progress": value})


def with_token(token: Json) -> Json:
    """Params that opt in to progress."""
    return {"_meta": {"progressToken": token}}


def cancelled(id_: Json) -> JsonObject:
    """A cancellation."""
    return notification("notifications/cancelled", {"requestId": id_})
