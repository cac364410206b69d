"""The frames of one operation in the order of its rows, with times relative to its request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from ui.models.traffic_cells import DIRECTION_TEXTS, TimeFormat
from ui.traffic.operations.cells import CellMaker
from ui.traffic.operations.columns import position
from ui.traffic.operations.visible_rows import Node
from ui.widgets.delegates import SECONDARY_ROLE, TONE_ROLE
from ui.widgets.units import duration, plural

if TYPE_CHECKING:
    from inspector.transcript.operation_rows import OperationRows
    from ui.traffic.operations.cells import OperationCells

MAX_ROWS = 500
"""Rows of one operation; more are counted."""

_ROOT = QModelIndex()
_NAME, _SUMMARY, _STATUS = position("operation"), position("summary"), position("status")


class SequenceModel(QAbstractListModel):
    """One row for what stands beneath an operation, equal neighbors as one."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self._rows: OperationRows | None = None
        self._operation = 0
        self._folds: tuple[int, ...] = ()
        self._counts: tuple[int, ...] = ()
        self._rest = 0
        self._now = 0.0

    def show(self, rows: OperationRows, operation: int, now: float) -> None:
        """List what is beneath the frame `operation`; rows that are listed stay."""
        all_folds = list(rows.tree.children(operation))
        folds = tuple(all_folds[:MAX_ROWS])
        counts = tuple(rows.tree.member_count(fold) for fold in folds)
        rest = len(all_folds) - len(folds)
        before, self._now = self._folds, now
        is_same = rows is self._rows and operation == self._operation
        if is_same and folds[: len(before)] == before and not self._rest:
            added = len(folds) - len(before) + bool(rest)
            if added:
                self.beginInsertRows(_ROOT, len(before), len(before) + added - 1)
            self._folds, self._counts, self._rest = folds, counts, rest
            if added:
                self.endInsertRows()
            if before:
                self.dataChanged.emit(self.index(0), self.index(len(before) - 1))
            return
        self.beginResetModel()
        self._rows, self._operation = rows, operation
        self._folds, self._counts, self._rest = folds, counts, rest
        self.endResetModel()

    def number_at(self, row: int) -> int:
        """The frame of a row, or the first one of several; 0 for the row that counts the rest."""
        return self._folds[row] if row < len(self._folds) else 0

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        """Rows, and one for the rest."""
        return 0 if parent.isValid() else len(self._folds) + bool(self._rest)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> object:
        """When, which way, what; and what it says."""
        rows = self._rows
        if rows is None or not index.isValid():
            return None
        if index.row() >= len(self._folds):
            is_text = role == int(Qt.ItemDataRole.DisplayRole)
            return f"{plural(self._rest, 'more row')}" if is_text else None
        fold = self._folds[index.row()]
        cells = self._cells(rows, fold, self._counts[index.row()])
        if role == int(Qt.ItemDataRole.DisplayRole):
            return self._text(rows, fold, cells)
        if role == SECONDARY_ROLE:
            return cells.texts[_SUMMARY]
        if role == TONE_ROLE:
            return "error" if cells.background == "error_ground" else None
        if role == int(Qt.ItemDataRole.AccessibleTextRole):
            way = DIRECTION_TEXTS[rows.transcript.row(fold).direction]
            return f"{way}, {self._text(rows, fold, cells)}, {cells.texts[_SUMMARY]}"
        return None

    def _cells(self, rows: OperationRows, fold: int, count: int) -> OperationCells:
        maker = CellMaker(rows, TimeFormat.CLOCK, self._now)
        return maker.make(Node(fold, 1, is_fold=count > 1), fold)

    def _text(self, rows: OperationRows, fold: int, cells: OperationCells) -> str:
        times = rows.transcript.columns.monotonic_s
        since = duration(max(0.0, times[fold - 1] - times[self._operation - 1]))
        arrow = "" if cells.arrow.startswith("mdi6.") else cells.arrow
        status = cells.texts[_STATUS]
        parts = (f"+{since}", arrow, cells.texts[_NAME], status)
        return "  ".join(part for part in parts if part)
