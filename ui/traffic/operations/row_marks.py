"""The marks and the colors of rows of operations: those of all frames in and beneath a row."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ui.models.row_rules import rule_of
from ui.models.traffic_cells import FrameMark, marks_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.transcript.operation_rows import OperationRows
    from inspector.transcript.operation_tree import OperationTree
    from ui.models.row_rules import RowRule

MAX_FRAMES = 50
"""Annotated frames beneath one row whose marks are collected; there are four kinds of marks."""


class _Annotated:
    """The annotated frames of one run by the rows that they are in or beneath."""

    def __init__(self, rows: OperationRows) -> None:
        self.moves, self._next = rows.tree.moves, 0
        self.by_row: dict[tuple[int, bool], list[int]] = {}
        annotations = rows.transcript.annotations
        numbers = {*annotations.marks, *annotations.comments, *annotations.edited}
        self._waiting: list[int] = sorted(numbers | {annotations.time_reference} - {0})
        """Those that have no row yet."""

    def update(self, rows: OperationRows) -> None:
        """Take in those that have a row by now."""
        if self._next == rows.next:
            return
        tree, self._next = rows.tree, rows.next
        waiting = self._waiting
        self._waiting = []
        for number in waiting:
            if not tree.is_added(number):
                self._waiting.append(number)
                continue
            for row in rows_above(tree, number):
                beneath = self.by_row.setdefault(row, [])
                if len(beneath) < MAX_FRAMES:
                    beneath.append(number)


class RowMarks:
    """Which rows have annotated frames in or beneath them, by run; found once for each change of the annotations, and for frames as they get rows."""

    def __init__(self) -> None:
        """Start without any."""
        self._known: WeakKeyDictionary[OperationTree, _Annotated] = WeakKeyDictionary()

    def clear(self) -> None:
        """Annotations changed, or other runs are displayed."""
        self._known.clear()

    def of(self, rows: OperationRows, frame: int, *, is_fold: bool) -> tuple[FrameMark, ...]:
        """Return the marks of a row, each sort once; of frames beneath it with that in their text."""
        if rows.transcript.annotations.is_empty:
            return ()
        found: dict[str, FrameMark] = {}
        for number in self._annotated(rows).get((frame, is_fold), ()):
            for mark in marks_of(rows.transcript, number):
                is_own = number == frame and not is_fold
                text = mark.text if is_own else f"{mark.text} (frame {number:,})"
                found.setdefault(mark.sign, mark._replace(text=text))
        return tuple(found.values())

    def _annotated(self, rows: OperationRows) -> dict[tuple[int, bool], list[int]]:
        """Return the annotated frames by the rows that they are in or beneath."""
        known = self._known.get(rows.tree)
        if known is None or known.moves != rows.tree.moves:
            known = self._known[rows.tree] = _Annotated(rows)
        known.update(rows)
        return known.by_row


def rows_above(tree: OperationTree, frame: int) -> list[tuple[int, bool]]:
    """Return the rows that a frame is in or beneath, each by its frame and whether it stands for a fold, which may have other members later."""
    found: list[tuple[int, bool]] = []
    while frame:
        found += [(frame, False), (tree.fold(frame), True)]
        frame = tree.parent(frame)
    return found


def row_rule(rules: Sequence[RowRule], rows: OperationRows, frame: int) -> RowRule | None:
    """Return the rule that colors a row: of its frame, or else of its response."""
    found, columns = rule_of(rules, rows.transcript, frame), rows.transcript.columns
    response = columns.response[frame - 1] if columns.request[frame - 1] == frame else 0
    if found is None and response:
        found = rule_of(rules, rows.transcript, response)
    return found
