"""The rows of operations on screen: they follow the newest row, and fold and unfold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt, QTimer, Signal

from ui.theme import tokens
from ui.traffic.divider_links import RUN_LINK
from ui.traffic.operations.columns import COLUMNS, MESSAGE_COLUMNS, position
from ui.traffic.operations.row_painter import INDENT_PX, OperationPainter
from ui.widgets.following_table import FollowingTable

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QShowEvent
    from PySide6.QtWidgets import QMenu, QWidget

    from ui.theme import Theme
    from ui.traffic.operations.model import OperationModel
    from ui.traffic.operations.visible_rows import Node


class OperationTable(FollowingTable):
    """One row an operation, and what is unfolded beneath it.

    Signals:
        node_changed: another row is current.
        follow_requested: show the frames of the current operation alone.
        run_requested: show the rows of the run alone that begins with the frame of this number.
        difference_requested: show what is different in that run from the one before.
        ticked: the clocks of pending rows went on.
    """

    node_changed = Signal()
    follow_requested = Signal()
    run_requested = Signal(int)
    difference_requested = Signal(int)
    ticked = Signal()

    painter_type = OperationPainter

    def __init__(
        self, *, model: OperationModel, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Show `model`, following."""
        super().__init__(
            model=model,
            rows=model,
            columns=COLUMNS,
            flexible="summary",
            theme=theme,
            name="operations_table",
            parent=parent,
        )
        self._operations = model
        self._kept: tuple[Node, int] | None = None
        self.setAccessibleName("Operations")
        self.setSelectionMode(self.SelectionMode.SingleSelection)
        self._clock = QTimer(self, interval=tokens.CLOCK_MS)
        self._clock.timeout.connect(self._on_clock_timeout)
        model.counted.connect(self._run_clock)
        model.clock_needed.connect(self._on_clock_needed)
        model.modelAboutToBeReset.connect(self._on_model_about_to_be_reset)
        model.modelReset.connect(self._on_model_reset)
        model.rowsInserted.connect(self._size_dividers)
        theme.changed.connect(self._size_dividers)
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        self.columns.choices_requested.connect(self._on_choices_requested)
        self.horizontalHeader().setAccessibleName("Columns of the operations")

    @property
    def operations(self) -> OperationModel:
        """The rows."""
        return self._operations

    @property
    def has_running_clock(self) -> bool:
        """Whether the clocks of rows run."""
        return self._clock.isActive()

    def current_node(self) -> Node | None:
        """What the current row stands for; None without one."""
        row = self.currentIndex().row()
        return self._operations.node(row) if 0 <= row < self._operations.rowCount() else None

    def current_number(self) -> int:
        """The frame of the current row, or the first one of several; 0 for none."""
        node = self.current_node()
        return node.number if node is not None and not node.is_divider else 0

    def column_key(self, x: int) -> str:
        """Return the key of the column of messages that tells what is at `x` in the viewport; empty for none."""
        column = self.columnAt(x)
        return MESSAGE_COLUMNS.get(COLUMNS[column].key, "") if column >= 0 else ""

    def selected_numbers(self, limit: int) -> list[int]:
        """Return the frames of the current row, at most `limit`: all of those that folded."""
        node = self.current_node()
        if node is None or node.is_divider:
            return []
        return self._operations.frames_of(node, limit)

    def go_to_row(self, row: int) -> None:
        """Make a row current."""
        self.set_following(row == self._operations.rowCount() - 1 and self.following)
        self.setCurrentIndex(self._operations.index(row, 0))

    def toggle(self, row: int) -> None:
        """Fold what is unfolded, and the other way round."""
        state = self._operations.fold_state(row)
        if state is not None:
            self._operations.set_unfolded(row, not state)

    def _on_choices_requested(self, menu: QMenu) -> None:
        menu.addSeparator()
        scale = menu.addAction("Logarithmic time split")
        scale.setCheckable(True)
        scale.setChecked(self._operations.row_cells.is_logarithmic)
        scale.toggled.connect(self._operations.set_logarithmic)

    def _run_clock(self) -> None:
        """Run the clocks while a row has one."""
        should_run = self.isVisible() and self._operations.row_cells.has_clocks
        if should_run != self._clock.isActive():
            (self._clock.start if should_run else self._clock.stop)()

    def _on_clock_needed(self) -> None:
        if self.isVisible() and not self._clock.isActive():
            self._clock.start()

    def _on_clock_timeout(self) -> None:
        self._operations.tick(*self.whole_rows())
        self.ticked.emit()
        self._run_clock()

    def _on_current_row_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self.node_changed.emit()

    def _on_model_about_to_be_reset(self) -> None:
        header = self.verticalHeader()
        for row in self._operations.visible.divider_rows:
            header.resizeSection(row, header.defaultSectionSize())  # it keeps sizes over a reset
        node = self.current_node()
        self._kept = None
        if node is not None:
            self._kept = node, self._operations.visible.top_of(self.currentIndex().row())

    def _size_dividers(self) -> None:
        """Give rows with which runs begin two lines."""
        header = self.verticalHeader()
        for row in self._operations.visible.divider_rows:
            header.resizeSection(row, 2 * self._theme.ROW_HEIGHT_PX)

    def _on_model_reset(self) -> None:
        self._size_dividers()
        row = None
        if self._kept is not None:
            node, top = self._kept
            row = self._operations.visible.row_of(node, top)
        if row is not None:
            self.selectRow(row)
        if self.following:
            self.scrollToBottom()
        elif row is not None:
            self.scrollTo(self._operations.index(row, 0))

    def showEvent(self, event: QShowEvent) -> None:
        """Run the clocks while the table is visible."""
        super().showEvent(event)
        self._run_clock()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop the clocks while the table is hidden."""
        super().hideEvent(event)
        self._clock.stop()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a chevron folds or unfolds."""
        index = self.indexAt(event.position().toPoint())
        is_left = event.button() == Qt.MouseButton.LeftButton
        if is_left and index.isValid() and self._is_on_chevron(index, event.position().x()):
            self.setCurrentIndex(index)
            self.toggle(index.row())
            return
        super().mousePressEvent(event)
        if is_left and index.isValid():
            self._follow_link(index, event.position().toPoint())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Fold or unfold; on a chevron the press does that."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self._is_on_chevron(index, event.position().x()):
            self.mousePressEvent(event)
            return
        super().mouseDoubleClickEvent(event)

    def _follow_link(self, index: QModelIndex, position: QPoint) -> None:
        """Do what a link at a position does, if there is one: a row with which a run begins has them."""
        row, painter = index.row(), self._painter
        node = self._operations.node(row)
        if not node.is_divider or not isinstance(painter, OperationPainter):
            return
        area = QRect(0, self.rowViewportPosition(row), self.viewport().width(), self.rowHeight(row))
        for text, link in painter.links(area).items():
            if link.contains(position):
                requested = self.run_requested if text == RUN_LINK else self.difference_requested
                requested.emit(node.number)

    def _request_run(self, row: int) -> None:
        node = self._operations.node(row)
        if node.is_divider:
            self.run_requested.emit(node.number)

    def _is_on_chevron(self, index: QModelIndex, x: float) -> bool:
        depth = self._operations.node(index.row()).depth
        if not depth:
            return index.column() == position("fold")
        left = self.columnViewportPosition(position("operation"))
        end = left + depth * self._theme.px(INDENT_PX) + self._theme.SPACING_PX
        return index.column() == position("operation") and x < end

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """→ unfolds, ← folds or goes to the row above in the tree; Ctrl+Enter follows the operation."""
        row, key = self.currentIndex().row(), event.key()
        is_enter = key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.follow_requested.emit()
        elif is_enter and row >= 0 and self._operations.node(row).is_divider:
            self._request_run(row)
        elif row >= 0 and key == Qt.Key.Key_Right:
            self._unfold(row)
        elif row >= 0 and key == Qt.Key.Key_Left:
            self._fold(row)
        elif key in {Qt.Key.Key_Home, Qt.Key.Key_End} and not event.modifiers():
            self._go_to_edge(last=key == Qt.Key.Key_End)
        else:
            super().keyPressEvent(event)

    def _unfold(self, row: int) -> None:
        state = self._operations.fold_state(row)
        if state is False:
            self._set_following_only(False)
            self._operations.set_unfolded(row, True)
        elif state and self._operations.visible.has_more_beneath(row):
            self.setCurrentIndex(self._operations.index(row + 1, 0))

    def _fold(self, row: int) -> None:
        if self._operations.fold_state(row):
            self._operations.set_unfolded(row, False)
        elif (parent := self._operations.visible.parent_row(row)) is not None:
            self._set_following_only(False)
            self.setCurrentIndex(self._operations.index(parent, 0))

    def _go_to_edge(self, *, last: bool) -> None:
        count = self._operations.rowCount()
        if count:
            self.setCurrentIndex(self._operations.index(count - 1 if last else 0, 0))
        self.set_following(last)
