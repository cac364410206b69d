"""The rows of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from ui.features.logs.model import Column
from ui.widgets.delegates import mark_row
from ui.widgets.following_table import FollowingTable

if TYPE_CHECKING:
    from ui.features.logs.model import LogModel
    from ui.theme import Theme

WIDTHS = {
    Column.TIME: 14,
    Column.LEVEL: 13,
    Column.LOGGER: 16,
    Column.DATA: 70,
    Column.CAUSE: 24,
}
"""First widths, in digits."""
MARGIN = 6
"""Left and right of a text."""

_Index = QModelIndex | QPersistentModelIndex


class LogTable(FollowingTable):
    """One row a message.

    Signals:
        current_changed: another row is current, or none.
    """

    current_changed = Signal()

    def __init__(self, *, model: LogModel, theme: Theme, parent: QWidget | None = None) -> None:
        """Show `model`, following."""
        super().__init__(model=model, theme=theme, name="log_table", parent=parent)
        self._rows = model
        self.setAccessibleName("Log messages")
        self.setItemDelegate(_RowDelegate(model=self._rows, theme=self._theme, parent=self))
        self.setFrameShape(QTableView.Shape.NoFrame)
        header = self.horizontalHeader()
        header.setStretchLastSection(False)
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(Column.DATA, header.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        theme.changed.connect(self._refresh)
        self.selectionModel().currentRowChanged.connect(self.current_changed)
        self._refresh()

    def _refresh(self) -> None:
        header, digit = self.horizontalHeader(), self._theme.character_width()
        header.setMinimumSectionSize(4 * digit)
        for column, characters in WIDTHS.items():
            header.resizeSection(column, characters * digit)

    def show_causes(self, on: bool) -> None:
        """Whether there is a column for requests; without HTTP nothing could stand in it."""
        self.horizontalHeader().setSectionHidden(Column.CAUSE, not on)

    def current_position(self) -> int:
        """Where the message under the cursor stands; -1 for none."""
        row = self.currentIndex().row()
        return self._rows.position(row) if 0 <= row < self._rows.rowCount() else -1

    def selected_positions(self, limit: int) -> list[int]:
        """Return the positions of the selected messages in order, at most `limit`."""
        return [self._rows.position(row) for row in self.selected_rows(limit)]

    def go_to(self, position: int) -> None:
        """Put the cursor on a message, if it is shown."""
        row = self._rows.row_of(position)
        if row >= 0:
            self.setCurrentIndex(self._rows.index(row, Column.DATA))


class _RowDelegate(QStyledItemDelegate):
    """Draws a cell without asking the style for anything: while a log pours in, that is most of the time."""

    def __init__(self, *, model: LogModel, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._rows = model
        self._theme = theme
        theme.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        plain, mono = self._theme.font(), self._theme.mono()
        self._bold = self._theme.font(bold=True)
        self._fonts: dict[int, QFont] = {
            Column.TIME: plain,
            Column.LEVEL: plain,
            Column.LOGGER: mono,
            Column.DATA: plain,
            Column.CAUSE: mono,
        }
        self._metrics = {column: QFontMetrics(font) for column, font in self._fonts.items()}
        self._margin = self._theme.px(MARGIN)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """The ground where it is selected, then the text."""
        cells, column = self._rows.cells(index.row()), index.column()
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if is_selected:
            painter.fillRect(option.rect, self._theme.color("selection"))
        elif cells.is_divider:
            painter.fillRect(option.rect, self._theme.color("info_ground"))
            line = option.rect.adjusted(0, 0, 0, 0)
            line.setHeight(max(self._theme.px(1), 1))
            painter.fillRect(line, self._theme.color("accent"))
        mark_row(painter, option, index, is_selected=is_selected)
        text = cells.texts[column]
        if not text:
            return
        is_level = column == Column.LEVEL
        area = option.rect.adjusted(self._margin, 0, -self._margin, 0)
        metrics = self._metrics[column]
        limit = 2 * area.width() // max(metrics.averageCharWidth(), 1) + 2
        mode = _ELIDE_MIDDLE if column in {Column.LOGGER, Column.CAUSE} else _ELIDE_RIGHT
        elided = metrics.elidedText(
            text[:limit] if mode is _ELIDE_RIGHT else text, mode, area.width()
        )
        painter.setFont(self._bold if is_level and cells.is_bold else self._fonts[column])
        tone = cells.tone if is_level else _TONES.get(column, "text")
        painter.setPen(self._theme.color(tone))
        # On one baseline, whichever font a column has.
        height = self._metrics[Column.DATA]
        baseline = area.top() + (area.height() + height.ascent() - height.descent()) // 2
        painter.drawText(area.left(), baseline, elided)


_ELIDE_RIGHT = Qt.TextElideMode.ElideRight
_ELIDE_MIDDLE = Qt.TextElideMode.ElideMiddle
_TONES = {int(Column.TIME): "muted", int(Column.LOGGER): "muted", int(Column.CAUSE): "muted"}
