"""The rows of the traffic: sticks to the newest, jumps, keeps what is selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QAbstractSlider, QTableView, QWidget

from ui.models.traffic_columns import Column
from ui.traffic import columns
from ui.traffic.row_painter import RowPainter

if TYPE_CHECKING:
    from ui.models.traffic import TrafficModel
    from ui.theme import Theme

CLOCK_MS = 250
"""How often the clocks of pending requests are redrawn."""
KEPT_SELECTION = 1000
"""Rows that stay selected when the filter changes."""


class TrafficTable(QTableView):
    """One row a frame.

    Signals:
        current_changed: the cursor is on the frame of this number.
        following_changed: the view began or ceased to stick to the newest row.
        opened: the person pressed Enter on a row, or double-clicked it (False: only clicked twice).
        copy_wanted: the person asked for the selected frames as text.
    """

    current_changed = Signal(int)
    following_changed = Signal(bool)
    opened = Signal(bool)
    copy_wanted = Signal()

    def __init__(self, *, model: TrafficModel, theme: Theme, parent: QWidget | None = None) -> None:
        """Show `model`, following."""
        super().__init__(parent)
        self._rows = model
        self._theme = theme
        self._following = True
        self._kept: list[int] = []
        self._kept_current = 0
        self._kept_top = 0
        self._build()
        self._wire()
        self._refresh()
        self.horizontalHeader().setAccessibleName("Columns of the traffic")
        columns.fit(self.horizontalHeader(), theme)
        self._digit = theme.character_width()
        theme.changed.connect(self._on_theme_changed)

    def _build(self) -> None:
        self.setObjectName("traffic_table")
        self.setAccessibleName("Traffic")
        self.setModel(self._rows)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        # By item, Qt aligns the last row at the end and the first one elsewhere: leaving the end would move every row.
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(rows.ResizeMode.Fixed)
        columns.dress(self.horizontalHeader())
        self._painter = RowPainter(model=self._rows, theme=self._theme, table=self)
        self._clock = QTimer(self, interval=CLOCK_MS)

    def _wire(self) -> None:
        self._theme.changed.connect(self._refresh)
        self._rows.rowsInserted.connect(self._on_rows_inserted)
        self._rows.modelAboutToBeReset.connect(self._on_model_about_to_be_reset)
        self._rows.modelReset.connect(self._on_model_reset)
        self.verticalScrollBar().actionTriggered.connect(self._on_scroll_action_triggered)
        self.doubleClicked.connect(lambda: self.opened.emit(False))
        self._clock.timeout.connect(self._on_clock_timeout)
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)

    def _refresh(self) -> None:
        rows = self.verticalHeader()
        rows.setMinimumSectionSize(self._theme.ROW_HEIGHT_PX)
        rows.setDefaultSectionSize(self._theme.ROW_HEIGHT_PX)

    def _on_theme_changed(self) -> None:
        columns.rescale(self.horizontalHeader(), self._theme, self._digit)
        self._digit = self._theme.character_width()

    @property
    def following(self) -> bool:
        """Whether the view sticks to the newest row."""
        return self._following

    def set_following(self, following: bool) -> None:
        """Stick to the newest row, or stay here."""
        changed = following != self._following
        self._following = following
        if following:
            self.scrollToBottom()
        if changed:
            self.following_changed.emit(following)

    def current_number(self) -> int:
        """The frame under the cursor; 0 for none."""
        row = self.currentIndex().row()
        return self._rows.shown.number_at(row) if 0 <= row < len(self._rows.shown) else 0

    def selected_numbers(self, limit: int) -> list[int]:
        """The selected frames in order, `limit` at most."""
        selection = self.selectionModel().selection()
        chosen = [selection.at(place) for place in range(selection.count())]
        spans = sorted((span.top(), span.bottom()) for span in chosen)
        rows = (row for top, bottom in spans for row in range(top, bottom + 1))
        return [self._rows.shown.number_at(row) for row, _ in zip(rows, range(limit), strict=False)]

    def go_to(self, number: int) -> bool:
        """Put the cursor on a frame; False if it is not in view."""
        row = self._rows.shown.row_of(number)
        if row is None:
            return False
        self.set_following(row == len(self._rows.shown) - 1 and self._following)
        self.setCurrentIndex(self._rows.index(row, Column.NUMBER))
        return True

    def visible_rows(self) -> tuple[int, int]:
        """The first and the last row on screen."""
        first = self.rowAt(0)
        last = self.rowAt(self.viewport().height() - 1)
        return max(first, 0), last if last >= 0 else len(self._rows.shown) - 1

    def _is_at_end(self) -> bool:
        return self.currentIndex().row() == len(self._rows.shown) - 1

    def _on_rows_inserted(self) -> None:
        if self._following:
            self.scrollToBottom()

    def _on_scroll_action_triggered(self, action: int) -> None:
        if action != QAbstractSlider.SliderAction.SliderNoAction.value:
            bar = self.verticalScrollBar()
            self._set_following_only(bar.sliderPosition() >= bar.maximum())

    def _set_following_only(self, following: bool) -> None:
        if following != self._following:
            self._following = following
            self.following_changed.emit(following)

    def _on_clock_timeout(self) -> None:
        transcript = self._rows.transcript
        if transcript is not None and transcript.live and transcript.counts.pending:
            self._rows.tick(*self.visible_rows())

    def _on_current_row_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self.current_changed.emit(self.current_number())

    def _on_model_about_to_be_reset(self) -> None:
        self._kept = self.selected_numbers(KEPT_SELECTION)
        self._kept_current = self.current_number()
        top = self.rowAt(0)
        self._kept_top = self._rows.shown.number_at(top) if top >= 0 else 0

    def _on_model_reset(self) -> None:
        shown = self._rows.shown
        selection = QItemSelection()
        for number in self._kept:
            if (row := shown.row_of(number)) is not None:
                selection.merge(_whole_row(self._rows, row), _SELECT)
        current = shown.row_of(self._kept_current) if self._kept_current else None
        if current is not None:
            self.selectionModel().setCurrentIndex(self._rows.index(current, 0), _NO_UPDATE)
        self.selectionModel().select(selection, _SELECT)
        self._scroll_after_reset(current)

    def _scroll_after_reset(self, current: int | None) -> None:
        if self._following:
            self.scrollToBottom()
        elif current is not None:
            self.scrollTo(self._rows.index(current, 0), self.ScrollHint.PositionAtCenter)
        elif self._kept_top:
            row = min(self._rows.shown.row_near(self._kept_top), len(self._rows.shown) - 1)
            self.scrollTo(self._rows.index(row, 0), self.ScrollHint.PositionAtTop)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows; nothing here is drawn by Qt."""
        # Ended whatever happens: a painter that is not spoils the whole window.
        with QPainter(self.viewport()) as painter:
            self._painter.paint(painter, event.rect())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What follows the newest row shows it at any height, and the row under the cursor stays in view."""
        rect = self.visualRect(self.currentIndex())
        was_seen = rect.isValid() and rect.top() >= 0 and rect.bottom() < event.oldSize().height()
        super().resizeEvent(event)
        if self._following:
            self.scrollToBottom()
        elif was_seen:
            self.scrollTo(self.currentIndex())

    def showEvent(self, event: object) -> None:
        """Clocks run while they are seen."""
        super().showEvent(event)  # type: ignore[arg-type] - Qt's own event
        self._clock.start()

    def hideEvent(self, event: object) -> None:
        """And not otherwise."""
        super().hideEvent(event)  # type: ignore[arg-type] - Qt's own event
        self._clock.stop()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Who picks an older row wants to read it."""
        super().mousePressEvent(event)
        if self.indexAt(event.position().toPoint()).isValid() and not self._is_at_end():
            self._set_following_only(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter jumps, Home and End go to the first and last row, Ctrl+C copies frames."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.opened.emit(True)
        elif event.key() in {Qt.Key.Key_Home, Qt.Key.Key_End} and not event.modifiers():
            self._go_to_edge(last=event.key() == Qt.Key.Key_End)
        else:
            before = self.currentIndex().row()
            super().keyPressEvent(event)
            if self.currentIndex().row() != before:
                self._set_following_only(self._is_at_end())

    def _go_to_edge(self, *, last: bool) -> None:
        count = len(self._rows.shown)
        if count:
            self.setCurrentIndex(self._rows.index(count - 1 if last else 0, Column.NUMBER))
        self.set_following(last)


_SELECT = QItemSelectionModel.SelectionFlag.Select
_NO_UPDATE = QItemSelectionModel.SelectionFlag.NoUpdate


def _whole_row(model: TrafficModel, row: int) -> QItemSelection:
    return QItemSelection(model.index(row, 0), model.index(row, Column.SUMMARY))
