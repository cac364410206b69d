"""A table that follows its newest row until the user scrolls up or selects an older row.

It shows whole rows only. The pixels that are left stay empty: under the last row while the user reads above, above the top row while the
newest is followed. They stay where they are when following ends, so that no row moves under the pointer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QTableView,
    QToolTip,
    QWidget,
)

from ui.widgets.labels import joined_tips, tool_tip
from ui.widgets.row_painter import RowPainter
from ui.widgets.table_columns import TableColumns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtCore import QAbstractTableModel

    from ui.theme import Theme
    from ui.widgets.row_painter import RowSource
    from ui.widgets.table_columns import SavedColumn, TableColumn


class FollowingTable(QTableView):
    """Rows that arrive at the end, selected whole; rows of a fixed height.

    Signals:
        following_changed: the view started or stopped following the newest row.
        opened: the user pressed Enter on a row (True) or double-clicked it (False).
        copy_requested: copy the selected rows as text.
    """

    following_changed = Signal(bool)
    opened = Signal(bool)
    copy_requested = Signal()

    painter_type: ClassVar[type[RowPainter]] = RowPainter
    """What draws the rows."""

    def __init__(
        self,
        *,
        model: QAbstractTableModel,
        rows: RowSource,
        columns: Sequence[TableColumn],
        flexible: str,
        theme: Theme,
        name: str,
        parent: QWidget | None = None,
    ) -> None:
        """Show `model`, which is `rows` too, following; the column called `flexible` takes what the others leave of the width."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self.following = True
        """Whether the view follows the newest row."""
        self._flexible = [column.key for column in columns].index(flexible)
        self._lead = 0
        """Pixels above the top row that stay empty."""
        self.setModel(model)
        self._set_behavior()
        self.columns = TableColumns(columns, flexible=flexible, table=self, theme=theme)
        """Widths and visibility of the columns."""
        self._painter = self.painter_type(rows=rows, columns=columns, theme=theme, table=self)
        model.rowsInserted.connect(self._on_rows_inserted)
        self.verticalScrollBar().actionTriggered.connect(self._on_scroll_action_triggered)
        self.doubleClicked.connect(lambda: self.opened.emit(False))
        theme.changed.connect(self._set_row_height)
        self._set_row_height()

    def set_columns(self, columns: Sequence[TableColumn], saved: Mapping[str, SavedColumn]) -> None:
        """Show other columns, once the model has them, arranged as `saved` before."""
        self._painter.set_columns(columns)
        self.columns.set_columns(columns, saved)
        self.viewport().update()

    def _set_behavior(self) -> None:
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        header = self.verticalHeader()
        header.hide()
        header.setSectionResizeMode(header.ResizeMode.Fixed)

    def whole_rows(self) -> tuple[int, int]:
        """Return the top and the last row that are displayed, which are those that fit whole; (-1, -2) without rows."""
        height = self.viewport().height()
        top, last = self.rowAt(0), self.rowAt(height - 1)
        if top < 0:
            return -1, -2
        if self.rowViewportPosition(top) < 0:
            top += 1
        if last < 0:
            last = self.model().rowCount() - 1
        elif self.rowViewportPosition(last) + self.rowHeight(last) > height:
            last -= 1
        return top, last

    def updateGeometries(self) -> None:
        """Keep the rows where they are; at the bottom while following."""
        super().updateGeometries()
        bar = self.verticalScrollBar()
        if not bar.maximum():
            self._lead = 0
        elif self.following and bar.value() == bar.maximum():
            self._lead = self._spare_pixels()
        self._align_rows()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Scroll by whole rows: aligned at the bottom at the end, else at the top."""
        super().scrollContentsBy(dx, dy)
        if dy:
            bar = self.verticalScrollBar()
            is_at_end = 0 < bar.maximum() == bar.value()
            self._lead = self._spare_pixels() if is_at_end else 0
            self._align_rows()
            self.viewport().update()

    def _spare_pixels(self) -> int:
        return self.viewport().height() % self._theme.ROW_HEIGHT_PX

    def _align_rows(self) -> None:
        """Put the top row below the pixels that stay empty; Qt always aligns the last row at the end, and others at the top."""
        header = self.verticalHeader()
        offset = header.sectionPosition(self.verticalScrollBar().value()) - self._lead
        if header.count() and header.offset() != offset:
            header.setOffset(offset)
            self.viewport().update()

    def indexAt(self, position: QPoint) -> QModelIndex:
        """Return the cell at a position; nothing is where a row would be cut.

        Positions outside of the view count as usual: Qt asks for them when a selection is longer than the view.
        """
        index = super().indexAt(position)
        top, last = self.whole_rows()
        is_inside = 0 <= position.y() < self.viewport().height()
        return index if not is_inside or top <= index.row() <= last else QModelIndex()

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the tool tip of a cell."""
        if event.type() is not QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return super().viewportEvent(event)
        index = self.indexAt(event.pos())
        text = self.tool_tip_at(index) if index.isValid() else ""
        QToolTip.showText(event.globalPos(), text, self.viewport(), self.visualRect(index))
        return True

    def tool_tip_at(self, index: QModelIndex) -> str:
        """Return what the cell does not display: its text if that is cut, and what the model adds."""
        tip = str(index.data(Qt.ItemDataRole.ToolTipRole) or "")
        whole = self._painter.cut_text(index.row(), index.column())
        has_it = not whole or (tip and index.column() == self._flexible)
        return tip if has_it else joined_tips(tool_tip(whole), tip)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows; Qt draws none of them."""
        # Ended also after an error: a painter that stays active spoils the whole window.
        with QPainter(self.viewport()) as painter:
            self._painter.paint(painter, event.rect())

    def set_following(self, following: bool) -> None:
        """Follow the newest row, or stay here."""
        if following:
            self.scrollToBottom()
        self._set_following_only(following)

    def selected_rows(self, limit: int) -> list[int]:
        """Return the selected rows in order, at most `limit`."""
        selection = self.selectionModel().selection()
        ranges = [selection.at(position) for position in range(selection.count())]
        spans = sorted({(each.top(), each.bottom()) for each in ranges})
        rows = (row for top, bottom in spans for row in range(top, bottom + 1))
        return [row for row, _ in zip(rows, range(limit), strict=False)]

    def _set_row_height(self) -> None:
        top, last = self.whole_rows()
        was_seen = top <= self.currentIndex().row() <= last
        header = self.verticalHeader()
        header.setMinimumSectionSize(self._theme.ROW_HEIGHT_PX)
        header.setDefaultSectionSize(self._theme.ROW_HEIGHT_PX)
        if self.following:
            self.scrollToBottom()
        elif was_seen:
            self.scrollTo(self.currentIndex())

    def _is_at_end(self) -> bool:
        return self.currentIndex().row() == self.model().rowCount() - 1

    def _set_following_only(self, following: bool) -> None:
        if following != self.following:
            self.following = following
            self.following_changed.emit(following)

    def _on_rows_inserted(self) -> None:
        if self.following:
            self.scrollToBottom()

    def _on_scroll_action_triggered(self, action: int) -> None:
        if action != QAbstractSlider.SliderAction.SliderNoAction.value:
            bar = self.verticalScrollBar()
            self._set_following_only(bar.sliderPosition() >= bar.maximum())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the newest row in view while following, otherwise the current row if it was visible."""
        rect = self.visualRect(self.currentIndex())
        was_seen = rect.isValid() and rect.top() >= 0 and rect.bottom() < event.oldSize().height()
        self.columns.fit()  # before Qt shows a scroll bar for columns that do not fit
        super().resizeEvent(event)
        if self.following:
            self.scrollToBottom()
        elif was_seen:
            self.scrollTo(self.currentIndex())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Stop following when an older row is selected: the user wants to read it."""
        super().mousePressEvent(event)
        if self.indexAt(event.position().toPoint()).isValid() and not self._is_at_end():
            self._set_following_only(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens a row, Ctrl+C copies rows; keys that leave the newest row stop following."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.opened.emit(True)
        else:
            before = self.currentIndex().row()
            super().keyPressEvent(event)
            if self.currentIndex().row() != before:
                self._set_following_only(self._is_at_end())


class StillTable(FollowingTable):
    """A table that follows nothing: new rows are not at the end, or do not matter more than others. One row is selected."""

    def __init__(
        self,
        *,
        model: QAbstractTableModel,
        rows: RowSource,
        columns: Sequence[TableColumn],
        flexible: str,
        theme: Theme,
        name: str,
        parent: QWidget | None = None,
    ) -> None:
        """Show `model`, which is `rows` too; the column called `flexible` takes what the others leave of the width."""
        super().__init__(
            model=model,
            rows=rows,
            columns=columns,
            flexible=flexible,
            theme=theme,
            name=name,
            parent=parent,
        )
        self.following = False
        self.setSelectionMode(self.SelectionMode.SingleSelection)

    def current_row(self) -> int:
        """Return the current row; -1 for none."""
        row = self.currentIndex().row()
        return row if row < self.model().rowCount() else -1

    def go_to(self, row: int) -> None:
        """Make a row current, if there is one."""
        if 0 <= row < self.model().rowCount():
            self.setCurrentIndex(self.model().index(row, self._flexible))

    def _set_following_only(self, following: bool) -> None:
        """Stay here."""
        del following


def extends_selection() -> bool:
    """Whether a click now adds to the selection instead of replacing it."""
    keys = Qt.KeyboardModifier
    return bool(QApplication.keyboardModifiers() & (keys.ControlModifier | keys.ShiftModifier))
