"""The bar at the left edge of rows that are selected, or have the cursor.

The ground of a selected row alone is too pale to tell it from its neighbours. WCAG 2.2, 1.4.11 "Non-text Contrast" and 2.4.7 "Focus Visible".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_Index = QModelIndex | QPersistentModelIndex

HEIGHT_SHARE = 7
"""The bar is as wide as this part of a row is high: 3 pixels at 100%."""


def draw_row_mark(painter: QPainter, row: QRect, palette: QPalette, *, has_focus: bool) -> None:
    """Draw the bar at the left of `row`: in the accent for the cursor of a view that has the focus."""
    role = QPalette.ColorRole.Accent if has_focus else QPalette.ColorRole.Shadow
    width = max(row.height() // HEIGHT_SHARE, 2)
    painter.fillRect(QRect(row.left(), row.top(), width, row.height()), palette.color(role))


def mark_row(
    painter: QPainter, option: QStyleOptionViewItem, index: _Index, *, is_selected: bool
) -> None:
    """Draw the bar of the row of `index` at the left edge of its view, where it belongs there; for delegates."""
    view: QWidget | None = option.widget
    if not isinstance(view, QAbstractItemView):
        return
    current = view.currentIndex()
    is_current = current.row() == index.row() and current.parent() == index.parent()
    if is_current or is_selected:
        row = QRect(0, option.rect.top(), option.rect.width(), option.rect.height())
        draw_row_mark(painter, row, option.palette, has_focus=is_current and view.hasFocus())
