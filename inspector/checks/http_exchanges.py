"""What the HTTP frames of a record say about each exchange so far: its latest request, and the status and type of the answer to that."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import StorageError
from inspector.rules.rule import Subject
from inspector.transcript.index import FrameFlags, flaw_of
from inspector.wire.frame import Channel, Direction, FrameDefect
from inspector.wire.message import MessageKind
from inspector.wire.redaction import is_header_block

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript
    from inspector.wire.message import Message
    from inspector.wire.sse import SseEvent

MAX_EXCHANGES = 1_000
"""Exchanges that are remembered, the latest; of an older one more may come, and is not checked."""

JSON, STREAM = "application/json", "text/event-stream"
"""The types that the response to a request may have."""

_BY_NUMBER, _KINDS = tuple(Channel), tuple(MessageKind)
_RESPONSES = frozenset({MessageKind.RESPONSE, MessageKind.ERROR})
_OF_MESSAGES = _RESPONSES | {MessageKind.NOTIFICATION, MessageKind.REQUEST}
_CHANNELS = {Channel.HTTP, Channel.BODY, Channel.SSE}


class Headers(NamedTuple):
    """A header block."""

    start_line: str
    """The request line or status line."""
    fields: dict[str, str]
    """Values by name in lower case; of a repeated name the last."""
    lines: tuple[tuple[str, str], ...] = ()
    """Name and value of each header, in their order, repeated ones included."""

    @property
    def verb(self) -> str:
        """`GET`, `POST` and so on; empty for a response."""
        verb, _, rest = self.start_line.partition(" ")
        return verb if " HTTP/" in rest else ""

    @property
    def target(self) -> str:
        """What a request asks for: a path as a rule; empty for a response."""
        return self.start_line.split(" ", 2)[1] if self.verb else ""

    def every(self, name: str) -> list[str]:
        """Return the values of each header of that name, which is in lower case."""
        return [value for each, value in self.lines if each.lower() == name]

    @property
    def status(self) -> int:
        """The status; 0 for a request or a malformed line."""
        parts = self.start_line.split(" ", 2)
        is_status = len(parts) > 1 and parts[0].startswith("HTTP/") and parts[1].isdecimal()
        return int(parts[1][:9]) if is_status else 0

    @property
    def media_type(self) -> str:
        """The type of the body, without parameters."""
        return self.fields.get("content-type", "").partition(";")[0].strip().lower()


def read_headers(raw: bytes) -> Headers:
    """Return what a header block says."""
    start_line, *lines = raw.decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines if line)
    named = tuple((name.strip(), value.strip()) for name, _, value in pairs)
    return Headers(start_line, {name.lower(): value for name, value in named}, named)


@dataclass(slots=True)
class Exchange:
    """An HTTP exchange as far as it came."""

    opener: int = 0
    """The frame that opened it: the posted message, or the headers of a GET or DELETE."""
    opened_s: float = 0.0
    """When that was sent, in monotonic seconds."""
    verb: str = ""
    """Of the latest request."""
    target: str = ""
    """What that asks for."""
    sent: dict[str, str] = field(default_factory=dict[str, str])
    """The headers of that, by name in lower case."""
    requests: int = 0
    """How many requests there were: a stream that ends early is asked for again."""
    status: int = 0
    """The status of the latest response; 0 before the first."""
    media_type: str = ""
    """Of the body of that."""
    received: dict[str, str] = field(default_factory=dict[str, str])
    """The headers of that, by name in lower case."""
    events: int = 0
    """Events of the exchange that had data, a name or an id, before the current frame."""
    messages: int = 0
    """How many of them were messages."""
    first_message_s: float = 0.0
    """When the first of those came."""
    latest_s: float = 0.0
    """When the frame before the current one came."""
    has_ids: bool = False
    """Whether an event had an id."""
    has_retry: bool = False
    """Whether an event set the time after which to connect again."""
    unterminated: int = 0
    """The frame of an event with data that the end of the stream cut off; 0 for none."""
    answered_s: float | None = None
    """When a response came; None before."""
    answer: int = 0
    """The frame of that."""

    @property
    def is_good(self) -> bool:
        """Whether the latest response is one of success."""
        return 200 <= self.status < 300

    @property
    def is_resumed(self) -> bool:
        """Whether the latest request asks for the rest of a stream."""
        return "last-event-id" in self.sent


class HttpFrame(NamedTuple):
    """A frame of an HTTP exchange."""

    number: int
    """Its number."""
    channel: Channel
    """Headers, a body of a message, an event; an other body is on the channel of headers."""
    is_sent: bool
    """Whether Spyglass sent it."""
    raw: bytes
    """What it holds."""
    headers: Headers | None
    """What it says, if it is a header block."""
    exchange: Exchange
    """What it belongs to, as it was before it; of a header block itself included."""
    asked: MessageKind | None
    """The kind of the posted message; None for a request without a body, such as GET."""
    method: str
    """The method of that; empty where it has none."""
    kind: MessageKind
    """What it holds: a message, or the bytes of HTTP."""
    monotonic_s: float
    """When it was recorded."""
    flaw: FrameDefect
    """What is amiss with it as a frame."""
    revision: Revision
    """By which it is checked."""
    event: SseEvent | None
    """What it says, if it is a complete block of an event stream."""
    read: Callable[[], Message]
    """Reads the message that it holds."""


_PLAIN = re.compile(rb"data:[^\r\n]*\n\n\Z")
"""A block with data alone, as most are."""


class Exchanges:
    """The latest exchanges of one record, by the frame that opened them. Takes the frames in their order."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._known: dict[int, Exchange] = {}

    def of(self, opener: int) -> Exchange | None:
        """Return the exchange that a frame opened; None for another frame, or if it is forgotten."""
        return self._known.get(opener)

    def take(self, number: int, revision: Revision) -> HttpFrame | None:
        """Process the next frame; return None if it belongs to no HTTP exchange, or is the message that opens one."""
        columns = self._transcript.columns
        channel = _BY_NUMBER[columns.channel[number - 1]]
        is_sent = columns.direction[number - 1] == Direction.SENT
        opener = columns.stream[number - 1]
        if channel not in _CHANNELS or (is_sent and channel is not Channel.HTTP):
            return None
        if not opener and not is_sent:
            return None
        try:
            raw = self._transcript.raw(number)
        except StorageError:
            return None
        headers = read_headers(raw) if channel is Channel.HTTP and is_header_block(raw) else None
        if headers is not None and columns.flags[number - 1] & FrameFlags.FLAWED:
            return None  # what it lacks may be in the part that is not there
        opener = opener or number
        asked = self._posted(opener)
        method = columns.methods.texts[columns.method[opener - 1]] if asked is not None else ""
        exchange = self._known_with(opener, headers, is_sent=is_sent)
        at_s, flaw = columns.monotonic_s[number - 1], flaw_of(columns, number)
        event = _event_of(raw, flaw) if channel is Channel.SSE else None
        kind = _KINDS[columns.kind[number - 1]]
        read = partial(self._transcript.message, number)
        return HttpFrame(
            number,
            channel,
            is_sent,
            raw,
            headers,
            exchange,
            asked,
            method,
            kind,
            at_s,
            flaw,
            revision,
            event,
            read,
        )

    def add(self, frame: HttpFrame) -> None:
        """Add a frame to its exchange, after it was checked."""
        exchange = frame.exchange
        if frame.is_sent:
            return
        if frame.event is not None:
            _add_event(exchange, frame.event)
        elif frame.channel is Channel.SSE and frame.flaw & FrameDefect.UNTERMINATED:
            exchange.unterminated = frame.number if b"data:" in frame.raw else 0
        if frame.kind in _OF_MESSAGES:
            exchange.messages += 1
            exchange.first_message_s = exchange.first_message_s or frame.monotonic_s
        if frame.kind in _RESPONSES and exchange.answered_s is None:
            exchange.answered_s, exchange.answer = frame.monotonic_s, frame.number
        exchange.latest_s = frame.monotonic_s

    def _known_with(self, opener: int, headers: Headers | None, *, is_sent: bool) -> Exchange:
        exchange = self._known.get(opener)
        if exchange is None:
            opened_s = self._transcript.columns.monotonic_s[opener - 1]
            exchange = self._known[opener] = Exchange(opener, opened_s)
            if len(self._known) > MAX_EXCHANGES:
                del self._known[next(iter(self._known))]
        if headers is None:
            return exchange
        if is_sent:
            exchange.verb, exchange.target, exchange.sent = (
                headers.verb,
                headers.target,
                headers.fields,
            )
            exchange.requests += 1
            exchange.status, exchange.media_type, exchange.received = 0, "", {}
        else:
            exchange.status, exchange.media_type = headers.status, headers.media_type
            exchange.received = headers.fields
        return exchange

    def _posted(self, opener: int) -> MessageKind | None:
        columns = self._transcript.columns
        is_message = columns.channel[opener - 1] == Channel.BODY
        is_sent = columns.direction[opener - 1] == Direction.SENT
        return _KINDS[columns.kind[opener - 1]] if is_message and is_sent else None


def _event_of(raw: bytes, flaw: FrameDefect) -> SseEvent | None:
    if flaw & (FrameDefect.UNTERMINATED | FrameDefect.TRUNCATED):
        return None
    from inspector.wire.sse import PLAIN_EVENT, read_block  # brings httpx

    return PLAIN_EVENT if _PLAIN.match(raw) else read_block(raw)


def _add_event(exchange: Exchange, event: SseEvent) -> None:
    exchange.events += not event.is_comment
    exchange.has_ids |= bool(event.id)
    exchange.has_retry |= event.retry_ms is not None


def http_subject(frame: HttpFrame) -> Subject | None:
    """Return what rules see in a frame of HTTP; None for what they do not look at, such as our own headers."""
    if frame.is_sent or frame.exchange.verb == "CONNECT":
        return None
    if frame.channel is Channel.SSE:
        return Subject.EVENT
    if frame.headers is None:
        return Subject.BODY if frame.raw.strip() else None
    return Subject.HTTP if frame.exchange.status else None
