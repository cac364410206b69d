"""The ladder: one row for each step, under the names of the parties, with its model. The arrow keys move; selecting a row runs nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QWidget

from ui.features.authorization.ladder_delegate import LadderDelegate, ladder_columns
from ui.features.authorization.ladder_rows import RowStatus
from ui.theme import tokens
from ui.widgets.labels import tool_tip
from ui.widgets.outcome_line import VisibleClock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from ui.features.authorization.ladder_rows import LadderRow
    from ui.theme import Theme

HEADER_HEIGHT = 28
"""At 100%."""

NAMES = (
    ("Client", "Client"),
    ("MCP server", "Server"),
    ("Auth. server", "Auth."),
    ("Browser", "Browser"),
)
"""Captions of the parties, and what is left of them where they stand close."""


_Index = QModelIndex | QPersistentModelIndex


class Ladder(QListView):
    """Rows of one authorization.

    Signals:
        row_selected: another row is selected, or the selected one changed.
        picked: the user selected a row, which may be the one that is selected.
    """

    row_selected = Signal()
    picked = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("authorization_ladder")
        self.setAccessibleName("Steps of the authorization")
        self._theme = theme
        self._is_users = False
        """Whether the selected row is one that the user selected."""
        self._is_ours = False
        self._build()
        self._wire()
        self._dress()

    def _build(self) -> None:
        self.rows = LadderModel(self)
        self.setModel(self.rows)
        self._delegate = LadderDelegate(model=self.rows, theme=self._theme, parent=self)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerItem)  # no row is cut at the top
        self.setSelectionMode(QListView.SelectionMode.SingleSelection)
        self.setMinimumSize(1, 1)
        self._header = _PartyNames(theme=self._theme, parent=self)
        self._clock = VisibleClock(self, self.viewport().update, interval_ms=tokens.CLOCK_MS)

    def _wire(self) -> None:
        self._theme.changed.connect(self._dress)
        self.clicked.connect(self._on_clicked)
        self.selectionModel().currentChanged.connect(self._on_current_changed)

    def _dress(self) -> None:
        height = self._theme.px(HEADER_HEIGHT)
        self.setViewportMargins(0, height, 0, 0)
        self._set_header_geometry()
        self.scheduleDelayedItemsLayout()

    def set_rows(self, rows: Sequence[LadderRow]) -> None:
        """Show `rows`; a step that failed or waits is selected unless the user selected another one."""
        self._is_ours = True
        self.rows.set_rows(rows)
        at = _of_interest(rows)
        current = self.current_row()
        if at >= 0 and (not self._is_users or current is None):
            self._select(at)
        self._is_ours = False
        is_running = any(row.status is RowStatus.RUNNING for row in self.rows.rows)
        self._clock.switch(on=is_running)
        self.row_selected.emit()

    def set_compact(self, *, is_compact: bool) -> None:
        """Let the parties stand as near to each other as they can, and give the rest to the titles."""
        if is_compact != self._delegate.is_compact:
            self._delegate.is_compact = self._header.is_compact = is_compact
            self._header.update()
            self.viewport().update()

    def follow(self) -> None:
        """Select the row that matters most again, from the next change on."""
        self._is_users = False

    def select_row(self, at: int) -> None:
        """Select the row at a position, as the user would."""
        self._is_users = True
        self._select(at)

    def current_row(self) -> LadderRow | None:
        """The selected row."""
        return self.rows.row(self.currentIndex())

    def _select(self, at: int) -> None:
        flags = QItemSelectionModel.SelectionFlag
        index = self.rows.index(at)
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect)
        self.scrollTo(index)

    def _on_current_changed(self, _current: QModelIndex, _previous: QModelIndex) -> None:
        if not self._is_ours:
            self._is_users = True
            self.row_selected.emit()
            self.picked.emit()

    def _on_clicked(self, _index: QModelIndex) -> None:
        self.picked.emit()

    def _set_header_geometry(self) -> None:
        viewport = self.viewport().geometry()
        height = self._theme.px(HEADER_HEIGHT)
        self._header.setGeometry(viewport.left(), viewport.top() - height, viewport.width(), height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The names stand above the lines, beside the scroll bar."""
        super().resizeEvent(event)
        self._set_header_geometry()
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())


class _PartyNames(QWidget):
    """The captions above the lines."""

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.is_compact = False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw each name in the middle above its line."""
        del event
        theme = self._theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("panel"))
        painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), theme.color("hairline"))
        columns = ladder_columns(self.width(), theme.scale, is_compact=self.is_compact)
        painter.setFont(theme.font(tokens.SMALL))
        painter.setPen(theme.color("muted"))
        metrics = QFontMetrics(painter.font())
        to_the_left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(
            QRect(columns.sign_left, 0, columns.title_right, self.height()), to_the_left, "Step"
        )
        widest = max(metrics.horizontalAdvance(name) for name, _ in NAMES)
        steps = zip(columns.parties, columns.parties[1:], strict=False)
        gap = min(right - left for left, right in steps)
        is_narrow = widest + theme.SPACING_PX > gap
        for x, (name, short) in zip(columns.parties, NAMES, strict=True):
            text = short if is_narrow else name
            area = QRect(x - gap // 2, 0, gap, self.height())
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)
        painter.end()


def _of_interest(rows: Sequence[LadderRow]) -> int:
    """Return the position of the row that failed, that runs, that comes next, or the last one that is done; -1 for none."""
    for status in (RowStatus.FAILED, RowStatus.RUNNING, RowStatus.NEXT):
        for at, row in enumerate(rows):
            if row.status is status:
                return at
    done = [at for at, row in enumerate(rows) if not row.is_to_come]
    return done[-1] if done else (0 if rows else -1)


class LadderModel(QAbstractListModel):
    """One item a step. Rows that stay are changed in place, so that cursor and selection stay where they are."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[LadderRow, ...] = ()

    def set_rows(self, rows: Sequence[LadderRow]) -> None:
        """Show `rows` from now on."""
        before, now = len(self.rows), len(rows)
        if now < before:
            self.beginRemoveRows(QModelIndex(), now, before - 1)
            self.rows = tuple(rows)
            self.endRemoveRows()
        elif now > before:
            self.beginInsertRows(QModelIndex(), before, now - 1)
            self.rows = tuple(rows)
            self.endInsertRows()
        self.rows = tuple(rows)
        if stays := min(before, now):
            self.dataChanged.emit(self.index(0), self.index(stays - 1))

    def row(self, index: _Index) -> LadderRow | None:
        """The row at `index`."""
        at = index.row()
        return self.rows[at] if 0 <= at < len(self.rows) else None

    def rowCount(self, parent: _Index | None = None) -> int:
        """How many steps there are, done and to come."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The title; everything that is painted as accessible text; the outcome as tooltip."""
        row = self.row(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{row.number} {row.title}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.accessible_text
        if role == Qt.ItemDataRole.ToolTipRole:
            step = row.step
            return tool_tip((step.problem or step.reason) if step is not None else "")
        return None
