"""The append-only transcript of one session: every frame in order, and what is derived from them.

Live or read from a recording, every frame is processed in the same order: it is kept, read as a message and added to its exchange; then
`appended` is fired, once for each batch. All of this runs in the thread of the event loop; only the file is written elsewhere (`batch_writer.py`).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from inspector.clock import Clock, SystemClock
from inspector.event import Event
from inspector.transcript.annotations import Annotations
from inspector.transcript.batch_writer import BatchWriter, FrameCache
from inspector.transcript.exchange import STATUSES, Exchange, Round, Status
from inspector.transcript.frame_contents import FrameContents
from inspector.transcript.frame_processor import FrameProcessor
from inspector.transcript.index import CHANNELS, DIRECTIONS, Row, flaw_of
from inspector.transcript.operation_rows import OperationRows
from inspector.transcript.plain_pages import PlainPage
from inspector.transcript.recording_file import FrameBatch, RecordingFile
from inspector.transcript.recording_loader import RecordingLoader
from inspector.transcript.redaction import Redaction
from inspector.transcript.unfinished import Unfinished
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction, Frame
from inspector.wire.line_splitter import RawChunk
from inspector.wire.message import Message, decode_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from inspector.errors import StorageError
    from inspector.finding import Finding
    from inspector.transcript.event_effects import Unreachable
    from inspector.transcript.findings import Counts
    from inspector.transcript.frame_processor import DerivedState, RecordedMessage
    from inspector.transcript.http_exchange import CarriedTokens
    from inspector.transcript.index import Columns
    from inspector.transcript.index_cache import Derived
    from inspector.transcript.recording_reader import RecordingReader
    from inspector.transcript.rule_findings import RuleFindings
    from inspector.transcript.stored_rows import Decoded
    from inspector.wire.json_codec import Json

FRAME_LIMIT = 5_000_000
"""Frames of one session: some 80 bytes of each stay in memory."""

RECORDING_CACHE_BYTES = 20 << 20
"""Memory for the latest frames of a recording: all of them can be read back."""


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
        self.live = file is None
        self.redaction = Redaction()
        self.annotations = Annotations(store.path if store is not None else None)
        self._frames = FrameProcessor(self.redaction.fingerprint)
        self.columns: Columns = self._frames.columns
        self.kept = self._frames.kept
        self.counts: Counts = self._frames.counts
        self.tokens: CarriedTokens = self._frames.tokens
        self.metadata: dict[str, str] = dict(file.facts) if file is not None else {}
        self._clock = clock or SystemClock()
        self.unfinished = Unfinished(self._clock)
        self._file = store or file
        self._failure = failure
        self.recent = FrameCache() if file is None else FrameCache(RECORDING_CACHE_BYTES)
        """The bytes of frames in memory."""
        self.contents = FrameContents(self.recent, self._file)
        self._recorder: BatchWriter | None = None
        if store is not None:
            self._recorder = BatchWriter(store, self.recent, self.redaction)
            self._recorder.failed.subscribe(self._on_storage_failed)
            self._recorder.drained.subscribe(self.drained.fire)
        self._correlator = self._frames.correlator
        self._findings = self._frames.findings
        self.forget_findings: Callable[[Collection[str]], Iterator[None]] = self._findings.forget
        """Forgets the findings of rules; the caller fires `findings_changed`."""
        self.rule_findings: Mapping[str, RuleFindings] = self._findings.by_rule
        """The findings of each rule that found something, by its id."""
        self._last: tuple[int, Message] | None = None
        self._operations: OperationRows | None = None

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
    def operations(self) -> OperationRows:
        """Its frames as operations; a reader lets them `advance` first."""
        if self._operations is None:
            self._operations = OperationRows(self)
        return self._operations

    @property
    def failure(self) -> StorageError | None:
        """Why there is no file, or why it is no longer written; the frames stay in memory then."""
        return self._recorder.failure if self._recorder is not None else self._failure

    @property
    def is_congested(self) -> bool:
        """True while reading should pause until `drained` is fired; a full transcript stays congested."""
        return self.is_full or (self._recorder is not None and self._recorder.is_congested)

    @property
    def unreachable(self) -> Unreachable | None:
        """Set while the server cannot be reached, over a transport without a lasting connection."""
        return self._frames.unreachable

    @property
    def dropped_findings(self) -> int:
        """Findings beyond the budget; their frames are marked nevertheless."""
        return self._findings.dropped

    def append(
        self, direction: Direction, channel: Channel, lines: Sequence[RawChunk], stream: int = 0
    ) -> list[RecordedMessage]:
        """Record frames that are sent or received now, in the HTTP exchange that the frame `stream` opened, and read them."""
        at, wall_s = self._clock.monotonic(), self._clock.wall_s()
        times = self.columns.monotonic_s
        first = len(times) + 1
        if lines and lines[0].held_s:
            # Not before the frame above it: lookups by time take the column for sorted.
            held_s = min(lines[0].held_s, max(0.0, at - times[-1])) if times else lines[0].held_s
            at, wall_s = at - held_s, wall_s - held_s
        crossing = FrameBatch(first, direction, channel, at, wall_s, stream, lines)
        cost = self.recent.add([line.raw for line in lines])
        if self._recorder is not None:
            self._recorder.add(crossing, cost)
        frames = self._frames
        before = frames.unreachable
        taken = frames.process(crossing)
        self.appended.fire()
        if first + len(lines) > FRAME_LIMIT and not self.is_full:
            self.is_full = True
            self.filled.fire()
        if frames.unreachable is not before:
            self.reach_changed.fire()
        return taken

    def take_stored(self, page: Sequence[Decoded | PlainPage], until: float) -> int:
        """Process frames of a recording as `append` did, with findings about their rows; the caller fires `appended` when it suits.

        Processes at least one item of the page, and no more once `time.perf_counter()` is past `until`; returns how many.
        """
        count = 0
        for item in page:
            if isinstance(item, PlainPage):
                self.recent.add(item.raws)
                self._frames.process_page(item)
            else:
                self._take_decoded(*item)
            count += 1
            if time.perf_counter() >= until:
                break
        self.recent.evict(self.count)
        return count

    def _take_decoded(
        self, crossing: FrameBatch, findings: tuple[Finding, ...], is_substitute: bool
    ) -> None:
        self._correlator.has_gaps |= is_substitute
        self.recent.add([line.raw for line in crossing.lines])
        self._frames.process(crossing)
        for finding in findings:
            self.add_finding(crossing.first, finding)

    def restore(self, derived: Derived) -> bool:
        """Take what was derived from this recording before, instead of `take_stored`; False where it is of another form."""
        if not self._frames.restore(derived.columns, derived.state):
            return False
        self.recent.skip(self.count)
        self.appended.fire()
        return True

    def derived_state(self) -> DerivedState:
        """Return what was derived beside the columns, for `restore`."""
        return self._frames.state()

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
        return self.contents.raw(number)

    def raws(self, start: int, stop: int) -> list[bytes]:
        """Return the bytes of the frames from `start` to before `stop`; reads the file once for those not in memory."""
        return self.contents.raws(start, stop)

    def frame(self, number: int) -> Frame:
        """Return a whole frame."""
        row = self.row(number)
        flaw = flaw_of(self.columns, number)
        dropped = self._frames.dropped.get(number, 0)
        return Frame(
            number,
            *(row.direction, row.channel, row.monotonic_s, row.wall_s),
            *(self.raw(number), flaw, dropped, self.columns.stream[number - 1]),
        )

    def message(self, number: int) -> Message:
        """Return the message in a frame."""
        if (kept := self.kept.find(number, self.raw)) is not None:
            return kept
        if (held := self.contents.held_message(number)) is not None:
            return held
        if self._last is None or self._last[0] != number:
            flaw = flaw_of(self.columns, number)
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

    @property
    def all_findings(self) -> dict[int, list[Finding]]:
        """The findings that are kept, by frame."""
        return self._findings.all

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
        await self.annotations.flush()

    def _on_storage_failed(self) -> None:
        assert self.failure is not None
        self.note("not-recorded", f"{self.failure.reason}; recording continues in memory only")
