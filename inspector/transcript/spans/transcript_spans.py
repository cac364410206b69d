"""The spans of one transcript by track, live or from a recording: built in slices, from the index of the frames.

Times are seconds since 1970-01-01 UTC, made of the monotonic time of each frame, so that a clock that was set meanwhile bends nothing.
They are in the order of the frames in any case: a frame of a damaged recording that would be before the frame above it is beside it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right, insort
from itertools import accumulate, compress
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from inspector.transcript.event_effects import note_at
from inspector.transcript.exchange import STATUSES, Status
from inspector.transcript.findings import PROBE
from inspector.transcript.index import FrameFlags
from inspector.transcript.spans.arrays import Points, Spans
from inspector.transcript.spans.ended import NOT_ENDED, OpenRequests
from inspector.transcript.spans.http_track import HttpTrack
from inspector.transcript.spans.task_track import TaskTrack
from inspector.transcript.spans.track import (
    ERRORS,
    NOTES,
    NOTIFICATIONS,
    REQUESTS,
    RESPONSES,
    STDERR,
    TONE_OF_STATUS,
    Chunk,
    SpanTone,
    Track,
)
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inspector.transcript.transcript import Transcript

CHUNK = 1_024
"""Frames that are processed between two looks at the clock."""
MAX_NOTES = 500
"""Notes of Spyglass that are read for what they tell of the process."""

PROCESS_EVENTS = frozenset({"started", "exited", "signal", "stdout-closed", "closed"})
"""Notes about the process or the connection, shown where they happened."""


class ProcessEvent(NamedTuple):
    """A note about the process."""

    number: int
    """Its frame."""
    at_s: float
    event: str
    text: str


class TranscriptSpans:
    """All tracks of one transcript."""

    def __init__(self, transcript: Transcript) -> None:
        """Start without frames; `advance` takes them."""
        self.transcript = transcript
        self.notifications, self.stderr = Points(), Points()
        self.requests = {Direction.SENT: Spans(), Direction.RECEIVED: Spans()}
        self.tasks, self.http = Spans(), Spans()
        self.tracks: dict[Track, Points] = {
            Track.REQUESTS_OUT: self.requests[Direction.SENT],
            Track.REQUESTS_IN: self.requests[Direction.RECEIVED],
            Track.NOTIFICATIONS: self.notifications,
            Track.TASKS: self.tasks,
            Track.HTTP: self.http,
            Track.PROCESS: self.stderr,
        }
        self.errors = array("d")
        """When errors and malformed frames were sent or received, in order."""
        self.tool_errors = array("d")
        """When calls ended whose result is an error, in order: no errors as messages, and known later than the frames around them."""
        self.events: list[ProcessEvent] = []
        """Notes about the process, oldest first."""
        self.taken = 0
        """Frames that have been taken."""
        self._offset_s = 0.0
        self._latest_s = -inf
        self._open = OpenRequests(transcript)
        self._tasks = TaskTrack(self)
        self._streams = HttpTrack(self)
        self._notes_read = 0

    @property
    def is_complete(self) -> bool:
        """Whether all frames so far have been taken."""
        return self.taken >= self.transcript.count

    @property
    def first_s(self) -> float:
        """When the first frame was sent or received; infinite without frames."""
        return self.transcript.columns.monotonic_s[0] + self._offset_s if self.taken else inf

    @property
    def last_s(self) -> float:
        """When the latest frame that was taken was sent or received; infinite in the past without frames."""
        return self._latest_s

    @property
    def is_over(self) -> bool:
        """Whether the connection has ended: nothing that is open gets longer."""
        ended = bool(self.events) and self.events[-1].event in {"closed", "exited"}
        return ended or not self.transcript.live

    @property
    def is_waiting(self) -> bool:
        """Whether requests wait for a response, so that time passes without frames."""
        return not self.is_over and self._open.is_waiting

    def moment_s(self, monotonic_s: float) -> float:
        """A moment on the clock of this session in seconds since 1970-01-01 UTC."""
        return monotonic_s + self._offset_s

    def advance(self, until: float) -> bool:
        """Take frames until `time.perf_counter()` is past `until`; returns whether anything was taken or has ended."""
        before, changed = self.taken, False
        while not self.is_complete:
            stop = min(self.transcript.count, self.taken + CHUNK)
            self._take(self.taken + 1, stop + 1)
            if perf_counter() >= until:
                break
        for request in self._open.ended(()):
            self._finish(request)
            changed = True
        return changed or self.taken > before

    def at_s(self, number: int) -> float:
        """When a frame was sent or received."""
        return self.transcript.columns.monotonic_s[number - 1] + self._offset_s

    def frames_between(self, first_s: float, last_s: float) -> int:
        """How many frames were sent or received in that time, both ends included."""
        times, offset = self.transcript.columns.monotonic_s, self._offset_s
        stop = bisect_right(times, last_s - offset, 0, self.taken)
        return max(stop - bisect_left(times, first_s - offset, 0, self.taken), 0)

    def number_at(self, at_s: float) -> int:
        """The first frame that is not before a moment; 0 without one."""
        times = self.transcript.columns.monotonic_s
        at = bisect_left(times, at_s - self._offset_s, 0, self.taken)
        return at + 1 if at < self.taken else 0

    def errors_between(self, first_s: float, last_s: float) -> int:
        """How many errors, tool errors and malformed frames there were in that time."""
        return sum(
            bisect_right(moments, last_s) - bisect_left(moments, first_s)
            for moments in (self.errors, self.tool_errors)
        )

    def end_of(self, request: int) -> float:
        """When a request ended; infinite for one that goes on."""
        columns = self.transcript.columns
        if columns.status[request - 1] in NOT_ENDED:
            return inf
        if response := columns.response[request - 1]:
            return self.at_s(response)
        took = self.transcript.took_seconds(request) or 0.0
        return columns.left_at(request) + self._offset_s + took

    def tone_of(self, request: int) -> int:
        """How severe the outcome of a request is; that of a probe was expected."""
        if self.transcript.columns.flags[request - 1] & FrameFlags.PROBE:
            return SpanTone.NORMAL
        return TONE_OF_STATUS[self.transcript.columns.status[request - 1]]

    def _take(self, start: int, stop: int) -> None:
        """Take the frames from `start` to before `stop`."""
        columns = self.transcript.columns
        if not self.taken:
            self._offset_s = columns.wall_s[0] - columns.monotonic_s[0]
        first, last, offset = start - 1, stop - 1, self._offset_s
        moments = (at + offset for at in columns.monotonic_s[first:last])
        times = list(accumulate(moments, max, initial=self._latest_s))[1:]
        chunk = Chunk(range(start, stop), times, columns.kind[first:last].tobytes())
        self._latest_s, self.taken = times[-1], last
        self.notifications.add_all(*chunk.chosen(NOTIFICATIONS))
        self.stderr.add_all(*chunk.chosen(STDERR))
        self.errors.extend(chunk.chosen(ERRORS)[1])
        self._take_requests(*chunk.chosen(REQUESTS))
        self._streams.take(chunk)
        self._tasks.take(chunk)
        for request in self._open.ended(chunk.chosen(RESPONSES)[0]):
            self._finish(request)
        for number, at_s in zip(*chunk.chosen(NOTES), strict=True):
            self._take_note(number, at_s)

    def _take_requests(self, numbers: Sequence[int], times: Sequence[float]) -> None:
        columns = self.transcript.columns
        directions, status = columns.direction, columns.status
        sides = [directions[number - 1] for number in numbers]
        for direction, spans in self.requests.items():
            marks = [side == direction for side in sides]
            chosen = list(compress(numbers, marks))
            if chosen:
                ends = [self.end_of(number) for number in chosen]
                tones = [TONE_OF_STATUS[status[number - 1]] for number in chosen]
                spans.add_spans(chosen, list(compress(times, marks)), ends, tones)
                self._note_errors(chosen, ends)
                self._open.add(n for n, end_s in zip(chosen, ends, strict=True) if end_s == inf)

    def _note_errors(self, requests: Iterable[int], ends: Iterable[float]) -> None:
        """Take note of tool errors."""
        status = self.transcript.columns.status
        for request, end_s in zip(requests, ends, strict=True):
            if STATUSES[status[request - 1]] is Status.TOOL_ERROR:
                insort(self.tool_errors, end_s)

    def _finish(self, request: int) -> None:
        spans = self.requests[Direction(self.transcript.columns.direction[request - 1])]
        at = spans.position_of(request)
        if at >= 0:
            end_s = self.end_of(request)
            spans.finish(at, end_s, self.tone_of(request))
            self._note_errors((request,), (end_s,))
        self._tasks.finish(request)
        self._streams.finish(request)

    def _take_note(self, number: int, at_s: float) -> None:
        if self._notes_read >= MAX_NOTES:
            return
        self._notes_read += 1
        note = note_at(self.transcript, number)
        event, request = str(note.get("event")), note.get("request")
        if event == PROBE and isinstance(request, int):
            self._set_aside(request)
        if event in PROCESS_EVENTS:
            self.events.append(ProcessEvent(number, at_s, event, str(note.get("words", ""))))

    def _set_aside(self, probe: int) -> None:
        """Show a request as one whose error was expected, once it is known to be a probe."""
        columns = self.transcript.columns
        if not 0 < probe <= len(columns) or not columns.flags[probe - 1] & FrameFlags.PROBE:
            return
        self._finish(probe)
        response = columns.response[probe - 1]
        if response and columns.kind[response - 1] == MessageKind.ERROR:
            at = bisect_left(self.errors, at_s := self.at_s(response))
            if at < len(self.errors) and self.errors[at] == at_s:
                del self.errors[at]
