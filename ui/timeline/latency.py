"""The table of latency: a click on a cell shows the requests that it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from inspector.transcript.latency import SLOTS, LatencyRow
from ui.timeline.latency_model import COLUMNS, KEYS, ROW_ROLE, LatencyModel
from ui.timeline.slow_panel import SlowPanel
from ui.widgets.delegates import baseline, dim_selection, mark_row
from ui.widgets.layout_parts import row_layout
from ui.widgets.table_columns import MARGIN_PX, TableColumns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme

BAR_HEIGHT = 16
"""Pixels at 100% of the highest bar of the course."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)

_Index = QModelIndex | QPersistentModelIndex


PANEL_WIDTH = 320
"""Pixels at 100% of what the slowest requests have in common."""
NARROW = 860
"""Pixels at 100% of the page below which that is under the table."""
PANEL_SHARE = 2
"""Part of the height that it takes there: one of so many."""


class LatencyView(QWidget):
    """The table, and what the slowest requests of its current row have in common.

    Signals:
        filter_requested: show the requests that match this filter.
    """

    filter_requested = Signal(str)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Without rows, until `set_transcripts`."""
        super().__init__(parent)
        self.setObjectName("timeline_latency_view")
        self._theme = theme
        self._transcripts: tuple[Transcript, ...] = ()
        self.table = LatencyTable(theme=theme, parent=self)
        self.rows = self.table.rows
        self.slow = SlowPanel(theme=theme, parent=self)
        self._layout = row_layout(self, self.table, self.slow, space=0)
        for part in (self.table, self.slow):
            part.filter_requested.connect(self.filter_requested)
        self.table.selectionModel().currentRowChanged.connect(self._show_slow)
        self.rows.counted.connect(self._on_rows_counted)
        theme.changed.connect(self._arrange)

    def set_transcripts(self, transcripts: Sequence[Transcript]) -> None:
        """Count the requests of these from the start."""
        self._transcripts = tuple(transcripts)
        self.slow.clear()
        self.rows.set_transcripts(transcripts)

    def set_active(self, active: bool) -> None:
        """Count, or leave what is new for later."""
        self.rows.set_active(active)
        self.slow.set_active(active)

    def _on_rows_counted(self) -> None:
        """Without a selection, the slowest row is meant."""
        if self.rows.is_complete and not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.rows.index(0, KEYS.index("name")))
        self._show_slow()

    def _show_slow(self) -> None:
        index = self.table.currentIndex()
        if index.isValid() and self.rows.is_complete:
            self.slow.show_row(self.rows.row_at(index.row()), self._transcripts)

    def _arrange(self) -> None:
        px, directions = self._theme.px, QBoxLayout.Direction
        is_narrow = self.width() < px(NARROW)
        self._layout.setDirection(directions.TopToBottom if is_narrow else directions.LeftToRight)
        self.slow.setFixedSize(
            QSize(self.width(), self.height() // PANEL_SHARE)
            if is_narrow
            else QSize(px(PANEL_WIDTH), self.height())
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The panel is beside the table where there is room."""
        super().resizeEvent(event)
        self._arrange()


class LatencyTable(QTableView):
    """The rows of a `LatencyModel`.

    Signals:
        filter_requested: show the requests that match this filter.
    """

    filter_requested = Signal(str)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Without rows, until the model has transcripts."""
        super().__init__(parent)
        self.setObjectName("timeline_latency")
        self.setAccessibleName("Latency by method and tool")
        self._theme = theme
        self.rows = LatencyModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(_LatencyDelegate(theme=theme, parent=self))
        self._set_behavior()
        self.columns = TableColumns(COLUMNS, flexible="name", table=self, theme=theme)
        header = self.horizontalHeader()
        header.setSectionsMovable(False)
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self._on_header_clicked)
        self.clicked.connect(self._request)
        theme.changed.connect(self._refresh)
        self._refresh()

    def _set_behavior(self) -> None:
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def _refresh(self) -> None:
        self.verticalHeader().setMinimumSectionSize(self._theme.ROW_HEIGHT_PX)
        self.verticalHeader().setDefaultSectionSize(self._theme.ROW_HEIGHT_PX)

    def _request(self, index: QModelIndex) -> None:
        if index.isValid():
            self.filter_requested.emit(self.rows.terms(index.row(), index.column()))

    def _on_header_clicked(self, section: int) -> None:
        if KEYS[section] not in {"direction", "course"}:
            self.rows.sort_by(KEYS[section])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter shows the requests of the current cell, S sorts by its column."""
        index = self.currentIndex()
        if event.key() in ENTER:
            self._request(index)
        elif event.key() == Qt.Key.Key_S and not event.modifiers() and index.isValid():
            self._on_header_clicked(index.column())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The column of the names takes what the others leave."""
        self.columns.fit()
        super().resizeEvent(event)


class _LatencyDelegate(QStyledItemDelegate):
    """Draws the cells: texts on one baseline, the course as bars, and a frame around the current cell."""

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """One height for all rows."""
        return QSize(super().sizeHint(option, index).width(), self._theme.ROW_HEIGHT_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one cell."""
        option = QStyleOptionViewItem(option)
        self.initStyleOption(option, index)
        dim_selection(option)
        text, option.text = option.text, ""
        view: QWidget = option.widget
        is_current = bool(option.state & QStyle.StateFlag.State_HasFocus)
        option.state &= ~QStyle.StateFlag.State_HasFocus
        view.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, view)
        row = index.data(ROW_ROLE)
        space = self._theme.px(MARGIN_PX)
        area = option.rect.adjusted(space, 0, -space, 0)
        painter.save()
        if isinstance(row, LatencyRow):
            if KEYS[index.column()] == "course":
                self._draw_course(painter, area, row)
            else:
                self._draw_text(painter, area, text, row, index.column())
        if is_current:
            painter.setPen(self._theme.color("accent"))
            painter.drawRect(option.rect.adjusted(0, 0, -1, -1))
        painter.restore()
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        mark_row(painter, option, index, is_selected=is_selected)

    def _draw_text(
        self, painter: QPainter, area: QRect, text: str, row: LatencyRow, column: int
    ) -> None:
        theme, spec = self._theme, COLUMNS[column]
        font = theme.mono() if spec.is_mono else theme.font()
        metrics = QFontMetrics(font)
        elided = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, area.width())
        left = area.left()
        if spec.is_right:
            left = area.right() + 1 - metrics.horizontalAdvance(elided)
        painter.setFont(font)
        painter.setPen(theme.color(self._tone(row, spec.key)))
        painter.drawText(left, baseline(area.top(), area.height(), theme.font()), elided)

    def _tone(self, row: LatencyRow, key: str) -> str:
        if key == "errors":
            return "error" if row.errors else "disabled"
        return "muted" if key in {"direction", "count"} else "text"

    def _draw_course(self, painter: QPainter, area: QRect, row: LatencyRow) -> None:
        theme, highest = self._theme, max(row.course)
        if not highest:
            return
        color = theme.color("outline")
        high, bottom = theme.px(BAR_HEIGHT), area.center().y() + theme.px(BAR_HEIGHT) // 2
        for slot, seconds in enumerate(row.course):
            if seconds:
                left = area.left() + slot * area.width() // SLOTS
                right = area.left() + (slot + 1) * area.width() // SLOTS
                height = max(round(seconds / highest * high), 1)
                painter.fillRect(left, bottom - height, max(right - left - 1, 1), height, color)
