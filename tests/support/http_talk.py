"""Writes HTTP exchanges into a real transcript, head by head and body by body, without a socket."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.background_validator import BackgroundValidator
from inspector.transcript.transcript import Transcript
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction, FrameDefect
from inspector.wire.line_splitter import RawChunk
from tests.support.findings import rules_of, validate_all

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

JSON_TYPE = "application/json"
SENT, RECEIVED = Direction.SENT, Direction.RECEIVED


class HttpTalk:
    """Both sides of a conversation over HTTP; names of headers are written with underscores."""

    def __init__(
        self, host: str = "127.0.0.1:8000", *, transcript: Transcript | None = None
    ) -> None:
        self.transcript = Transcript() if transcript is None else transcript
        self.host = host
        self.opener = 0
        """The frame that opened the latest exchange; set it to go on with an earlier one."""
        self._id = 0

    def post(self, message: JsonObject, **headers: str) -> int:
        """A message of ours; gives the frame of it."""
        self.opener = self._write(SENT, Channel.BODY, json_codec.write_bytes(message), 0)
        self.send(**headers)
        return self.opener

    def send(self, verb: str = "POST", **headers: str) -> int:
        """One more request of the latest exchange."""
        return self._head(SENT, f"{verb} /mcp HTTP/1.1", {"host": self.host, **headers})

    def request(self, method: str, params: JsonObject | None = None, /, **headers: str) -> int:
        """A request of ours."""
        self._id += 1
        given: JsonObject = {} if params is None else params
        message: JsonObject = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": given}
        return self.post(message, **headers)

    def delete(self, **headers: str) -> int:
        """A DELETE of ours; gives the frame of its headers."""
        self.opener = 0
        self.opener = self._head(SENT, "DELETE /mcp HTTP/1.1", {"host": self.host, **headers})
        return self.opener

    def resume(self, last_event: str) -> int:
        """We ask for the rest of the stream of the latest exchange."""
        return self.send("GET", last_event_id=last_event)

    def stream(self, **headers: str) -> int:
        """The server answers by an event stream."""
        return self.head(200, content_type="text/event-stream", **headers)

    def block(self, text: str, *, is_whole: bool = True) -> int:
        """A block of that stream."""
        raw = text.encode() + (b"\n\n" if is_whole else b"")
        flaw = FrameDefect.NONE if is_whole else FrameDefect.UNTERMINATED
        chunk = RawChunk(raw, flaw)
        return self.transcript.append(RECEIVED, Channel.SSE, [chunk], self.opener)[0].number

    def event(self, message: Json, **fields: str) -> int:
        """A message in an event of that stream; `fields` are written before its data."""
        lines = [f"{name}: {value}" for name, value in fields.items()]
        return self.block("\n".join([*lines, f"data: {json_codec.write(message)}"]))

    def result_event(self, id_: Json = None, **fields: str) -> int:
        """A result in an event: to the latest request, or the one with that id."""
        id_ = self._id if id_ is None else id_
        return self.event({"jsonrpc": "2.0", "id": id_, "result": {}}, **fields)

    def notice(self, method: str, **params: Json) -> int:
        """A notification in an event."""
        return self.event({"jsonrpc": "2.0", "method": method, "params": params})

    def lost(self, event: str = "failed") -> int:
        """Spyglass remarks that the stream ended without the response."""
        return self.transcript.note(event, "the stream ended", request=self.opener)

    def get(self, **headers: str) -> int:
        """A GET of ours; gives the frame of its head."""
        self.opener = 0
        self.opener = self._head(SENT, "GET /mcp HTTP/1.1", {"host": self.host, **headers})
        return self.opener

    def head(self, status: int, **headers: str) -> int:
        """The headers of the server's answer."""
        return self._head(RECEIVED, f"HTTP/1.1 {status} Reason", headers)

    def answer(
        self, status: int, body: Json | bytes = b"", media_type: str = JSON_TYPE, **headers: str
    ) -> int:
        """The server's answer, headers and body; gives the frame of the body, or of the headers where there is none."""
        number = self.head(
            status, **({"content_type": media_type} if media_type else {}), **headers
        )
        raw = body if isinstance(body, bytes) else json_codec.write_bytes(body)
        if not raw:
            return number
        is_message = media_type.startswith(JSON_TYPE)
        return self._write(RECEIVED, Channel.BODY if is_message else Channel.HTTP, raw, self.opener)

    def result(
        self, media_type: str = JSON_TYPE, result: JsonObject | None = None, /, **headers: str
    ) -> int:
        """A good response to the latest request."""
        given: JsonObject = {} if result is None else result
        body: JsonObject = {"jsonrpc": "2.0", "id": self._id, "result": given}
        return self.answer(200, body, media_type, **headers)

    def error(self, code: int, status: int, message: str = "no") -> int:
        """An error in response to the latest request."""
        error: JsonObject = {"code": code, "message": message}
        return self.answer(status, {"jsonrpc": "2.0", "id": self._id, "error": error})

    def open(self) -> None:
        """A request that is answered well, so that there is a server."""
        self.request("ping")
        self.result()

    def rules(self, revision: Revision | None = None, *, begin: str = "L-HTTP") -> list[str]:
        """The rules that the record breaks, each as often as it is told."""
        validate_all(BackgroundValidator(self.transcript, revision))
        return sorted(rule for rule in rules_of(self.transcript) if rule.startswith(begin))

    def _head(self, direction: Direction, first: str, headers: dict[str, str]) -> int:
        lines = [first, *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
        return self._write(direction, Channel.HTTP, "\r\n".join(lines).encode(), self.opener)

    def _write(self, direction: Direction, channel: Channel, raw: bytes, stream: int) -> int:
        return self.transcript.append(direction, channel, [RawChunk(raw)], stream)[0].number
