"""The bars of a histogram as a table, for the keyboard and for exact numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from inspector.features.repeated_sends import Histogram
from ui.widgets.following_table import FollowingTable
from ui.widgets.row_painter import PaintedRow
from ui.widgets.table_columns import RIGHT, TableColumn, header_data
from ui.widgets.units import duration

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme

COLUMNS = (
    TableColumn(
        key="from", title="From", tooltip="Shortest duration", characters=12, is_right=True
    ),
    TableColumn(
        key="below", title="Below", tooltip="All durations are below", characters=12, is_right=True
    ),
    TableColumn(key="calls", title="Calls", tooltip="Number of calls", characters=9, is_right=True),
    TableColumn(key="note", title="", tooltip="Percentiles in this range", characters=16),
)

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class BarsModel(QAbstractTableModel):
    """One row for each bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Without rows."""
        super().__init__(parent)
        self.histogram = Histogram()

    def set_histogram(self, made: Histogram) -> None:
        """Show other bars."""
        if len(made.bars) != len(self.histogram.bars):
            self.beginResetModel()
            self.histogram = made
            self.endResetModel()
        elif made.bars:
            self.histogram = made
            last = self.index(len(made.bars) - 1, len(COLUMNS) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def _texts(self, row: int) -> tuple[str, ...]:
        bar = self.histogram.bars[row]
        inside = [
            name
            for name, seconds in self.histogram.percentiles
            if bar.first_s <= seconds < bar.end_s
        ]
        count = f"{bar.count:,}" if bar.count else "·"
        return duration(bar.first_s), duration(bar.end_s), count, ", ".join(inside)

    def painted_row(self, row: int) -> PaintedRow:
        """Return what is drawn of a row."""
        bar = self.histogram.bars[row]
        is_slow = bar.count and bar.first_s > self.histogram.p99_s
        tone = "error" if is_slow else "text" if bar.count else "disabled"
        return PaintedRow(self._texts(row), ("muted", "muted", tone, "muted"))

    def divider(self, row: int) -> str:
        """Return nothing: no row begins a run."""
        del row
        return ""

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self.histogram.bars)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> object:
        """Return the title of a column, and what it means."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        return header_data(COLUMNS[section], role)

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """Return the text of a cell."""
        if not 0 <= index.row() < len(self.histogram.bars):
            return None
        text = self._texts(index.row())[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{COLUMNS[index.column()].title}: {text}"
        if role == Qt.ItemDataRole.TextAlignmentRole and COLUMNS[index.column()].is_right:
            return RIGHT
        return None


class BarsTable(FollowingTable):
    """The table; Enter and a double click list the calls of a row.

    Signals:
        bar_requested: list the calls of this bar.
    """

    bar_requested = Signal(object)

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Without rows."""
        self.bars = BarsModel()
        super().__init__(
            model=self.bars,
            rows=self.bars,
            columns=COLUMNS,
            flexible="note",
            theme=theme,
            name=name,
            parent=parent,
        )
        self.bars.setParent(self)
        self.setAccessibleName("Latency by duration")
        self.setSelectionMode(self.SelectionMode.SingleSelection)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.set_following(False)
        self.opened.connect(self._on_opened)

    def _on_opened(self) -> None:
        row = self.currentIndex().row()
        if 0 <= row < len(self.bars.histogram.bars) and self.bars.histogram.bars[row].count:
            self.bar_requested.emit(self.bars.histogram.bars[row])
