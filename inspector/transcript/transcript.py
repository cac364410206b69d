"""The append-only transcript of one session: every frame in order, and what is derived from them.

Live or read from a recording, every frame is processed in the same order: it is kept, read as a message and added to its exchange; then
`appended` is fired, once for each batch. All of this runs in the thread of the event loop; only the file is written elsewhere (`batch_writer.py`).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from inspector.clock import Clock, SystemClock
from inspector.event import Event
from inspector.finding import Finding, Severity
from inspector.frozen import FrozenStruct
from inspector.transcript import event_effects
from inspector.transcript.annotations import Annotations
from inspector.transcript.batch_writer import BatchWriter, FrameCache
from inspector.transcript.correlator import Correlator
from inspector.transcript.exchange import STATUSES, Exchange, Round, Status
from inspector.transcript.findings import Counts, Findings, Probes
from inspector.transcript.http_exchange import CarriedTokens
from inspector.transcript.index import CHANNELS, DIRECTIONS, Columns, FrameFlags, Row
from inspector.transcript.recording_file import FrameBatch, RecordingFile
from inspector.transcript.recording_loader import RecordingLoader
from inspector.transcript.redaction import Redaction
from inspector.transcript.unfinished import Unfinished
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction, Frame, FrameDefect
from inspector.wire.line_splitter import RawChunk
from inspector.wire.message import (
    DECODERS,
    LINKED,
    NO_MESSAGE_CHANNELS,
    Message,
    MessageKind,
    decode_frame,
    read,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from inspector.errors import StorageError
    from inspector.transcript.recording_reader import RecordingReader
    from inspector.transcript.stored_rows import Decoded
    from inspector.wire.json_codec import Json

FRAME_LIMIT = 5_000_000
"""Frames of one session: some 80 bytes of each stay in memory."""

# Looked up once: that takes a fifth of a microsecond, and there are several for every frame.
_SENT, _RECEIVED = Direction.SENT, Direction.RECEIVED
_HTTP, _NO_DEFECT = Channel.HTTP, FrameDefect.NONE
_WITH_EFFECTS = frozenset({MessageKind.BATCH, MessageKind.MALFORMED, MessageKind.NOTE})

LARGE_BYTES = 1 << 20
"""The latest message above this size is kept as read: several receivers of `appended` need it at once."""


class RecordedMessage(FrozenStruct, frozen=True, gc=False):
    """One message as it was processed."""

    number: int
    """Its frame; the members of a batch share one."""
    message: Message
    request: int
    """The frame of the request it belongs to; 0 for none."""


class Transcript:
    """The frames, numbered from 1, and their index, messages, exchanges and findings."""

    def __init__(
        self,
        store: RecordingFile | None = None,
        *,
        clock: Clock | None = None,
        file: RecordingReader | None = None,
        failure: StorageError | None = None,
    ) -> None:
        """Record into `store`, or without one in memory alone, because of `failure`; or hold what is read from `file`."""
        self.appended: Event[()] = Event()
        self.findings_changed: Event[()] = Event()
        self.reach_changed: Event[()] = Event()
        self.filled: Event[()] = Event()
        self.drained: Event[()] = Event()
        self.is_full = False
        self.unreachable: event_effects.Unreachable | None = None
        self.live = file is None
        self.columns = Columns()
        self.counts = Counts()
        self.metadata: dict[str, str] = dict(file.facts) if file is not None else {}
        self.redaction = Redaction()
        self.annotations = Annotations()
        self.tokens = CarriedTokens(self.columns, self.redaction.fingerprint)
        self._clock = clock or SystemClock()
        self.unfinished = Unfinished(self._clock)
        self._file = store or file
        self._failure = failure
        self.recent = FrameCache()
        """The bytes of frames in memory."""
        self._recorder: BatchWriter | None = None
        if store is not None:
            self._recorder = BatchWriter(store, self.recent, self.redaction)
            self._recorder.failed.subscribe(self._on_storage_failed)
            self._recorder.drained.subscribe(self.drained.fire)
        self._correlator = Correlator(self.columns, self.add_finding)
        self._findings = Findings(self.columns, self.counts)
        self._probes = Probes(self.columns, self._findings, self.counts)
        self._flaws: dict[int, tuple[FrameDefect, int]] = {}
        self._last: tuple[int, Message] | None = None
        self._large: tuple[int, Message] | None = None

    @classmethod
    def create(
        cls, path: Path, *, facts: dict[str, str] | None = None, clock: Clock | None = None
    ) -> Transcript:
        """Create a new file with `facts` about the session.

        Raises:
            StorageError: the file cannot be made.
        """
        transcript = cls(RecordingFile.create(path), clock=clock)
        transcript.set_metadata(facts or {})
        return transcript

    @classmethod
    async def open(cls, path: Path) -> Transcript:
        """Read a whole file, in slices so that the event loop keeps running.

        Raises:
            StorageError: it is missing, no recording, or of a form that cannot be read.
        """
        loader = await RecordingLoader.open(path)
        transcript = cls(file=loader.file)
        await loader.load(transcript)
        return transcript

    @property
    def path(self) -> Path | None:
        """The file, if there is one."""
        return self._file.path if self._file is not None else None

    @property
    def failure(self) -> StorageError | None:
        """Why there is no file, or why it is no longer written; the frames stay in memory then."""
        return self._recorder.failure if self._recorder is not None else self._failure

    @property
    def is_congested(self) -> bool:
        """True while reading should pause until `drained` is fired; a full transcript stays congested."""
        return self.is_full or (self._recorder is not None and self._recorder.is_congested)

    @property
    def dropped_findings(self) -> int:
        """Findings beyond the budget; their frames are marked nevertheless."""
        return self._findings.dropped

    def append(
        self, direction: Direction, channel: Channel, lines: Sequence[RawChunk], stream: int = 0
    ) -> list[RecordedMessage]:
        """Record frames that are sent or received now, in the HTTP exchange that the frame `stream` opened, and read them."""
        at, wall_s = self._clock.monotonic(), self._clock.wall_s()
        first = len(self.columns.monotonic_s) + 1
        crossing = FrameBatch(first, direction, channel, at, wall_s, stream, lines)
        if self._recorder is not None:
            self._recorder.add(crossing)
        before = self.unreachable
        taken = self._take(crossing)
        self.appended.fire()
        if first + len(lines) > FRAME_LIMIT and not self.is_full:
            self.is_full = True
            self.filled.fire()
        if self.unreachable is not before:
            self.reach_changed.fire()
        return taken

    def take_stored(self, page: Sequence[Decoded], until: float) -> int:
        """Process frames of a recording as `append` did, with findings about their rows.

        Processes at least one item of the page, and no more once `time.perf_counter()` is past `until`; returns how many.
        """
        count = 0
        for crossing, findings, is_substitute in page:
            self._correlator.has_gaps |= is_substitute
            self._take(crossing)
            for finding in findings:
                self.add_finding(crossing.first, finding)
            count += 1
            if time.perf_counter() >= until:
                break
        self.recent.evict(self.count)
        self.appended.fire()
        return count

    def note(self, event: str, text: str, **facts: Json) -> int:
        """Record a note of Spyglass about the connection or a request; returns its frame number."""
        raw = json_codec.write_bytes({"event": event, "words": text, **facts})
        self.append(Direction.NOTE, Channel.NOTE, [RawChunk(raw)])
        return self.count

    def set_metadata(self, facts: dict[str, str]) -> None:
        """Keep facts about the session with the transcript."""
        self.metadata |= facts
        if self._recorder is not None:
            self._recorder.set_metadata(facts)

    @property
    def count(self) -> int:
        """Number of the latest frame."""
        return len(self.columns.monotonic_s)

    def row(self, number: int) -> Row:
        """Return what the index has of a frame."""
        return self.columns.row(number)

    def raw(self, number: int) -> bytes:
        """Return the bytes of a frame.

        Raises:
            StorageError: they are in the file and it cannot be read.
        """
        kept = self.recent.get(number)
        if kept is not None or self._file is None:
            return kept or b""
        return next(iter(self._file.raws(number, number + 1)), b"")

    def raws(self, start: int, stop: int) -> list[bytes]:
        """Return the bytes of the frames from `start` to before `stop`; reads the file once for those not in memory."""
        first = min(max(self.recent.first, start), stop)
        old = self._file.raws(start, first) if self._file is not None and first > start else []
        return self.recent.restored(start, old) + self.recent.between(first, stop)

    def frame(self, number: int) -> Frame:
        """Return a whole frame."""
        row = self.row(number)
        flaw, dropped = self._flaws.get(number, (FrameDefect.NONE, 0))
        return Frame(
            number,
            *(row.direction, row.channel, row.monotonic_s, row.wall_s),
            *(self.raw(number), flaw, dropped, self.columns.stream[number - 1]),
        )

    def message(self, number: int) -> Message:
        """Return the message in a frame."""
        if self._large is not None and self._large[0] == number:
            return self._large[1]
        if self._last is None or self._last[0] != number:
            flaw, _ = self._flaws.get(number, (_NO_DEFECT, 0))
            channel = CHANNELS[self.columns.channel[number - 1]]
            self._last = (number, decode_frame(channel, self.raw(number), flaw))
        return self._last[1]

    def exchange(self, number: int) -> Exchange | None:
        """Return the exchange of a frame; None without one."""
        columns = self.columns
        request = columns.request[number - 1]
        if not request:
            return None
        at, response = request - 1, columns.response[request - 1] or None
        return Exchange(
            request=request,
            response=response,
            method=columns.methods.texts[columns.method[at]],
            label=columns.labels.texts[columns.label[at]],
            id=self.message(request).id,
            direction=DIRECTIONS[columns.direction[at]],
            status=self.status(request),
            started_at=self.columns.left_at(request),
            ended_at=columns.monotonic_s[response - 1] if response else None,
            rounds=tuple(map(self._round, self._correlator.rounds.rounds(request))),
            is_out_of_reach=self.unreachable is not None
            and self.status(request) in {Status.PENDING, Status.OPEN},
            retry=self._correlator.rounds.retry(request),
            retry_count=self._correlator.rounds.retry_count(request),
            given_up_at=self._correlator.given_up.get(request, 0),
        )

    def members(self, request: int) -> tuple[int, ...]:
        """Return the frames of the exchange of `request`, in order: requests, progress, cancellation, responses."""
        owner, found, at = self.columns.request, list[int](), request - 1
        try:
            while True:
                at = owner.index(request, at) + 1
                found.append(at)
        except ValueError:
            return tuple(found)

    def _round(self, request: int) -> Round:
        at = self.columns.monotonic_s
        response = (
            self._correlator.rounds.response(request) or self.columns.response[request - 1] or None
        )
        ended_at = at[response - 1] if response else None
        return Round(request, response, self.columns.left_at(request), ended_at)

    def took_seconds(self, request: int) -> float | None:
        """Return the time from a request to its response, or until it was given up; None for a pending one."""
        last = self.columns.response[request - 1] or self._correlator.given_up.get(request, 0)
        if not last:
            return None
        return max(0.0, self.columns.monotonic_s[last - 1] - self.columns.left_at(request))

    def status(self, request: int) -> Status:
        """Return the state of a request; `Status.NONE` for other frames."""
        return STATUSES[self.columns.status[request - 1]]

    def open_requests(self, direction: Direction) -> list[int]:
        """Return the frames of the pending requests of one side."""
        return self._correlator.open_requests(direction)

    def findings(self, number: int) -> tuple[Finding, ...]:
        """Return the findings about a frame."""
        return self._findings.of(number)

    def add_finding(self, number: int, finding: Finding) -> None:
        """Keep a finding about a frame; the caller fires `findings_changed` after the last one."""
        self._findings.add(number, finding)

    async def aclose(self) -> None:
        """Write what is left; may be called twice. The transcript stays readable."""
        if self._recorder is not None:
            await self._recorder.aclose()

    def _on_storage_failed(self) -> None:
        assert self.failure is not None
        self.note("not-recorded", f"{self.failure.reason}; recording continues in memory only")

    def _take(self, crossing: FrameBatch) -> list[RecordedMessage]:
        """Process frames of one moment."""
        columns, first = self.columns, crossing.first - 1
        direction, channel, lines = crossing.direction, crossing.channel, crossing.lines
        at, wall_s, stream = crossing.monotonic_s, crossing.wall_s, crossing.stream
        columns.grow(len(lines), at, wall_s, direction=direction, channel=channel, stream=stream)
        self.recent.add([line.raw for line in lines])
        kinds, sizes, methods = columns.kind, columns.size, columns.method
        fixed, read_one = NO_MESSAGE_CHANNELS.get(channel), DECODERS.get(channel, read)
        taken: list[RecordedMessage] = []
        process, size = self._correlator.process, 0
        for number, line in enumerate(lines, first + 1):
            raw = line.raw
            if line.flaw is _NO_DEFECT:
                message = read_one(raw) if fixed is None else Message(fixed, raw)
            else:
                message = decode_frame(channel, raw, line.flaw)
                self._note_flaw(number, line.flaw, line.dropped)
            kind = kinds[number - 1] = message.kind
            sizes[number - 1] = full = len(raw) + line.dropped
            size += full
            if message.method:
                methods[number - 1] = columns.methods.number(message.method)
            if len(raw) > LARGE_BYTES:
                self._large = (number, message)
            if kind in LINKED:
                taken.append(RecordedMessage(number, message, process(number, direction, message)))
            elif kind in _WITH_EFFECTS:
                taken += self._apply(number, direction, message)
            else:
                taken.append(RecordedMessage(number, message, 0))
        if channel is _HTTP and direction is _SENT:
            if stream:
                self.columns.note_left(stream, at)
            self.tokens.take(first + 1, lines)
        if (
            self.unreachable
            and direction is _RECEIVED
            and channel in event_effects.RESPONSE_CHANNELS
        ):
            self.unreachable = None
        self.counts.add(kinds, first, size, direction, channel)
        self.counts.pending = self._correlator.pending
        return taken

    def _apply(self, number: int, direction: Direction, message: Message) -> list[RecordedMessage]:
        if message.kind is MessageKind.BATCH:
            process = self._correlator.process
            return [
                RecordedMessage(number, member, process(number, direction, member))
                for member in message.members
            ]
        if message.kind is MessageKind.MALFORMED:
            self.add_finding(number, Finding("not-a-message", Severity.ERROR, message.problem))
            request = self._correlator.take_malformed(number, direction, message)
            return [RecordedMessage(number, message, request)]
        if message.kind is MessageKind.NOTE and isinstance(note := message.value, dict):
            event_effects.apply_event(self._correlator, note)
            self._probes.process(note)
            moment = self.columns.monotonic_s[number - 1], self.columns.wall_s[number - 1]
            self.unreachable = event_effects.update_unreachable(self.unreachable, note, *moment)
        return [RecordedMessage(number, message, 0)]

    def _note_flaw(self, number: int, flaw: FrameDefect, dropped: int) -> None:
        self._flaws[number] = (flaw, dropped)
        if flaw & ~FrameDefect.REDACTED:
            self.columns.flags[number - 1] |= FrameFlags.FLAWED
        if flaw & FrameDefect.TRUNCATED:
            text = f"line too long: {dropped:,} bytes discarded"
            self.add_finding(number, Finding("line-budget", Severity.ERROR, text))
