"""Finds the next or previous row that matches a query, in short slices of time."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from inspector.background_tasks import TurnShare
from inspector.errors import StorageError

if TYPE_CHECKING:
    from inspector.transcript.filter.query import Query
    from ui.models.traffic import TrafficModel

STEP = 512
"""Frames between two looks at the clock."""


class RowSearch(QObject):
    """One search at a time, over the rows in view.

    Signals:
        found: this frame, as the timeline numbers it, is the next one that matches; 0 for none.
    """

    found = Signal(int)

    def __init__(self, *, model: TrafficModel, parent: QObject) -> None:
        """Search the rows of `model`."""
        super().__init__(parent)
        self._model = model
        self._query: Query | None = None
        self._at = 0
        self._step = 1
        self._share = TurnShare()
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._on_timer_timeout)

    def start(self, query: Query, number: int, *, forward: bool) -> None:
        """Search from the frame after `number`, or before it; from the first or last frame for 0."""
        self._query, self._step = query, 1 if forward else -1
        end = 0 if forward else self._model.timeline.count + 1
        self._at = (number or end) + self._step
        self._timer.start()
        self._on_timer_timeout()

    def stop(self) -> None:
        """Find nothing any more."""
        self._timer.stop()
        self._share.end(is_done=True)

    def _on_timer_timeout(self) -> None:
        deadline = self._share.until()
        while 1 <= self._at <= self._model.timeline.count:
            try:
                number = self._find(deadline)
            except StorageError:
                break  # the rows say so already
            if number:
                self._finish(number)
                return
            if perf_counter() > deadline:
                self._share.end()
                return
        self._finish(0)

    def _finish(self, number: int) -> None:
        self.stop()
        self.found.emit(number)

    def _find(self, deadline: float) -> int:
        """Return the next match of one step, 0 without one; go on behind it, once what the query needs of it is known."""
        assert self._query is not None
        timeline = self._model.timeline
        transcript, local = timeline.locate(self._at)
        base = self._at - local
        if self._step > 0:
            low, high = local, min(local + STEP, timeline.length(transcript) + 1)
        else:
            low, high = max(local - STEP + 1, 1), local + 1
        if not self._query.prepare(transcript, high, deadline):
            return 0
        numbers = self._query.matches(transcript, low, high)
        self._at = base + (high if self._step > 0 else low - 1)
        visible = self._model.visible_frames
        for number in numbers if self._step > 0 else reversed(numbers):
            if visible.row_of(base + number) is not None:
                return base + number
        return 0
