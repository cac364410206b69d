"""A table that follows its newest row until the user scrolls up or selects an older row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QAbstractSlider, QTableView, QWidget

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractTableModel

    from ui.theme import Theme


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

    def __init__(
        self, *, model: QAbstractTableModel, theme: Theme, name: str, parent: QWidget | None = None
    ) -> None:
        """Show `model`, following. Subclasses say what their columns are."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setModel(model)
        self._theme = theme
        self.following = True
        """Whether the view follows the newest row."""
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        # By item, Qt aligns the last row at the end and the first one elsewhere: leaving the end would move every row.
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(rows.ResizeMode.Fixed)
        model.rowsInserted.connect(self._on_rows_inserted)
        self.verticalScrollBar().actionTriggered.connect(self._on_scroll_action_triggered)
        self.doubleClicked.connect(lambda: self.opened.emit(False))
        theme.changed.connect(self._set_row_height)
        self._set_row_height()

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
        rows = self.verticalHeader()
        rows.setMinimumSectionSize(self._theme.ROW_HEIGHT_PX)
        rows.setDefaultSectionSize(self._theme.ROW_HEIGHT_PX)

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
