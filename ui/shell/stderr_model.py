"""The lines on standard error as rows: one a frame, and one for the line that is still being written.

A carriage return restarts a line, as in a terminal; the recording keeps every byte. Lines can be hidden in this view; they stay hidden
when the server is connected to again, and when another server was looked at meanwhile.

The rows are Qt's own list of (empty) texts: a view asks for their number twice for each row whenever it lays itself out, which for
500,000 of them takes a second if Python answers.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QStringListModel,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QBrush

from inspector.transcript.index import numbers_with
from inspector.visible_text import one_line, without_ansi
from inspector.wire.frame import Channel
from inspector.wire.line_splitter import blank_lines, last_written
from ui.models.list_rows import insert_rows
from ui.models.timeline import Timeline
from ui.widgets.labels import tool_tip
from ui.widgets.units import clock_time, plural

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript

LINE_LIMIT = 2000
"""Characters shown of one line."""

AT_ONCE = 1 << 17
"""Frames that are looked at in one go: some milliseconds."""

TIME_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""str: when the line came."""

_Index = QModelIndex | QPersistentModelIndex
_LEAF = Qt.ItemFlag.ItemNeverHasChildren


class StderrModel(QStringListModel):
    """The stderr frames of all runs, pulled as they come; where another run begins, a row says so.

    Signals:
        renumbered: rows stand for other lines than before.
    """

    renumbered = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        """Start without frames."""
        super().__init__(parent)
        self.timeline = Timeline()
        self._divider_background = QBrush()
        self._numbers = array("I")
        self._hidden = array("I")
        self._marks: WeakKeyDictionary[Transcript, int] = WeakKeyDictionary()
        """The last frame that is hidden, by transcript."""
        self._seen = 0
        self._growing = ""
        self._rest = QTimer(self, interval=0, singleShot=True)
        self._rest.timeout.connect(self.pull)

    def set_timeline(self, timeline: Timeline) -> None:
        """Show the lines of `timeline`."""
        self.timeline, self._seen = timeline, 0
        self._numbers, self._hidden = array("I"), array("I")
        self._growing = ""
        self.setStringList([])
        self.renumbered.emit()
        self.pull()

    def pull(self) -> None:
        """Take in what came since the last time; of very much some now and the rest in the next turns of the loop."""
        transcript = self.timeline.latest
        if transcript is None:
            return
        new, stop = array("I"), self._seen + AT_ONCE
        while self._seen < min(self.timeline.count, stop):
            new.extend(self._of_run(self._seen + 1))
        if self._seen < self.timeline.count:
            self._rest.start()
        if cut := bisect_left(new, self._hidden_to + 1):
            self._hidden.extend(new[:cut])
            new = new[cut:]
        if new:
            self._set_growing("")
            first = len(self._numbers)
            self._numbers.extend(new)
            insert_rows(self, first, len(new))
        rest = transcript.unfinished.of(Channel.STDERR)
        self._set_growing(_text(rest.tail) if rest is not None else "")

    def _of_run(self, start: int) -> array[int]:
        """The lines from `start` to the end of its run, or of some of them, and the row that begins it."""
        transcript, local = self.timeline.locate(start)
        base, channels = start - local, transcript.columns.channel
        length = min(self.timeline.length(transcript), local + AT_ONCE - 1)
        self._seen = base + length
        found = numbers_with(channels, Channel.STDERR, local, length + 1)
        lines = array("I", (start,) if self.timeline.divides(start) else ())
        lines.extend(map(base.__add__, found) if base else found)
        return lines

    def hide_earlier(self) -> None:
        """Hide the complete lines of now in this view; the record keeps them."""
        if not self._numbers:
            return
        transcript, number = self.timeline.locate(self._seen)
        self._marks[transcript] = number
        count = len(self._numbers)
        self._hidden.extend(self._numbers)
        self._numbers = array("I")
        self.removeRows(0, count)
        self.renumbered.emit()

    def show_earlier(self) -> None:
        """Show again what was hidden."""
        for transcript in self.timeline.transcripts:
            self._marks.pop(transcript, None)
        if self._hidden:
            count = len(self._hidden)
            self._numbers, self._hidden = self._hidden + self._numbers, array("I")
            insert_rows(self, 0, count)
            self.renumbered.emit()

    @property
    def _hidden_to(self) -> int:
        """The last frame that is hidden; 0 if none is."""
        marks, runs = self._marks, self.timeline.transcripts
        hidden = (self.timeline.number_of(run, marks[run]) for run in runs if run in marks)
        return max(hidden, default=0)

    @property
    def hidden_count(self) -> int:
        """How many lines are hidden."""
        return len(self._hidden) - self._dividers_in(self._hidden)

    @property
    def complete_rows(self) -> int:
        """The count of rows without an incomplete last line."""
        return len(self._numbers)

    @property
    def line_count(self) -> int:
        """The count of complete lines: rows that begin a run are none."""
        return len(self._numbers) - self._dividers_in(self._numbers)

    @property
    def has_lines(self) -> bool:
        """Whether there is any row but those that begin a run."""
        return self.rowCount() > self._dividers_in(self._numbers)

    def _dividers_in(self, numbers: array[int]) -> int:
        if not numbers:
            return 0
        return sum(numbers[0] <= number <= numbers[-1] for number in self.timeline.dividers)

    def set_divider_background(self, brush: QBrush) -> None:
        """Paint rows that begin a run on this."""
        self._divider_background = brush

    def _set_growing(self, text: str) -> None:
        """Show the incomplete line as the last row; no row while `text` is empty."""
        if text == self._growing:
            return
        row = len(self._numbers)
        if not self._growing:
            self._growing = text
            self.insertRows(row, 1)
        elif not text:
            self._growing = text
            self.removeRows(row, 1)
        else:
            self._growing = text
            self.dataChanged.emit(self.index(row), self.index(row))

    def frame(self, row: int) -> tuple[Transcript, int] | None:
        """Transcript and frame of a row; none for the line that is being written."""
        return self.timeline.locate(self._numbers[row]) if row < len(self._numbers) else None

    def divider(self, row: int) -> str:
        """What is said of the run that begins with a row; empty if none does."""
        return self.timeline.divider(self._numbers[row]) if row < len(self._numbers) else ""

    def text(self, row: int) -> str:
        """A line as a terminal shows it, without escapes, otherwise whole."""
        if text := self.divider(row):
            return text
        frame = self.frame(row)
        return _text(frame[0].raw(frame[1])) if frame is not None else self._growing

    def flags(self, _index: _Index) -> Qt.ItemFlag:
        """To select and copy, not to edit."""
        return Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | _LEAF

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """One line, made visible."""
        if role == Qt.ItemDataRole.DisplayRole:
            return self._display_text(index.row())
        if role == Qt.ItemDataRole.ToolTipRole:
            return tool_tip(self.text(index.row()))
        if role == TIME_ROLE:
            return self._time(index.row())
        if role == Qt.ItemDataRole.BackgroundRole and self.divider(index.row()):
            return self._divider_background
        return None

    def _display_text(self, row: int) -> str:
        text = self.text(row)
        frame = self.frame(row)
        if frame is not None and not text.strip():
            count = blank_lines(frame[0].raw(frame[1]))
            return f"({plural(count, 'empty line')})" if count > 1 else ""
        return one_line(text, LINE_LIMIT)

    def _time(self, row: int) -> str:
        frame = self.frame(row)
        return clock_time(frame[0].columns.wall_s[frame[1] - 1]) if frame is not None else ""


def _text(raw: bytes) -> str:
    return without_ansi(last_written(raw.decode("utf-8", "replace")))
