"""The lines on standard error as rows: one a frame, and one for the line that is still being written.

A carriage return starts a line anew, as in a terminal; the record keeps every byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.wire.frame import Channel
from inspector.wire.lines import blank_lines, last_written
from ui.widgets.units import amount, clock_time
from ui.widgets.visible_text import one_line, tool_tip, without_ansi

if TYPE_CHECKING:
    from array import array

    from inspector.transcript.transcript import Transcript

LINE_LIMIT = 2000
"""Characters shown of one line."""

TIME_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""str: when the line came."""

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class StderrModel(QAbstractListModel):
    """The stderr frames of a record, pulled as they come."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Start without a record."""
        super().__init__(parent)
        self._transcript: Transcript | None = None
        self._numbers: array[int] = _numbers()
        self._seen = 0
        self._growing = ""

    def set_transcript(self, transcript: Transcript | None) -> None:
        """Show the lines of `transcript`."""
        self.beginResetModel()
        self._transcript, self._numbers, self._seen = transcript, _numbers(), 0
        self._growing = ""
        self.endResetModel()
        self.pull()

    def pull(self) -> None:
        """Take in what came since the last time."""
        transcript = self._transcript
        if transcript is None:
            return
        channels = transcript.columns.channel
        new = [
            n
            for n in range(self._seen + 1, transcript.count + 1)
            if channels[n - 1] == Channel.STDERR
        ]
        self._seen = transcript.count
        if new:
            self._set_growing("")
            first = len(self._numbers)
            self.beginInsertRows(_NOWHERE, first, first + len(new) - 1)
            self._numbers.extend(new)
            self.endInsertRows()
        rest = transcript.unfinished.of(Channel.STDERR)
        self._set_growing(_text(rest.tail) if rest is not None else "")

    def _set_growing(self, text: str) -> None:
        """Show the line that is being written as the last row; none while nothing is seen of it."""
        if text == self._growing:
            return
        row = len(self._numbers)
        if not self._growing:
            self.beginInsertRows(_NOWHERE, row, row)
            self._growing = text
            self.endInsertRows()
        elif not text:
            self.beginRemoveRows(_NOWHERE, row, row)
            self._growing = text
            self.endRemoveRows()
        else:
            self._growing = text
            self.dataChanged.emit(self.index(row), self.index(row))

    def number(self, row: int) -> int:
        """The frame of a row; 0 for the line that is being written."""
        return self._numbers[row] if row < len(self._numbers) else 0

    def text(self, row: int) -> str:
        """A line as a terminal shows it, without escapes, otherwise whole."""
        assert self._transcript is not None
        number = self.number(row)
        return _text(self._transcript.raw(number)) if number else self._growing

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """How many lines there are, that which is being written included."""
        return 0 if parent.isValid() else len(self._numbers) + bool(self._growing)

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """One line, made visible."""
        if role == Qt.ItemDataRole.DisplayRole:
            return self._shown(index.row())
        if role == Qt.ItemDataRole.ToolTipRole:
            return tool_tip(self.text(index.row()))
        if role == TIME_ROLE:
            return self._time(index.row())
        return None

    def _shown(self, row: int) -> str:
        text = self.text(row)
        number = self.number(row)
        if number and not text.strip() and self._transcript is not None:
            count = blank_lines(self._transcript.raw(number))
            return f"({amount(count, 'empty line')})" if count > 1 else ""
        return one_line(text, LINE_LIMIT)

    def _time(self, row: int) -> str:
        number = self.number(row)
        if not number or self._transcript is None:
            return ""
        return clock_time(self._transcript.columns.wall[number - 1])


def _text(raw: bytes) -> str:
    return without_ansi(last_written(raw.decode("utf-8", "replace")))


def _numbers() -> array[int]:
    from array import array as make

    return make("I")
