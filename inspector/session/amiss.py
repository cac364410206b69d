"""What came in the place of a response, in words with what to do about it: unfinished, malformed, or meant for no request.

Source: basic/transports, "stdio": a newline ends a message, and nothing but messages travels on stdout; basic, "Responses": a response has
the id of its request; WHATWG HTML, "Server-sent events".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.session import shapes, story
from inspector.session.refusals import LESS_AT_ONCE
from inspector.spec.error_codes import PARSE_ERROR
from inspector.transcript.index import FrameFlags
from inspector.transcript.quick_fields import shown
from inspector.wire import json_codec, protocols
from inspector.wire.frame import Channel
from inspector.wire.message import ABSENT, CUT, MessageKind, or_null

if TYPE_CHECKING:
    from inspector.session.shapes import Shape
    from inspector.transcript.transcript import Transcript
    from inspector.transcript.unfinished import Rest
    from inspector.wire.message import Message

NOT_ON_STDOUT = "Let the server print everything but its messages on stderr: on stdout a client can read JSON-RPC only."
ONE_A_LINE = "Let the server write a newline after each message."
_USE_ID = "Let the server use the id of the request in its response."
_BLANK_LINE = "Let the server write an empty line after every event."
_END_BODY = "Let the server end the body: with the last chunk, or after as many bytes as `Content-Length` names."
_TYPE = "Let the server send messages as events of the type `message`, or without a type."
_DATA = "Let the server write each message in the field `data` of an event: `data: ` and the message, then an empty line."
_EVERY_LINE = "Begin every line of an event with the name of a field: a message over several lines needs `data:` before each of them."
_JSON = "Let the server send one JSON-RPC message there, whole and in UTF-8."
_TCP = "Check host and port: an MCP server over TCP sends one JSON-RPC message a line. For HTTP, use a URL with http:// or https://."

_FIELDS = {b"data", b"event", b"id", b"retry", b""}

TEXT = 400
"""Characters of a frame in which a well-known mistake is looked for."""

MAX_EVENTS = 1000
"""Frames in which an odd event is looked for."""


class Reason(FrozenStruct, frozen=True):
    """Why a request seems to have no response."""

    text: str
    """What came, in a clause."""
    hint: str
    """What to do about it."""
    frame: int = 0
    """Where it is seen; 0 for nowhere in the record."""


def in_pieces(rest: Rest, before: Shape | None) -> Reason:
    """That of something only the beginning came; `before` is a mistake that is known from what came earlier."""
    if rest.channel is Channel.SSE:
        message = f"the server wrote {_bytes(rest)} without the blank line that ends an event: {rest.excerpt}"
        return Reason(message, _BLANK_LINE)
    if rest.channel not in story.LINE_CHANNELS:
        message = f"the body of the response does not end; {_bytes(rest)} came: {rest.excerpt}"
        return Reason(message, _END_BODY)
    message = (
        f"the server wrote {_bytes(rest)} without the newline that ends a message: {rest.excerpt}"
    )
    text = rest.head.decode("utf-8", "replace")
    shape = before or shapes.framing(text) or shapes.ending(text)
    shape = shape or shapes.prompt(rest.tail.decode("utf-8", "replace"))
    if shape is not None:
        said = shape.text if shape.name == "utf-16" else f"{shape.text}; {message}"
        return Reason(said, shape.hint)
    if text.lstrip().startswith("{") and not rest.tail.rstrip().endswith((b"}", b"]")):
        return Reason(
            f"the message does not end; {message}",
            "Check what stops the server in the middle of a message, such as an output that is not flushed.",
        )
    return Reason(message, "Let the server write the newline that ends a message.")


def no_headers(rest: Rest, *, is_proxy: bool) -> Reason:
    """What came in the place of an HTTP response, or the beginning of its headers."""
    if rest.head.startswith(b"HTTP/"):
        text = f"the headers of the response do not end; {_bytes(rest)} came: {rest.excerpt}"
        return Reason(text, "Let the server end its headers with an empty line.")
    name = protocols.name_of(rest.head)
    spoken = f"responds in {name}, not in HTTP/1.1" if name else "does not respond in HTTP/1.1"
    who = "proxy" if is_proxy else "server"
    hint = "Check the URL of the proxy: its port." if is_proxy else protocols.hint_for(name)
    return Reason(f"the {who} {spoken}: {rest.excerpt.strip()}", hint)


def misaddressed(transcript: Transcript, number: int, request: int, more: str = "") -> Reason:
    """That frame `number` is a response, but not to the frame `request`."""
    message = transcript.message(number)
    asked = shown(transcript.message(request).id)
    if message.kind is MessageKind.ERROR and message.id in (ABSENT, None):
        text, hint = (
            f"the server sent an error in frame {number} that names no request{more}",
            _USE_ID,
        )
        if said := _error_words(message):
            text = f"{text}: {said}"
        if _code(message) == PARSE_ERROR:
            hint = "Check how the server reads its input: it could not parse a message that was sent, each of which is one line of JSON."
        return Reason(text, hint, number)
    if message.id is ABSENT:
        return Reason(f"a response without an id came in frame {number}{more}", _USE_ID, number)
    what = "a response with the unknown id"
    if transcript.columns.flags[number - 1] & FrameFlags.DUPLICATE:
        what = "a second response with the id"
    text = f"{what} {shown(message.id)} came meanwhile in frame {number}{more}; the request has the id {asked}"
    return Reason(text, _USE_ID, number)


def malformed(transcript: Transcript, number: int, more: str = "") -> Reason:
    """That frame `number` stands in the place of a response, and is none."""
    if transcript.message(number).problem == CUT:
        text = f"frame {number} is {CUT}; it may be the response{more}"
        return Reason(text, LESS_AT_ONCE, number)
    channel = transcript.columns.channel[number - 1]
    if story.is_stdout_noise(transcript, number) and not transcript.message(number).within:
        text = story.stray_sentence(transcript, number)
        hint = _TCP if channel == Channel.TCP else NOT_ON_STDOUT
        return Reason(f"{text}{more}, and did not respond", hint, number)
    text = f"the server sent a malformed message ({transcript.message(number).problem}) in frame {number}{more}"
    if channel == Channel.SSE and _has_other_lines(transcript.raw(number)):
        return Reason(f"{text}: {story.line_of(transcript, number)}", _EVERY_LINE, number)
    return Reason(text, ONE_A_LINE if channel == Channel.STDOUT else _JSON, number)


def odd_event(transcript: Transcript, request: int) -> Reason | None:
    """That an SSE event since `request` holds something, and no message; None where there is no such event."""
    from inspector.wire.sse import read_block  # brings httpx, which takes its time

    columns = transcript.columns
    for number in range(request + 1, min(transcript.count, request + MAX_EVENTS) + 1):
        if (
            columns.kind[number - 1] != MessageKind.SSE_OTHER
            or columns.channel[number - 1] != Channel.SSE
        ):
            continue
        event = read_block(transcript.raw(number))
        text = story.line_of(transcript, number).strip()
        if event.has_data and event.event not in {"message", "endpoint"}:
            message = f"the event in frame {number} has the type `{event.event[:40]}`, so it is no message"
            return Reason(message, _TYPE, number)
        if not (event.has_data or event.is_comment) and event.id is None and event.retry_ms is None:
            return Reason(f"the event in frame {number} has no `data`: {text}", _DATA, number)
    return None


def text_of(transcript: Transcript, number: int) -> str:
    """The beginning of a frame, of an SSE event its data, in which a well-known mistake may be seen."""
    raw = transcript.raw(number)
    if transcript.columns.channel[number - 1] == Channel.SSE:
        from inspector.wire.sse import read_block  # brings httpx, which takes its time

        return read_block(raw[: TEXT * 4]).data[:TEXT]
    return raw[: TEXT * 4].decode("utf-8", "replace")[:TEXT]


def _has_other_lines(raw: bytes) -> bool:
    """Whether a block of an event stream has lines that begin with no field."""
    from inspector.wire.sse import field_names  # brings httpx, which takes its time

    return bool(field_names(raw) - _FIELDS)


def _bytes(rest: Rest) -> str:
    return "1 byte" if rest.size == 1 else f"{rest.size:,} bytes"


def _code(message: Message) -> object:
    error = or_null(message.error)
    return error.get("code") if isinstance(error, dict) else None


def _error_words(message: Message) -> str:
    error = or_null(message.error)
    if not isinstance(error, dict):
        return json_codec.write(error)[:TEXT]
    said = error.get("message")
    return f"{json_codec.write(error.get('code'))} {said if isinstance(said, str) else ''}".strip()[
        :TEXT
    ]
