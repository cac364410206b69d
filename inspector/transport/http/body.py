"""Decides whether a body is a JSON-RPC message; any other body is handled by its HTTP status.

Other protocols respond with JSON too: OAuth with `{"error": "invalid_token"}`, frameworks with `{"status": 404, "method": "POST"}`.
A member of the right name alone does not make a message.

Source: JSON-RPC 2.0, sections 4 and 5; basic/transports, "Sending Messages to the Server"; C-HTTP-43, C-HTTP-48.
"""

from __future__ import annotations

import itertools
import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from inspector.transport.http.response import JSON_TYPE, STREAM_TYPE
from inspector.wire import json_codec
from inspector.wire.frame import Channel
from inspector.wire.message import ABSENT, Absent, MessageKind, decode_frame, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.wire.line_splitter import RawChunk
    from inspector.wire.message import MaybeJson, Message

_MESSAGES = {MessageKind.REQUEST, MessageKind.RESPONSE, MessageKind.ERROR, MessageKind.NOTIFICATION}
_RESPONSES = {MessageKind.RESPONSE, MessageKind.ERROR}
_MAY_BE_MESSAGE = {MessageKind.MALFORMED, MessageKind.BATCH}

LARGE_BYTES = 1 << 16
"""A result from this size on is not parsed to recognize it: that it contains `jsonrpc` is enough."""

MAX_DATA_LINES = 10
"""`data:` lines that are searched for a message."""

_JSON_START = (b"{", b"[")
_WIDE = re.compile(rb"\xff\xfe|\xfe\xff|\0{0,3}[\[{]\0|\0{1,3}[\[{]")
"""The start of JSON in an encoding with several bytes for each character."""

_COMPRESSED = ((b"\x1f\x8b\x08", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"))
"""How compressed data starts."""

_STREAM = re.compile(rb"\s*(?::|data:|event:|id:|retry:)")


def is_message(raw: bytes) -> bool:
    """Return whether a body is any JSON-RPC message: it has the member `jsonrpc`, and an `error` that is an object."""
    return _is_any_message(read(raw))


class Content(NamedTuple):
    """What a body is, independent of its `Content-Type`."""

    text: str
    media_type: str
    """The media type that it should have."""


class Mismatch(NamedTuple):
    """Why a body is not the response to a request."""

    summary: str
    hint: str


class Body:
    """The body of a response to one request; each of the two is read once, however much is asked of them: they may be large."""

    def __init__(self, body: RawChunk, request: bytes) -> None:
        """Keep the body and the body of the request; nothing is read yet."""
        self.raw = body.raw
        self._body = body
        self._raw_request = request

    @cached_property
    def message(self) -> Message:
        """The body as a message."""
        return self._body.message or decode_frame(Channel.BODY, self.raw, self._body.flaw)

    @cached_property
    def request(self) -> Message:
        """The request."""
        return read(self._raw_request)

    @cached_property
    def is_message(self) -> bool:
        """Whether the body is any JSON-RPC message."""
        return _is_any_message(self.message)

    @property
    def is_reply(self) -> bool:
        """Whether the body, with a 2xx status and the media type of JSON, is treated as the response to the request.

        A body that is not JSON, or has no member of a message, is treated as an invalid message: it is in the place of one.
        """
        if len(self.raw) > LARGE_BYTES and b'"jsonrpc"' in self.raw:
            return True
        message = self.message
        if message.kind in _MAY_BE_MESSAGE:
            return True
        return _is_same_id(message.id, self.request.id) or _is_valid(message)

    @property
    def knows_request(self) -> bool:
        """Whether the body is a JSON-RPC response with the id of the request, also as another JSON type."""
        message = self.message
        if message.kind not in _RESPONSES or not _is_valid(message):
            return False
        return _is_same_id(message.id, self.request.id)

    def mislabeled(self, media_type: str) -> Content | None:
        """Return what the body is that has messages under another media type; None for one without messages or with the right type."""
        found = None
        if self.is_message:
            found = Content("JSON-RPC", JSON_TYPE)
        elif _STREAM.match(self.raw) and any(is_message(data) for data in _data_lines(self.raw)):
            found = Content("an event stream with JSON-RPC", STREAM_TYPE)
        return found if found is not None and found.media_type != media_type else None

    def mismatch(self) -> Mismatch | None:
        """Return what is wrong where the body looks like a response to the request; None for any other body."""
        raw = self.raw
        if found := next((name for start, name in _COMPRESSED if raw.startswith(start)), ""):
            hint = "Let the server, or the proxy in front of it, send the body uncompressed: the request accepts identity only, and `Content-Encoding` is missing."
            return Mismatch(f"the body is compressed ({found})", hint)
        if _WIDE.match(raw):
            return Mismatch("the body is not encoded in UTF-8", "Send JSON in UTF-8.")
        message = self.message
        if message.kind in _RESPONSES:
            id_, requested = message.id, self.request.id
            if isinstance(id_, Absent) or id_ is None or isinstance(requested, Absent):
                if not self.is_message:
                    return None  # JSON of another protocol, such as {"error": "text"}
                summary = "the body is a response without the id of this request"
            else:
                summary = f"the body is a response with the id {json_codec.write(id_)}; the request has the id {json_codec.write(requested)}"
            return Mismatch(summary, "Let the server use the id of the request in its response.")
        if (
            message.kind is MessageKind.MALFORMED
            and raw.lstrip()[:1] in _JSON_START
            and "not JSON" in message.problem
        ):
            return Mismatch(
                f"the body is {message.problem}", "Let the server send one whole JSON-RPC response."
            )
        return None


def _data_lines(raw: bytes) -> Iterator[bytes]:
    """Return the content of the first `data:` lines of an event stream."""
    lines = (line for line in raw[:LARGE_BYTES].splitlines() if line.startswith(b"data:"))
    return (line[5:].strip() for line in itertools.islice(lines, MAX_DATA_LINES))


def _is_any_message(message: Message) -> bool:
    if message.kind is MessageKind.BATCH:
        return any(map(_is_valid, message.members))
    return _is_valid(message)


def _is_valid(message: Message) -> bool:
    if message.kind not in _MESSAGES:
        return False
    value = message.lazy_value
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        return False
    return message.kind is not MessageKind.ERROR or isinstance(value.get("error"), dict)


def _is_same_id(id_: MaybeJson, requested: MaybeJson) -> bool:
    """Return whether two ids are equal, also as different JSON types."""
    if id_ is ABSENT or id_ is None or requested is ABSENT:
        return False
    return id_ == requested or str(id_) == str(requested)
