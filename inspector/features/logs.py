"""The server's log: which level was asked for, and which frames hold its messages.

The messages stay in the record, which alone holds their bytes; here is only where each one is and how urgent it says to be. What it
belongs to is said only where the wire says so: on HTTP, when it came in the stream that answers a request.

Source: server/utilities/logging; C-LOG-01, C-LOG-02, C-LOG-04.
"""

from __future__ import annotations

import math
from array import array
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from inspector.errors import InspectorError
from inspector.event import Event
from inspector.spec.keys import LOG_LEVELS
from inspector.spec.views.notifications import LogView
from inspector.transcript.text_search import TextPattern
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import Absent, MessageKind, decode_frame, or_null, read

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.transcript.transcript import Transcript
    from inspector.wire.message import Message

SET_LEVEL = "logging/setLevel"
METHOD = "notifications/message"

UNKNOWN = 255
"""Rank of a level that is none of the eight."""

MAX_LINES = 1_000_000
"""Messages whose places are kept, at 9 bytes each; of those before, only the record knows."""

BLOCK = 128
"""Frames looked at between two looks at the clock."""

_SSE = Channel.SSE
_RANKS = {level: rank for rank, level in enumerate(LOG_LEVELS)}


class _Params(msgspec.Struct, gc=False):
    level: str = ""
    logger: str = ""
    data: msgspec.Raw = msgspec.Raw()


class _Notice(msgspec.Struct, gc=False):
    params: _Params


_read_notice = msgspec.json.Decoder(_Notice).decode


class LogLine(NamedTuple):
    """What the row of one message needs, without reading its data."""

    level: str
    """As the server spelled it."""
    rank: int
    """Position among the levels, 0 for debug; `UNKNOWN` for an unknown level."""
    logger: str
    """Who says it; often empty."""
    data: bytes
    """JSON text; empty without data."""


class LogFilter(NamedTuple):
    """Which messages are looked for."""

    terms: tuple[tuple[TextPattern, bool], ...] = ()
    """Text in level, logger or data, and whether it must be there (True) or must not."""
    min_rank: int = 0
    """The minimum rank; messages of unknown levels always match."""


def parse_log_filter(text: str, min_rank: int = 0) -> LogFilter:
    """A filter as typed: all terms must occur, `-term` must not, `*` is any text. Every input is valid."""
    found: list[tuple[TextPattern, bool]] = []
    for position, part in enumerate(text.split('"')):
        for word in [part] if position % 2 else part.split():
            is_required = not word.startswith("-") or position % 2 == 1
            pieces = (word if is_required else word[1:]).split("*")
            if any(pieces):
                found.append((TextPattern(pieces), is_required))
    return LogFilter(tuple(found), min_rank)


class LogLines:
    """Where the log messages of a record are. Observers of the record pull."""

    def __init__(self, transcript: Transcript, *, max_lines: int = MAX_LINES) -> None:
        """Nothing is read before `pull`; of more than `max_lines` messages the latest are kept."""
        self.transcript = transcript
        self.let_go = 0
        """Messages that came before those kept."""
        self._max_lines = max_lines
        self._method = transcript.columns.methods.number(METHOD)
        self._frames = array("I")
        self._members = array("I")
        self._ranks = array("B")
        self._next = 1
        self._batch: tuple[int, list[Message]] = (0, [])

    def __len__(self) -> int:
        """Messages kept."""
        return len(self._frames)

    def pull(self, seconds: float = math.inf) -> int:
        """Take in what came since, for about that long; gives how many frames were not looked at yet.

        Raises:
            StorageError: bytes cannot be read back.
        """
        stop = self.transcript.count + 1
        deadline = perf_counter() + seconds
        while self._next < stop:
            end = min(self._next + BLOCK, stop)
            self._take(self._next, end)
            self._next = end
            if perf_counter() > deadline:
                break
        self._keep_to_budget()
        return stop - self._next

    def frame(self, at: int) -> int:
        """The frame of the message at a position."""
        return self._frames[at]

    def wall(self, at: int) -> float:
        """When it came, seconds since 1970-01-01 UTC."""
        return self.transcript.columns.wall_s[self._frames[at] - 1]

    def line(self, at: int) -> LogLine:
        """The message at a position, for its row.

        Raises:
            StorageError: its bytes cannot be read back.
        """
        return _line_of(self.raw(at))

    def raw(self, at: int) -> bytes:
        """The message as it came; of a batch, the member alone; of a block of an event stream, its data."""
        frame, columns = self._frames[at], self.transcript.columns
        if columns.kind[frame - 1] == MessageKind.BATCH:
            return self._members_of(frame)[self._members[at]].raw
        raw = self.transcript.raw(frame)
        return decode_frame(_SSE, raw).raw if columns.channel[frame - 1] == _SSE else raw

    def view(self, at: int) -> LogView:
        """The message at a position, read whole."""
        return LogView(or_null(read(self.raw(at)).params))

    def cause(self, at: int) -> int:
        """The frame of the request that a message belongs to, if the transport shows it; otherwise 0."""
        columns, index = self.transcript.columns, self._frames[at] - 1
        opener = columns.request[index] or columns.stream[index]
        return opener if opener and columns.kind[opener - 1] == MessageKind.REQUEST else 0

    def matching(self, what: LogFilter, start: int, stop: int) -> array[int]:
        """Positions from `start` to before `stop` of the messages looked for.

        Raises:
            StorageError: bytes that are needed cannot be read back.
        """
        ranks, min_rank = self._ranks, what.min_rank
        found = [at for at in range(start, min(stop, len(self))) if ranks[at] >= min_rank]
        if what.terms and found:
            texts = [_searched(self.line(at)) for at in found]
            for needle, is_required in what.terms:
                hits = set(needle.find_in(texts))
                kept = [at for at in range(len(texts)) if (at in hits) is is_required]
                found, texts = [found[at] for at in kept], [texts[at] for at in kept]
        return array("I", found)

    def _take(self, start: int, stop: int) -> None:
        columns, method_of_logs = self.transcript.columns, self._method
        part = slice(start - 1, stop - 1)
        kinds = columns.kind[part]
        numbers = [
            number
            for number, (kind, method, side) in enumerate(
                zip(kinds, columns.method[part], columns.direction[part], strict=True), start
            )
            if side == Direction.RECEIVED
            and (
                (kind == MessageKind.NOTIFICATION and method == method_of_logs)
                or kind == MessageKind.BATCH
            )
        ]
        raws = self.transcript.raws(start, stop) if numbers else []
        for number in numbers:
            if kinds[number - start] == MessageKind.BATCH:
                self._take_batch(number)
            else:
                raw, channel = raws[number - start], columns.channel[number - 1]
                self._add(number, 0, decode_frame(_SSE, raw).raw if channel == _SSE else raw)

    def _take_batch(self, number: int) -> None:
        for pointer, member in enumerate(self._members_of(number)):
            if member.kind is MessageKind.NOTIFICATION and member.method == METHOD:
                self._add(number, pointer, member.raw)

    def _members_of(self, frame: int) -> list[Message]:
        """The members of a batch, read once for all that are asked for in a row."""
        if self._batch[0] != frame:
            self._batch = (frame, self.transcript.message(frame).members)
        return self._batch[1]

    def _add(self, number: int, pointer: int, raw: bytes) -> None:
        self._frames.append(number)
        self._members.append(pointer)
        self._ranks.append(_line_of(raw).rank)

    def _keep_to_budget(self) -> None:
        """Let go of the oldest, a tenth more than needed: it is a rare and not a cheap thing."""
        if len(self) <= self._max_lines:
            return
        dropped = len(self) - self._max_lines + self._max_lines // 10
        for column in (self._frames, self._members, self._ranks):
            del column[:dropped]
        self.let_go += dropped


