"""The cells of the rows of operations that were looked at lately, with their marks, their colors and the scale of their bars."""

from __future__ import annotations

from math import log1p
from typing import TYPE_CHECKING

from inspector.visible_text import one_line
from ui.models.traffic_cells import FrameMark
from ui.traffic.operations.cells import CellMaker, NamePart, OperationCells, split_text
from ui.traffic.operations.columns import COLUMNS, position
from ui.traffic.operations.row_marks import RowMarks, row_rule
from ui.widgets.units import clock_exact, duration_exact, plural

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.clock import Clock
    from inspector.transcript.operation_rows import OperationRows
    from ui.models.traffic import TrafficModel
    from ui.traffic.operations.visible_rows import Node

CACHED_ROWS = 2048
"""Rows whose cells are kept."""
MAX_NAME = 400
"""Characters of the tool tip of a name."""
SHORTEST_S = 0.001
"""Times up to this one have the shortest bars on a logarithmic scale."""

KEYS = ("operation", "split", "fold", "marks", "status")
NAME, SPLIT, FOLD, MARKS, STATUS = map(position, KEYS)


class RowCells:
    """Cells by row; those that are too many go."""

    def __init__(self, traffic: TrafficModel, clock: Clock) -> None:
        """Show times and colors as `traffic` does; `clock` is the one that stamps frames."""
        self.slowest_s = 0.0
        """The longest total of all rows that were painted, by which the bars are scaled."""
        self.is_logarithmic = False
        """Whether bars are scaled by the logarithm of their times."""
        self._traffic = traffic
        self._clock = clock
        self._cells: dict[Node, OperationCells] = {}
        self._time_format, self._rules = traffic.time_format, traffic.rules
        self._marks = RowMarks()

    @property
    def has_clocks(self) -> bool:
        """Whether a row that was looked at lately has a clock."""
        return any(cells.is_running for cells in self._cells.values())

    @property
    def is_stale(self) -> bool:
        """Whether times or colors are displayed in another way by now."""
        traffic = self._traffic
        return self._time_format is not traffic.time_format or self._rules is not traffic.rules

    def get(self, node: Node) -> OperationCells | None:
        """Return what is known of a row."""
        if self.is_stale:
            self._time_format, self._rules = self._traffic.time_format, self._traffic.rules
            self._cells.clear()
        return self._cells.get(node)

    def make(self, node: Node, rows: OperationRows, local: int, rest: int) -> OperationCells:
        """Make and keep the cells of a row; `local` is its frame in its run, `rest` how many frames the last row of many counts."""
        if len(self._cells) >= CACHED_ROWS:
            self._cells.clear()
        if node.is_rest:
            cells = rest_cells(rest)
        else:
            now, muted = self._clock.monotonic(), self._traffic.feed.muted
            made = CellMaker(rows, self._time_format, now, muted).make(node, local)
            cells = self._marked(made, rows, node, local)
        self._cells[node] = cells
        if cells.split is not None:
            self.slowest_s = max(self.slowest_s, cells.split.total)
        return cells

    def _marked(
        self, cells: OperationCells, rows: OperationRows, node: Node, local: int
    ) -> OperationCells:
        """Return the cells with the marks and the color of their frames."""
        marks, background = self._marks.of(rows, local, is_fold=node.is_fold), cells.background
        if self._rules and (rule := row_rule(self._rules, rows, local)) is not None:
            background = rule.color.background
            marks += (FrameMark(rule.color.sign, rule.color.tone, rule.name),)
        if not marks:
            return cells
        texts = list(cells.texts)
        texts[MARKS] = ", ".join(mark.text for mark in marks)
        return cells._replace(texts=tuple(texts), background=background, marks=marks)

    def drop(self, node: Node) -> None:
        """Forget one row."""
        self._cells.pop(node, None)

    def drop_frames(self, numbers: Iterable[int]) -> None:
        """Forget the rows of frames."""
        dropped = set(numbers)
        for node in [each for each in self._cells if each.number in dropped]:
            del self._cells[node]

    def clear(self) -> None:
        """Forget all rows, and what is annotated."""
        self._cells.clear()
        self._marks.clear()

    def share(self, seconds: float) -> float:
        """Return how long a bar is, of the one of the slowest row."""
        slowest = max(self.slowest_s, seconds, 1e-9)
        if not self.is_logarithmic:
            return seconds / slowest
        return log1p(seconds / SHORTEST_S) / log1p(slowest / SHORTEST_S)


def cell_tip(rows: OperationRows, local: int, column: int, cells: OperationCells) -> str:
    """Return what a cell does not display."""
    transcript, split = rows.transcript, cells.split
    if column == SPLIT and split is not None:
        return split_text(split)
    if column == position("total") and split is not None:
        return duration_exact(split.total)
    if column == position("time"):
        return clock_exact(transcript.columns.wall_s[local - 1])
    if column == MARKS:
        comment = transcript.annotations.comments.get(local, "")
        return "\n".join(part for part in (cells.texts[MARKS].capitalize(), comment) if part)
    if column in {NAME, position("summary")}:
        return one_line(cells.texts[column], MAX_NAME)
    return ""


def rest_cells(count: int) -> OperationCells:
    """Return the cells of a row that counts frames without rows of their own."""
    text = f"{plural(count, 'more frame')}: follow the operation to see them"
    texts = ["" for _ in COLUMNS]
    texts[NAME] = text
    tones = ("muted",) * len(COLUMNS)
    return OperationCells(tuple(texts), tones, (NamePart(text, "muted", is_mono=False),))
