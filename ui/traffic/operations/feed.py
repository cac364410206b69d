"""From a timeline to rows of operations, as frames arrive, in slices.

Frames are put beneath their operations as far as the traffic was filtered, so that pausing and clearing hold for both. A filter selects the
rows at the top with any matching frame in or beneath them; without one, all of them are rows.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from inspector.transcript.operation_tree import TOP
from ui.models.traffic_feed import SLICE_MS
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
FRAMES_PER_LOOK = 64
"""Matching frames between two looks at the time."""
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
        self._known: dict[Transcript, OperationRows] = {}
        self._runs: list[OperationRows] = []
        self._generations: list[int] = []
        self._last: list[int] = []
        """By run, the last row at the top that is known."""
        self._all = array("Q")
        self._matched: set[int] = set()
        self._matched_up_to = 0
        """Position in the numbers of the matching frames."""
        self._inserted: list[int] = []
        self._is_selecting = False
        """Whether rows are selected by another filter: those of before stay until that is done."""
        self._reported_s = 0.0
        self._again = QTimer(self, interval=0, singleShot=True)
        self._rematch = QTimer(self, interval=REMATCH_MS, singleShot=True)
        self._wire()

    def _wire(self) -> None:
        feed = self._model.feed
        feed.pulled.connect(self.pull)
        feed.replaced.connect(self.select_again)
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
        return len(self._all) - len(self.timeline.dividers)

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
        transcript, local = self.timeline.locate(number)
        rows = self._known.get(transcript)
        if rows is None or not rows.tree.is_added(local):
            return 0
        return rows.tree.top(local) + number - local

    def restart(self) -> None:
        """Begin with the timeline of the model; runs that were processed are not processed again."""
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
            base = self._base(run)
            if run and rows.tree.has_children(TOP):
                self._all.append(divider_key(base + 1))
            self._all.extend(top_key(base + fold) for fold in rows.tree.children(TOP))
            self._last.append(rows.tree.last_fold(TOP))
            rows.tree.forget_changes()

    def _base(self, run: int) -> int:
        """How many frames are before a run."""
        return sum(self.timeline.length(rows.transcript) for rows in self._runs[:run])

    def select_again(self) -> None:
        """Select the rows at the top again: by another filter, or because rows were cleared."""
        if not self.is_active:
            return
        self._matched.clear()
        self._inserted.clear()
        self._matched_up_to = 0
        self._is_selecting = self.is_filtered
        if not self.is_filtered:
            self.replaced.emit(self._all[self._cleared() :])
        self.pull()

    def _cleared(self) -> int:
        """How many rows at the top were cleared."""
        return bisect_right(self._all, top_key(self._model.visible_frames.cleared_before))

    def _on_feed_rejudged(self) -> None:
        if self.is_active and self.is_filtered and not self._rematch.isActive():
            self._rematch.start()

    def pull(self) -> None:
        """Process new frames for one slice of time; the rest follows in the next turns."""
        if not self.is_active or len(self._runs) != len(self.timeline.transcripts):
            return
        until = perf_counter() + SLICE_MS / 1000
        is_done = True
        for run, rows in enumerate(self._runs):
            is_done = rows.advance(self._stop(run), until)
            if rows.generation != self._generations[run]:
                self.restart()
                return
            if not is_done:
                break
        is_done = self._match(until) and is_done
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
        if not changed:
            return
        if TOP in regrown:
            self._report_tops(run, rows, base)
        numbers = {base + each for each in changed} if len(changed) <= MAX_TOUCHED else None
        parents = {base + each for each in regrown if each != TOP}
        changed.clear()
        regrown.clear()
        self.touched.emit(numbers, parents)

    def _report_tops(self, run: int, rows: OperationRows, base: int) -> None:
        tree = rows.tree
        for moved in tree.moved:
            self._remove(top_key(base + moved))
            if self._last[run] == moved:
                self._last[run] = self._last_known(run, base)
        tree.moved.clear()
        added = array("Q")
        if run and not self._last[run]:
            added.append(divider_key(base + 1))
        added.extend(top_key(base + fold) for fold in tree.children(TOP, self._last[run]))
        self._last[run] = tree.last_fold(TOP)
        if not added:
            return
        self._all.extend(added)
        if self.is_filtered:
            added = array("Q", (key for key in added if not key & 1))
        if added:
            self.added.emit(added)

    def _last_known(self, run: int, base: int) -> int:
        latest = self._all[-1] >> 1 if self._all and self._all[-1] & 1 else 0
        return latest - base if latest > base else 0

    def _remove(self, key: int) -> None:
        at = bisect_right(self._all, key) - 1
        if at >= 0 and self._all[at] == key:
            del self._all[at]
            self._matched.discard(key)
            self.removed.emit(key)

    def _match(self, until: float) -> bool:
        """Select the rows at the top of more matching frames; return whether none is left."""
        if not self.is_filtered:
            return True
        visible, found = self._model.visible_frames, self._matched
        numbers = visible.numbers
        while self._matched_up_to < len(numbers):
            number = numbers[self._matched_up_to]
            if not self.top_of(number):
                return False
            self._matched_up_to += 1
            for each in (number, *visible.members.get(number, ())):
                top = self.top_of(each)
                key = top_key(top)
                if top > visible.cleared_before and key not in found:
                    found.add(key)
                    self._inserted.append(key)
            if not self._matched_up_to % FRAMES_PER_LOOK and perf_counter() >= until:
                return False
        return True

    def _report_matches(self) -> None:
        """Report the rows that were selected since; of another filter, once all of them are known."""
        inserted, self._inserted = self._inserted, []
        is_complete = self._matched_up_to >= len(self._model.visible_frames.numbers)
        if self._is_selecting and not is_complete:
            return
        if self._is_selecting or len(inserted) > MAX_INSERTED:
            self._is_selecting = False
            dividers = (key for key in self._all if not key & 1)
            self.replaced.emit(array("Q", sorted([*self._matched, *dividers])))
            return
        for key in inserted:
            self.inserted.emit(key)
