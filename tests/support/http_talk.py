"""Writes HTTP exchanges into a real transcript, head by head and body by body, without a socket."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.background_validator import BackgroundValidator
from inspector.transcript.transcript import Transcript
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.findings import rules_of, validate_all

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

JSON_TYPE = "application/json"
SENT, RECEIVED = Direction.SENT, Direction.RECEIVED


class HttpTalk:
    """Both sides of a conversation over HTTP; names of headers are written with underscores."""

    def __init__(self, host: str = "127.0.0.1:8000") -> None:
        self.transcript = Transcript()
        self._host = host
        self._opener = 0
        self._id = 0

    def post(self, message: JsonObject, **headers: str) -> int:
        """A message of ours; gives the frame of it."""
        self._opener = self._write(SENT, Channel.BODY, json_codec.write_bytes(message), 0)
        self.send(**headers)
        return self._opener

    def send(self, verb: str = "POST", **headers: str) -> int:
        """One more request of the latest exchange."""
        return self._head(SENT, f"{verb} /mcp HTTP/1.1", {"host": self._host, **headers})

    def request(self, method: str, **headers: str) -> int:
        """A request of ours."""
        self._id += 1
        message: JsonObject = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": {}}
        return self.post(message, **headers)

    def get(self, **headers: str) -> int:
        """A GET of ours; gives the frame of its head."""
        self._opener = 0
        self._opener = self._head(SENT, "GET /mcp HTTP/1.1", {"host": self._host, **headers})
        return self._opener

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
        return self._write(
            RECEIVED, Channel.BODY if is_message else Channel.HTTP, raw, self._opener
        )

    def result(self, media_type: str = JSON_TYPE, **headers: str) -> int:
        """A good response to the latest request."""
        body: JsonObject = {"jsonrpc": "2.0", "id": self._id, "result": {}}
        return self.answer(200, body, media_type, **headers)

    def error(self, code: int, status: int) -> int:
        """An error in response to the latest request."""
        error: JsonObject = {"code": code, "message": "no"}
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
        return self._write(direction, Channel.HTTP, "\r\n".join(lines).encode(), self._opener)

    def _write(self, direction: Direction, channel: Channel, raw: bytes, stream: int) -> int:
        return self.transcript.append(direction, channel, [RawChunk(raw)], stream)[0].number
