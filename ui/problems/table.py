"""The table of problems: it folds and unfolds, and follows nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal

from ui.problems.columns import COLUMNS, PROBLEM
from ui.problems.row_painter import SIGN_PX, ProblemPainter
from ui.widgets.following_table import StillTable

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent
    from PySide6.QtWidgets import QWidget

    from ui.problems.model import ProblemsModel
    from ui.theme import Theme

_KEYS = Qt.Key


class ProblemsTable(StillTable):
    """Groups and findings.

    Signals:
        current_changed: another row is current, or none.
        frame_requested: show the frame of the finding at this row.
        explain_requested: explain the rule of the current row, or no longer.
    """

    current_changed = Signal()
    frame_requested = Signal(int)
    explain_requested = Signal()

    painter_type = ProblemPainter

    def __init__(
        self, *, model: ProblemsModel, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Show `model`."""
        super().__init__(
            model=model,
            rows=model,
            columns=COLUMNS,
            flexible="problem",
            theme=theme,
            name="problems_table",
            parent=parent,
        )
        self._problems = model
        self._kept: tuple[str | int, int] | None = None
        """Group and finding that were current before a reset."""
        self._kept_row = 0
        """Their row."""
        self.setAccessibleName("Problems")
        self.horizontalHeader().setAccessibleName("Columns of the problems")
        self.selectionModel().currentRowChanged.connect(self.current_changed)
        self.opened.connect(self._on_opened)
        model.modelAboutToBeReset.connect(self._on_model_about_to_be_reset)
        model.modelReset.connect(self._on_model_reset)

    def toggle(self, row: int) -> None:
        """Unfold a folded group, and the other way round."""
        state = self._problems.fold_state(row)
        if state is not None:
            self._problems.set_open(row, is_open=not state)

    def _on_opened(self, by_key: bool) -> None:
        row = self.current_row()
        if row < 0:
            return
        if not by_key and self._problems.fold_state(row) is not None:
            self.toggle(row)
        else:
            self.frame_requested.emit(row)

    def _on_model_about_to_be_reset(self) -> None:
        row = self.current_row()
        self._kept = None
        if row >= 0:
            group, child = self._problems.groups.locate(row)
            self._kept = group.key, group.items[child] if child >= 0 else -1
            self._kept_row = row

    def _on_model_reset(self) -> None:
        groups = self._problems.groups
        at = groups.position(self._kept[0]) if self._kept is not None else None
        if self._kept is None:
            return
        if at is None:  # muted, or left out by the filter: go on with what is there instead
            self.go_to(min(self._kept_row, self._problems.rowCount() - 1))
            self.current_changed.emit()
            return
        row, group = groups.row_of(at), groups.visible[at]
        if groups.is_open(at) and self._kept[1] in group.items:
            row += 1 + group.items.index(self._kept[1])
        self.setCurrentIndex(self._problems.index(row, PROBLEM))
        self.scrollTo(self._problems.index(row, PROBLEM))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a chevron unfolds or folds, one on the number of a frame shows it."""
        position = event.position().toPoint()
        index = self.indexAt(position)
        is_left = event.button() == Qt.MouseButton.LeftButton
        if not (is_left and index.isValid() and index.column() == PROBLEM):
            super().mousePressEvent(event)
            return
        x = position.x() - self.columnViewportPosition(PROBLEM)
        if self._problems.fold_state(index.row()) is not None and x < self._theme.px(SIGN_PX):
            self.setCurrentIndex(index)
            self.toggle(index.row())
            return
        super().mousePressEvent(event)
        self._follow_link(index, x)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Unfold or fold, or show the frame; on a chevron the press does that."""
        index = self.indexAt(event.position().toPoint())
        x = event.position().toPoint().x() - self.columnViewportPosition(PROBLEM)
        if index.isValid() and index.column() == PROBLEM and x < self._theme.px(SIGN_PX):
            self.mousePressEvent(event)
            return
        super().mouseDoubleClickEvent(event)

    def _follow_link(self, index: QModelIndex, x: int) -> None:
        if self._problems.fold_state(index.row()) is not None:
            return
        painter = self._painter
        assert isinstance(painter, ProblemPainter)
        number = self._problems.item(index.row()).number
        if self._theme.px(SIGN_PX) <= x <= painter.link_width(number):
            self.frame_requested.emit(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """→ unfolds, ← folds or goes to the group, Space explains the rule, Enter shows the frame."""
        row, key = self.current_row(), event.key()
        if key == _KEYS.Key_Space:
            self.explain_requested.emit()
        elif row >= 0 and key == _KEYS.Key_Right:
            self._unfold(row)
        elif row >= 0 and key == _KEYS.Key_Left:
            self._fold(row)
        elif key in {_KEYS.Key_Home, _KEYS.Key_End} and not event.modifiers():
            self.go_to(0 if key == _KEYS.Key_Home else self._problems.rowCount() - 1)
        else:
            super().keyPressEvent(event)

    def _unfold(self, row: int) -> None:
        if not self._problems.set_open(row, is_open=True) and self._problems.fold_state(row):
            self.go_to(row + 1)

    def _fold(self, row: int) -> None:
        if not self._problems.set_open(row, is_open=False):
            self.go_to(self._problems.parent_row(row))
