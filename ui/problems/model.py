"""The problems as rows of a table: groups, and beneath those that are unfolded their findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from inspector.transcript.redaction import Masking
from ui.problems.cells import (
    ProblemRow,
    group_row,
    item_row,
    row_sentence,
)
from ui.problems.columns import COLUMNS, COUNT, PROBLEM, RULE, WHERE
from ui.problems.groups import ProblemGroups
from ui.problems.selection import Selection
from ui.render.rule_text import SEVERITY_SIGNS, SEVERITY_TONES
from ui.widgets.labels import tool_tip
from ui.widgets.row_painter import PaintedRow
from ui.widgets.table_columns import RIGHT, header_data

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.transcript.transcript import Transcript
    from ui.problems.groups import Additions, Group, Item

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class ProblemsModel(QAbstractTableModel):
    """Rows of a `ProblemGroups`. A row is made when it is painted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start without rows."""
        super().__init__(parent)
        self.groups = ProblemGroups(None, Selection())
        self.transcript: Transcript | None = None
        """Where the findings are from."""
        self._masking: Masking | None = None
        """Takes secrets out of texts; None until a row is made."""

    def show_groups(self, groups: ProblemGroups, transcript: Transcript | None) -> None:
        """Show other groups."""
        self.beginResetModel()
        if transcript is not self.transcript:
            self._masking = None
        self.groups, self.transcript = groups, transcript
        self.endResetModel()

    def sort(self, column: int = 0, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Put the groups in order again."""
        del column, order
        self.beginResetModel()
        self.groups.sort()
        self.endResetModel()

    def add(self, found: Additions) -> None:
        """Show what was read: more findings in their groups, new groups after those that are as grave."""
        groups = self.groups
        for at, more in groups.existing(found):
            if groups.is_open(at):
                row = groups.row_of(at) + 1 + len(groups.visible[at].items)
                self.beginInsertRows(_NOWHERE, row, row + len(more.items) - 1)
                groups.extend(at, more)
                self.endInsertRows()
            else:
                groups.extend(at, more)
        for severity, block in groups.fresh(found).items():
            at = groups.end_of(severity)
            row = groups.row_of(at)
            self.beginInsertRows(_NOWHERE, row, row + len(block) - 1)
            groups.insert(at, block)
            self.endInsertRows()

    def set_open(self, row: int, *, is_open: bool) -> bool:
        """Unfold or fold the group at a row; return whether that changed anything."""
        groups = self.groups
        group, child = groups.locate(row)
        at = groups.position(group.key)
        if child >= 0 or at is None or groups.is_open(at) == is_open:
            return False
        last = row + len(group.items)
        if is_open:
            self.beginInsertRows(_NOWHERE, row + 1, last)
            groups.set_open(at, is_open=True)
            self.endInsertRows()
        else:
            self.beginRemoveRows(_NOWHERE, row + 1, last)
            groups.set_open(at, is_open=False)
            self.endRemoveRows()
        return True

    def fold_state(self, row: int) -> bool | None:
        """Return whether the group at a row is unfolded; None for a finding."""
        group, child = self.groups.locate(row)
        return group.key in self.groups.unfolded if child < 0 else None

    def group(self, row: int) -> Group:
        """Return the group that a row is, or is beneath."""
        return self.groups.locate(row)[0]

    def item(self, row: int) -> Item:
        """Return the finding of a row; the earliest one of a group."""
        group, child = self.groups.locate(row)
        return self.groups.item(group, max(child, 0))

    def parent_row(self, row: int) -> int:
        """Return the row of the group that a row is, or is beneath."""
        return row - self.groups.locate(row)[1] - 1

    def row(self, row: int) -> ProblemRow:
        """Return what is displayed of a row."""
        group, child = self.groups.locate(row)
        assert self.transcript is not None
        if self._masking is None:
            self._masking = Masking(self.transcript)
        masked = self._masking.text
        if child < 0:
            return group_row(self.groups, group, self.transcript, masked)
        return item_row(self.groups, self.groups.item(group, child), self.transcript, masked)

    def painted_row(self, row: int) -> PaintedRow:
        """Return what is drawn of a row; the painter draws the first cell part by part."""
        made = self.row(row)
        tones = ("text", "text", "muted", "muted")
        return PaintedRow((made.text, made.count, made.where, made.rule), tones)

    def divider(self, row: int) -> str:
        """Return nothing: no row begins a run."""
        del row
        return ""

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self.groups)

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
        if not 0 <= index.row() < len(self.groups):
            return None
        row, column = self.row(index.row()), index.column()
        text = {PROBLEM: row.text, COUNT: row.count, WHERE: row.where, RULE: row.rule}[column]
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.ToolTipRole and column == PROBLEM:
            return tool_tip(text)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            is_open = self.fold_state(index.row())
            return row_sentence(row, is_open=is_open) if column == PROBLEM else text
        if role == Qt.ItemDataRole.TextAlignmentRole and COLUMNS[column].is_right:
            return RIGHT
        return None


def sign_and_tone(row: ProblemRow) -> tuple[str, str]:
    """Return the sign of a row and the name of its color."""
    return SEVERITY_SIGNS[row.severity], SEVERITY_TONES[row.severity]
