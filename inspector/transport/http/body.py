"""Whether a body is a JSON-RPC message. The only place that decides it: everything else is an HTTP response and is judged by its status.

Other protocols answer with JSON too: OAuth with `{"error": "invalid_token"}`, frameworks with `{"status": 404, "method": "POST"}`.
A member of the right name alone makes no message.

Source: JSON-RPC 2.0, sections 4 and 5; basic/transports, "Sending Messages to the Server"; C-HTTP-43, C-HTTP-48.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, NamedTuple

from inspector.transport.http.response import JSON_TYPE, STREAM_TYPE
from inspector.wire import jsontext
from inspector.wire.message import ABSENT, Absent, Kind, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.wire.message import MaybeJson, Message

_MESSAGES = {Kind.REQUEST, Kind.RESPONSE, Kind.ERROR, Kind.NOTIFICATION}
_TO_LOOK_INTO = {Kind.MALFORMED, Kind.BATCH}

LARGE_BYTES = 1 << 16
"""Bytes from which a result is not read only to be judged: that it names `jsonrpc` is enough."""

MAX_DATA_LINES = 10
"""Lines of data in which a message is looked for."""

_JSON_BEGINS = (b"{", b"[")
_STREAM = re.compile(rb"\s*(?::|data:|event:|id:|retry:)")


def is_message(raw: bytes) -> bool:
    """Whether a body is JSON-RPC whatever it is about: it says so by `jsonrpc`, and an error in it is an object."""
    said = read(raw)
    if said.kind is Kind.BATCH:
        return any(map(_is_one, said.members))
    return _is_one(said)


class Content(NamedTuple):
    """What a body is, whatever its head says."""

    text: str
    """In words."""
    media_type: str
    """The media type that it should have."""


def mislabeled(raw: bytes, media_type: str) -> Content | None:
    """What a body is that carries messages under another media type; None where it carries none, or is what it says."""
    found = None
    if is_message(raw):
        found = Content("JSON-RPC", JSON_TYPE)
    elif _STREAM.match(raw) and any(is_message(data) for data in _data_lines(raw)):
        found = Content("an event stream with JSON-RPC", STREAM_TYPE)
    return found if found is not None and found.media_type != media_type else None


class Mismatch(NamedTuple):
    """Why a body that came as the response to a request is none."""

    summary: str
    """In words."""
    hint: str
    """What to do about it."""


def mismatch(raw: bytes, asked: Message) -> Mismatch | None:
    """What is wrong with a body that looks like a response to `asked`; None where it is something else."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in raw[:4]:
        return Mismatch("the body is not encoded in UTF-8", "Send JSON in UTF-8.")
    said = read(raw)
    if said.kind in {Kind.RESPONSE, Kind.ERROR}:
        if isinstance(said.id, Absent) or said.id is None or isinstance(asked.id, Absent):
            words = "the body is a response without the id of this request"
        else:
            words = f"the body is a response with the id {jsontext.write(said.id)}; the request has the id {jsontext.write(asked.id)}"
        return Mismatch(words, "Let the server use the id of the request in its response.")
    if (
        said.kind is Kind.MALFORMED
        and raw.lstrip()[:1] in _JSON_BEGINS
        and "not JSON" in said.problem
    ):
        return Mismatch(
            f"the body is {said.problem}", "Let the server send one whole JSON-RPC response."
        )
    return None


def is_reply(raw: bytes, request: bytes) -> bool:
    """Whether a body that came with a good status and the media type of JSON is to be read as the answer to `request`.

    What is not JSON, or has no member that a message has, is read as a message too, as a malformed one: it stands in the place of one.
    """
    if len(raw) > LARGE_BYTES and b'"jsonrpc"' in raw:
        return True
    said = read(raw)
    if said.kind in _TO_LOOK_INTO:
        return True
    return _is_about(said.id, read(request).id) or _is_one(said)


def knows_request(raw: bytes, request: bytes) -> bool:
    """Whether a body is a JSON-RPC response with the id of `request`, be it of another type."""
    said = read(raw)
    is_response = said.kind in {Kind.RESPONSE, Kind.ERROR} and _is_one(said)
    return is_response and _is_about(said.id, read(request).id)


def _data_lines(raw: bytes) -> Iterator[bytes]:
    """The first lines of data in an event stream."""
    lines = (line for line in raw[:LARGE_BYTES].splitlines() if line.startswith(b"data:"))
    return (line[5:].strip() for line in itertools.islice(lines, MAX_DATA_LINES))


def _is_one(said: Message) -> bool:
    if said.kind not in _MESSAGES:
        return False
    value = said.value
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        return False
    return said.kind is not Kind.ERROR or isinstance(value.get("error"), dict)


def _is_about(said: MaybeJson, asked: MaybeJson) -> bool:
    """Whether an id is that of the request, be it of another type."""
    if said is ABSENT or said is None or asked is ABSENT:
        return False
    return said == asked or str(said) == str(asked)
