"""Finds the frames that match a query without holding up the window.

It works in slices of a few milliseconds, between which Qt paints and listens.
"""

from __future__ import annotations

from array import array
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from inspector.errors import StorageError

if TYPE_CHECKING:
    from inspector.transcript.filter.query import Query
    from ui.models.timeline import Timeline

SLICE_MS = 8
"""How long one slice may take; half a frame of the display."""
SHORT = 2048
"""After a slice of more frames, what was found is shown in the next turn: drawing it takes as long again."""
STEP = 2048
"""Frames judged between two looks at the clock, at most."""


def matches_for(
    query: Query, timeline: Timeline, start: int, stop: int, seconds: float
) -> tuple[array[int], int]:
    """The matches from `start` on, and the first frame that was not judged: at `stop`, or when `seconds` are over."""
    found = array("I")
    deadline = perf_counter() + seconds
    step = 64
    while start < stop:
        hits, start = timeline.matches(query, start, min(start + step, stop))
        found.extend(hits)
        step = min(step * 2, STEP)
        if perf_counter() > deadline:
            break
    return found, start


class QueryRunner(QObject):
    """One pass of a query over all that a timeline holds.

    Signals:
        progressed: a slice is done.
        finished: all frames up to now are judged; `found` is complete.
        failed: frames cannot be read back; these words say why.
    """

    progressed = Signal()
    finished = Signal()
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        """Idle until `start`."""
        super().__init__(parent)
        self.found = array("I")
        """Matches so far."""
        self.next = 1
        """The first frame that is not judged yet."""
        self._timeline: Timeline | None = None
        self._query: Query | None = None
        self._limit: int | None = None
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

    def start(self, timeline: Timeline, query: Query, limit: int | None = None) -> None:
        """Begin; a pass that is under way is forgotten. One of few frames finishes before this returns.

        It ends with the latest frame, or before frame `limit`.
        """
        self.stop()
        self._timeline, self._query, self._limit = timeline, query, limit
        self.found, self.next = array("I"), 1
        self._timer.start()
        self._on_timer_timeout()

    def stop(self) -> None:
        """End without a result."""
        self._timer.stop()

    def _on_timer_timeout(self) -> None:
        if self._timeline is None or self._query is None:
            return
        stop = self._timeline.count + 1 if self._limit is None else self._limit
        begin = self.next
        try:
            found, self.next = matches_for(
                self._query, self._timeline, self.next, stop, SLICE_MS / 1000
            )
        except StorageError as error:
            self.stop()
            self.failed.emit(error.reason)
            return
        self.found.extend(found)
        if self.next < stop or self.next - begin > SHORT:
            self.progressed.emit()
            return
        self.stop()
        self.finished.emit()
