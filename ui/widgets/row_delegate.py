"""Rows of one height for views that Qt draws: without it, rows are as tight as their text. The row of the cursor is marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ui.widgets.row_mark import mark_row

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter


class RowDelegate(QStyledItemDelegate):
    """Leaves the drawing to Qt; for trees with uniform row heights, which ask for one size only."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """As tight as the text until `set_height`."""
        super().__init__(parent)
        self._height = 0
        self._gap = 0

    def set_height(self, pixels: int) -> None:
        """Rows are at least this high."""
        self._height = pixels

    def set_gap(self, pixels: int) -> None:
        """Columns that are as wide as their texts stand this far from the next one."""
        self._gap = pixels

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """As wide as Qt wants and the gap, as high as it was told."""
        hint = super().sizeHint(option, index)
        return QSize(hint.width() + self._gap, max(hint.height(), self._height))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Leave the drawing to Qt, then mark the row."""
        super().paint(painter, option, index)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        mark_row(painter, option, index, is_selected=is_selected)
