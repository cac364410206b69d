"""The rows of the traffic: they follow the newest row and keep the selection over another filter."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QRect,
    Qt,
    QTimer,
    Signal,
)

from ui.models.traffic_columns import PATH_KEY
from ui.traffic.divider_links import MessagePainter
from ui.widgets.following_table import FollowingTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent
    from PySide6.QtWidgets import QWidget

    from ui.models.traffic import TrafficModel
    from ui.theme import Theme

CLOCK_MS = 250
"""How often the clocks of pending requests are redrawn."""
KEPT_SELECTION = 1000
"""Rows that stay selected when the filter changes."""


class TrafficTable(FollowingTable):
    """One row a frame.

    Signals:
        current_changed: the frame of this number is current.
        difference_requested: show what is different in the run that begins with the frame of this number.
    """

    current_changed = Signal(int)
    difference_requested = Signal(int)

    painter_type = MessagePainter

    def __init__(self, *, model: TrafficModel, theme: Theme, parent: QWidget | None = None) -> None:
        """Show `model`, following."""
        super().__init__(
            model=model,
            rows=model,
            columns=model.columns,
            flexible="summary",
            theme=theme,
            name="traffic_table",
            parent=parent,
        )
        self._rows = model
        self._kept: list[int] = []
        self._kept_current = 0
        self._kept_top = 0
        self.setAccessibleName("Traffic")
        self._clock = QTimer(self, interval=CLOCK_MS)
        self._wire()
        self.horizontalHeader().setAccessibleName("Columns of the traffic")

    def _wire(self) -> None:
        self._rows.modelAboutToBeReset.connect(self._on_model_about_to_be_reset)
        self._rows.modelReset.connect(self._on_model_reset)
        self._clock.timeout.connect(self._on_clock_timeout)
        self._rows.counted.connect(self._run_clock)
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        self.columns.remove_requested.connect(self._on_columns_remove_requested)

    @property
    def paths(self) -> list[str]:
        """The paths into the messages that have a column."""
        keys = [column.key for column in self._rows.columns]
        return [key.removeprefix(PATH_KEY) for key in keys if key.startswith(PATH_KEY)]

    def set_paths(self, paths: Sequence[str]) -> None:
        """Have a column for each path into the messages."""
        arranged = self.columns.save()
        self._rows.set_paths(list(dict.fromkeys(paths)))
        self.set_columns(self._rows.columns, arranged)

    def add_path(self, path: str) -> bool:
        """Show the values at a path as a column; False if there are too many columns, or it is no path."""
        if path not in self.paths:
            self.set_paths([*self.paths, path])
        if path in self.paths:
            self.columns.set_visible(f"{PATH_KEY}{path}", True)
        return path in self.paths

    def column_key(self, x: int) -> str:
        """Return the key of the column at `x` in the viewport; empty for none."""
        column = self.columnAt(x)
        return self._rows.columns[column].key if column >= 0 else ""

    def current_number(self) -> int:
        """The frame under the cursor; 0 for none."""
        row = self.currentIndex().row()
        return (
            self._rows.visible_frames.number_at(row)
            if 0 <= row < len(self._rows.visible_frames)
            else 0
        )

    def selected_numbers(self, limit: int) -> list[int]:
        """Return the selected frames in order, at most `limit`; with those that folded."""
        frames = (frame for row in self.selected_rows(limit) for frame in self._rows.frames_at(row))
        return list(islice(frames, limit))

    def go_to(self, number: int) -> bool:
        """Put the cursor on a frame, unfolding its row; False if it is not in view."""
        row = self._rows.visible_frames.row_of(number)
        if row is not None and self._rows.visible_frames.number_at(row) != number:
            self._rows.set_unfolded(row, True)
            row = self._rows.visible_frames.row_of(number)
        if row is None:
            return False
        self.set_following(row == len(self._rows.visible_frames) - 1 and self.following)
        self.setCurrentIndex(self._rows.index(row, 0))
        return True

    def _on_columns_remove_requested(self, key: str) -> None:
        self.set_paths([path for path in self.paths if f"{PATH_KEY}{path}" != key])

    def _run_clock(self) -> None:
        """Let the clock run while the time of a pending request is visible."""
        transcript = self._rows.transcript
        is_pending = transcript is not None and transcript.live and transcript.counts.pending > 0
        runs = is_pending and self.isVisible()
        if runs != self._clock.isActive():
            self._clock.start() if runs else self._clock.stop()

    def _on_clock_timeout(self) -> None:
        self._run_clock()
        self._rows.tick(*self.whole_rows())

    def _on_current_row_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self.current_changed.emit(self.current_number())

    def _on_model_about_to_be_reset(self) -> None:
        self._kept = self.selected_numbers(KEPT_SELECTION)
        self._kept_current = self.current_number()
        top, _ = self.whole_rows()
        self._kept_top = self._rows.visible_frames.number_at(top) if top >= 0 else 0

    def _on_model_reset(self) -> None:
        visible = self._rows.visible_frames
        selection = QItemSelection()
        for number in self._kept:
            if (row := visible.row_of(number)) is not None:
                selection.merge(_whole_row(self._rows, row), _SELECT)
        current = visible.row_of(self._kept_current) if self._kept_current else None
        if current is not None:
            self.selectionModel().setCurrentIndex(self._rows.index(current, 0), _NO_UPDATE)
        self.selectionModel().select(selection, _SELECT)
        self._scroll_after_reset(current)

    def _scroll_after_reset(self, current: int | None) -> None:
        if self.following:
            self.scrollToBottom()
        elif current is not None:
            self.scrollTo(self._rows.index(current, 0), self.ScrollHint.PositionAtCenter)
        elif self._kept_top:
            row = min(
                self._rows.visible_frames.row_near(self._kept_top),
                len(self._rows.visible_frames) - 1,
            )
            self.scrollTo(self._rows.index(row, 0), self.ScrollHint.PositionAtTop)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Follow the link in a row with which a run begins."""
        super().mousePressEvent(event)
        index, painter = self.indexAt(event.position().toPoint()), self._painter
        is_left = event.button() == Qt.MouseButton.LeftButton
        if not (is_left and index.isValid() and isinstance(painter, MessagePainter)):
            return
        row = index.row()
        area = QRect(0, self.rowViewportPosition(row), self.viewport().width(), self.rowHeight(row))
        if painter.difference_link(area).contains(event.position().toPoint()):
            self.difference_requested.emit(self._rows.visible_frames.number_at(row))

    def showEvent(self, event: object) -> None:
        """Run the clock while the table is visible."""
        super().showEvent(event)  # type: ignore[arg-type] - Qt's own event
        self._run_clock()

    def hideEvent(self, event: object) -> None:
        """Stop the clock while the table is hidden."""
        super().hideEvent(event)  # type: ignore[arg-type] - Qt's own event
        self._clock.stop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Home and End go to the first and last row, wherever the current column is; → and ← unfold and fold."""
        row, unfolds = self.currentIndex().row(), event.key() == Qt.Key.Key_Right
        is_arrow = unfolds or event.key() == Qt.Key.Key_Left
        if row >= 0 and is_arrow and not event.modifiers() and self.unfold(row, unfolds):
            return
        if event.key() in {Qt.Key.Key_Home, Qt.Key.Key_End} and not event.modifiers():
            self._go_to_edge(last=event.key() == Qt.Key.Key_End)
        else:
            super().keyPressEvent(event)

    def unfold(self, row: int, unfolded: bool) -> bool:
        """Unfold a row, or fold what was unfolded around it; return whether there was anything to do."""
        number = self._rows.visible_frames.number_at(row)
        changed = self._rows.set_unfolded(row, unfolded)
        if changed and (now := self._rows.visible_frames.row_of(number)) is not None:
            self._set_following_only(False)
            self.setCurrentIndex(self._rows.index(now, 0))
        return changed

    def _go_to_edge(self, *, last: bool) -> None:
        count = len(self._rows.visible_frames)
        if count:
            self.setCurrentIndex(self._rows.index(count - 1 if last else 0, 0))
        self.set_following(last)


_SELECT = QItemSelectionModel.SelectionFlag.Select
_NO_UPDATE = QItemSelectionModel.SelectionFlag.NoUpdate


def _whole_row(model: TrafficModel, row: int) -> QItemSelection:
    return QItemSelection(model.index(row, 0), model.index(row, model.columnCount() - 1))
