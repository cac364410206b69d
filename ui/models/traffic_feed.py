"""From a transcript to the numbers of the frames that match a query.

New frames are checked in batches, and another query runs in slices of a few milliseconds, between which Qt paints and handles events.
The matches before stay valid until that query has found something, or has finished; then its matches are added as they are found. A pause
stops it. When the query names states, frames whose state changed are checked again.
"""

from __future__ import annotations

from array import array
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from inspector.background_tasks import SLICE_SECONDS, TurnShare
from inspector.errors import StorageError
from inspector.transcript.filter.fields import Follows
from inspector.transcript.filter.query import Query, parse
from inspector.wire.message import MessageKind
from ui.bind import bind_coalesced
from ui.models.timeline import Timeline

if TYPE_CHECKING:
    from collections.abc import Collection

    from inspector.transcript.transcript import Transcript

PULL_MS = 50
"""At most once in this time are new frames shown: they are read in passing, and each time costs a look into every row seen."""
CHANGES_AT_ONCE = 50
"""Requests that are filtered again one by one; beyond that the whole transcript is."""
REJUDGE_MS = 500
"""At most once in this time is the whole transcript filtered again because states changed."""


class TrafficFeed(QObject):
    """The matching frames, as they arrive.

    Signals:
        replaced: these numbers (an array) match, all others do not.
        found: these numbers (an array), above all before, match too.
        rejudged: the frame of this number matches now (True), or no longer.
        pulled: frames were checked, or a pause started or ended.
        findings_changed: findings were added to earlier frames, or annotations changed.
        failed: frames cannot be read back, for this reason.
    """

    replaced = Signal(object)
    found = Signal(object)
    rejudged = Signal(int, bool)
    pulled = Signal()
    findings_changed = Signal()
    failed = Signal(str)

    def __init__(self, *, parent: QObject | None = None) -> None:
        """Without frames, until `set_timeline`."""
        super().__init__(parent)
        self.timeline = Timeline()
        """Where frames come from; `set_timeline` sets it."""
        self._link: QObject | None = None
        self._query = parse("")
        self.next = 1
        """The first frame that is not filtered yet."""
        self.paused = False
        """Whether new frames are left waiting."""
        self.is_stopped = False
        """Whether the pause stopped a query, so that earlier frames wait as well."""
        self._shows_early = False
        """Whether matches of the running query may be shown before it has finished: they differ from those that are shown."""
        self._is_early = False
        """Whether they are."""
        self._runner = QueryRunner(self)
        self._share = TurnShare()
        self.muted: Collection[str] = ()
        """The rules whose problems do not count in rows; fire `findings_changed` after a change."""
        self._again = QTimer(self, interval=0, singleShot=True)
        self._rejudge = QTimer(self, interval=REJUDGE_MS, singleShot=True)
        self._wire()

    def _wire(self) -> None:
        self._runner.found_some.connect(self._on_runner_found_some)
        self._runner.finished.connect(self._on_runner_finished)
        self._runner.failed.connect(self.failed)
        self._runner.progressed.connect(self.pulled)
        self._again.timeout.connect(self.pull)
        self._rejudge.timeout.connect(self._on_rejudge_timeout)

    @property
    def transcript(self) -> Transcript | None:
        """Where new frames come from."""
        return self.timeline.latest

    @property
    def query(self) -> Query:
        """What the frames found match."""
        return self._query

    @property
    def pending_count(self) -> int:
        """Frames that came and are not filtered yet."""
        return self.timeline.count + 1 - self.next if self.timeline.transcripts else 0

    @property
    def share(self) -> float | None:
        """How much of another query is done, from 0 to 1; none when there is no other."""
        return self._runner.share if self._runner.is_running else None

    def set_timeline(self, timeline: Timeline) -> None:
        """Check these frames with the current query; `replaced` is emitted now or soon."""
        query = self._requested_query()
        self._runner.stop()
        self._shows_early, self._is_early, self.is_stopped = True, False, False
        self._rejudge.stop()
        if self._link is not None:
            self._link.deleteLater()
        self.timeline, self._link, self.paused = timeline, None, False
        transcript = timeline.latest
        if transcript is None:
            self.next, self._query = 1, query
            return
        self._link = QObject(self)
        bind_coalesced(self._link, transcript.appended, self.pull, PULL_MS)
        for each in timeline.transcripts:
            bind_coalesced(self._link, each.findings_changed, self._on_findings_changed)
            bind_coalesced(self._link, each.annotations.changed, self._on_annotations_changed)
        self.next = timeline.count + 1
        self._runner.start(timeline, query)

    def set_query(self, query: Query) -> None:
        """Find what matches `query`; `replaced` comes at once or, if that takes a while, later."""
        if not self.timeline.transcripts:
            self._query = query
            return
        self._shows_early = query != self._query or self._is_early or self.is_stopped
        limit = self.next if self.paused and not self.is_stopped else None
        self._is_early = self.is_stopped = False
        self._runner.start(self.timeline, query, limit)
        self.pulled.emit()

    def set_paused(self, paused: bool) -> None:
        """Hold back new frames and stop a query that is running, or check them and go on with it."""
        self.paused = paused
        if paused:
            self._share.end(is_done=True)
        if paused and self._runner.is_running and self._shows_early:
            self._runner.stop()
            self._show_early(self._runner.take_new())
            self._is_early, self.is_stopped = False, True
        elif not paused:
            self.is_stopped = False
        self.pull()

    def pull(self) -> None:
        """Check new frames for one slice of time; the rest follows in the next turns."""
        transcript = self.timeline.latest
        if transcript is not None and not self.paused and not self._is_early:
            try:
                self._pull(transcript)
            except StorageError as error:
                self.failed.emit(error.reason)
        self.pulled.emit()

    def _pull(self, transcript: Transcript) -> None:
        start, stop = self.next, self.timeline.count + 1
        until = self._share.until()
        found, self.next = matches_for(self._query, self.timeline, start, stop, until)
        self._share.end(is_done=self.next == stop)
        if found:
            self.found.emit(found)
        if self._query.changes and self.next > start:
            base = self.timeline.base
            self._check_again(transcript, start - base, self.next - base)
        if self.next < stop:
            self._again.start()

    def _check_again(self, transcript: Transcript, start: int, stop: int) -> None:
        """Check the earlier requests again whose state the frames from `start` to before `stop` changed."""
        columns = transcript.columns
        owners = {owner for owner in columns.request[start - 1 : stop - 1] if 0 < owner < start}
        # Notes of Spyglass end requests without belonging to them.
        noted = MessageKind.NOTE in columns.kind[start - 1 : stop - 1]
        if noted or len(owners) > CHANGES_AT_ONCE:
            self._ask_to_rejudge()
            return
        for number in sorted(owners):
            matches = bool(self._query.matches(transcript, number, number + 1))
            self.rejudged.emit(self.timeline.base + number, matches)

    def _ask_to_rejudge(self) -> None:
        if not self._rejudge.isActive():
            self._rejudge.start()

    def _requested_query(self) -> Query:
        running = self._runner.query if self._runner.is_running else None
        return running or self._query

    def _on_runner_found_some(self) -> None:
        if self._shows_early:
            self._show_early(self._runner.take_new())

    def _show_early(self, new: array[int]) -> None:
        """Show what the running query has found up to now."""
        assert self._runner.query is not None
        self._query, self.next = self._runner.query, self._runner.next
        if not self._is_early:
            self._is_early = True
            self.replaced.emit(self._runner.found[:])
        elif new:
            self.found.emit(new)

    def _on_runner_finished(self) -> None:
        if self._runner.query is None:
            return
        if self._is_early:
            self._show_early(self._runner.take_new())
            self._is_early = False
            if self._query.changes and self.timeline.latest is not None and self._runner.has_grown:
                self._ask_to_rejudge()  # frames that came meanwhile may have changed earlier ones
        else:
            self._query, self.next = self._runner.query, self._runner.next
            self.replaced.emit(self._runner.found)
        self.pull()

    def _on_rejudge_timeout(self) -> None:
        if self._runner.is_running or self.paused:
            self._rejudge.start()  # what runs now may have passed the frames that changed
        else:
            self.set_query(self._query)

    def _on_annotations_changed(self) -> None:
        self.findings_changed.emit()
        if self._query.follows(Follows.ANNOTATIONS):
            self._ask_to_rejudge()

    def _on_findings_changed(self) -> None:
        if not self.paused:
            self.findings_changed.emit()
        if self._query.follows(Follows.FINDINGS):
            self._ask_to_rejudge()


