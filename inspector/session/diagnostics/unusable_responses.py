"""What came instead of a response: unfinished, malformed, or for another request.

Source: basic/transports, "stdio": a newline ends a message, and nothing but messages travels on stdout; basic, "Responses": a response has
the id of its request; WHATWG HTML, "Server-sent events".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.session.diagnostics import exit_causes, known_mistakes, server_output
from inspector.session.diagnostics.known_mistakes import Explanation, find_mistake
from inspector.session.diagnostics.server_output import MAX_FRAMES
from inspector.session.error_responses import LESS_AT_ONCE
from inspector.spec.error_codes import PARSE_ERROR
from inspector.transcript.index import FrameFlags
from inspector.transcript.quick_fields import format_id
from inspector.wire import json_codec, protocols
from inspector.wire.frame import MESSAGE_CHANNELS, Channel, Direction
from inspector.wire.message import ABSENT, CUT, UNDECODED, MessageKind, or_null

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.transcript.transcript import Transcript
    from inspector.transcript.unfinished import Rest
    from inspector.wire.json_codec import Json
    from inspector.wire.message import Message

NOT_ON_STDOUT = "Let the server print everything but its messages on stderr: on stdout a client can read JSON-RPC only."
ONE_A_LINE = "Let the server write a newline after each message."
_USE_ID = "Let the server use the id of the request in its response."
_BLANK_LINE = "Let the server write an empty line after every event."
_END_BODY = "Let the server end the body: with the last chunk, or after as many bytes as `Content-Length` names."
_TYPE = "Let the server send messages as events of the type `message`, or without a type."
_DATA = "Let the server write each message in the field `data` of an event: `data: ` and the message, then an empty line."
_MARK = "Write the byte order mark at the start of the stream only: anywhere else it belongs to the name of a field, so clients ignore that line."
_EVERY_LINE = "Begin every line of an event with the name of a field: a message over several lines needs `data:` before each of them."
_JSON = "Let the server send one JSON-RPC message there, whole and in UTF-8."
_TCP = "Check host and port: an MCP server over TCP sends one JSON-RPC message a line. For HTTP, use a URL with http:// or https://."

_UNFLUSHED = (
    "Check what stops the server in the middle of a message, such as an output that is not flushed."
)
_UNPARSED = "Check how the server reads its input: it could not parse a message that was sent, each of which is one line of JSON."

MAX_CHARACTERS = 400
"""Characters of a frame that are searched for a well-known mistake."""

MAX_EVENT_BYTES = 1 << 14
"""Bytes of an event that show its type."""

MAX_EVENTS = 1000
"""Frames that are searched for an SSE event without a message."""

MAX_MISTAKE_FRAMES = 20
"""Frames whose text is searched for a well-known mistake."""

_WITHOUT_RESPONSE = {MessageKind.RESPONSE, MessageKind.ERROR, MessageKind.NOTIFICATION}

_UNASSIGNED = FrameFlags.UNKNOWN | FrameFlags.DUPLICATE


def find_reason(transcript: Transcript, request: int) -> Explanation | None:
    """Return what came since the frame `request` and may be why it has no response; None for nothing of that kind."""
    rests = unfinished_parts(transcript, request)
    unusable = list(_unusable_frames(transcript, request))
    if rests:
        rest = rests[0]
        if rest.channel is Channel.HTTP and not server_output.http_status(transcript, rest.stream):
            headers = server_output.latest_headers(transcript, rest.stream)
            return _no_headers(rest, is_proxy=headers.startswith(server_output.TUNNEL))
        mistake = _mistake_in(transcript, unusable) or _earlier_mistake(transcript)
        return _unfinished(rest, mistake)
    if not unusable:
        return _event_without_message(transcript, request)
    flags = transcript.columns.flags
    unassigned = [number for number in unusable if flags[number - 1] & _UNASSIGNED]
    count = len(unusable) - 1
    limit = "at least " if transcript.count > request + MAX_FRAMES else ""
    more = f" (and {limit}{count:,} more frames that match no request)" if count else ""
    if unassigned:
        return _misaddressed(transcript, unassigned[0], request, more)
    mistake = _mistake_in(transcript, unusable)
    return _with_line(transcript, mistake) or malformed(transcript, unusable[0], more)


def unfinished_parts(transcript: Transcript, request: int) -> list[Rest]:
    """Return what may become the response to `request`, oldest first; without what comes in the HTTP exchange of another request."""
    owner = transcript.columns.request
    headers = [rest for rest in transcript.unfinished if rest.channel is Channel.HTTP]
    return [
        rest
        for rest in [*transcript.unfinished.messages(), *headers]
        if rest.stream in {0, request} or not owner[rest.stream - 1]
    ]


def earlier_reason(transcript: Transcript) -> Explanation | None:
    """Return the well-known mistake in what came before the request, with the line that shows it; None for no mistake."""
    return _with_line(transcript, _earlier_mistake(transcript))


def among_text(transcript: Transcript, number: int) -> Explanation:
    """Explain that the response is in frame `number`, on a line that is not a message."""
    line = server_output.line_of(transcript, number)
    mistake = find_mistake(known_mistakes.FRAMING, line)
    if mistake is not None:
        return Explanation(f"{mistake.text}: {line}", mistake.hint, number)
    message = _outline(transcript, number)
    hint = ONE_A_LINE if len(message.within) > 1 else NOT_ON_STDOUT
    text = f"the response is in frame {number}, which has {message.problem}"
    return Explanation(text, hint, number)


def malformed(transcript: Transcript, number: int, more: str = "") -> Explanation:
    """Explain that frame `number` came instead of a response and is not a message."""
    message = _outline(transcript, number)
    if message.problem in {CUT, UNDECODED}:
        text = f"frame {number} is {message.problem}; it may be the response{more}"
        return Explanation(text, LESS_AT_ONCE, number)
    channel = transcript.columns.channel[number - 1]
    if server_output.is_unfinished(transcript, number):
        line = server_output.line_of(transcript, number)
        return Explanation(f"a message does not end: {line}", _UNFLUSHED, number)
    if server_output.is_stray(transcript, number) and not message.within:
        text = server_output.stray_sentence(transcript, number)
        name = protocols.name_over_tcp(transcript.raw(number)) if channel == Channel.TCP else ""
        if name:
            line = server_output.line_of(transcript, number).strip()
            text = f"the server responds in {name}, not in JSON-RPC: {line}"
            return Explanation(text, _TCP, number)
        hint = _TCP if channel == Channel.TCP else NOT_ON_STDOUT
        return Explanation(f"{text}{more}, and did not respond", hint, number)
    text = f"the server sent a malformed message ({message.problem}) in frame {number}{more}"
    if channel == Channel.SSE and _has_other_lines(transcript.raw(number)):
        line = server_output.line_of(transcript, number)
        return Explanation(f"{text}: {line}", _EVERY_LINE, number)
    return Explanation(text, ONE_A_LINE if channel == Channel.STDOUT else _JSON, number)


def _outline(transcript: Transcript, number: int) -> Message:
    """Return kind, id, method and problem of the message in a frame; of a large one perhaps nothing else."""
    return transcript.kept.outline(number) or transcript.message(number)


def _unusable_frames(transcript: Transcript, request: int) -> Iterator[int]:
    """Yield the frames after `request` that are malformed, or responses to no pending request."""
    columns = transcript.columns
    for number in range(request + 1, min(transcript.count, request + MAX_FRAMES) + 1):
        at = number - 1
        if (stream := columns.stream[at]) and columns.kind[stream - 1] in _WITHOUT_RESPONSE:
            continue  # HTTP responds to what is no request
        is_malformed = columns.kind[at] == MessageKind.MALFORMED and not columns.request[at]
        if (is_malformed or columns.flags[at] & _UNASSIGNED) and (
            columns.channel[at] in MESSAGE_CHANNELS and columns.direction[at] == Direction.RECEIVED
        ):
            yield number


def _earlier_mistake(transcript: Transcript) -> Explanation | None:
    start = server_output.first_stray(transcript)
    numbers = range(start, min(transcript.count, start + MAX_FRAMES) + 1) if start else ()
    stray = [number for number in numbers if server_output.is_stray(transcript, number)]
    return _mistake_in(transcript, stray)


def _mistake_in(transcript: Transcript, numbers: list[int]) -> Explanation | None:
    """Return the well-known mistake that the frames show together, at the first frame."""
    if not numbers:
        return None
    start = numbers[0]
    text = "\n".join(_text_of(transcript, each) for each in numbers[:MAX_MISTAKE_FRAMES])
    tables = (known_mistakes.ENCODING,)
    if (channel := transcript.columns.channel[start - 1]) in server_output.LINE_CHANNELS:
        if channel == Channel.TCP and protocols.name_over_tcp(transcript.raw(start)):
            return None  # another kind of server, whose output means something else
        is_unreadable = _outline(transcript, start).problem.startswith("not JSON")
        tables = (
            known_mistakes.FRAMING,
            *((known_mistakes.BROKEN_JSON,) if is_unreadable else ()),
            *(
                (known_mistakes.OBSTACLES, exit_causes.EXIT_CAUSES)
                if channel == Channel.STDOUT
                else ()
            ),
        )
    found = next(filter(None, (find_mistake(table, text) for table in tables)), None)
    if found is None:
        return None
    own = [rule for table in tables for rule in table if rule[1] is found]
    one = (each for each in numbers if find_mistake(own, _text_of(transcript, each)))
    return replace(found, frame=next(one, start))


def _with_line(transcript: Transcript, mistake: Explanation | None) -> Explanation | None:
    """Return the mistake with the line that shows it."""
    if mistake is None:
        return None
    line = server_output.line_of(transcript, mistake.frame).strip()
    return replace(mistake, text=f"{mistake.text}: {line}")


def _text_of(transcript: Transcript, number: int) -> str:
    """Return the beginning of a frame, of an SSE event its data, that may show a well-known mistake."""
    raw = transcript.raw(number)[: MAX_CHARACTERS * 4]
    if transcript.columns.channel[number - 1] == Channel.SSE:
        from inspector.wire.sse import read_block  # brings httpx, which takes its time

        return read_block(raw).data[:MAX_CHARACTERS]
    return raw.decode("utf-8", "replace")[:MAX_CHARACTERS]


def _unfinished(rest: Rest, mistake: Explanation | None) -> Explanation:
    """Explain that only the beginning of something came; `mistake` is known from what came earlier."""
    size = _size_text(rest)
    if rest.channel is Channel.SSE:
        text = f"the server wrote {size} without the blank line that ends an event: {rest.excerpt}"
        return Explanation(text, _BLANK_LINE)
    if rest.channel not in server_output.LINE_CHANNELS:
        text = f"the body of the response does not end; {size} came: {rest.excerpt}"
        return Explanation(text, _END_BODY)
    text = f"the server wrote {size} without the newline that ends a message: {rest.excerpt}"
    start, end = rest.head.decode("utf-8", "replace"), rest.tail.decode("utf-8", "replace")
    mistake = mistake or find_mistake((*known_mistakes.FRAMING, *known_mistakes.ENDINGS), start)
    if rest.channel is Channel.STDOUT:
        mistake = mistake or find_mistake(known_mistakes.QUESTIONS, end)
    if mistake is not None:
        is_readable = mistake.name != "utf-16"
        return Explanation(f"{mistake.text}; {text}" if is_readable else mistake.text, mistake.hint)
    if start.lstrip().startswith("{") and not rest.tail.rstrip().endswith((b"}", b"]")):
        return Explanation(f"the message does not end; {text}", _UNFLUSHED)
    if not start.lstrip().startswith(("{", "[")):
        is_tcp = rest.channel is Channel.TCP
        where = "" if is_tcp else " to stdout"
        text = f"the server wrote {size} of text{where}, without a newline: {rest.excerpt}"
        return Explanation(text, _TCP if is_tcp else NOT_ON_STDOUT)
    return Explanation(text, "Let the server write the newline that ends a message.")


def _no_headers(rest: Rest, *, is_proxy: bool) -> Explanation:
    """Explain what came instead of HTTP headers, or that these do not end."""
    if rest.head.startswith(b"HTTP/"):
        text = f"the headers of the response do not end; {_size_text(rest)} came: {rest.excerpt}"
        return Explanation(text, "Let the server end its headers with an empty line.")
    name = protocols.name_of(rest.head)
    response = f"responds in {name}, not in HTTP/1.1" if name else "does not respond in HTTP/1.1"
    side = "proxy" if is_proxy else "server"
    hint = "Check the URL of the proxy: its port." if is_proxy else protocols.hint_for(name)
    return Explanation(f"the {side} {response}: {rest.excerpt.strip()}", hint)


def _size_text(rest: Rest) -> str:
    return "1 byte" if rest.size == 1 else f"{rest.size:,} bytes"


def _misaddressed(transcript: Transcript, number: int, request: int, more: str) -> Explanation:
    """Explain that frame `number` is a response, but not to the frame `request`."""
    message = _outline(transcript, number)
    if message.kind is MessageKind.ERROR and message.id in (ABSENT, None):
        code, error = error_of(transcript.message(number))
        text = f"the server sent an error in frame {number} that names no request{more}"
        hint = _UNPARSED if code == PARSE_ERROR else _USE_ID
        return Explanation(f"{text}: {error}" if error else text, hint, number)
    if message.id is ABSENT:
        text = f"a response without an id came in frame {number}{more}"
        return Explanation(text, _USE_ID, number)
    is_duplicate = transcript.columns.flags[number - 1] & FrameFlags.DUPLICATE
    kind = "a second response with the id" if is_duplicate else "a response with the unknown id"
    expected = format_id(transcript.message(request).id)
    text = f"{kind} {format_id(message.id)} came meanwhile in frame {number}{more}; the request has the id {expected}"
    return Explanation(text, _USE_ID, number)


def _event_without_message(transcript: Transcript, request: int) -> Explanation | None:
    """Explain that an SSE event since `request` holds something that is not a message; None for no such event."""
    from inspector.wire.sse import (  # brings httpx, which takes its time
        BYTE_ORDER_MARK,
        has_data_line,
        read_block,
    )

    columns = transcript.columns
    for number in range(request + 1, min(transcript.count, request + MAX_EVENTS) + 1):
        kind, channel = columns.kind[number - 1], columns.channel[number - 1]
        if kind != MessageKind.SSE_OTHER or channel != Channel.SSE:
            continue
        raw = transcript.raw(number)
        event = read_block(raw[:MAX_EVENT_BYTES])
        if not event.has_data and len(raw) > MAX_EVENT_BYTES and has_data_line(raw):
            continue
        if event.has_data and event.event not in {"message", "endpoint"}:
            text = f"the event in frame {number} has the type `{event.event[:40]}`, so it is no message"
            return Explanation(text, _TYPE, number)
        if not (event.has_data or event.is_comment) and event.id is None and event.retry_ms is None:
            line = server_output.line_of(transcript, number).strip()
            if raw.lstrip(b"\r\n").startswith(BYTE_ORDER_MARK):
                line = line.removeprefix("\ufeff")
                text = f"the event in frame {number} begins with a byte order mark: {line}"
                return Explanation(text, _MARK, number)
            return Explanation(f"the event in frame {number} has no `data`: {line}", _DATA, number)
    return None


def _has_other_lines(raw: bytes) -> bool:
    """Whether a block of an event stream has lines that begin with no field."""
    from inspector.wire.sse import has_other_lines  # brings httpx, which takes its time

    return has_other_lines(raw)


def error_of(message: Message) -> tuple[Json, str]:
    """Return the code of an error response, and code and message as text."""
    error = or_null(message.lazy_object("error"))
    if not isinstance(error, dict):
        return None, json_codec.write_beginning(error, MAX_CHARACTERS)
    code, text = error.get("code"), error.get("message")
    described = f"{json_codec.write_beginning(code, MAX_CHARACTERS)} {text if isinstance(text, str) else ''}".strip()
    return code, described[:MAX_CHARACTERS]
