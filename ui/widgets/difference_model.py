"""The rows of a difference as a table model: two columns side by side, or one column with the old line above the new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from inspector.compare.json_difference import ChangeKind
from inspector.compare.paths import path_text
from inspector.compare.rows import open_fold
from ui.widgets.labels import tool_tip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QWidget

    from inspector.compare.json_difference import Change
    from inspector.compare.rows import DifferenceRows, Line, Row

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()

INDENT = "  "
"""Of one level, in a text that is copied."""


class Cell(NamedTuple):
    """What one cell shows."""

    row: Row
    line: Line | None
    """None on the empty side of a line that was added or removed, and for a fold."""
    kind: ChangeKind | None
    """The sign before the line."""


class DifferenceModel(QAbstractTableModel):
    """One row for each line.

    Signals:
        rearranged: a fold was opened, or the columns changed.
    """

    rearranged = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start empty, with two columns."""
        super().__init__(parent)
        self._difference: DifferenceRows | None = None
        self._rows: list[Row] = []
        self._cells: list[tuple[Cell, ...]] = []
        self._starts: list[int] | None = None
        """What `starts` returns; None until it is asked."""
        self.is_split = True
        """Whether the sides are in two columns."""

    def set_difference(self, difference: DifferenceRows | None) -> None:
        """Show the rows of a difference."""
        self._difference = difference
        self._rows = list(difference.rows) if difference is not None else []
        self._arrange()

    def set_split(self, is_split: bool) -> None:
        """Show the sides in two columns, or in one."""
        if is_split != self.is_split:
            self.is_split = is_split
            self._arrange()

    def open(self, row: int) -> bool:
        """Open the fold in a row of the table; False without one."""
        if not 0 <= row < len(self._cells) or self._cells[row][0].row.fold is None:
            return False
        folded = self._cells[row][0].row
        at = next(at for at, each in enumerate(self._rows) if each is folded)
        self._rows[at : at + 1] = open_fold(folded)
        self._arrange()
        return True

    def cell(self, index: _Index) -> Cell | None:
        """Return what a cell shows."""
        is_there = 0 <= index.row() < len(self._cells)
        return self._cells[index.row()][index.column()] if is_there else None

    def change(self, row: int) -> Change | None:
        """Return the change that a row of the table belongs to."""
        number = self._cells[row][0].row.change if 0 <= row < len(self._cells) else -1
        if self._difference is None or number < 0:
            return None
        return self._difference.changes[number]

    def starts(self) -> list[int]:
        """Return the rows of the table with which the changes begin that are not ignored, in order; found once for each arrangement."""
        if self._starts is None:
            self._starts = self._find_starts()
        return self._starts

    def _find_starts(self) -> list[int]:
        found: list[int] = []
        seen: set[int] = set()
        for at, cells in enumerate(self._cells):
            row = cells[0].row
            if row.change >= 0 and not row.is_ignored and row.change not in seen:
                seen.add(row.change)
                found.append(at)
        return found

    def text(self, rows: list[int]) -> str:
        """Return rows of the table as text to be copied: the new side, and the old one of what was removed."""
        lines: list[str] = []
        for at in rows:
            cells = self._cells[at]
            lines += [
                _sign(cell) + INDENT * cell.line.depth + cell.line.text
                for cell in _copied(cells)
                if cell.line
            ]
        return "\n".join(lines)

    def _arrange(self) -> None:
        self.beginResetModel()
        self._starts = None
        if self.is_split:
            self._cells = [
                (Cell(row, row.old, _kind(row)), Cell(row, row.new, _kind(row)))
                for row in self._rows
            ]
        else:
            self._cells = [(cell,) for row in self._rows for cell in _stacked(row)]
        self.endResetModel()
        self.rearranged.emit()

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """Return the number of lines."""
        return 0 if parent.isValid() else len(self._cells)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else 1 + self.is_split

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """Return the text of a cell, and what it means."""
        cell = self.cell(index)
        if cell is None:
            return None
        text = cell.row.fold.text if cell.row.fold is not None else ""
        if cell.line is not None:
            text = cell.line.text
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            meaning = "ignored" if cell.row.is_ignored else (cell.kind or "")
            return f"{meaning}: {text}" if meaning and text else text
        if role == Qt.ItemDataRole.ToolTipRole:
            change = self.change(index.row())
            return (
                tool_tip(_change_text(change, is_ignored=cell.row.is_ignored)) if change else None
            )
        return None


def _change_text(change: Change, *, is_ignored: bool) -> str:
    where = path_text(change.path) or "whole value"
    if change.kind is ChangeKind.MOVED:
        where = f"{path_text(change.old_path)} → {where}"
    return f"{where} {change.kind.value}{', ignored' if is_ignored else ''}"


def _kind(row: Row) -> ChangeKind | None:
    return None if row.is_ignored else row.kind


def _stacked(row: Row) -> Iterator[Cell]:
    """Yield the cells of a row in one column."""
    if row.fold is not None or row.old is None or row.new is None:
        yield Cell(row, row.old or row.new, _kind(row))
    elif row.kind is ChangeKind.CHANGED and row.old != row.new:
        yield Cell(row, row.old, None if row.is_ignored else ChangeKind.REMOVED)
        yield Cell(row, row.new, None if row.is_ignored else ChangeKind.ADDED)
    else:
        yield Cell(row, row.new, _kind(row))


def _copied(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return the cells of a row that are copied: both of one that changed, else the one that has a line."""
    old, new = cells[0], cells[-1]
    if old.line is None or new.line is None or old.row.kind is not ChangeKind.CHANGED:
        return (new if new.line is not None else old,)
    if len(cells) == 1:
        return cells
    return (old._replace(kind=ChangeKind.REMOVED), new._replace(kind=ChangeKind.ADDED))


def _sign(cell: Cell) -> str:
    return (
        {ChangeKind.REMOVED: "- ", ChangeKind.ADDED: "+ "}.get(cell.kind, "  ")
        if cell.kind
        else "  "
    )
