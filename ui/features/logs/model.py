"""The log messages that match the filter as rows, their texts, and exact copies for the clipboard.

The rows are an array of positions in `RunLogs`; what they say is asked for when a view wants it. New messages and another filter are
worked on for a few milliseconds at a time, and rows come in batches.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from enum import IntEnum
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from inspector.background_tasks import TurnShare
from inspector.errors import StorageError
from inspector.features.logs import UNKNOWN, LogFilter, cause_text
from inspector.visible_text import isolated, one_line
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from ui.theme.signs import Sign
from ui.widgets.labels import tool_tip
from ui.widgets.row_painter import SIGNS, PaintedRow
from ui.widgets.table_columns import TableColumn, header_data
from ui.widgets.units import clock_exact, clock_with_millis, minutes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.features.logs import LogLine
    from ui.features.logs.run_logs import RunLogs

SLICE_SECONDS = 0.004
"""How long one turn may take; less than half a frame of the display."""
STEP = 512
"""Messages filtered between two looks at the clock."""
CACHED_ROWS = 2048
"""Rows whose texts are kept."""
TIP_BYTES = 2000
"""Of the data, in its tool tip."""

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class Column(IntEnum):
    """Where a column stands."""

    TIME = 0
    LEVEL = 1
    LOGGER = 2
    DATA = 3
    CAUSE = 4


COLUMNS = (
    TableColumn(
        key="time",
        title="Time",
        tooltip="Time received",
        characters=13,
        leaves=3,
        short_characters=10,
        shorten=minutes_of,
        is_right=True,
    ),
    TableColumn(
        key="level",
        title="Level",
        tooltip="Level as sent by the server; ⚠ marks an unknown level",
        characters=13,
        has_sign=True,
    ),
    TableColumn(
        key="logger",
        title="Logger",
        tooltip="Logger name",
        characters=16,
        leaves=2,
        is_mono=True,
        is_name=True,
    ),
    TableColumn(key="data", title="Data", tooltip="Message data", characters=30),
    TableColumn(
        key="cause",
        title="During",
        tooltip="Request whose response stream carried this message",
        characters=24,
        leaves=1,
        is_mono=True,
        is_name=True,
    ),
)
"""The columns, in the order of `Column`."""


class LogModel(QAbstractTableModel):
    """Rows of the log.

    Signals:
        counted: there are more messages, or more of them were checked.
        failed: messages cannot be read back, for this reason.
    """

    counted = Signal()
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        """Without a log, until `set_lines`."""
        super().__init__(parent)
        self.lines: RunLogs | None = None
        self._sought = LogFilter()
        self._visible = array("I")
        self._filtered = 0
        self._dividers = 0
        self._let_go = 0
        self._texts: dict[int, RowTexts] = {}
        self._share = TurnShare(SLICE_SECONDS)
        self._again = QTimer(self, interval=0, singleShot=True)
        self._again.timeout.connect(self.pull)

    @property
    def total(self) -> int:
        """Messages there are, shown or not."""
        return self.lines.messages if self.lines is not None else 0

    @property
    def matching(self) -> int:
        """Messages that are shown."""
        return len(self._visible) - self._dividers

    @property
    def is_working(self) -> bool:
        """Whether there is more to look at."""
        return self._again.isActive()

    def set_lines(self, lines: RunLogs | None) -> None:
        """Show the messages of `lines`, with the filter as it is."""
        self.lines = lines
        self._restart()

    def set_sought(self, what: LogFilter) -> None:
        """Show those that `what` looks for."""
        if what != self._sought:
            self._sought = what
            self._restart()

    def pull(self) -> None:
        """Look at what came since, as far as time allows; the rest follows at once."""
        try:
            found, more = self._work()
        except StorageError as error:
            self.failed.emit(error.reason)
            return
        if found:
            first = len(self._visible)
            self.beginInsertRows(_ROOT, first, first + len(found) - 1)
            self._visible.extend(found)
            self.endInsertRows()
        if more:
            self._again.start()
        self.counted.emit()

    def position(self, row: int) -> int:
        """Where the message of a row stands in `lines`."""
        return self._visible[row]

    def row_of(self, position: int) -> int:
        """The row of a message; -1 when it is not shown."""
        row = bisect_left(self._visible, position)
        return row if row < len(self._visible) and self._visible[row] == position else -1

    def cells(self, row: int) -> RowTexts:
        """What a row says."""
        assert self.lines is not None
        position = self._visible[row]
        known = self._texts.get(position)
        if known is None or known.divider:
            if len(self._texts) >= CACHED_ROWS:
                self._texts.clear()
            known = self._texts[position] = row_texts(self.lines, position)
        return known

    def painted_row(self, row: int) -> PaintedRow:
        """Return what is drawn of a row."""
        cells = self.cells(row)
        return PaintedRow(cells.texts, cells.tones, cells.background, cells.sign)

    def divider(self, row: int) -> str:
        """Return the text of a row with which a run begins; empty for other rows."""
        return self.cells(row).divider

    def _work(self) -> tuple[array[int], bool]:
        lines, found = self.lines, array("I")
        if lines is None:
            self._share.end(is_done=True)
            return found, False
        deadline = self._share.until()
        left = lines.pull((deadline - perf_counter()) / 2)
        if lines.let_go != self._let_go:
            self._restart()
            self._share.end()
            return found, False
        while self._filtered < len(lines) and perf_counter() < deadline:
            stop = min(self._filtered + STEP, len(lines))
            found.extend(lines.matching(self._sought, self._filtered, stop))
            self._dividers = lines.dividers
            self._filtered = stop
        more = bool(left) or self._filtered < len(lines)
        self._share.end(is_done=not more)
        return found, more

    def _restart(self) -> None:
        self.beginResetModel()
        self._again.stop()
        self._visible, self._filtered, self._dividers = array("I"), 0, 0
        self._texts.clear()
        self._let_go = self.lines.let_go if self.lines is not None else 0
        self.endResetModel()
        self.pull()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Messages shown."""
        return 0 if parent.isValid() else len(self._visible)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """Those of `Column`."""
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: _Index, role: int = 0) -> object:
        """One cell."""
        if not 0 <= index.row() < len(self._visible):
            return None
        if role == _DISPLAY:
            return self.cells(index.row()).texts[index.column()]
        return self._tip(index.row(), index.column()) if role == _TOOL_TIP else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> object:
        """Titles and what they mean."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        return header_data(COLUMNS[section], role)

    def _tip(self, row: int, column: int) -> str:
        tip = _TIPS.get(Column(column))
        assert self.lines is not None
        try:
            text = tip(self.lines, self._visible[row]) if tip else self.cells(row).texts[column]
        except StorageError as error:
            text = error.reason
        return tool_tip(text)


def _data_tip(lines: RunLogs, at: int) -> str:
    return lines.line(at).data[:TIP_BYTES].decode("utf-8", "replace")


def _time_tip(lines: RunLogs, at: int) -> str:
    return f"{clock_exact(lines.wall(at))}\nframe {lines.frame(at):,}"


_TIPS: dict[Column, Callable[[RunLogs, int], str]] = {
    Column.TIME: _time_tip,
    Column.DATA: _data_tip,
}
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)


MAX_TEXT = 400
"""Characters of the data in its row."""
NAME_LIMIT = 120
"""Characters of a level or logger."""
READ_LIMIT = 16 << 10
"""Bytes of data up to which it is read for its row; more is quoted from its beginning."""

TONES = ("muted", "muted", "text", "warning", "error", "error", "error", "error")
"""Color by rank."""
FINDING_MARK = "⚠ "
"""Before an unknown level."""


class RowTexts(NamedTuple):
    """One row, as displayed."""

    texts: tuple[str, ...]
    """By column."""
    tones: tuple[str, ...]
    """Names of colors, by column."""
    background: str = ""
    """Name of the color behind the row; empty for the usual one."""
    sign: str = ""
    """Name of the icon before the level; empty for none."""
    divider: str = ""
    """The text about the run that begins here; empty for a message."""


_PLAIN_TONES = ("muted", "muted", "muted", "text", "muted")
"""By column, of a message that is no problem."""


def row_texts(lines: RunLogs, at: int) -> RowTexts:
    """The row of the message at a position."""
    time = clock_with_millis(lines.wall(at))
    if text := lines.divider(at):
        return RowTexts((time, "", "", text, ""), _PLAIN_TONES, divider=text)
    try:
        line = lines.line(at)
    except StorageError as error:
        texts = (time, "", "", f"(cannot be read: {error.reason})", "")
        return RowTexts(texts, _PLAIN_TONES)
    cause = lines.cause(at)
    texts = (
        time,
        level_text(line),
        isolated(one_line(line.logger, NAME_LIMIT)),
        isolated(one_line(data_text(line.data), MAX_TEXT)),
        isolated(one_line(cause_text(lines.transcript(at), cause), NAME_LIMIT)) if cause else "",
    )
    tone = level_tone(line.rank)
    tones = (_PLAIN_TONES[0], tone, *_PLAIN_TONES[2:])
    background = "error_ground" if tone == "error" else ""
    sign = SIGNS.get(tone, Sign.NONE) if line.rank != UNKNOWN else Sign.NONE
    return RowTexts(texts, tones, background, sign)


def level_text(line: LogLine) -> str:
    """Return the level as the server sent it, marked if it is unknown."""
    if line.rank != UNKNOWN:
        return line.level
    return FINDING_MARK + (isolated(one_line(line.level, NAME_LIMIT)) or "no level")


def level_tone(rank: int) -> str:
    """Return the name of the color."""
    return TONES[rank] if rank < len(TONES) else "warning"


def data_text(data: bytes) -> str:
    """Data in short: text as it is, anything else as JSON."""
    if len(data) > READ_LIMIT or not data.startswith(b'"'):
        return data[: 4 * MAX_TEXT].decode("utf-8", "replace")
    try:
        value = json_codec.read(data).value
    except JsonSyntaxError:
        value = None
    return value if isinstance(value, str) else data.decode("utf-8", "replace")


MAX_COPIED = 10_000
"""Messages at once."""


def as_lines(lines: RunLogs, positions: Sequence[int]) -> str:
    """One line each: time, level, logger and data, with tabs between."""
    return "\n".join(_line(lines, at) for at in positions)


def as_messages(lines: RunLogs, positions: Sequence[int]) -> str:
    """The messages as they came, one below the other."""
    return "\n".join(_raw(lines, at) for at in positions)


def _line(lines: RunLogs, at: int) -> str:
    try:
        line = lines.line(at)
    except StorageError as error:
        return f"(cannot be read: {error.reason})"
    return "\t".join((clock_exact(lines.wall(at)), line.level, line.logger, _data(line.data)))


def _data(data: bytes) -> str:
    if data.startswith(b'"'):
        try:
            value = json_codec.read(data).value
        except JsonSyntaxError:
            value = None
        if isinstance(value, str):
            return value
    return data.decode("utf-8", "replace")


def _raw(lines: RunLogs, at: int) -> str:
    try:
        return lines.raw(at).decode("utf-8", "replace")
    except StorageError as error:
        return f"(cannot be read: {error.reason})"
