"""Whether structured content keeps the promise of the output schema (C-TOOL-10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ui.widgets.form.check import Checker

if TYPE_CHECKING:
    from inspector.spec.views.call_result import CallToolResultView
    from inspector.spec.views.tool import ToolView
    from ui.widgets.form.check import FieldProblem

SHOWN = 5
"""Problems told; the rest is counted."""


class Verdict(NamedTuple):
    """What is said above the structured content."""

    words: str
    """Whether it fits, and if not, where."""
    tone: str
    """The colour's name."""


def verdict(tool: ToolView, result: CallToolResultView) -> Verdict:
    """Judge the structured content of `result` by what `tool` promised."""
    empty = "" if result.content else "Content: empty (0 blocks). "
    schema = tool.output_schema
    if schema is None:
        return Verdict(f"{empty}The tool has no output schema to check this against.", "muted")
    checker = Checker(schema)
    report = checker.check(result.structured)
    notes = [*(f"{note.words}" for note in checker.schema_notes), *(n.words for n in report.notes)]
    if report.problems:
        words = _broken(report.problems)
        if result.is_error:
            return Verdict(f"{empty}An error need not fit the output schema. {words}", "muted")
        return Verdict(f"{empty}{words}", "warning")
    if notes:
        return Verdict(f"{empty}Output not validated: {'; '.join(notes[:SHOWN])}", "warning")
    return Verdict(f"{empty}✔ valid: it fits the output schema.", "ok")


def is_missing(tool: ToolView, result: CallToolResultView) -> bool:
    """Whether structured content was promised and did not come."""
    promised = tool.has_output_schema and not result.has_structured
    return promised and result.is_complete and not result.is_error


def _broken(problems: tuple[FieldProblem, ...]) -> str:
    lines = [f"⚠ {problem.pointer or '/'}: {problem.words}" for problem in problems[:SHOWN]]
    if len(problems) > SHOWN:
        lines.append(f"and {len(problems) - SHOWN} more")
    return "It breaks the output schema:\n" + "\n".join(lines)