EARLY_MS = 100
"""At most once in this time are matches shown while a query runs: the first of them soon enough to seem at once."""
PROGRESS_MS = 50
"""At most once in this time is told how far a query is."""
SHORT = 2048
"""After a slice of more frames, what was found is shown in the next turn: drawing it takes as long again."""
CHUNK = 1 << 15
"""Matches that become rows at a time, at most: folding them takes as long as finding them."""
STEP = 2048
"""Frames filtered between two looks at the clock, at most."""
MIN_STEP = 16
"""The same, where a filter reads large frames."""


def matches_for(
    query: Query, timeline: Timeline, start: int, stop: int, until: float
) -> tuple[array[int], int]:
    """The matches from `start` on, and the first frame that was not filtered: at `stop`, or when `perf_counter()` is past `until`."""
    found = array("I")
    now, step = perf_counter(), MIN_STEP
    while start < stop:
        began, since = start, now
        hits, start = timeline.matches(query, start, min(start + step, stop), until)
        found.extend(hits)
        now = perf_counter()
        if now >= until or len(found) >= CHUNK:
            break
        affordable = int((start - began) * (until - now) / max(now - since, 1e-9))
        step = min(step * 2, STEP, max(affordable, MIN_STEP))
    return found, start


class QueryRunner(QObject):
    """One pass of a query over all that a timeline holds.

    Signals:
        progressed: more frames are checked; once in a while.
        found_some: there are matches that `take_new` has not returned; once in a while.
        finished: all frames are checked; `found` is complete.
        failed: frames cannot be read back, for this reason.
    """

    progressed = Signal()
    found_some = Signal()
    finished = Signal()
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        """Idle until `start`."""
        super().__init__(parent)
        self.found = array("I")
        """Matches so far."""
        self.next = 1
        """The first frame that is not filtered yet."""
        self._timeline: Timeline | None = None
        self._query: Query | None = None
        self._limit: int | None = None
        self._taken = 0
        self._count = 0
        self._next_early = self._next_progress = 0.0
        self._share = TurnShare(min_seconds=SLICE_SECONDS / 2)  # the user waits for it
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._on_timer_timeout)

    @property
    def is_running(self) -> bool:
        """Whether it has not finished yet."""
        return self._timer.isActive()

    @property
    def query(self) -> Query | None:
        """What is or was searched for last."""
        return self._query

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        count = self._timeline.count if self._timeline is not None else 0
        return (self.next - 1) / count if count else 1.0

    @property
    def has_grown(self) -> bool:
        """Whether there are more frames than when it began."""
        return self._timeline is not None and self._timeline.count > self._count

    def take_new(self) -> array[int]:
        """Return the matches found since the last time."""
        new = self.found[self._taken :]
        self._taken = len(self.found)
        return new

    def start(self, timeline: Timeline, query: Query, limit: int | None = None) -> None:
        """Begin; a pass that is under way is forgotten. One of few frames finishes before this returns.

        It ends with the latest frame, or before frame `limit`.
        """
        self.stop()
        self._timeline, self._query, self._limit = timeline, query, limit
        self.found, self.next = array("I"), 1
        self._taken, self._count = 0, timeline.count
        self._next_early = perf_counter() + EARLY_MS / 1000
        self._timer.start()
        self._on_timer_timeout()

    def stop(self) -> None:
        """End without a result."""
        self._timer.stop()
        self._share.end(is_done=True)

    def _on_timer_timeout(self) -> None:
        if self._timeline is None or self._query is None:
            return
        stop = self._timeline.count + 1 if self._limit is None else self._limit
        if self.next > 1:  # before the slice, which is shorter for it
            self._report(len(self.found) - self._taken)
        begin, until = self.next, self._share.until()
        try:
            found, self.next = matches_for(self._query, self._timeline, begin, stop, until)
        except StorageError as error:
            self.stop()
            self.failed.emit(error.reason)
            return
        self.found.extend(found)
        if self.next < stop or self.next - begin > SHORT:
            self._share.end()
            return
        self.stop()
        self.finished.emit()

    def _report(self, new: int) -> None:
        """Tell how far it is, and of this many new matches, once in a while: that takes as long as a part of a slice."""
        now = perf_counter()
        if new >= CHUNK or (new and now > self._next_early):
            self._next_early = now + EARLY_MS / 1000
            self.found_some.emit()
        if now > self._next_progress:
            self._next_progress = now + PROGRESS_MS / 1000
            self.progressed.emit()
