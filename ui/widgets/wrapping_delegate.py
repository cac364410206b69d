"""Rows of a tree that are as high as their texts need, each text in the width of its column."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QLocale,
    QMargins,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
)
from PySide6.QtWidgets import QStyle, QTreeView

from ui.widgets.delegates import RowDelegate

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

_UNLIMITED = 0xFFFF
"""Pixels; more than any text is high."""
_CHECK_BOX = (
    QStyle.PixelMetric.PM_IndicatorWidth,
    QStyle.PixelMetric.PM_CheckBoxLabelSpacing,
)
_PUNCTUATION = re.compile(r"[_/.,:;=-]")


class WrappingDelegate(RowDelegate):
    """For a tree that wraps and lays its rows out again when its columns get another width; its first column has check boxes.

    Names and JSON wrap as well, after punctuation.
    """

    def __init__(self, columns: Collection[int], parent: QWidget) -> None:
        """Let the texts of these columns wrap."""
        super().__init__(parent)
        self._columns = columns

    def displayText(self, value: object, locale: QLocale | QLocale.Language) -> str:
        """Allow lines to end after punctuation."""
        return _PUNCTUATION.sub("\\g<0>\u200b", super().displayText(value, locale))

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """The height of all lines, with the gap to the next row."""
        view = option.widget
        if not isinstance(view, QTreeView) or index.column() not in self._columns:
            return super().sizeHint(option, index)
        width = view.columnWidth(index.column())
        if not index.column():
            width -= view.indentation() * (2 if index.parent().isValid() else 1)
            width -= sum(view.style().pixelMetric(each, option, view) for each in _CHECK_BOX)
        option.rect = QRect(0, 0, width, _UNLIMITED)
        return super().sizeHint(option, index).grownBy(QMargins(0, 0, 0, self._gap))
