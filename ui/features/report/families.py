"""The families of rules as rows of a table, with the sums of all of them in the last row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
)

from inspector.frozen import FrozenStruct
from ui.features.report.rules import NOT_FOUND
from ui.widgets.badge import badge_size, draw_badge
from ui.widgets.delegates import baseline
from ui.widgets.row_painter import CellRect, PaintedRow, RowPainter
from ui.widgets.table_columns import RIGHT, TableColumn, header_data

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QWidget

    from inspector.checks.problem_sums import Sums
    from inspector.checks.report import Report

COLUMNS = (
    TableColumn(
        key="family", title="Family", tooltip="Group of rules", characters=30, max_characters=45
    ),
    TableColumn(
        key="seen",
        title="Checked",
        tooltip="Rules that saw something to check, of all rules of the family",
        characters=12,
        is_right=True,
    ),
    TableColumn(
        key="errors", title="Errors", tooltip="Rules that found errors", characters=8, is_right=True
    ),
    TableColumn(
        key="warnings",
        title="Warnings",
        tooltip="Rules that found warnings",
        characters=10,
        is_right=True,
    ),
    TableColumn(
        key="notes", title="Notes", tooltip="Rules that found notes", characters=7, is_right=True
    ),
    TableColumn(
        key="not_seen",
        title="Not seen",
        tooltip="Rules that saw nothing to check",
        characters=10,
        is_right=True,
        leaves=1,
    ),
    TableColumn(
        key="since",
        title="Since run",
        tooltip="Rules that found something that they did not find in the run before, or no longer do",
        characters=14,
        leaves=2,
    ),
)
FAMILY, SEEN, ERRORS, WARNINGS, NOTES, NOT_SEEN, SINCE = range(len(COLUMNS))

NONE = "·"
"""A count of zero."""

TOTAL = "Total"

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class FamilyRow(FrozenStruct, frozen=True):
    """What is displayed of a family, or of all."""

    key: str
    """The key of the family; of the last row the one of all."""
    title: str
    """Its name."""
    sums: Sums
    """The numbers of its rules."""
    is_total: bool = False
    """Whether these are the numbers of all rules."""

    def texts(self) -> tuple[str, ...]:
        """Return the cells."""
        sums = self.sums
        seen = f"{sums.seen:,} of {sums.rules:,}" if sums.seen else "not seen"
        counts = (sums.errors, sums.warnings, sums.notes, sums.not_seen)
        since = ", ".join(text for text, _ in self.changes())
        return (self.title, seen, *(f"{each:,}" if each else NONE for each in counts), since)

    def tones(self) -> tuple[str, ...]:
        """Return the colors of the cells."""
        sums, plain = self.sums, "text" if self.sums.seen or self.sums.problems else "muted"
        tones = ("error", "warning", "muted", "muted")
        counts = (sums.errors, sums.warnings, sums.notes, sums.not_seen)
        of_counts = (tone if each else "disabled" for tone, each in zip(tones, counts, strict=True))
        return (plain, "muted", *of_counts, "muted")

    def changes(self) -> list[tuple[str, str]]:
        """Return what is new and what was not found again since the run before, and in which color."""
        sums = self.sums
        new = (f"{sums.new:,} new", sums.tone or "muted") if sums.new else None
        no_longer = (f"{sums.fixed:,} {NOT_FOUND}", "ok") if sums.fixed else None
        return [each for each in (new, no_longer) if each is not None]

    def sentence(self) -> str:
        """Return the row for those who do not see it."""
        sums = self.sums
        parts = [
            self.title,
            f"{sums.seen:,} of {sums.rules:,} rules checked",
            f"{sums.errors:,} errors, {sums.warnings:,} warnings, {sums.notes:,} notes",
            f"{sums.muted:,} muted" if sums.muted else "",
            *(text for text, _ in self.changes()),
        ]
        return ", ".join(part for part in parts if part)


class FamiliesModel(QAbstractTableModel):
    """One row for each family, in an order that stays while a report is displayed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start without rows."""
        super().__init__(parent)
        self.rows: list[FamilyRow] = []
        """The families, and the sums of all."""
        self._compared = 0

    def show_report(self, report: Report, *, keeps_order: bool) -> None:
        """Show a report; its families in their order, or in that of the rows."""
        rows = [
            FamilyRow(each.family.key, each.family.title, each.sums) for each in report.families
        ]
        if keeps_order:
            known = {row.key: at for at, row in enumerate(self.rows)}
            rows.sort(key=lambda row: known.get(row.key, len(known)))
        rows.append(FamilyRow("", TOTAL, report.total, is_total=True))
        if rows == self.rows and report.compared == self._compared:
            return
        is_same = [row.key for row in rows] == [row.key for row in self.rows]
        if not is_same:
            self.beginResetModel()
        self.rows, self._compared = rows, report.compared
        if is_same:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, SINCE))
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, SINCE, SINCE)
        else:
            self.endResetModel()

    def painted_row(self, row: int) -> PaintedRow:
        """Return what is drawn of a row."""
        made = self.rows[row]
        return PaintedRow(made.texts(), made.tones())

    def divider(self, row: int) -> str:
        """Return nothing: no row begins a run."""
        del row
        return ""

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """Return the number of families, and one."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> object:
        """Return the title of a column, and what it means."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if section == SINCE and role == Qt.ItemDataRole.DisplayRole:
            return f"Since run {self._compared}" if self._compared else COLUMNS[SINCE].title
        return header_data(COLUMNS[section], role)

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """Return the text of a cell."""
        if not 0 <= index.row() < len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.texts()[index.column()]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.sentence() if index.column() == FAMILY else row.texts()[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and COLUMNS[index.column()].is_right:
            return RIGHT
        return None


class FamilyPainter(RowPainter):
    """Draws what stands out in semibold, badges for what changed, and a hairline above the sums of all."""

    @property
    def model(self) -> FamiliesModel:
        """The rows."""
        assert isinstance(self._rows, FamiliesModel)
        return self._rows

    def _draw_texts(
        self,
        painter: QPainter,
        top: int,
        tops: list[int],
        cells: list[CellRect],
        row: PaintedRow,
    ) -> None:
        family = self.model.rows[self._table.rowAt(top)]
        strong = {FAMILY, NOTES, NOT_SEEN} if family.is_total else set[int]()
        strong |= {at for at in (ERRORS, WARNINGS) if row.texts[at] != NONE}
        plain = [each for each in cells if each.column not in {*strong, SINCE}]
        super()._draw_texts(painter, top, tops, plain, row)
        height = self._theme.ROW_HEIGHT_PX
        if family.is_total:
            line = QRect(0, top, self._table.viewport().width(), 1)
            painter.fillRect(line, self._theme.color("outline"))
        painter.setFont(self._bold)
        for cell in cells:
            if cell.column in strong:
                self._draw_strong(painter, cell, baseline(top, height, self._bold), row)
            elif cell.column == SINCE:
                self._draw_changes(painter, cell, top, family)

    def _draw_strong(self, painter: QPainter, cell: CellRect, line: int, row: PaintedRow) -> None:
        metrics, text = painter.fontMetrics(), row.texts[cell.column]
        fitted = metrics.elidedText(text, Qt.TextElideMode.ElideRight, cell.width)
        left = cell.left
        if COLUMNS[cell.column].is_right:
            left += cell.width - metrics.horizontalAdvance(fitted)
        painter.setPen(self._theme.color(row.tones[cell.column]))
        painter.drawText(left, line, fitted)

    def _draw_changes(self, painter: QPainter, cell: CellRect, top: int, family: FamilyRow) -> None:
        left = cell.left
        for text, tone in family.changes():
            size = badge_size(self._theme, text)
            if left + size.width() > cell.left + cell.width + self._margin:
                break
            corner = QPoint(left, top + (self._theme.ROW_HEIGHT_PX - size.height()) // 2)
            draw_badge(painter, QRect(corner, size), self._theme, text, tone)
            left += size.width() + self._theme.SPACING_PX
