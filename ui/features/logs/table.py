"""The rows of the log: sticks to the newest until the person scrolls up or picks an older row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QKeySequence, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSlider,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from ui.features.logs.model import Column
from ui.widgets.delegates import mark_row

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


class LogTable(QTableView):
    """One row a message.

    Signals:
        current_changed: the cursor is on another row, or on none.
        following_changed: the view began or ceased to stick to the newest row.
        opened: the person wants to see the message of the current row in the traffic.
        copy_wanted: the person asked for the selected rows as text.
    """

    current_changed = Signal()
    following_changed = Signal(bool)
    opened = Signal()
    copy_wanted = Signal()

    def __init__(self, *, model: LogModel, theme: Theme, parent: QWidget | None = None) -> None:
        """Show `model`, following."""
        super().__init__(parent)
        self._rows = model
        self._theme = theme
        self.following = True
        """Whether the view sticks to the newest row."""
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        self.setObjectName("log_table")
        self.setAccessibleName("Log messages")
        self.setModel(self._rows)
        self.setItemDelegate(_RowDelegate(model=self._rows, theme=self._theme, parent=self))
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
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
        header = self.horizontalHeader()
        header.setStretchLastSection(False)
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(Column.DATA, header.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def _wire(self) -> None:
        self._theme.changed.connect(self._refresh)
        self._rows.rowsInserted.connect(self._on_rows_inserted)
        self.verticalScrollBar().actionTriggered.connect(self._on_scroll_action_triggered)
        self.doubleClicked.connect(self.opened)
        self.selectionModel().currentRowChanged.connect(self.current_changed)

    def _refresh(self) -> None:
        rows, header = self.verticalHeader(), self.horizontalHeader()
        rows.setMinimumSectionSize(self._theme.ROW_HEIGHT_PX)
        rows.setDefaultSectionSize(self._theme.ROW_HEIGHT_PX)
        digit = self._theme.character_width()
        header.setMinimumSectionSize(4 * digit)
        for column, characters in WIDTHS.items():
            header.resizeSection(column, characters * digit)

    def show_causes(self, on: bool) -> None:
        """Whether there is a column for requests; without HTTP nothing could stand in it."""
        self.horizontalHeader().setSectionHidden(Column.CAUSE, not on)

    def set_following(self, following: bool) -> None:
        """Stick to the newest row, or stay here."""
        if following:
            self.scrollToBottom()
        if following != self.following:
            self.following = following
            self.following_changed.emit(following)

    def current_position(self) -> int:
        """Where the message under the cursor stands; -1 for none."""
        row = self.currentIndex().row()
        return self._rows.position(row) if 0 <= row < self._rows.rowCount() else -1

    def selected_positions(self, limit: int) -> list[int]:
        """The selected messages in order, `limit` at most."""
        selection = self.selectionModel().selection()
        chosen = [selection.at(place) for place in range(selection.count())]
        spans = sorted({(span.top(), span.bottom()) for span in chosen})
        rows = (row for top, bottom in spans for row in range(top, bottom + 1))
        return [self._rows.position(row) for row, _ in zip(rows, range(limit), strict=False)]

    def go_to(self, position: int) -> None:
        """Put the cursor on a message, if it is shown."""
        row = self._rows.row_of(position)
        if row >= 0:
            self.setCurrentIndex(self._rows.index(row, Column.DATA))

    def _is_at_end(self) -> bool:
        return self.currentIndex().row() == self._rows.rowCount() - 1

    def _on_rows_inserted(self) -> None:
        if self.following:
            self.scrollToBottom()

    def _on_scroll_action_triggered(self, action: int) -> None:
        if action != QAbstractSlider.SliderAction.SliderNoAction.value:
            bar = self.verticalScrollBar()
            self._set_following_only(bar.sliderPosition() >= bar.maximum())

    def _set_following_only(self, following: bool) -> None:
        if following != self.following:
            self.following = following
            self.following_changed.emit(following)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Who picks an older row wants to read it."""
        super().mousePressEvent(event)
        if self.indexAt(event.position().toPoint()).isValid() and not self._is_at_end():
            self._set_following_only(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter shows the frame, Ctrl+C copies rows; arrows leave the newest row."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.opened.emit()
        else:
            before = self.currentIndex().row()
            super().keyPressEvent(event)
            if self.currentIndex().row() != before:
                self._set_following_only(self._is_at_end())


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
            painter.fillRect(option.rect, self._theme.colour("selection"))
        elif cells.is_divider:
            painter.fillRect(option.rect, self._theme.colour("info_ground"))
            line = option.rect.adjusted(0, 0, 0, 0)
            line.setHeight(max(self._theme.px(1), 1))
            painter.fillRect(line, self._theme.colour("accent"))
        mark_row(painter, option, index, is_selected=is_selected)
        text = cells.texts[column]
        if not text:
            return
        is_level = column == Column.LEVEL
        room = option.rect.adjusted(self._margin, 0, -self._margin, 0)
        metrics = self._metrics[column]
        most = 2 * room.width() // max(metrics.averageCharWidth(), 1) + 2
        mode = _ELIDE_MIDDLE if column in {Column.LOGGER, Column.CAUSE} else _ELIDE_RIGHT
        shown = metrics.elidedText(
            text[:most] if mode is _ELIDE_RIGHT else text, mode, room.width()
        )
        painter.setFont(self._bold if is_level and cells.is_bold else self._fonts[column])
        tone = cells.tone if is_level else _TONES.get(column, "text")
        painter.setPen(self._theme.colour(tone))
        # On one baseline, whichever font a column has.
        height = self._metrics[Column.DATA]
        baseline = room.top() + (room.height() + height.ascent() - height.descent()) // 2
        painter.drawText(room.left(), baseline, shown)


_ELIDE_RIGHT = Qt.TextElideMode.ElideRight
_ELIDE_MIDDLE = Qt.TextElideMode.ElideMiddle
_TONES = {int(Column.TIME): "muted", int(Column.LOGGER): "muted", int(Column.CAUSE): "muted"}