class Logs:
    """The log of one session, and the level that the user requested."""

    def __init__(self, session: Session) -> None:
        """Offer the log of `session`; no level is requested before the user does."""
        self.changed: Event[()] = Event()
        self.lines = LogLines(session.transcript)
        self.level = ""
        """The level the server took last; empty while none was asked for."""
        self.asking = ""
        """The level that is being asked for."""
        self.refused = ""
        """The level that `failure` is about."""
        self.failure: InspectorError | None = None
        self._session = session
        session.renewed.subscribe(self.resume)

    @property
    def offered(self) -> bool:
        """Whether the server declared it."""
        return self._session.declares("logging")

    @property
    def goes_along(self) -> bool:
        """Whether the level is sent with every request (C-LOG-03)."""
        return self._session.revision is not None and not self._session.supports(SET_LEVEL)

    async def choose(self, level: str) -> None:
        """Ask for messages of this level and above; a refusal is kept in `failure`.

        How a level travels, as a request of its own or with every request, is the session's business.
        """
        self.asking, self.failure, self.refused = level, None, ""
        self.changed.fire()
        try:
            await self._session.set_log_level(level)
            self.level = self._session.listening.desired.log_level = level
        except InspectorError as error:
            self.failure, self.refused = error, level
        finally:
            self.asking = ""
            self.changed.fire()

    def resume(self) -> None:
        """Ask again for the level of an earlier session, of a server that says that it logs; call it once the session is ready.

        Where the level goes along, the next request has it already.
        """
        level = self._session.listening.desired.log_level
        if not level or not (self.offered or self.goes_along):
            return
        if self.goes_along:
            self._session.log_level = level
        self._session.tasks.spawn(self.choose(level), name="ask for the log level again")


def cause_text(transcript: Transcript, frame: int) -> str:
    """Return the method of a request and its name parameter."""
    columns = transcript.columns
    method = columns.methods.texts[columns.method[frame - 1]]
    return f"{method} {columns.labels.texts[columns.label[frame - 1]]}".strip()


def _line_of(raw: bytes) -> LogLine:
    try:
        level, logger, data = msgspec.structs.astuple(_read_notice(raw).params)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _malformed_line(read(raw))
    return LogLine(level, _RANKS.get(level, UNKNOWN), logger, bytes(data))


def _malformed_line(message: Message) -> LogLine:
    """What the quick reading does not take: members of other types, broken text, no params at all."""
    view = LogView(or_null(message.params))
    level = _value_text(view.raw.get("level")) if isinstance(view.raw, dict) else ""
    logger = _value_text(view.raw.get("logger")) if isinstance(view.raw, dict) else ""
    has_params = not isinstance(message.params, Absent)
    data = view.data if view.has_data else view.raw if has_params and not view.is_object else ""
    text = json_codec.write_bytes(data) if view.has_data or data != "" else b""
    return LogLine(level, UNKNOWN if view.rank is None else view.rank, logger, text)


def _value_text(value: json_codec.Json) -> str:
    """Text as it is, anything else as JSON; nothing for nothing."""
    return value if isinstance(value, str) else "" if value is None else json_codec.write(value)


def _searched(line: LogLine) -> bytes:
    return b" ".join((_bytes(line.level), _bytes(line.logger), line.data))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
