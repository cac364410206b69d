"""What is derived from frames, in their order: index, messages, exchanges, counts, findings.

Live frames come in batches of one moment (`process`); those of a recording in pages of many moments (`process_page`), which takes a
fifth of the time. Both derive the same.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import asdict
from itertools import compress
from typing import TYPE_CHECKING

from msgspec import Struct

from inspector.finding import Finding, Severity
from inspector.frozen import FrozenStruct
from inspector.transcript import event_effects
from inspector.transcript.correlator import Correlator, CorrelatorState
from inspector.transcript.event_effects import Unreachable
from inspector.transcript.findings import Counts, Findings, Probes
from inspector.transcript.http_exchange import CarriedTokens
from inspector.transcript.index import CHANNELS, DIRECTIONS, Columns, FrameFlags
from inspector.transcript.kept_messages import KEPT_BYTES, LATEST_BYTES, KeptMessages
from inspector.transcript.plain_messages import PlainMessages
from inspector.wire.batch import IN_BATCH
from inspector.wire.frame import Channel, Direction, FrameDefect
from inspector.wire.message import (
    DECODERS,
    NO_MESSAGE_CHANNELS,
    UNDECODED,
    Message,
    MessageKind,
    decode_frame,
    read,
)
from inspector.wire.message_kind import LINKED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inspector.transcript.plain_pages import PlainPage
    from inspector.transcript.recording_file import FrameBatch

# Looked up once: that takes a fifth of a microsecond, and there are several for every frame.
_SENT, _RECEIVED = Direction.SENT, Direction.RECEIVED
_HTTP, _NO_DEFECT = Channel.HTTP, FrameDefect.NONE
_BLANK, _EVENT = MessageKind.BLANK_LINE, MessageKind.SSE_OTHER
_WITH_EFFECTS = frozenset({MessageKind.BATCH, MessageKind.MALFORMED, MessageKind.NOTE})

_READERS = tuple(DECODERS.get(channel, read) for channel in CHANNELS)
"""How a frame that may be anything is read, by the number of its channel."""

_KIND_OF_CHANNEL = bytes(NO_MESSAGE_CHANNELS.get(channel, 0) for channel in CHANNELS).ljust(
    256, b"\0"
)
"""What the frames of a channel without messages are; 0 for any other."""

_IS_READ = bytes(
    channel not in NO_MESSAGE_CHANNELS or channel is _HTTP for channel in CHANNELS
).ljust(256, b"\0")
"""Whether the frames of a channel are looked into."""

_PLAIN = "stdout must carry JSON-RPC messages only; this line is text"


class RecordedMessage(FrozenStruct, frozen=True, gc=False):
    """One message as it was processed."""

    number: int
    """Its frame; the members of a batch share one."""
    message: Message
    request: int
    """The frame of the request it belongs to; 0 for none."""


class DerivedState(Struct, frozen=True):
    """What is derived from all frames of a recording, beside the columns, in plain values."""

    counts: dict[str, int]
    methods: list[str]
    labels: list[str]
    tokens: list[tuple[str, ...]]
    dropped: dict[int, int]
    correlator: CorrelatorState
    findings: dict[int, list[Finding]]
    dropped_findings: int
    unreachable: Unreachable | None


class FrameProcessor:
    """Fills the columns and everything beside them."""

    def __init__(self, fingerprint: Callable[[str], str]) -> None:
        """Start empty; `fingerprint` returns the fingerprint of a token."""
        self.columns = Columns()
        self.counts = Counts()
        self.findings = Findings(self.columns, self.counts)
        self.correlator = Correlator(self.columns, self.findings.add)
        self._links = self.correlator.links
        self._plain = PlainMessages(self.columns, self._links)
        self.tokens = CarriedTokens(self.columns, fingerprint)
        self.unreachable: Unreachable | None = None
        self.dropped: dict[int, int] = {}
        """Bytes that were not kept, of the frames that are truncated."""
        self.kept = KeptMessages()
        self._probes = Probes(self.columns, self.findings, self.counts)

    def process(self, batch: FrameBatch) -> list[RecordedMessage]:
        """Process frames of one moment."""
        columns, first = self.columns, batch.first - 1
        direction, channel, lines = batch.direction, batch.channel, batch.lines
        at, wall_s, stream = batch.monotonic_s, batch.wall_s, batch.stream
        columns.grow(len(lines), at, wall_s, direction=direction, channel=channel, stream=stream)
        kinds, sizes, methods = columns.kind, columns.size, columns.method
        fixed, read_one = NO_MESSAGE_CHANNELS.get(channel), DECODERS.get(channel, read)
        taken: list[RecordedMessage] = []
        process, size, others = self.correlator.process, 0, list[MessageKind]()
        for number, line in enumerate(lines, first + 1):
            raw = line.raw
            if line.flaw is _NO_DEFECT:
                message = (
                    Message(fixed, raw) if fixed is not None else line.message or read_one(raw)
                )
            else:
                message = line.message or decode_frame(channel, raw, line.flaw)
                self._note_flaw(number, line.flaw, line.dropped)
            kind = kinds[number - 1] = message.kind
            sizes[number - 1] = full = len(raw) + line.dropped
            size += full
            if message.method:
                methods[number - 1] = columns.methods.number(message.method)
            if len(raw) > KEPT_BYTES:
                self.kept.keep(number, message, len(raw))
            if kind in LINKED:
                taken.append(RecordedMessage(number, message, process(number, direction, message)))
            elif kind in _WITH_EFFECTS:
                taken += self._apply(number, direction, message)
            else:
                taken.append(RecordedMessage(number, message, 0))
                others.append(kind)
        if channel is _HTTP and direction is _SENT:
            self._take_headers(first + 1, [line.raw for line in lines])
        if direction is _RECEIVED and channel in event_effects.RESPONSE_CHANNELS:
            self.unreachable = None
        counts = self.counts
        counts.bytes += size
        counts.pending = self._links.pending
        counts.add_messages(len(lines), direction, channel)
        if others and direction is _RECEIVED:
            counts.leave_out(others.count(_BLANK), others.count(_EVENT))
        return taken

    def process_page(self, page: PlainPage) -> None:
        """Process frames of a recording that have nothing unusual about their rows, and no notes among them."""
        columns, first = self.columns, page.first
        size = columns.add_page(page)
        kinds = page.channels.translate(_KIND_OF_CHANNEL)
        columns.kind[first - 1 :] = array("B", kinds)
        frames = zip(
            range(first, first + len(page.raws)),
            *(page.directions, page.channels, page.raws, page.texts),
            strict=True,
        )
        take = self._plain.take
        for number, side, channel, raw, text in compress(frames, page.channels.translate(_IS_READ)):
            if channel == _HTTP:
                if side == _SENT:
                    self._take_headers(number, (raw,))
            elif not text or len(raw) > LATEST_BYTES or not take(number, side, text):
                message = page.messages.pop(number, None) or _READERS[channel](raw)
                self._process_one(number, side, message, len(raw))
        self._count_page(page, size)

    def _process_one(self, number: int, side: int, message: Message, size: int) -> None:
        columns = self.columns
        kind = columns.kind[number - 1] = message.kind
        if message.method:
            columns.method[number - 1] = columns.methods.number(message.method)
        if size > KEPT_BYTES:
            self.kept.keep(number, message, size)
        if kind in LINKED:
            self.correlator.process(number, DIRECTIONS[side], message)
        elif kind in _WITH_EFFECTS:
            self._apply(number, DIRECTIONS[side], message)

    def state(self) -> DerivedState:
        """Return what is known beside the columns, for `restore`."""
        columns = self.columns
        return DerivedState(
            *(asdict(self.counts), columns.methods.texts, columns.labels.texts, self.tokens.sets),
            *(self.dropped, self.correlator.state(), self.findings.all, self.findings.dropped),
            self.unreachable,
        )

    def restore(
        self, columns: Mapping[str, array[int] | array[float]], state: DerivedState
    ) -> bool:
        """Know what was derived from a recording; nothing can be processed after it. Return False where it is of another form."""
        if not self.columns.replace(columns):
            return False
        for name, count in state.counts.items():
            setattr(self.counts, name, count)
        self.columns.methods.replace(state.methods)
        self.columns.labels.replace(state.labels)
        self.tokens.restore(state.tokens)
        self.dropped, self.unreachable = state.dropped, state.unreachable
        self.correlator.restore(state.correlator)
        self.findings.restore(state.findings, state.dropped_findings)
        return True

    def _take_headers(self, first: int, raws: Sequence[bytes]) -> None:
        columns = self.columns
        for number, raw in enumerate(raws, first):
            stream = columns.stream[number - 1]
            if stream:
                columns.note_left(stream, columns.monotonic_s[number - 1])
            self.tokens.take(number, raw)

    def _count_page(self, page: PlainPage, size: int) -> None:
        counts, columns = self.counts, self.columns
        for (side, channel), number in Counter(
            zip(page.directions, page.channels, strict=True)
        ).items():
            counts.add_messages(number, DIRECTIONS[side], CHANNELS[channel])
            if side == _RECEIVED and channel in event_effects.RESPONSE_CHANNELS:
                self.unreachable = None
        kinds = columns.kind[page.first - 1 :].tobytes()
        if _BLANK in kinds or _EVENT in kinds:
            kinds = bytes(compress(kinds, map(_RECEIVED.__eq__, page.directions)))
            counts.leave_out(kinds.count(_BLANK), kinds.count(_EVENT))
        counts.bytes += size
        counts.pending = self._links.pending

    def _apply(self, number: int, direction: Direction, message: Message) -> list[RecordedMessage]:
        if message.kind is MessageKind.BATCH:
            process = self.correlator.process
            return [
                RecordedMessage(number, member, process(number, direction, member))
                for member in message.members
            ]
        if message.kind is MessageKind.MALFORMED:
            self.findings.add(number, self._of_malformed(number, message))
            take = self.correlator.take_malformed
            taken = [RecordedMessage(number, message, take(number, direction, message))]
            taken += (
                RecordedMessage(number, each, request)
                for each in message.within
                if each.problem == IN_BATCH and (request := take(number, direction, each))
            )
            return taken
        if message.kind is MessageKind.NOTE and isinstance(note := message.value, dict):
            event_effects.apply_event(self.correlator, note)
            self._probes.process(note)
            moment = self.columns.monotonic_s[number - 1], self.columns.wall_s[number - 1]
            self.unreachable = event_effects.update_unreachable(self.unreachable, note, *moment)
        return [RecordedMessage(number, message, 0)]

    def _of_malformed(self, number: int, message: Message) -> Finding:
        """Return the finding about a frame that is no message; on stdout, text that does not even begin like one is L-STD-01."""
        if message.problem == UNDECODED:
            return Finding("not-judged", Severity.INFO, message.problem)
        is_stdout = self.columns.channel[number - 1] == Channel.STDOUT
        line = message.raw.lstrip()
        is_like = line.startswith(b"{") or (line.startswith(b"[") and b'"jsonrpc"' in line)
        if not is_stdout or is_like:
            return Finding("not-a-message", Severity.ERROR, message.problem)
        is_plain = message.problem.startswith("not JSON")
        return Finding("L-STD-01", Severity.ERROR, _PLAIN if is_plain else message.problem)

    def _note_flaw(self, number: int, flaw: FrameDefect, dropped: int) -> None:
        self.columns.flaw[number - 1] = flaw
        if dropped:
            self.dropped[number] = dropped
        if flaw & ~FrameDefect.REDACTED:
            self.columns.flags[number - 1] |= FrameFlags.FLAWED
        if flaw & FrameDefect.TRUNCATED:
            text = f"line too long: {dropped:,} bytes discarded"
            self.findings.add(number, Finding("line-budget", Severity.ERROR, text))
