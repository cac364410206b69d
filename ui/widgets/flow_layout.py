"""A row of widgets that wraps to the next line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem

from ui.theme.layout_spaces import rescale_kind, set_space

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QWidget


class FlowLayout(QLayout):
    """From left to right, then from top to bottom."""

    def __init__(self, spacing: int, parent: QWidget | None = None) -> None:
        """With `spacing` pixels between items, in both directions."""
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._end: int | None = None
        """The first item of those that stand at the end of their line."""
        set_space(self, spacing)
        self.setContentsMargins(0, 0, 0, 0)

    def clear(self) -> None:
        """Delete what is in it."""
        while (item := self.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def to_the_end(self) -> None:
        """Let what is added from now on stand at the end of its line."""
        self._end = len(self._items)

    def addItem(self, item: QLayoutItem) -> None:
        """Put `item` at the end."""
        self._items.append(item)

    def count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """The item at a place."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Take an item out."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Takes no more room than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height at a width."""
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        """Place the items."""
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        """As wide as the widest item: more is welcome, not needed."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """Room for the widest item."""
        size = QSize(0, 0)
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.sizeHint())
        return size

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Place the items in `rect`, each in the middle of its line, or only see how high they stand."""
        top = rect.top()
        for line in self._lines(rect.width()):
            height = max(item.sizeHint().height() for _, item in line)
            if move:
                self._arrange_line(line, QRect(rect.left(), top, rect.width(), height))
            top += height + self.spacing()
        return max(top - self.spacing() - rect.top(), 0)

    def _lines(self, width: int) -> Iterator[list[tuple[int, QLayoutItem]]]:
        """The items that are shown with their positions in the row, by line."""
        line: list[tuple[int, QLayoutItem]] = []
        used = 0
        for at, item in enumerate(self._items):
            if item.isEmpty():
                continue  # a hidden widget
            needed = min(item.sizeHint().width(), width)
            if line and used + needed > width:
                yield line
                line, used = [], 0
            line.append((at, item))
            used += needed + self.spacing()
        if line:
            yield line

    def _arrange_line(self, line: list[tuple[int, QLayoutItem]], rect: QRect) -> None:
        sizes = [item.sizeHint().boundedTo(QSize(rect.width(), rect.height())) for _, item in line]
        used = sum(size.width() + self.spacing() for size in sizes) - self.spacing()
        left, spare = rect.left(), rect.width() - used
        for (at, item), size in zip(line, sizes, strict=True):
            if self._end is not None and at >= self._end:
                left, spare = left + spare, 0
            middle = rect.top() + (rect.height() - size.height()) // 2
            item.setGeometry(QRect(QPoint(left, middle), size))
            left += size.width() + self.spacing()


rescale_kind(FlowLayout)
