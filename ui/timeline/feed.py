"""Builds the spans of all runs in slices of time, only while they can be seen."""

from __future__ import annotations

from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from inspector.background_tasks import TurnShare
from inspector.transcript.spans.transcript_spans import TranscriptSpans
from ui.bind import bind, bind_coalesced
from ui.models.timeline import Timeline

if TYPE_CHECKING:
    from inspector.clock import Clock

SLICE_SECONDS = 0.006
"""How long one slice may take."""
MAX_OPERATION_FRAMES = 20_000
"""In a longer session the parts of the time of a request are visible only where they are known for another reason: finding them takes long."""
SHOW_MS = 100
"""While many frames are taken, those so far are painted at most once in this time: it takes longer than a slice."""
PULL_MS = 50
"""New frames are taken at most once in this time."""


class TimelineFeed(QObject):
    """The spans of each run of a timeline.

    Signals:
        changed: spans were added or have ended, or there are other runs.
    """

    changed = Signal()

    def __init__(self, clock: Clock, *, parent: QObject | None = None) -> None:
        """Without runs; `clock` is the one that stamps frames."""
        super().__init__(parent)
        self.timeline = Timeline()
        self.runs: tuple[TranscriptSpans, ...] = ()
        """The spans of each run, oldest first."""
        self._clock = clock
        self._is_active = False
        self._next_painted = 0.0
        self._link: QObject | None = None
        self._share = TurnShare(SLICE_SECONDS)
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._on_timer_timeout)

    def set_timeline(self, timeline: Timeline) -> None:
        """Take these runs; what is known of those that stay is kept."""
        known = {id(run.transcript): run for run in self.runs}
        self.timeline = timeline
        self.runs = tuple(
            known.get(id(transcript)) or TranscriptSpans(transcript)
            for transcript in timeline.transcripts
        )
        if self._link is not None:
            self._link.deleteLater()
            self._link = None
        if timeline.latest is not None:
            self._link = QObject(self)
            bind_coalesced(self._link, timeline.latest.appended, self._start, PULL_MS)
            for transcript in timeline.transcripts:
                bind(self._link, transcript.annotations.changed, self.changed.emit)
        self._start()
        self.changed.emit()

    def set_active(self, active: bool) -> None:
        """Build, or leave what is new for later."""
        self._is_active = active
        if active:
            self._start()
        else:
            self._timer.stop()
            self._share.end(is_done=True)

    @property
    def share(self) -> float:
        """How much of all frames was taken, from 0 to 1."""
        count = self.timeline.count
        return sum(run.taken for run in self.runs) / count if count else 1.0

    @property
    def is_complete(self) -> bool:
        """Whether all frames so far were taken."""
        return all(run.is_complete for run in self.runs)

    @property
    def is_waiting(self) -> bool:
        """Whether something goes on in the latest run, so that time passes without frames."""
        return bool(self.runs) and self.runs[-1].is_waiting

    @property
    def first_s(self) -> float:
        """When the first frame was sent or received; infinite without frames."""
        return min((run.first_s for run in self.runs), default=inf)

    @property
    def last_s(self) -> float:
        """When the latest frame was sent or received, or now while something goes on."""
        latest = max((run.last_s for run in self.runs), default=-inf)
        return max(latest, self.now_s) if self.is_waiting else latest

    @property
    def reference_s(self) -> float | None:
        """When the frame was sent or received that relative times count from; None without such a frame."""
        for run in reversed(self.runs):
            number = run.transcript.annotations.time_reference
            if 0 < number <= run.taken:
                return run.at_s(number)
        return None

    @property
    def now_s(self) -> float:
        """The present moment on the clock of the latest run."""
        return self.runs[-1].moment_s(self._clock.monotonic()) if self.runs else 0.0

    def end_of_run(self, at: int) -> float:
        """Up to where what is open in a run is visible."""
        run = self.runs[at]
        is_latest = at == len(self.runs) - 1
        return self.last_s if is_latest and not run.is_over else run.last_s

    def frames_between(self, first_s: float, last_s: float) -> int:
        """How many frames of all runs were sent or received in that time."""
        return sum(run.frames_between(first_s, last_s) for run in self.runs)

    def errors_between(self, first_s: float, last_s: float) -> int:
        """How many of them are errors or malformed."""
        return sum(run.errors_between(first_s, last_s) for run in self.runs)

    def _advance_operations(self, until: float) -> bool:
        """Find which frames belong to which request, for the parts of their time; return whether none is left."""
        if self.timeline.count > MAX_OPERATION_FRAMES:
            return True
        return all(
            run.transcript.operations.advance(self.timeline.length(run.transcript) + 1, until)
            for run in self.runs
        )

    def _start(self) -> None:
        if self._is_active:
            self._timer.start()

    def _on_timer_timeout(self) -> None:
        until, changed = self._share.until(), False
        for run in self.runs:
            if not run.is_complete or run is self.runs[-1]:
                changed |= run.advance(until)
            if perf_counter() >= until:
                break
        is_done = self.is_complete and self._advance_operations(until)
        self._share.end(is_done=is_done)
        if is_done:
            self._timer.stop()
        if is_done or (changed and until >= self._next_painted):
            self._next_painted = until + SHOW_MS / 1000
            self.changed.emit()
