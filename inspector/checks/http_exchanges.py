"""What the HTTP frames of a record say about each exchange so far: its latest request, and the status and type of the answer to that."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import StorageError
from inspector.transcript.index import FrameFlags
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import MessageKind
from inspector.wire.redaction import is_header_block

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript

MAX_EXCHANGES = 1_000
"""Exchanges that are remembered, the latest; of an older one more may come, and is not checked."""

JSON, STREAM = "application/json", "text/event-stream"
"""The types that the response to a request may have."""

_BY_NUMBER, _KINDS = tuple(Channel), tuple(MessageKind)
_CHANNELS = {Channel.HTTP, Channel.BODY, Channel.SSE}


class ReportedRules:
    """The rules that a recording has broken: a server breaks one with every response, and is told once."""

    def __init__(self) -> None:
        self._rules: set[str] = set()

    def __contains__(self, rule: str) -> bool:
        """Return whether the rule was broken before."""
        return rule in self._rules

    def add(self, rule: str) -> bool:
        """Add a rule and return whether it is new."""
        is_new = rule not in self._rules
        self._rules.add(rule)
        return is_new


class Headers(NamedTuple):
    """A header block."""

    start_line: str
    """The request line or status line."""
    fields: dict[str, str]
    """Values by name in lower case; of a repeated name the last."""

    @property
    def verb(self) -> str:
        """`GET`, `POST` and so on; empty for a response."""
        verb, _, rest = self.start_line.partition(" ")
        return verb if " HTTP/" in rest else ""

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
    pairs = (line.partition(":") for line in lines)
    return Headers(start_line, {name.strip().lower(): value.strip() for name, _, value in pairs})


@dataclass(slots=True)
class Exchange:
    """An HTTP exchange as far as it came."""

    verb: str = ""
    """Of the latest request."""
    sent: dict[str, str] = field(default_factory=dict[str, str])
    """The headers of that, by name in lower case."""
    status: int = 0
    """The status of the latest response; 0 before the first."""
    media_type: str = ""
    """Of the body of that."""

    @property
    def is_good(self) -> bool:
        """Whether the latest response is one of success."""
        return 200 <= self.status < 300


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
    """What it belongs to, itself included."""
    asked: MessageKind | None
    """The kind of the posted message; None for a request without a body, such as GET."""
    method: str
    """The method of that; empty where it has none."""


class Exchanges:
    """The latest exchanges of one record, by the frame that opened them. Takes the frames in their order."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._known: dict[int, Exchange] = {}

    def take(self, number: int) -> HttpFrame | None:
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
        return HttpFrame(number, channel, is_sent, raw, headers, exchange, asked, method)

    def _known_with(self, opener: int, headers: Headers | None, *, is_sent: bool) -> Exchange:
        exchange = self._known.get(opener)
        if exchange is None:
            exchange = self._known[opener] = Exchange()
            if len(self._known) > MAX_EXCHANGES:
                del self._known[next(iter(self._known))]
        if headers is None:
            return exchange
        if is_sent:
            exchange.verb, exchange.sent = headers.verb, headers.fields
            exchange.status, exchange.media_type = 0, ""
        else:
            exchange.status, exchange.media_type = headers.status, headers.media_type
        return exchange

    def _posted(self, opener: int) -> MessageKind | None:
        columns = self._transcript.columns
        is_message = columns.channel[opener - 1] == Channel.BODY
        is_sent = columns.direction[opener - 1] == Direction.SENT
        return _KINDS[columns.kind[opener - 1]] if is_message and is_sent else None
