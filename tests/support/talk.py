"""Writes a conversation into a real transcript, frame by frame, with a clock that stands still in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.transcript.transcript import Transcript
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.http_talk import HttpTalk

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject


class HeldClock:
    """Time that moves only when told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def wall_s(self) -> float:
        return 1_764_158_584.1 + self.now - 1000.0


class Talk:
    """Both sides of a conversation. Each method gives the number of the frame it wrote."""

    def __init__(self) -> None:
        self.clock = HeldClock()
        self.transcript = Transcript(clock=self.clock)
        self.http = HttpTalk(transcript=self.transcript)
        """The same conversation over HTTP."""

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.now += seconds

    def sent(self, message: Json | bytes) -> int:
        """Written by us."""
        return self._write(Direction.SENT, Channel.STDIN, message)

    def received(self, message: Json | bytes) -> int:
        """Written by the server."""
        return self._write(Direction.RECEIVED, Channel.STDOUT, message)

    def stderr(self, line: bytes) -> int:
        """Written by the server where people look."""
        return self._write(Direction.RECEIVED, Channel.STDERR, line)

    def note(self, event: str, text: str, **facts: Json) -> int:
        """A remark of Spyglass."""
        return self.transcript.note(event, text, **facts)

    def request(self, id_: Json, method: str, **params: Json) -> int:
        """A request of ours."""
        message: JsonObject = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
        return self.sent(message)

    def call(self, id_: Json, tool: str, **arguments: Json) -> int:
        """A call of a tool."""
        return self.request(id_, "tools/call", name=tool, arguments=arguments)

    def result(self, id_: Json, **result: Json) -> int:
        """The server's result."""
        return self.received({"jsonrpc": "2.0", "id": id_, "result": result})

    def text_result(self, id_: Json, text: str, *, is_error: bool = False) -> int:
        """The result of a tool that says something."""
        content: Json = [{"type": "text", "text": text}]
        return self.result(id_, content=content, **({"isError": True} if is_error else {}))

    def error(self, id_: Json, code: int, message: str) -> int:
        """The server's error."""
        return self.received(
            {"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": message}}
        )

    def log(self, text: str, level: str = "info") -> int:
        """A log message of the server."""
        params: JsonObject = {"level": level, "data": text}
        return self.received(
            {"jsonrpc": "2.0", "method": "notifications/message", "params": params}
        )

    def flood(self, count: int) -> None:
        """That many log messages, in batches as they come from a pipe."""
        lines = [
            RawChunk(
                json_codec.write_bytes(
                    {
                        "jsonrpc": "2.0",
                        "method": "notifications/message",
                        "params": {"level": "info", "data": f"line {number}"},
                    }
                )
            )
            for number in range(count)
        ]
        for start in range(0, count, 300):
            self.transcript.append(Direction.RECEIVED, Channel.STDOUT, lines[start : start + 300])

    def _write(self, direction: Direction, channel: Channel, message: Json | bytes) -> int:
        raw = message if isinstance(message, bytes) else json_codec.write_bytes(message)
        self.transcript.append(direction, channel, [RawChunk(raw)])
        return self.transcript.count
