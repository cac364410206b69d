"""A difference as lines: two columns with a sign before each line, or one column where there is no room for two."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from inspector.compare.json_difference import ChangeKind
from inspector.compare.rows import SIGNS
from inspector.wire.redaction import mask_state_handles
from ui.widgets.buttons import ENTER_KEYS
from ui.widgets.clipboard import copy_text
from ui.widgets.delegates import baseline, draw_row_mark

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent

    from inspector.compare.rows import Line
    from ui.theme import Theme
    from ui.widgets.difference_model import Cell, DifferenceModel

_Index = QModelIndex | QPersistentModelIndex

LINE_PX, SIGN_PX, LEFT_PX = 19, 26, 6
"""At 100%: height of a line, width of the column of signs, and space left of it."""

TWO_COLUMNS_PX = 900
"""At 100%: the width from which the sides are in two columns."""

INDENT_CHARACTERS = 2
"""Of one level."""

MARK_SHARE = 0.2
"""How much of its tone the background of what differs in a line has."""

TONES = {
    ChangeKind.CHANGED: "warning",
    ChangeKind.ADDED: "ok",
    ChangeKind.REMOVED: "error",
    ChangeKind.MOVED: "accent",
}

BACKGROUNDS = {
    ChangeKind.CHANGED: "warning_ground",
    ChangeKind.ADDED: "ok_ground",
    ChangeKind.REMOVED: "error_ground",
    ChangeKind.MOVED: "info_ground",
}

_TOKEN = re.compile(
    r"""(?P<key>"(?:[^"\\]|\\.)*")(?=:\ )|(?P<string>"(?:[^"\\]|\\.)*"?)"""
    r"""|(?P<number>-?\d[\d.eE+-]*)|(?P<keyword>true|false|null)|(?P<muted>[^"\w-]+|.)"""
)
"""The parts of a line of JSON; the names of the groups are those of their colors."""


class DifferenceDelegate(QStyledItemDelegate):
    """Draws one line of one side."""

    def __init__(self, *, model: DifferenceModel, theme: Theme, parent: QWidget) -> None:
        """Draw the cells of `model`."""
        super().__init__(parent)
        self._model = model
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return one height for all lines."""
        del option, index
        return QSize(self._theme.px(SIGN_PX), self._theme.px(LINE_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw background, sign and line."""
        cell = self._model.cell(index)
        if cell is None:
            return
        rect: QRect = option.rect
        painter.save()
        painter.setClipRect(rect)
        painter.fillRect(rect, self._theme.color(self._background(cell)))
        if cell.line is None:
            self._draw_without_line(painter, rect, cell, index.column())
        else:
            self._draw_line(painter, rect, cell, cell.line)
        if index.column() and self._model.is_split:
            painter.fillRect(
                rect.left(), rect.top(), 1, rect.height(), self._theme.color("hairline")
            )
        if option.state & QStyle.StateFlag.State_Selected and not index.column():
            draw_row_mark(painter, rect, option.palette)
        painter.restore()

    def _background(self, cell: Cell) -> str:
        if cell.row.fold is not None:
            return "sunken"
        if cell.kind is None:
            return "panel"
        return BACKGROUNDS[cell.kind] if cell.line is not None else "sunken"

    def _draw_without_line(self, painter: QPainter, rect: QRect, cell: Cell, column: int) -> None:
        """Draw a fold; the empty side of a line stays empty."""
        fold = cell.row.fold
        if fold is None or column:
            return
        theme = self._theme
        left, edge = rect.left() + theme.px(LEFT_PX), theme.px(14)
        icon = theme.icon("mdi6.unfold-more-horizontal", "muted")
        icon.paint(painter, QRect(left, rect.top() + (rect.height() - edge) // 2, edge, edge))
        font = theme.font()
        painter.setFont(font)
        tone = TONES[cell.kind] if cell.kind is not None else "muted"
        painter.setPen(theme.color(tone))
        x = rect.left() + theme.px(LEFT_PX + SIGN_PX)
        painter.drawText(QPoint(x, baseline(rect.top(), rect.height(), font)), fold.text)

    def _draw_line(self, painter: QPainter, rect: QRect, cell: Cell, line: Line) -> None:
        theme, font = self._theme, self._theme.mono()
        y = baseline(rect.top(), rect.height(), theme.font())
        left = rect.left() + theme.px(LEFT_PX)
        if cell.kind is not None:
            painter.setFont(theme.mono(bold=True))
            painter.setPen(theme.color(TONES[cell.kind]))
            painter.drawText(QPoint(left, y), SIGNS[cell.kind])
        width = QFontMetricsF(font).horizontalAdvance("0")
        x = left + theme.px(SIGN_PX) + line.depth * INDENT_CHARACTERS * width
        painter.setFont(font)
        if line.mark is not None and cell.kind is not None:
            self._draw_mark(painter, rect, cell.kind, line, x)
        for text, tone in self._segments(cell, line):
            painter.setPen(theme.color(tone))
            painter.drawText(QPointF(x, y), text)
            x += QFontMetricsF(font).horizontalAdvance(text)

    def _draw_mark(
        self, painter: QPainter, rect: QRect, kind: ChangeKind, line: Line, x: float
    ) -> None:
        assert line.mark is not None
        metrics = QFontMetricsF(self._theme.mono())
        start = x + metrics.horizontalAdvance(line.text[: line.mark[0]])
        width = metrics.horizontalAdvance(line.text[line.mark[0] : line.mark[1]])
        color = QColor(self._theme.color(TONES[kind]))
        color.setAlphaF(MARK_SHARE)
        inner = rect.adjusted(0, 1, 0, -1)
        painter.fillRect(
            QRect(round(start), inner.top(), max(round(width), 2), inner.height()), color
        )

    def _segments(self, cell: Cell, line: Line) -> list[tuple[str, str]]:
        """Return the pieces of a line, each with its tone."""
        if cell.row.is_ignored:
            return [(line.text, "muted")]
        if not line.is_json:
            return [(line.text, "text")]
        return [(found[0], found.lastgroup or "text") for found in _TOKEN.finditer(line.text)]


class DifferenceView(QTableView):
    """The lines of a difference.

    Signals:
        menu_requested: the menu of a row was requested, at this global position.
    """

    menu_requested = Signal(int, object)

    def __init__(
        self, *, model: DifferenceModel, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Show `model`."""
        super().__init__(parent)
        self.setObjectName("compare_lines")
        self.setAccessibleName("Differences")
        self._theme = theme
        self._lines = model
        self._pressed = -1
        """The row on which the mouse is down; -1 for none."""
        self.setModel(model)
        self.setItemDelegate(DifferenceDelegate(model=model, theme=theme, parent=self))
        self._set_behavior()
        model.rearranged.connect(self._refresh)
        theme.changed.connect(self._refresh)
        self._refresh()

    def _set_behavior(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_menu_requested)
        self.horizontalHeader().hide()
        self.horizontalHeader().setMinimumSectionSize(1)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def go_to(self, row: int) -> None:
        """Put the cursor on a row."""
        self.setCurrentIndex(self._lines.index(row, 0))
        self.scrollTo(self._lines.index(row, 0), QAbstractItemView.ScrollHint.PositionAtCenter)

    def _refresh(self) -> None:
        height = self._theme.px(LINE_PX)
        header = self.verticalHeader()
        header.setMinimumSectionSize(height)
        header.setDefaultSectionSize(height)

    def _open(self, row: int) -> None:
        top = self.rowAt(0)
        if self._lines.open(row):
            self.setCurrentIndex(self._lines.index(row, 0))
            self.scrollTo(
                self._lines.index(max(top, 0), 0), QAbstractItemView.ScrollHint.PositionAtTop
            )

    def _on_menu_requested(self, position: QPoint) -> None:
        row = self.rowAt(position.y())
        if row >= 0:
            self.menu_requested.emit(row, self.viewport().mapToGlobal(position))

    def copy(self) -> None:
        """Copy the selected lines, without state handles."""
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        raw = self._lines.text(rows).encode("utf-8", "surrogateescape")
        copy_text(mask_state_handles(raw).decode("utf-8", "surrogateescape"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the sides in two columns where there is room for them."""
        super().resizeEvent(event)
        self._lines.set_split(event.size().width() >= self._theme.px(TWO_COLUMNS_PX))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Keep which row is pressed."""
        super().mousePressEvent(event)
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed = self.rowAt(event.position().toPoint().y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open the fold that is clicked: not one on which a selection or a drag ends."""
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton:
            row, pressed = self.rowAt(event.position().toPoint().y()), self._pressed
            self._pressed = -1
            if row == pressed:
                self._open(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens a fold; Ctrl+C copies the selected lines."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in ENTER_KEYS:
            self._open(self.currentIndex().row())
        else:
            super().keyPressEvent(event)
