"""The problems and notes of a value by JSON pointer, for the rows of a form."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.schema.validate import FieldProblem, Report
    from ui.widgets.form.row import Row

MAX_LINES_INSIDE = 3
"""Problems inside a value without rows that are listed; more are counted."""


class ProblemIndex:
    """Problems and notes by pointer."""

    def __init__(self, report: Report, *, strict: bool) -> None:
        """Index `report`; `strict` includes missing fields that were never touched."""
        self.strict = strict
        self._problems: dict[str, list[FieldProblem]] = defaultdict(list)
        self._notes: dict[str, list[FieldProblem]] = defaultdict(list)
        for problem in report.problems:
            self._problems[problem.pointer].append(problem)
        for note in report.notes:
            self._notes[note.pointer].append(note)

    def problems_at(
        self, pointer: str, *, touched: bool = True, rows: Iterable[Row] = ()
    ) -> list[str]:
        """The texts of the problems of one value; missing keys are left out until one of their `rows` was touched."""
        found: list[str] = []
        for problem in self._problems.get(pointer, ()):
            is_started = touched
            if problem.keys:
                is_started = any(row.touched and row.context.key in problem.keys for row in rows)
            if not problem.missing or is_started or self.strict:
                found.append(problem.text)
        return found

    def notes_at(self, pointer: str) -> list[str]:
        """The texts of the notes on one value."""
        return [note.text for note in self._notes.get(pointer, ())]

    def problems_inside(self, pointer: str) -> list[FieldProblem]:
        """The problems of the values inside the one at `pointer`."""
        start = f"{pointer}/"
        return [
            problem
            for inner, problems in self._problems.items()
            if inner.startswith(start)
            for problem in problems
        ]

    def lines_inside(self, pointer: str) -> list[str]:
        """The problems inside as texts, each after its relative pointer; beyond three only their number."""
        found = self.problems_inside(pointer)
        lines = [f"{item.pointer[len(pointer) :]} {item.text}" for item in found[:MAX_LINES_INSIDE]]
        more = len(found) - len(lines)
        return [*lines, f"and {more} more"] if more else lines
