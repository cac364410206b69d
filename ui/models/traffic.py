"""The frames of a transcript as rows.

No proxy model and no copy: the rows are an array of frame numbers (`shown`), filled by a feed; everything else is asked from
the transcript when a view wants it. New rows come as one batch. `hide_earlier` moves the place where the view begins and
deletes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from inspector.clock import Clock, SystemClock
from ui.models.traffic_columns import FACES, Column
from ui.models.traffic_feed import TrafficFeed
from ui.models.traffic_roles import RowRoles
from ui.models.traffic_shown import Shown

if TYPE_CHECKING:
    from array import array

    from inspector.transcript.transcript import Transcript
    from ui.models.traffic_cells import TimeFormat
    from ui.theme import Theme

Index: TypeAlias = QModelIndex | QPersistentModelIndex

_ROOT = QModelIndex()


class TrafficModel(QAbstractTableModel):
    """Rows of the traffic.

    Signals:
        counted: what is hidden, waiting or worked on may have changed.
    """

    counted = Signal()

    def __init__(
        self, *, theme: Theme, clock: Clock | None = None, parent: QObject | None = None
    ) -> None:
        """Without a transcript, until `set_transcript`; `clock` is the one that stamps frames."""
        super().__init__(parent)
        self.feed = TrafficFeed(parent=self)
        self.shown = Shown()
        self._roles = RowRoles(theme=theme, clock=clock or SystemClock())
        self._wire(theme)

    def _wire(self, theme: Theme) -> None:
        self.feed.replaced.connect(self._on_feed_replaced)
        self.feed.found.connect(self._on_feed_found)
        self.feed.rejudged.connect(self._on_feed_rejudged)
        self.feed.pulled.connect(self._on_feed_pulled)
        self.feed.judged.connect(self._repaint)
        theme.changed.connect(self._on_theme_changed)

    @property
    def transcript(self) -> Transcript | None:
        """Whose frames are shown."""
        return self.feed.transcript

    def set_transcript(self, transcript: Transcript | None) -> None:
        """Show the frames of `transcript`, with the query as it is."""
        self.beginResetModel()
        self.shown = Shown()
        self._roles.set_transcript(transcript)
        self.endResetModel()
        self.feed.set_transcript(transcript)
        self.counted.emit()

    def hide_earlier(self) -> None:
        """Begin the view with what comes next."""
        count = len(self.shown)
        if count:
            self.beginRemoveRows(_ROOT, 0, count - 1)
        self.shown.floor = self.feed.next - 1
        self.shown.first = len(self.shown.numbers)
        self._roles.cache.clear()
        if count:
            self.endRemoveRows()
        self.counted.emit()

    def show_earlier(self) -> None:
        """Begin the view with the first frame again."""
        hidden = self.shown.first
        if hidden:
            self.beginInsertRows(_ROOT, 0, hidden - 1)
        self.shown.floor = self.shown.first = 0
        self._roles.cache.clear()
        if hidden:
            self.endInsertRows()
        self.counted.emit()

    @property
    def time_format(self) -> TimeFormat:
        """How the time column counts."""
        return self._roles.cache.time_format

    def set_time_format(self, time_format: TimeFormat) -> None:
        """Count otherwise."""
        self._roles.cache.time_format = time_format
        self._repaint()

    def cells(self, row: int) -> tuple[tuple[str, ...], tuple[str, ...], str]:
        """The texts of a row, the names of their colours, and that of the row's ground (empty for none)."""
        shown = self.shown
        return self._roles.cells(row, shown.number_at(row), shown.above(row))

    def tick(self, first: int, last: int) -> None:
        """Let the clocks of pending requests run, in the rows from `first` to `last`."""
        for row in self._roles.cache.pending_rows(first, last):
            cell = self.index(row, Column.TOOK)
            self.dataChanged.emit(cell, cell)

    def _repaint(self) -> None:
        self._roles.cache.clear()
        if count := len(self.shown):
            self.dataChanged.emit(self.index(0, 0), self.index(count - 1, Column.ABOUT))

    def _on_feed_replaced(self, numbers: array[int]) -> None:
        if numbers == self.shown.numbers:
            self._repaint()
            return
        self.beginResetModel()
        self.shown.replace(numbers)
        self._roles.cache.clear()
        self.endResetModel()

    def _on_feed_found(self, numbers: array[int]) -> None:
        count = len(self.shown)
        self.beginInsertRows(_ROOT, count, count + len(numbers) - 1)
        self.shown.numbers.extend(numbers)
        self.endInsertRows()

    def _on_feed_rejudged(self, number: int, wanted: bool) -> None:
        shown = self.shown
        if shown.holds(number) == wanted:
            return
        change = shown.put if wanted else shown.take
        row = shown.row_near(number)
        self._roles.cache.clear_from(row)
        if number <= shown.floor:
            change(number)
        elif wanted:
            self.beginInsertRows(_ROOT, row, row)
            change(number)
            self.endInsertRows()
        else:
            self.beginRemoveRows(_ROOT, row, row)
            change(number)
            self.endRemoveRows()

    def _on_feed_pulled(self) -> None:
        transcript = self.transcript
        if transcript is not None and not self.feed.paused:
            rows = self._roles.cache.take_settled(transcript)
            if rows:
                self.dataChanged.emit(self.index(rows[0], 0), self.index(rows[-1], Column.ABOUT))
        self.counted.emit()

    def _on_theme_changed(self) -> None:
        self._roles.refresh()
        self._repaint()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Frames in view."""
        return 0 if parent.isValid() else len(self.shown)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """The columns of `traffic_columns`."""
        return 0 if parent.isValid() else len(FACES)

    def data(self, index: Index, role: int = 0) -> object:
        """One cell."""
        row = index.row()
        if not 0 <= row < len(self.shown):
            return None
        shown = self.shown
        return self._roles.data(role, row, index.column(), shown.number_at(row), shown.above(row))

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> object:
        """Titles and what they mean."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        return self._roles.header(role, Column(section))
