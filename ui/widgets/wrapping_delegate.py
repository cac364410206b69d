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
from PySide6.QtGui import QFont
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
MIN_WIDTH = 32
"""Pixels below which Qt may not wrap at all: of a column before it is laid out, the width may even be negative."""

MAX_KNOWN = 10_000
"""Texts whose heights are remembered."""

_Index = QModelIndex | QPersistentModelIndex

_Widths = dict[int, tuple[int, int]]
"""Of one text: height in pixels → the narrowest and the widest column in which it is known to have it. A wider one is never higher."""

_PUNCTUATION = re.compile(r"[_/.,:;=-]")


class WrappingDelegate(RowDelegate):
    """For a tree that wraps and lays its rows out again when its columns get another width; its first column has check boxes.

    Names and JSON wrap as well, after punctuation.
    """

    def __init__(self, columns: Collection[int], parent: QWidget) -> None:
        """Let the texts of these columns wrap."""
        super().__init__(parent)
        self._columns = columns
        self._font = QFont()
        self._known: dict[tuple[str, bool], _Widths] = {}
        """By text and whether the row is one of the top: the heights that are known, in `_font`."""

    def displayText(self, value: object, locale: QLocale | QLocale.Language) -> str:
        """Allow lines to end after punctuation."""
        return _PUNCTUATION.sub("\\g<0>\u200b", super().displayText(value, locale))

    def set_height(self, pixels: int) -> None:
        """Rows are at least this high."""
        super().set_height(pixels)
        self._known.clear()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """The height of all lines, with the gap to the next row.

        Qt asks for each cell of each row at each new width: a text is laid out only where its height does not follow from those at other widths.
        """
        view, column = option.widget, index.column()
        if not isinstance(view, QTreeView):
            return super().sizeHint(option, index)
        if column not in self._columns:
            return QSize(0, self._height)
        if option.font != self._font or len(self._known) > MAX_KNOWN:
            self._font = QFont(option.font)
            self._known.clear()
        is_top = not index.parent().isValid()
        width = view.columnWidth(column)
        if not column:
            width -= view.indentation() * (1 if is_top else 2)
            width -= sum(view.style().pixelMetric(each, option, view) for each in _CHECK_BOX)
        if width < MIN_WIDTH:
            return self._measure(option, index, width).grownBy(QMargins(0, 0, 0, self._gap))
        key = str(index.data() or ""), is_top
        known = self._known.get(key)
        if known is None:
            line = self._measure(option, index, _UNLIMITED)
            known = self._known[key] = {line.height(): (line.width(), _UNLIMITED)}
        for height, (narrowest, widest) in known.items():
            if narrowest <= width <= widest:
                return QSize(width, height + self._gap)
        height = self._measure(option, index, width).height()
        narrowest, widest = known.get(height, (width, width))
        known[height] = min(narrowest, width), max(widest, width)
        return QSize(width, height + self._gap)

    def _measure(self, option: QStyleOptionViewItem, index: _Index, width: int) -> QSize:
        option.rect = QRect(0, 0, width, _UNLIMITED)
        return super().sizeHint(option, index)
