"""Earlier requests of the selected entry as a small table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter
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

from ui.theme import tokens
from ui.theme.layout_spaces import keep_margins
from ui.widgets.buttons import link_button
from ui.widgets.delegates import baseline, dim_selection, mark_row
from ui.widgets.labels import plain_label, tool_tip
from ui.widgets.layout_parts import Hairline, column_layout, row_layout
from ui.widgets.row_painter import SIGN_GAP_PX

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from ui.theme import Theme

CELL_PIXELS = 6
"""At 100%, left and right of the text of a cell."""

TITLE_MARGIN_PIXELS = 6
"""At 100%, above the title."""

MAX_WIDTH_PIXELS = 880
"""At 100%, of a row: as wide as text that is read."""

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class HistoryRow(NamedTuple):
    """One request."""

    number: str
    """Its position, from 1."""
    request: str
    """What was sent."""
    outcome: str
    """How it ended, or that it is running."""
    time: str
    """How long it took; empty while it is running."""
    run: str
    """The run in which it was made; empty while there is only one."""
    tone: str = "muted"
    """The name of the color of the outcome."""
    sign: str = ""
    """The name of the icon before the outcome, in its color; empty for none."""


COLUMNS: tuple[tuple[str, int, bool, bool], ...] = (
    ("Number", 4, True, False),
    ("Request", 0, False, True),
    ("Outcome", 15, False, False),
    ("Time", 9, True, False),
    ("Run", 7, True, False),
)
"""Columns: name, width in characters (0 for the rest), whether it is aligned right, whether it is monospaced."""

SIGN_ROLE = int(Qt.ItemDataRole.UserRole)
"""The name and the tone of the icon before a text; None for none."""

_R = Qt.ItemDataRole
_OF_ROW = {_R.DisplayRole, _R.ForegroundRole, _R.ToolTipRole, _R.AccessibleTextRole, SIGN_ROLE}
"""The roles that depend on the row."""


class HistoryModel(QAbstractTableModel):
    """The requests, newest first. A row is read when it is painted."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self._theme = theme
        self._count = 0
        self._row: Callable[[int], HistoryRow] = _no_row
        self._refreshed: tuple[int, HistoryRow] | None = None

    def set_rows(self, count: int, row: Callable[[int], HistoryRow]) -> None:
        """Show `count` rows; `row` returns one of them."""
        self.beginResetModel()
        self._count, self._row, self._refreshed = count, row, None
        self.endResetModel()

    def refresh(self, row: int) -> None:
        """Show the current state of a row, if it is another: progress may ask for it thirty times a second."""
        if not 0 <= row < self._count:
            return
        current = row, self._row(row)
        if current != self._refreshed:
            self._refreshed = current
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(COLUMNS) - 1))

    def refresh_all(self) -> None:
        """Show the current state of all rows."""
        self._refreshed = None
        if self._count:
            self.dataChanged.emit(self.index(0, 0), self.index(self._count - 1, len(COLUMNS) - 1))

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """Return the number of requests."""
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """Return text, color, font and alignment of a cell."""
        if not index.isValid() or not index.row() < self._count:
            return None
        name, _, is_right, is_mono = COLUMNS[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if is_right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.FontRole:
            return self._theme.mono() if is_mono else self._theme.font()
        if role == Qt.ItemDataRole.ForegroundRole and name != "Outcome":
            return self._theme.color("text" if name == "Request" else "muted")
        # A cell is asked for more roles than it has: the row is read for few.
        return self._content(index, role) if role in _OF_ROW else None

    def _content(self, index: _Index, role: int) -> object:
        row = self._row(index.row())
        text = row[index.column()]
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._theme.color(row.tone)
        if role == SIGN_ROLE:
            has_sign = COLUMNS[index.column()][0] == "Outcome" and row.sign
            return (row.sign, row.tone) if has_sign else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return tool_tip(text)
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == 0:
            return ", ".join(part for part in row[: len(COLUMNS)] if part)
        return text


def _no_row(_row: int) -> HistoryRow:
    return HistoryRow("", "", "", "", "")


class _CellDelegate(QStyledItemDelegate):
    """Draws the texts of a row on one baseline in their fonts."""

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return one height for all rows."""
        return QSize(super().sizeHint(option, index).width(), self._theme.ROW_HEIGHT_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw background, text and the mark of the row."""
        option = QStyleOptionViewItem(option)
        self.initStyleOption(option, index)
        dim_selection(option)
        text, option.text = option.text, ""
        style = option.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        space = self._theme.px(CELL_PIXELS)
        area = option.rect.adjusted(space, 0, -space, 0)
        if sign := cast("tuple[str, str] | None", index.data(SIGN_ROLE)):
            area.setLeft(self._draw_sign(painter, area, *sign))
        self._draw_text(painter, area, text, option)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        mark_row(painter, option, index, is_selected=is_selected)

    def _draw_sign(self, painter: QPainter, area: QRect, sign: str, tone: str) -> int:
        """Draw an icon, and return where the text after it begins."""
        edge = self._theme.ICON
        top = area.top() + (area.height() - edge) // 2
        self._theme.icon(sign, tone).paint(painter, QRect(area.left(), top, edge, edge))
        return area.left() + edge + self._theme.px(SIGN_GAP_PX)

    def _draw_text(
        self, painter: QPainter, area: QRect, text: str, option: QStyleOptionViewItem
    ) -> None:
        font = QFont(option.font)
        metrics = QFontMetrics(font)
        elided = metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        left = area.left()
        if option.displayAlignment & Qt.AlignmentFlag.AlignRight:
            left = area.right() + 1 - metrics.horizontalAdvance(elided)
        painter.save()
        painter.setFont(font)
        painter.setPen(option.palette.color(option.palette.ColorRole.Text))
        painter.drawText(left, baseline(area.top(), area.height(), self._theme.font()), elided)
        painter.restore()


class HistoryTable(QWidget):
    """The requests of the selected entry, one of them current.

    Signals:
        selected: the user selected the request of this row.
        reuse_requested: put what the current request sent back into the fields.
        compare_requested: compare the current request with the one before.
    """

    selected = Signal(int)
    reuse_requested = Signal()
    compare_requested = Signal()

    def __init__(
        self,
        title: str,
        *,
        theme: Theme,
        name: str,
        reuse: str = "",
        compare: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """Start empty; `title` stands above the rows, `reuse` and `compare` are the tooltips of links, an empty one hides its link."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._rows = 1
        self._build(title, name)
        self._reuse.setToolTip(tool_tip(reuse))
        self._reuse.setVisible(bool(reuse))
        self._compare.setToolTip(tool_tip(compare))
        self._compare.setVisible(bool(compare))
        self._wire()
        self._refresh()

    def _build(self, title: str, name: str) -> None:
        theme = self._theme
        self._title = plain_label(title, tone="muted", name=f"{name}_title", parent=self)
        self._reuse = link_button("Use arguments", name=f"{name}_reuse", parent=self)
        self._compare = link_button("Compare", name=f"{name}_compare_previous", parent=self)
        self.model = HistoryModel(theme=theme, parent=self)
        self.view = view = QTableView(self)
        view.setObjectName(f"{name}_view")
        view.setAccessibleName(title)
        view.setModel(self.model)
        view.setItemDelegate(_CellDelegate(theme=theme, parent=view))
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.setCornerButtonEnabled(False)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.horizontalHeader().hide()
        view.horizontalHeader().setMinimumSectionSize(1)
        view.verticalHeader().hide()
        view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._line = row_layout(None, self._title, space=theme.PADDING_PX)
        self._line.addStretch(1)
        self._line.addWidget(self._reuse)
        self._line.addWidget(self._compare)
        self._column = column_layout(self, Hairline(theme=theme, parent=self), space=0)
        self._column.addLayout(self._line)
        self._rows_layout = row_layout(None, view, space=0)
        keep_margins(self._line)
        keep_margins(self._rows_layout)
        self._column.addLayout(self._rows_layout)

    def _wire(self) -> None:
        self.view.selectionModel().currentRowChanged.connect(self._on_view_current_row_changed)
        self._reuse.clicked.connect(self.reuse_requested)
        self._compare.clicked.connect(self.compare_requested)
        self._theme.changed.connect(self._refresh)

    def show_rows(
        self, count: int, row: Callable[[int], HistoryRow], current: int, *, has_runs: bool
    ) -> None:
        """Show `count` requests, of which `row` returns one, with the row `current` selected; -1 for none."""
        self.view.selectionModel().blockSignals(True)
        self.model.set_rows(count, row)
        self.view.selectionModel().blockSignals(False)
        self.view.setColumnHidden(len(COLUMNS) - 1, not has_runs)
        self.set_current(current)

    def set_current(self, row: int) -> None:
        """Select a row without a signal; -1 for none."""
        selection = self.view.selectionModel()
        selection.blockSignals(True)
        if row >= 0:
            index = self.model.index(row, 0)
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)
        else:
            selection.clear()
        selection.blockSignals(False)
        self.view.viewport().update()

    def set_compared(self, text: str) -> None:
        """Show which requests the link compares, as in `2 → 3`; an empty text disables it."""
        label = f"Compare {text}" if text else "Compare"
        self._compare.setText(label)
        self._compare.setAccessibleName(label)
        self._compare.setEnabled(bool(text))

    def set_visible_rows(self, rows: int) -> None:
        """Take the height of so many rows; more of them scroll."""
        self._rows = rows
        self.view.setFixedHeight(rows * self._theme.ROW_HEIGHT_PX)

    def _refresh(self) -> None:
        theme = self._theme
        self._title.setFont(theme.font(tokens.SMALL, bold=True))
        self._column.setContentsMargins(0, 0, 0, theme.SPACING_PX)
        self._limit_width()
        width = theme.character_width()
        space = 2 * theme.px(CELL_PIXELS)
        columns = self.view.horizontalHeader()
        for at, (_, characters, _, _) in enumerate(COLUMNS):
            is_rest = not characters
            mode = QHeaderView.ResizeMode.Stretch if is_rest else QHeaderView.ResizeMode.Fixed
            columns.setSectionResizeMode(at, mode)
            if characters:
                columns.resizeSection(at, characters * width + space)
        self.view.verticalHeader().setDefaultSectionSize(theme.ROW_HEIGHT_PX)
        self.set_visible_rows(self._rows)

    def _limit_width(self) -> None:
        theme = self._theme
        edge = theme.px(tokens.READING_PADDING_PX)
        end = theme.px(tokens.DENSE_PADDING_PX)
        beyond = max(self.width() - edge - end - theme.px(MAX_WIDTH_PIXELS), 0)
        self._line.setContentsMargins(edge, theme.px(TITLE_MARGIN_PIXELS), edge + beyond, 0)
        self._rows_layout.setContentsMargins(edge, 0, end + beyond, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the width that would put the parts of a row far apart."""
        super().resizeEvent(event)
        self._limit_width()

    def _on_view_current_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self.selected.emit(current.row())
