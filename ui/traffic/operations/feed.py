"""From a timeline to rows of operations, as frames arrive, in slices.

Frames are put beneath their operations as far as the traffic was filtered, so that pausing and clearing hold for both. A filter selects the
rows at the top with any matching frame in or beneath them; without one, all of them are rows.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from itertools import takewhile
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from inspector.background_tasks import TurnShare
from inspector.errors import StorageError
from inspector.transcript.operation_tree import TOP
from ui.traffic.operations.matched_rows import MatchedRows
from ui.traffic.operations.visible_rows import divider_key, top_key

if TYPE_CHECKING:
    from inspector.transcript.operation_rows import OperationRows
    from inspector.transcript.transcript import Transcript
    from ui.models.timeline import Timeline
    from ui.models.traffic import TrafficModel

REMATCH_MS = 300
"""At most once in this time are all rows filtered again because the state of a request changed."""
REPORT_S = 0.1
"""At most once in this time are rows changed while many frames are processed: each time costs a look at every row on screen."""
MAX_INSERTED = 50
"""Rows that are inserted one by one; of more, all rows are replaced."""
MAX_TOUCHED = 500
"""Changed frames that are told one by one."""


class OperationFeed(QObject):
    """Makes rows of the frames of a traffic model, while it is active.

    Signals:
        replaced: these rows at the top (an array of keys), all others are none.
        added: these rows at the top, after all others.
        inserted: this row at the top (its key), somewhere before others.
        removed: this row at the top is none any more.
        touched: rows of these frames (a set; None for any) have other texts; these parents (a set) have other children.
        pulled: frames were processed.
    """

    replaced = Signal(object)
    added = Signal(object)
    inserted = Signal(object)
    removed = Signal(object)
    touched = Signal(object, object)
    pulled = Signal()

    def __init__(self, model: TrafficModel, *, parent: QObject | None = None) -> None:
        """Process the frames of `model` once it is active."""
        super().__init__(parent)
        self._model = model
        self.is_active = False
        self.is_filtered = False
        """Whether a filter selects rows."""
        self.is_between = False
        """Whether the traffic may have other runs already, whose rows begin with `restart`."""
        self._known: dict[Transcript, OperationRows] = {}
        self._runs: list[OperationRows] = []
        self._generations: list[int] = []
        self._last: list[int] = []
        """By run, the last row at the top that is known."""
        self._all = array("Q")
        self._matches = MatchedRows(self.top_of, self._is_match)
        self._is_selecting = False
        """Whether rows are selected by another filter: those of before stay until that is done."""
        self._reported_s = 0.0
        self._share = TurnShare()
        self._again = QTimer(self, interval=0, singleShot=True)
        self._rematch = QTimer(self, interval=REMATCH_MS, singleShot=True)
        self._wire()

    def _wire(self) -> None:
        feed = self._model.feed
        feed.pulled.connect(self.pull)
        feed.replaced.connect(self.select_again)
        feed.found.connect(self._on_feed_found)
        feed.rejudged.connect(self._on_feed_rejudged)
        self._again.timeout.connect(self.pull)
        self._rematch.timeout.connect(self.select_again)

    @property
    def timeline(self) -> Timeline:
        """Whose frames are processed."""
        return self._model.timeline

    @property
    def total(self) -> int:
        """All rows at the top, also those that the filter does not select."""
        dividers = (divider_key(number) for number in self.timeline.dividers)
        return len(self._all) - sum(self._position(key) is not None for key in dividers)

    def set_active(self, active: bool) -> None:
        """Process frames from now on, or stop; what was processed is kept."""
        self.is_active = active
        self._watch(watched=active)
        if active:
            self.restart()

    def set_filtered(self, filtered: bool) -> None:
        """Let the filter select rows, or not: it is empty."""
        if filtered != self.is_filtered:
            self.is_filtered = filtered
            self.select_again()

    def rows_at(self, number: int) -> tuple[OperationRows, int]:
        """Return the rows of the run of a frame, and its number there."""
        transcript, local = self.timeline.locate(number)
        return self._known[transcript], local

    def top_of(self, number: int) -> int:
        """Return the row at the top, by its frame, that a frame is in or beneath; 0 while it is in none."""
        if not self._known:
            return 0
        transcript, local = self.timeline.locate(number)
        rows = self._known.get(transcript)
        if rows is None or not rows.tree.is_added(local):
            return 0
        return rows.tree.top(local) + number - local

    def leave(self, timeline: Timeline) -> None:
        """The traffic is about to have the runs of `timeline`: let go of the rows, unless they are rows there too, until `restart`."""
        self.is_between = True
        count = len(self._runs)
        is_continued = timeline.transcripts[:count] == self.timeline.transcripts[:count] and all(
            rows.next - 1 <= timeline.length(rows.transcript) for rows in self._runs
        )
        if is_continued:
            return
        self._all = array("Q")
        self._matches.clear()
        self._again.stop()
        self._rematch.stop()
        self.replaced.emit(array("Q"))  # views still look at the rows of before meanwhile
        self._watch(watched=False)
        self._known, self._runs, self._generations, self._last = {}, [], [], []

    def restart(self) -> None:
        """Begin with the timeline of the model; runs that were processed are not processed again."""
        self.is_between = False
        if not self.is_active:
            return
        transcripts = self.timeline.transcripts
        self._watch(watched=False)
        self._known = {each: each.operations for each in transcripts}
        self._watch(watched=True)
        self._runs = [self._known[each] for each in transcripts]
        self._generations = [rows.generation for rows in self._runs]
        self._collect_all()
        self.select_again()

    def _watch(self, *, watched: bool) -> None:
        for rows in self._known.values():
            rows.is_watched = watched

    def _collect_all(self) -> None:
        """Take the rows at the top of all runs, as far as they are made."""
        self._all, self._last = array("Q"), []
        for run, rows in enumerate(self._runs):
            self._last.append(0)
            self._all.extend(self._new_tops(run))
            rows.tree.forget_changes()

    def _new_tops(self, run: int) -> array[int]:
        """Return the rows at the top of a run that are not known yet, as far as the traffic was filtered; they are known then."""
        rows, base, stop, last = self._runs[run], self._base(run), self._stop(run), self._last[run]
        new = array("Q")
        for fold in takewhile(lambda each: each < stop, rows.tree.children(TOP, last)):
            if run and not last:
                new.append(divider_key(base + 1))
            new.append(top_key(base + fold))
            last = fold
        self._last[run] = last
        return new

    def _base(self, run: int) -> int:
        """How many frames are before a run."""
        return sum(self.timeline.length(rows.transcript) for rows in self._runs[:run])

    def select_again(self) -> None:
        """Select the rows at the top again: by another filter, or because rows were cleared."""
        if not self.is_active or self.is_between:
            return
        self._matches.clear()
        self._is_selecting = self.is_filtered
        if self.is_filtered:
            self._matches.start(self._model.visible_frames)
        else:
            self.replaced.emit(self._all[bisect_right(self._all, self._cleared_key) :])
        self.pull()

    @property
    def _cleared_key(self) -> int:
        """Rows up to this key were cleared."""
        return top_key(self._model.visible_frames.cleared_before)

    def _is_match(self, number: int) -> bool:
        """Whether a row of the messages matches; the first one of a run is among them in any case."""
        if not self.timeline.divides(number):
            return True
        transcript, local = self.timeline.locate(number)
        try:
            return bool(self._model.feed.query.matches(transcript, local, local + 1))
        except StorageError:
            return True

    def _on_feed_found(self, numbers: array[int]) -> None:
        if self.is_active and self.is_filtered and not self.is_between:
            self._matches.extend(numbers)

    def _on_feed_rejudged(self) -> None:
        if self.is_active and self.is_filtered and not self._rematch.isActive():
            self._rematch.start()

    def pull(self) -> None:
        """Process new frames for one slice of time; the rest follows in the next turns."""
        if (
            not self.is_active
            or self.is_between
            or len(self._runs) != len(self.timeline.transcripts)
        ):
            return
        until, is_done = self._share.until(), True
        for run, rows in enumerate(self._runs):
            is_done = rows.advance(self._stop(run), until)
            if rows.generation != self._generations[run]:
                self._share.end(is_done=True)
                self.restart()
                return
            if not is_done:
                break
        is_done = self._matches.advance(until) and is_done
        self._share.end(is_done=is_done)
        if not is_done:
            self._again.start()
        now = perf_counter()
        if is_done or now - self._reported_s >= REPORT_S:
            self._reported_s = now
            for run, rows in enumerate(self._runs):
                self._report(run, rows)
            self._report_matches()
            self.pulled.emit()

    def _stop(self, run: int) -> int:
        if run + 1 < len(self._runs):
            return self.timeline.length(self._runs[run].transcript) + 1
        return self._model.feed.next - self._base(run)

    @property
    def pending_count(self) -> int:
        """Frames that were not processed yet."""
        stops = (self._stop(run) for run in range(len(self._runs)))
        return sum(max(stop - rows.next, 0) for stop, rows in zip(stops, self._runs, strict=True))

    def _report(self, run: int, rows: OperationRows) -> None:
        tree, base = rows.tree, self._base(run)
        changed, regrown = tree.changed, tree.regrown
        for moved in tree.moved:
            self._remove(top_key(base + moved))
            if self._last[run] == moved:
                self._last[run] = self._last_known(base)
        tree.moved.clear()
        if self._last[run] != tree.last_fold(TOP):
            self._report_tops(run)
        if not changed:
            return
        numbers = {base + each for each in changed} if len(changed) <= MAX_TOUCHED else None
        parents = {base + each for each in regrown if each != TOP}
        changed.clear()
        regrown.clear()
        self.touched.emit(numbers, parents)

    def _report_tops(self, run: int) -> None:
        new = self._new_tops(run)
        self._all.extend(new)
        cleared = self._cleared_key
        added = array("Q", (k for k in new if k > cleared and not (self.is_filtered and k & 1)))
        if added:
            self.added.emit(added)

    def _last_known(self, base: int) -> int:
        latest = self._all[-1] >> 1 if self._all and self._all[-1] & 1 else 0
        return latest - base if latest > base else 0

    def _position(self, key: int) -> int | None:
        at = bisect_left(self._all, key)
        return at if at < len(self._all) and self._all[at] == key else None

    def _remove(self, key: int) -> None:
        if (at := self._position(key)) is not None:
            del self._all[at]
            self._matches.discard(key)
            self.removed.emit(key)

    def _report_matches(self) -> None:
        """Report the rows that were selected since; of another filter, once all of them are known."""
        if self._is_selecting and not self._matches.is_complete:
            return
        new = self._matches.take_new()
        if self._is_selecting or len(new) > MAX_INSERTED:
            self._is_selecting = False
            dividers = (key for key in self._all if not key & 1 and key > self._cleared_key)
            self.replaced.emit(array("Q", sorted([*self._matches.keys, *dividers])))
            return
        for key in new:
            self.inserted.emit(key)
