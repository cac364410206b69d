"""The operations as rows of a table: a flat list in which what is unfolded stands beneath its row."""

from __future__ import annotations

from array import array
from itertools import islice
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
from inspector.transcript.operation_folds import BY_KIND
from ui.traffic.operations.cells import OperationCells, split_text
from ui.traffic.operations.columns import COLUMNS
from ui.traffic.operations.feed import OperationFeed
from ui.traffic.operations.row_cells import FOLD, NAME, SPLIT, STATUS, RowCells, cell_tip
from ui.traffic.operations.run_divider import RunDivider, divider_of
from ui.traffic.operations.visible_rows import Node, VisibleRows, top_key
from ui.widgets.labels import tool_tip
from ui.widgets.row_painter import PaintedRow
from ui.widgets.table_columns import header_data

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ui.models.traffic import TrafficModel

Index: TypeAlias = QModelIndex | QPersistentModelIndex

MAX_SEARCHED, MAX_OPENED = 5_000, 200
"""Rows at the top that are searched for folds of a kind that the filter requests, and those that are unfolded at once: the latest ones."""

_ROOT = QModelIndex()
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
_ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)
_TEXT_ROLES = frozenset((_DISPLAY, _TOOL_TIP, _ACCESSIBLE))


class OperationModel(QAbstractTableModel):
    """Rows of operations.

    Signals:
        counted: how many rows there are may have changed.
        clock_needed: a row has a clock now.
    """

    counted = Signal()
    clock_needed = Signal()

    def __init__(
        self, traffic: TrafficModel, *, clock: Clock | None = None, parent: QObject | None = None
    ) -> None:
        """Show the frames of `traffic` as operations once `feed` is active; `clock` is the one that stamps frames."""
        super().__init__(parent)
        self.feed = OperationFeed(traffic, parent=self)
        self.visible = VisibleRows()
        self.row_cells = RowCells(traffic, clock or SystemClock())
        """What is displayed in rows that were looked at lately."""
        self._traffic = traffic
        self._wire()

    def _wire(self) -> None:
        self.feed.replaced.connect(self._on_feed_replaced)
        self.feed.added.connect(self._on_feed_added)
        self.feed.inserted.connect(self._on_feed_inserted)
        self.feed.removed.connect(self._on_feed_removed)
        self.feed.touched.connect(self._on_feed_touched)
        self.feed.pulled.connect(self.counted)
        self._traffic.feed.findings_changed.connect(self._repaint_all)
        self._traffic.dataChanged.connect(self._on_traffic_data_changed)

    # --- rows -------------------------------------------------------------------------------------

    def node(self, row: int) -> Node:
        """Return what a row stands for."""
        node = self.visible.node(row)
        if node.depth or node.is_divider:
            return node
        rows, local = self.feed.rows_at(node.number)
        return node._replace(is_fold=rows.tree.member_count(local) > 1)

    def cells(self, row: int) -> OperationCells:
        """Return what is displayed in a row."""
        node = self.node(row)
        known = self.row_cells.get(node)
        if known is None:
            rows, local = self.feed.rows_at(node.number)
            rest = 0
            if node.is_rest:
                top = top_key(self.visible.top_of(row))
                rest = rows.tree.fold_totals(local)[0] - self.visible.rows_beneath(top)
            known = self.row_cells.make(node, rows, local, rest)
            if known.is_running:
                self.clock_needed.emit()
        return known

    def set_logarithmic(self, logarithmic: bool) -> None:
        """Scale the bars by the logarithm of their times, or by the times."""
        self.row_cells.is_logarithmic = logarithmic
        self._repaint_all()

    def _repaint_all(self) -> None:
        self.row_cells.clear()
        if count := len(self.visible):
            self._repaint(0, count - 1)

    def frames_of(self, node: Node, limit: int) -> list[int]:
        """Return the frames that a row stands for, at most `limit`: all members of a fold, one frame otherwise."""
        rows, local = self.feed.rows_at(node.number)
        if not node.is_fold:
            return [node.number]
        base = node.number - local
        return [base + each for each in islice(rows.tree.members(local), limit)]

    def fold_state(self, row: int) -> bool | None:
        """Whether a row is unfolded; None if there is nothing beneath it."""
        node = self.node(row)
        if node.is_divider or node.is_rest:
            return None
        rows, local = self.feed.rows_at(node.number)
        if not node.is_fold and not rows.tree.has_children(local):
            return None
        if not node.depth:
            return self.visible.is_open(top_key(node.number))
        return (node.number, node.is_fold) in self.visible.unfolded

    def set_unfolded(self, row: int, unfolded: bool) -> None:
        """Fold or unfold a row."""
        if self.fold_state(row) is not (not unfolded):
            return
        node = self.node(row)
        if not node.depth:
            self._renew(node.number, is_open=unfolded)
        else:
            change = self.visible.unfolded.add if unfolded else self.visible.unfolded.discard
            change((node.number, node.is_fold))
            self._renew(self.visible.top_of(row), is_open=True)
        at = self.index(row, 0)
        self.dataChanged.emit(at, at)

    def row_of_frame(self, number: int) -> int | None:
        """Return the row of a frame, unfolding what it is beneath; None if it is in no row."""
        top = self.feed.top_of(number)
        if not top or self.visible.row_of_top(top_key(top)) is None:
            return None
        rows, local = self.feed.rows_at(number)
        tree, base, depth = rows.tree, number - local, 0
        chain = [local]
        while parent := tree.parent(chain[-1]):
            chain.append(parent)
        is_top_fold = tree.member_count(top - base) > 1
        if len(chain) == 1 and not is_top_fold:
            return self.visible.row_of_top(top_key(top))
        for frame in chain[1:] if is_top_fold else chain[1:-1]:
            self.visible.unfolded.add((frame + base, False))
        depth = len(chain) - 1 + is_top_fold
        for frame in chain if not is_top_fold else chain[:-1]:
            if tree.parent(frame) and tree.member_count(tree.fold(frame)) > 1:
                self.visible.unfolded.add((tree.fold(frame) + base, True))
                depth += 1
        self._renew(top, is_open=True)
        return self.visible.row_of(Node(number, depth), top)

    def _renew(self, top: int, *, is_open: bool) -> None:
        """Make the rows beneath a row at the top again, or fold it."""
        key = top_key(top)
        rows, local = self.feed.rows_at(top)
        planned = array("Q")
        if is_open:
            planned = self.visible.planned(rows.tree, top - local, top)
        splice = self.visible.difference(key, planned)
        self._splice(key, planned, splice.row, splice.removed, splice.added, is_open=is_open)

    def _splice(
        self, key: int, planned: array[int], row: int, removed: int, added: int, *, is_open: bool
    ) -> None:
        visible = self.visible
        if removed == added:
            visible.set_beneath(key, planned, is_open=is_open)
            if removed:
                self._repaint(row, row + removed - 1)
            return
        old = visible.beneath(key)
        start = row - (visible.row_of_top(key) or 0) - 1
        if removed:
            self.beginRemoveRows(_ROOT, row, row + removed - 1)
            kept = old[:start] + old[start + removed :]
            visible.set_beneath(key, kept, is_open=is_open or bool(kept))
            self.endRemoveRows()
        if added:
            self.beginInsertRows(_ROOT, row, row + added - 1)
            visible.set_beneath(key, planned, is_open=is_open)
            self.endInsertRows()
        else:
            visible.set_beneath(key, planned, is_open=is_open)

    # --- changes of the feed ----------------------------------------------------------------------

    def _on_feed_replaced(self, tops: array[int]) -> None:
        self.beginResetModel()
        named = frozenset(map(BY_KIND.__getitem__, self._traffic.feed.query.kinds & set(BY_KIND)))
        folded = self.visible.set_named(named) if named != self.visible.named else set[int]()
        if self.feed.is_between:  # what was unfolded has other numbers, or none
            self.visible.unfolded.clear()
        opened = [key for key in self.visible.open_tops if key >> 1 not in folded]
        self.visible.replace(tops)
        self.row_cells.clear()
        self.row_cells.slowest_s = 0.0
        for key in opened:
            if self.visible.holds(key):
                rows, local = self.feed.rows_at(key >> 1)
                planned = self.visible.planned(rows.tree, (key >> 1) - local, key >> 1)
                self.visible.set_beneath(key, planned, is_open=True)
        self.endResetModel()
        self._unfold_named(tops)
        self.counted.emit()

    def _unfold_named(self, keys: Iterable[int]) -> None:
        """Unfold the latest rows at the top that are folds of a kind that the filter requests."""
        if not self.visible.named:
            return
        found: list[int] = []
        for key in islice(reversed([*keys]), MAX_SEARCHED):
            rows, local = self.feed.rows_at(key >> 1)
            is_fold = bool(key & 1) and rows.tree.member_count(local) > 1
            if is_fold and self.visible.unfold_if_named(rows.tree, local, key >> 1):
                found.append(key >> 1)
            if len(found) + len(self.visible.open_tops) >= MAX_OPENED:
                break
        for top in reversed(found):
            self._renew(top, is_open=True)

    def _on_feed_added(self, keys: array[int]) -> None:
        count = len(self.visible)
        self.beginInsertRows(_ROOT, count, count + len(keys) - 1)
        self.visible.append(keys)
        self.endInsertRows()
        self._unfold_named(keys)

    def _on_feed_inserted(self, key: int) -> None:
        if self.visible.holds(key):
            return
        row = self.visible.row_near(key)
        self.beginInsertRows(_ROOT, row, row)
        self.visible.insert(key)
        self.endInsertRows()
        self._unfold_named([key])

    def _on_feed_removed(self, key: int) -> None:
        if not self.visible.holds(key):
            return
        self._renew(key >> 1, is_open=False)
        row = self.visible.row_of_top(key)
        if row is not None:
            self.beginRemoveRows(_ROOT, row, row)
            self.visible.remove(key)
            self.endRemoveRows()

    def _on_feed_touched(self, numbers: set[int] | None, parents: set[int]) -> None:
        if numbers is None:
            self.row_cells.clear()
        else:
            self.row_cells.drop_frames(numbers)
        opened = {key >> 1 for key in self.visible.open_tops}
        if opened or self.visible.named:
            tops = {self.feed.top_of(each) for each in numbers or parents} - {0}
            for top in tops & opened:
                self._renew(top, is_open=True)
            self._unfold_named(key for key in map(top_key, tops) if self.visible.holds(key))
        if count := len(self.visible):
            self._repaint(0, count - 1)

    def _on_traffic_data_changed(self) -> None:
        if self.row_cells.is_stale:
            self._repaint_all()

    def tick(self, top: int, last: int) -> None:
        """Let the clocks of the rows from `top` to `last` run."""
        for row in range(max(top, 0), min(last + 1, len(self.visible))):
            node = self.node(row)
            known = self.row_cells.get(node)
            if known is not None and known.is_running:
                self.row_cells.drop(node)
                self._repaint(row, row)

    def _repaint(self, top: int, last: int) -> None:
        self.dataChanged.emit(self.index(top, 0), self.index(last, len(COLUMNS) - 1))

    # --- for the painter and Qt -------------------------------------------------------------------

    def painted_row(self, row: int) -> PaintedRow:
        """Return what is drawn of a row by column; the painter of operations draws the rest."""
        cells = self.cells(row)
        texts = list(cells.texts)
        texts[NAME] = texts[SPLIT] = ""
        marks = tuple((mark.sign, mark.tone) for mark in cells.marks)
        return PaintedRow(
            tuple(texts), cells.tones, cells.background, cells.sign, marks, cells.note
        )

    def divider(self, row: int) -> str:
        """Return the text of the row with which a run begins; empty for other rows."""
        found = self.run_divider(row)
        return found.text if found is not None else ""

    def run_divider(self, row: int) -> RunDivider | None:
        """Return what a row shows with which a run begins; None for other rows."""
        node, timeline = self.visible.node(row), self.feed.timeline
        if not node.is_divider:
            return None
        return divider_of(timeline.start(node.number), timeline.divider(node.number))

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Rows, with what is unfolded."""
        return 0 if parent.isValid() else len(self.visible)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """The columns of `columns`."""
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = 0) -> object:
        """One cell."""
        row, column = index.row(), index.column()
        if role not in _TEXT_ROLES or not 0 <= row < len(self.visible):
            return None
        if self.visible.node(row).is_divider:
            return self.divider(row) if column == NAME else None
        cells = self.cells(row)
        if role == _TOOL_TIP:
            tip = cell_tip(*self.feed.rows_at(self.node(row).number), column, cells)
            return tool_tip(tip) or None
        if column == SPLIT and cells.split is not None:
            return split_text(cells.split)
        if column == FOLD and role == _ACCESSIBLE:
            return _FOLD_STATES[self.fold_state(row)]
        if column == NAME and role == _ACCESSIBLE and (depth := self.node(row).depth):
            return f"{cells.texts[column]}, level {depth + 1}"
        if column == STATUS and role == _ACCESSIBLE and cells.note is not None:
            return f"{cells.texts[column]}, {cells.note.text}"
        return cells.texts[column]

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> object:
        """Titles and what they mean."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        return header_data(COLUMNS[section], role)


_FOLD_STATES = {None: "", False: "collapsed", True: "expanded"}
