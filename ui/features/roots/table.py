"""The table of roots: address, name, and what is wrong with each. Cells are edited in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from ui.widgets.visible_text import one_line, tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.features.roots import Root
    from ui.theme import Theme

COLUMNS = ("Address", "Name", "State")
_ADDRESS, _NAME, _STATE = range(3)


class RootTable(QTableWidget):
    """Roots in order.

    Signals:
        edited: row, address and name that the person wrote.
    """

    edited = Signal(int, str, str)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(0, len(COLUMNS), parent)
        self._theme = theme
        self.setObjectName("root_table")
        self.setAccessibleName("Roots")
        self.setHorizontalHeaderLabels(COLUMNS)
        self.setFrameShape(QTableWidget.Shape.NoFrame)
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(theme.px(26))
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(_ADDRESS, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(_STATE, QHeaderView.ResizeMode.ResizeToContents)
        self.setColumnWidth(_NAME, theme.px(160))
        self.itemChanged.connect(self._on_item_changed)

    def show_roots(self, roots: Sequence[Root], words: Sequence[str]) -> None:
        """Show these, with what is wrong with each; a cell that is being edited stays open."""
        self.blockSignals(True)
        self.setRowCount(len(roots))
        for row, (root, trouble) in enumerate(zip(roots, words, strict=True)):
            self._put(row, _ADDRESS, root.uri)
            self._put(row, _NAME, root.name)
            state = self._put(row, _STATE, one_line(trouble or "✔ ready", 80))
            state.setFlags(state.flags() & ~Qt.ItemFlag.ItemIsEditable)
            state.setForeground(self._theme.colour("warning" if trouble else "ok"))
            state.setToolTip(tool_tip(trouble))
        self.blockSignals(False)

    def row_chosen(self) -> int:
        """The row that is selected; -1 for none."""
        rows = self.selectionModel().selectedRows()
        return rows[0].row() if rows else -1

    def choose(self, row: int) -> None:
        """Select a row."""
        if row >= 0:
            self.selectRow(row)

    def edit_address(self, row: int) -> None:
        """Open the address of a row for typing."""
        item = self.item(row, _ADDRESS)
        if item is not None:
            self.setCurrentItem(item)
            self.editItem(item)

    def _put(self, row: int, column: int, text: str) -> QTableWidgetItem:
        # The stubs say that there always is one.
        item: QTableWidgetItem | None = self.item(row, column)
        if item is None:
            item = QTableWidgetItem(text)
            if column == _ADDRESS:
                item.setFont(self._theme.mono())
            self.setItem(row, column, item)
        elif item.text() != text:
            item.setText(text)
        return item

    def _on_item_changed(self, item: QTableWidgetItem) -> None:
        row = item.row()
        address, name = self.item(row, _ADDRESS), self.item(row, _NAME)
        if item.column() != _STATE and address is not None and name is not None:
            self.edited.emit(row, address.text().strip(), name.text())
