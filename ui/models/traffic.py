"""The frames of all runs of a server as rows.

No proxy model and no copy: the rows are an array of frame numbers of a `Timeline` (`shown`), filled by a feed; everything else is asked from
its transcripts when a view wants it. New rows come as one batch. `hide_earlier` moves the place where the view begins and
deletes nothing.
"""

from __future__ import annotations

from itertools import chain
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
from inspector.wire.message import MessageKind
from ui.models import traffic_columns
from ui.models.fold_texts import folded_texts
from ui.models.traffic_feed import TrafficFeed
from ui.models.traffic_roles import TEXT_ROLES, RowRoles
from ui.models.visible_frames import FOLDING, VisibleFrames

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from inspector.transcript.transcript import Transcript
    from ui.models.row_rules import RowRule
    from ui.models.timeline import Timeline
    from ui.models.traffic_cells import TimeFormat
    from ui.models.traffic_columns import ColumnSpec
    from ui.widgets.row_painter import PaintedRow

Index: TypeAlias = QModelIndex | QPersistentModelIndex

_ROOT = QModelIndex()
_DISPLAYED_ROLES = frozenset(
    (int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.AccessibleTextRole))
)


class TrafficModel(QAbstractTableModel):
    """Rows of the traffic.

    Signals:
        counted: what is hidden, waiting or worked on may have changed.
    """

    counted = Signal()

    def __init__(self, *, clock: Clock | None = None, parent: QObject | None = None) -> None:
        """Without frames, until `set_timeline`; `clock` is the one that stamps frames."""
        super().__init__(parent)
        self.feed = TrafficFeed(parent=self)
        self.visible_frames = VisibleFrames()
        self._roles = RowRoles(clock or SystemClock())
        self._wire()

    def _wire(self) -> None:
        self.feed.replaced.connect(self._on_feed_replaced)
        self.feed.found.connect(self._on_feed_found)
        self.feed.rejudged.connect(self._on_feed_rejudged)
        self.feed.pulled.connect(self._on_feed_pulled)
        self.feed.findings_changed.connect(self._repaint)

    @property
    def transcript(self) -> Transcript | None:
        """To whose frames new ones are added."""
        return self.feed.transcript

    @property
    def timeline(self) -> Timeline:
        """Whose frames are shown."""
        return self.feed.timeline

    def set_timeline(self, timeline: Timeline) -> None:
        """Show these frames, with the query as it is."""
        self.beginResetModel()
        self.visible_frames = VisibleFrames(timeline, folds=self.visible_frames.folds)
        self._roles.set_timeline(timeline)
        self.endResetModel()
        self.feed.set_timeline(timeline)
        self.counted.emit()

    @property
    def columns(self) -> tuple[ColumnSpec, ...]:
        """Every column; the last one is the summary."""
        return self._roles.columns

    @property
    def rules(self) -> tuple[RowRule, ...]:
        """The filters that color rows."""
        return self._roles.cache.rules

    def set_rules(self, rules: Sequence[RowRule]) -> None:
        """Color rows by these filters."""
        self._roles.set_rules(rules)
        self._repaint()

    def set_paths(self, paths: Sequence[str]) -> None:
        """Have a column for each path into the messages, before the last one."""
        self.beginResetModel()
        self._roles.set_paths(paths)
        self.endResetModel()

    def hide_earlier(self) -> None:
        """Begin the view with what comes next."""
        count = len(self.visible_frames)
        if count:
            self.beginRemoveRows(_ROOT, 0, count - 1)
        self.visible_frames.cleared_before = self.feed.next - 1
        self.visible_frames.first = len(self.visible_frames.numbers)
        self._roles.cache.clear()
        if count:
            self.endRemoveRows()
        self.counted.emit()

    def show_earlier(self) -> None:
        """Begin the view with the first frame again."""
        hidden = self.visible_frames.first
        if hidden:
            self.beginInsertRows(_ROOT, 0, hidden - 1)
        self.visible_frames.cleared_before = self.visible_frames.first = 0
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

    def painted_row(self, row: int) -> PaintedRow:
        """Return what is drawn of a row."""
        visible = self.visible_frames
        painted = self._roles.painted_row(row, visible.number_at(row), visible.above(row))
        count = visible.count_at(row)
        if count == 1:
            return painted
        number = visible.number_at(row)
        transcript, local = self.timeline.locate(number)
        kind, length = MessageKind(transcript.columns.kind[local - 1]), visible.bytes_at(row)
        frames = chain((local,), (each - number + local for each in visible.members[number]))
        summary = ""
        if kind is MessageKind.STDERR:
            summary = self._roles.cache.first_text(row, transcript, frames, count)
        texts = folded_texts(
            self.columns, painted.texts, kind, count=count, length=length, summary=summary
        )
        return painted._replace(texts=texts, background=painted.background or "sunken")

    def divider(self, row: int) -> str:
        """What is said of the run that begins with a row; empty if none does."""
        number = self.visible_frames.number_at(row)
        return self.timeline.divider(number) if self.timeline.divides(number) else ""

    def has_difference(self, row: int) -> bool:
        """Whether a run begins with a row in which something is known to be different from the run before."""
        number = self.visible_frames.number_at(row) if 0 <= row < len(self.visible_frames) else 0
        start = self.timeline.start(number) if self.timeline.divides(number) else None
        difference = start.difference if start is not None else None
        return difference is not None and not difference.is_empty

    @property
    def matching(self) -> int:
        """Rows in view that match, without those that are there only because a run begins with them."""
        visible, query = self.visible_frames, self.feed.query
        if query.is_empty:
            return len(visible) + visible.folded_count
        dividers = [n for n in self.timeline.dividers if visible.row_of(n) is not None]
        located = (self.timeline.locate(number) for number in dividers)
        return (
            len(visible)
            + visible.folded_count
            - sum(not query.matches(t, n, n + 1) for t, n in located)
        )

    @property
    def folds(self) -> bool:
        """Whether runs of stderr lines, HTTP headers and SSE events without a message are one row each."""
        return self.visible_frames.folds

    def set_folds(self, folds: bool) -> None:
        """Fold such runs, or give each frame its row."""
        if folds != self.folds:
            self.beginResetModel()
            self.visible_frames.set_folds(folds)
            self._roles.cache.clear()
            self.endResetModel()

    def set_unfolded(self, row: int, unfolded: bool) -> bool:
        """Unfold a row, or fold what was unfolded around it; return whether there was anything to do."""
        visible = self.visible_frames
        if unfolded:
            if visible.count_at(row) == 1:
                return False
            self.beginInsertRows(_ROOT, row + 1, row + visible.count_at(row) - 1)
            visible.unfold(row)
            self._roles.cache.clear_from(row)
            self.endInsertRows()
            self._repaint_rows(row, row)
            return True
        around = visible.unfolded_around(row)
        if around is None:
            return False
        self.beginRemoveRows(_ROOT, around[0] + 1, around[1])
        visible.fold(*around)
        self._roles.cache.clear_from(around[0])
        self.endRemoveRows()
        self._repaint_rows(around[0], around[0])
        return True

    def frames_at(self, row: int) -> list[int]:
        """Return the frames of a row: several where they folded."""
        number = self.visible_frames.number_at(row)
        return [number, *self.visible_frames.members.get(number, ())]

    def tick(self, first: int, last: int) -> None:
        """Let the clocks of pending requests run, in the rows from `first` to `last`."""
        for row in self._roles.cache.pending_rows(first, last):
            cell = self.index(row, traffic_columns.position("duration"))
            self.dataChanged.emit(cell, cell)

    def _repaint(self) -> None:
        self._roles.cache.muted = self.feed.muted
        self._roles.cache.clear()
        if count := len(self.visible_frames):
            self._repaint_rows(0, count - 1)

    def _repaint_rows(self, top: int, bottom: int) -> None:
        last = len(self.columns) - 1
        self.dataChanged.emit(self.index(top, 0), self.index(bottom, last))

    def _on_feed_replaced(self, numbers: array[int]) -> None:
        visible, named = self.visible_frames, FOLDING & self.feed.query.kinds
        if not visible.members and named == visible.named and numbers == visible.numbers:
            self._repaint()
            return
        self.beginResetModel()
        visible.replace(numbers, named)
        self._roles.cache.clear()
        self.endResetModel()

    def _on_feed_found(self, numbers: array[int]) -> None:
        count = len(self.visible_frames)
        rows, joined = self.visible_frames.extend(numbers)
        if joined:
            self._repaint_rows(count - 1, count - 1)
        if rows:
            self.beginInsertRows(_ROOT, count, count + len(rows) - 1)
            self.visible_frames.numbers.extend(rows)
            self.endInsertRows()

    def _on_feed_rejudged(self, number: int, matches: bool) -> None:
        visible = self.visible_frames
        if visible.holds(number) == matches:
            return
        folded = visible.folded_around(number)
        if folded is not None:
            self.set_unfolded(folded, True)
        change = visible.add if matches else visible.remove
        row = visible.row_near(number)
        self._roles.cache.clear_from(row)
        if number <= visible.cleared_before:
            change(number)
        elif matches:
            self.beginInsertRows(_ROOT, row, row)
            change(number)
            self.endInsertRows()
        else:
            self.beginRemoveRows(_ROOT, row, row)
            change(number)
            self.endRemoveRows()

    def _on_feed_pulled(self) -> None:
        self._repaint_divider()
        transcript = self.transcript
        if transcript is not None and not self.feed.paused:
            rows = self._roles.cache.take_settled(transcript)
            if rows:
                self._repaint_rows(rows[0], rows[-1])
        self.counted.emit()

    def _repaint_divider(self) -> None:
        """More may be known of the latest run now."""
        if dividers := self.timeline.dividers:
            row = self.visible_frames.row_of(dividers[-1])
            if row is not None:
                self._repaint_rows(row, row)

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Frames in view."""
        return 0 if parent.isValid() else len(self.visible_frames)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """The columns of `traffic_columns`, and those of paths."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = 0) -> object:
        """One cell."""
        row = index.row()
        if not 0 <= row < len(self.visible_frames):
            return None
        visible = self.visible_frames
        is_last = index.column() == len(self.columns) - 1
        if is_last and role in TEXT_ROLES and (text := self.divider(row)):
            return text
        if role in _DISPLAYED_ROLES and visible.count_at(row) > 1:
            return self.painted_row(row).texts[index.column()]
        return self._roles.data(
            role, row, index.column(), visible.number_at(row), visible.above(row)
        )

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> object:
        """Titles and what they mean."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        return self._roles.header(role, section)
