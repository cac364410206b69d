"""How long requests took, as rows: one for each method and tool, with percentiles and the course over time."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from inspector.transcript.latency import LatencyFeed, LatencyRow, LatencyStatistics
from inspector.visible_text import isolated, one_line
from inspector.wire.frame import Direction
from ui.bind import bind_coalesced
from ui.timeline.filters import latency_terms
from ui.widgets.labels import tool_tip
from ui.widgets.table_columns import TableColumn, header_data
from ui.widgets.units import duration, duration_exact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.transcript.transcript import Transcript

SLICE_MS = 6
"""How long one slice of counting may take."""
PAUSE_MS = 500
"""Between two looks at new frames, and at requests that may end without one."""
MAX_NAME = 200
"""Characters of a method or name."""
ROW_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""`LatencyRow`: what the course of a row is painted from."""

PERCENTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
"""Columns of percentiles."""
_NUMBERS = {
    "count": "Requests that have ended",
    "errors": "Requests that failed, timed out or were lost",
    "p50": "Half of the requests took no longer",
    "p95": "95% of the requests took no longer",
    "p99": "99% of the requests took no longer",
    "max": "The slowest request",
}
COLUMNS = (
    TableColumn(
        key="direction", title="", tooltip="→ of the client, ← of the server", characters=3
    ),
    TableColumn(
        key="name",
        title="Method and tool",
        tooltip="What was requested",
        characters=30,
        min_characters=30,
        max_characters=60,
        is_mono=True,
    ),
    *(
        TableColumn(
            key=key,
            title=key if key.startswith("p") else key.capitalize(),
            tooltip=text,
            characters=11,
            min_characters=8,
            is_right=True,
        )
        for key, text in _NUMBERS.items()
    ),
    TableColumn(
        key="course",
        title="Slowest over time",
        tooltip="The slowest requests over the time of the session",
        characters=20,
        takes_rest=True,
        leaves=1,
    ),
)
"""The columns, from left to right."""
KEYS = tuple(column.key for column in COLUMNS)

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class LatencyModel(QAbstractTableModel):
    """The rows, the slowest first; counted in slices while `set_active`.

    Signals:
        counted: more requests were counted.
    """

    counted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        """Without transcripts."""
        super().__init__(parent)
        self._feeds: tuple[LatencyFeed, ...] = ()
        self._rows: list[LatencyRow] = []
        self._sorted_by, self._is_descending = "p99", True
        self._is_active = False
        self._link: QObject | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._on_timer_timeout)
        self.statistics = LatencyStatistics()

    def set_transcripts(self, transcripts: Sequence[Transcript]) -> None:
        """Count the requests of these from the start."""
        self.beginResetModel()
        self.statistics = LatencyStatistics()
        self._feeds = tuple(LatencyFeed(each, self.statistics) for each in transcripts)
        self._rows = []
        self.endResetModel()
        if self._link is not None:
            self._link.deleteLater()
        self._link = QObject(self)
        for each in transcripts:
            bind_coalesced(self._link, each.appended, self._start, PAUSE_MS)
        self._start()

    def set_active(self, active: bool) -> None:
        """Count, or leave what is new for later."""
        self._is_active = active
        if active:
            self._start()
        else:
            self._timer.stop()

    def _start(self) -> None:
        if self._is_active:
            self._timer.start(0)

    @property
    def is_complete(self) -> bool:
        """Whether all frames so far were counted."""
        return all(feed.is_complete for feed in self._feeds)

    def sort_by(self, key: str) -> None:
        """Sort by a column, the highest first; by the same again, the lowest first."""
        is_same = key == self._sorted_by
        self._is_descending = not self._is_descending if is_same else key != "name"
        self._sorted_by = key
        self._sort()

    def row_at(self, row: int) -> LatencyRow:
        """What a row counts."""
        return self._rows[row]

    def terms(self, row: int, column: int) -> str:
        """The filter for the requests that a cell is about: of p99, the slowest 1%."""
        found, key = self._rows[row], KEYS[column]
        if key in PERCENTILES:
            return latency_terms(found.key, min_s=found.durations.slowest(1 - PERCENTILES[key]))
        return latency_terms(found.key, errors=key == "errors")

    def _sort(self) -> None:
        self.layoutAboutToBeChanged.emit()
        before = [*self._rows]
        self._rows.sort(key=self._sort_value, reverse=self._is_descending)
        for index in self.persistentIndexList():
            moved = self._rows.index(before[index.row()])
            self.changePersistentIndex(index, self.index(moved, index.column()))
        self.layoutChanged.emit()

    def _sort_value(self, row: LatencyRow) -> tuple[str, float]:
        key = self._sorted_by
        if key in PERCENTILES:
            return "", row.durations.percentile(PERCENTILES[key])
        if key in {"count", "errors"}:
            return "", row.count if key == "count" else row.errors
        return _name(row), 0.0

    def _on_timer_timeout(self) -> None:
        until, changed, before = perf_counter() + SLICE_MS / 1000, False, len(self._rows)
        for feed in self._feeds:
            changed |= feed.advance(until)
            if perf_counter() >= until:
                break
        is_complete = self.is_complete
        if is_complete and not any(feed.is_waiting for feed in self._feeds):
            self._timer.stop()  # until there are new frames
        else:
            self._timer.setInterval(PAUSE_MS if is_complete else 0)
        known = [*self.statistics.rows.values()]
        if len(known) > before:
            self.beginInsertRows(_ROOT, before, len(known) - 1)
            self._rows += known[before:] if before == 0 else self._new_rows(known)
            self.endInsertRows()
            if is_complete and before == 0:
                self._sort()
        if changed and self._rows:
            self.counted.emit()
            self.dataChanged.emit(
                self.index(0, 0), self.index(len(self._rows) - 1, len(COLUMNS) - 1)
            )

    def _new_rows(self, known: Sequence[LatencyRow]) -> list[LatencyRow]:
        """Rows that appear later stay at the end, until the user sorts."""
        present = {id(row) for row in self._rows}
        return [row for row in known if id(row) not in present]

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Kinds of requests."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """The columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> object:
        """Titles, and what they mean."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        return header_data(COLUMNS[section], role)

    def data(self, index: _Index, role: int = 0) -> object:
        """One cell."""
        if not 0 <= index.row() < len(self._rows):
            return None
        row, key = self._rows[index.row()], KEYS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return _text(row, key)
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.TextAlignmentRole and COLUMNS[index.column()].is_right:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{COLUMNS[index.column()].title}: {_text(row, key) or _course_text(row)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return tool_tip(_tip(row, key))
        return None


def _name(row: LatencyRow) -> str:
    if not row.key.method:
        return "(others)"
    return one_line(f"{row.key.method} {row.key.name}".rstrip(), MAX_NAME)


def _text(row: LatencyRow, key: str) -> str:
    if key in PERCENTILES:
        if not row.durations.count:
            return ""
        sign = "" if row.is_exact or key == "max" else "≈ "
        return sign + duration(row.durations.percentile(PERCENTILES[key]))
    return {
        "direction": "→" if row.key.direction is Direction.SENT else "←",
        "name": isolated(_name(row)),
        "count": f"{row.count:,}",
        "errors": f"{row.errors:,}" if row.errors else "·",
    }.get(key, "")


def _course_text(row: LatencyRow) -> str:
    """The course for those who cannot see it."""
    values = [value for value in row.course if value]
    if not values:
        return "no response"
    return f"from {duration(values[0])} to {duration(values[-1])}, {duration(max(values))} at most"


def _slowest(key: str) -> str:
    """Which requests a percentile leads to."""
    share = 1 - PERCENTILES[key]
    return f"the slowest {share:.0%}" if share else "the slowest request"


def _tip(row: LatencyRow, key: str) -> str:
    if key in PERCENTILES and row.durations.count:
        exact = duration_exact(row.durations.percentile(PERCENTILES[key]))
        note = "" if row.is_exact else "\nFrom a histogram: within 1%"
        return f"{exact}{note}\nClick to show {_slowest(key)}"
    if key == "course":
        return _course_text(row)
    return f"{_name(row)}\nClick to show these requests"
