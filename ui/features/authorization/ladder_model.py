"""The rows of the ladder for a view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ui.widgets.labels import tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.features.authorization.ladder_rows import LadderRow

_Index = QModelIndex | QPersistentModelIndex


class LadderModel(QAbstractListModel):
    """One item a step. Rows that stay are changed in place, so that cursor and selection stay where they are."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.rows: tuple[LadderRow, ...] = ()

    def set_rows(self, rows: Sequence[LadderRow]) -> None:
        """Show `rows` from now on."""
        before, now = len(self.rows), len(rows)
        if now < before:
            self.beginRemoveRows(QModelIndex(), now, before - 1)
            self.rows = tuple(rows)
            self.endRemoveRows()
        elif now > before:
            self.beginInsertRows(QModelIndex(), before, now - 1)
            self.rows = tuple(rows)
            self.endInsertRows()
        self.rows = tuple(rows)
        if stays := min(before, now):
            self.dataChanged.emit(self.index(0), self.index(stays - 1))

    def row(self, index: _Index) -> LadderRow | None:
        """The row at `index`."""
        at = index.row()
        return self.rows[at] if 0 <= at < len(self.rows) else None

    def rowCount(self, parent: _Index | None = None) -> int:
        """How many steps there are, done and to come."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The title; everything that is painted as accessible text; what came of it as tool tip."""
        row = self.row(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{row.number} {row.title}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.accessible_text
        if role == Qt.ItemDataRole.ToolTipRole:
            step = row.step
            return tool_tip((step.problem or step.reason) if step is not None else "")
        return None
