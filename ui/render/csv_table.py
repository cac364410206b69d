"""Comma-separated values as a table, where a text says it has them and is simple enough."""

from __future__ import annotations

import csv
from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtWidgets import QTableView, QWidget

from inspector.spec.media_types import essence
from inspector.visible_text import one_line
from ui.widgets.labels import tool_tip

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from ui.theme import Theme

SEPARATORS = {"text/csv": ",", "application/csv": ",", "text/tab-separated-values": "\t"}
"""Types that have a table, and what parts their columns."""

MAX_CHARACTERS = 2_000_000
"""Characters of a text that is read as a table."""
MAX_ROWS = 10_000
"""Rows of a table; the text has all of them."""
MAX_COLUMNS = 100
"""Columns of a table."""
MAX_VISIBLE_ROWS = 16
"""Rows that a table shows at most without scrolling."""
MAX_CELL = 500
"""Characters of one cell."""

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


def csv_rows(text: str, mime: str) -> list[list[str]] | None:
    """The rows, the first of them the head; None if `mime` promises none or `text` has none worth a table."""
    separator = SEPARATORS.get(essence(mime))
    if separator is None or len(text) > MAX_CHARACTERS:
        return None
    try:
        rows = list(islice(csv.reader(text.splitlines(), delimiter=separator), MAX_ROWS))
    except csv.Error:
        return None
    wide = max((len(row) for row in rows), default=0)
    return rows if len(rows) > 1 and 1 < wide <= MAX_COLUMNS else None


class CsvTable(QTableView):
    """Rows under their head."""

    def __init__(
        self, rows: list[list[str]], *, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Show `rows`, the first of them as the head."""
        super().__init__(parent)
        self.setObjectName("csv_table")
        self.setAccessibleName("Table")
        self._theme = theme
        self._count = len(rows) - 1
        self.setModel(_Rows(rows, self))
        self.setFont(theme.mono())
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        self.setWordWrap(False)
        self.verticalHeader().setDefaultSectionSize(theme.ROW_HEIGHT_PX)
        self.horizontalHeader().setStretchLastSection(True)
        self.resizeColumnsToContents()
        for column in range(self.model().columnCount()):
            self.setColumnWidth(column, min(self.columnWidth(column), theme.px(240)))

    def sizeHint(self) -> QSize:
        """The rows, up to some."""
        rows = min(self._count, MAX_VISIBLE_ROWS) + 2
        return QSize(self._theme.px(300), rows * self._theme.ROW_HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        """Never squeezed below what it needs."""
        return QSize(0, self.sizeHint().height())


class _Rows(QAbstractTableModel):
    def __init__(self, rows: list[list[str]], parent: QObject) -> None:
        super().__init__(parent)
        self._titles, self._rows = rows[0], rows[1:]
        self._width = max(len(row) for row in rows)

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """All but the head."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        """As many as the widest row has."""
        return 0 if parent.isValid() else self._width

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> str | None:
        """One cell."""
        row = self._rows[index.row()]
        cell = row[index.column()] if index.column() < len(row) else ""
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(cell, MAX_CELL)
        return tool_tip(cell) if role == Qt.ItemDataRole.ToolTipRole else None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = int(Qt.ItemDataRole.DisplayRole),
    ) -> object:
        """The names of the columns, and the numbers of the rows."""
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation is Qt.Orientation.Vertical:
            return section + 1
        return one_line(self._titles[section], 80) if section < len(self._titles) else ""
