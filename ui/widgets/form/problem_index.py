"""What a check found, by place: for rows to take what is theirs."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.schema.validate import FieldProblem, Report
    from ui.widgets.form.row import Row

SHOWN_INSIDE = 3
"""Problems inside of what has no rows are told one by one up to this number."""


class ProblemIndex:
    """Problems and notes by pointer."""

    def __init__(self, report: Report, *, strict: bool) -> None:
        """Sort what is in `report`; `strict` tells of missing fields that were never touched."""
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
        """What is wrong at one place, in words; of keys that are missing there only once one of their `rows` was touched."""
        found: list[str] = []
        for problem in self._problems.get(pointer, ()):
            is_begun = touched
            if problem.keys:
                is_begun = any(row.touched and row.context.key in problem.keys for row in rows)
            if not problem.missing or is_begun or self.strict:
                found.append(problem.text)
        return found

    def notes_at(self, pointer: str) -> list[str]:
        """What else there is to say about one place."""
        return [note.text for note in self._notes.get(pointer, ())]

    def problems_inside(self, pointer: str) -> list[FieldProblem]:
        """What is wrong further down."""
        start = f"{pointer}/"
        return [
            problem
            for place, problems in self._problems.items()
            if place.startswith(start)
            for problem in problems
        ]

    def words_inside(self, pointer: str) -> list[str]:
        """The same in words, each with its place; only counted if there are many."""
        found = self.problems_inside(pointer)
        shown = [f"{item.pointer[len(pointer) :]} {item.text}" for item in found[:SHOWN_INSIDE]]
        more = len(found) - len(shown)
        return [*shown, f"and {more} more"] if more else shown
