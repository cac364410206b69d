"""Looks for words in the lines of standard error, a slice of time at a time, and goes from one line that has them to the next."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from inspector.errors import StorageError

if TYPE_CHECKING:
    from ui.shell.stderr_model import StderrModel

SLICE_MS = 8
"""How long one slice may take; half a frame of the display."""

STEP = 64
"""Lines looked at between two looks at the clock."""


class StderrFind(QObject):
    """One search at a time; it goes on with lines that come later until it is stopped.

    A line that is still being written is looked at when it is complete. Case matters only if the words have capitals.

    Signals:
        found: this row has the words, and is the one that was asked for.
        told: what to say of the search now; empty without one.
    """

    found = Signal(int)
    told = Signal(str)

    def __init__(self, model: StderrModel) -> None:
        """Search `model`, which owns it."""
        super().__init__(model)
        self._model = model
        self._terms = ""
        self._next = 0
        self._rows = array("I")
        self._current = -1
        self._due: bool | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._on_timer_timeout)
        model.renumbered.connect(self.stop)
        model.rowsInserted.connect(self._on_rows_inserted)

    @property
    def is_running(self) -> bool:
        """Whether lines are left to look at."""
        return self._timer.isActive()

    def go(self, text: str, *, onwards: bool, start: int) -> None:
        """Find the next (or previous) line with `words` from row `start` on, which itself does not count.

        After the last line it goes on with the first. Emits `found` at once where that line is known, else when it is.
        """
        if text != self._terms:
            self.stop()
            self._terms = text
        self._current, self._due = start, onwards
        self._timer.start()
        self._on_timer_timeout()

    def stop(self) -> None:
        """Forget the search."""
        self._timer.stop()
        self._terms = ""
        self._next, self._rows = 0, array("I")
        self._current, self._due = -1, None
        self.told.emit("")

    def _on_rows_inserted(self) -> None:
        if self._terms:
            self._timer.start()

    def _on_timer_timeout(self) -> None:
        try:
            self._look(perf_counter() + SLICE_MS / 1000)
        except StorageError as error:
            self.stop()
            self.told.emit(error.reason)
            return
        is_complete = self._next >= self._model.line_count
        if is_complete:
            self._timer.stop()
        self._settle(is_complete=is_complete)
        self.told.emit(self._state(is_complete=is_complete))

    def _look(self, deadline: float) -> None:
        message, fold = self._terms, self._terms == self._terms.lower()
        stop = self._model.line_count
        while self._next < stop and perf_counter() < deadline:
            for row in range(self._next, min(self._next + STEP, stop)):
                text = self._model.text(row)
                if message in (text.lower() if fold else text):
                    self._rows.append(row)
                self._next = row + 1

    def _settle(self, *, is_complete: bool) -> None:
        """Go to the line that was asked for, if what was looked at so far is enough to know it."""
        if self._due is None:
            return
        if self._due:
            at = bisect_right(self._rows, self._current)
            known = at < len(self._rows)
        else:
            at = bisect_left(self._rows, self._current) - 1
            known = at >= 0 and self._next >= self._current
        if not (known or is_complete):
            return
        self._due = None
        if self._rows:
            self._current = self._rows[at % len(self._rows)]
            self.found.emit(self._current)

    def _state(self, *, is_complete: bool) -> str:
        count = len(self._rows)
        if not is_complete and (self._due is not None or not count):
            return "Searching…"
        if not count:
            return "No match"
        at = bisect_left(self._rows, self._current)
        place = f"{at + 1:,} of " if at < count and self._rows[at] == self._current else ""
        return f"{place}{count:,}{'' if is_complete else '…'}"
