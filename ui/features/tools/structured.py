"""Whether structured content keeps the promise of the output schema (C-TOOL-10). Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.finding import Finding, Severity
from inspector.schema.validate import Checker
from inspector.spec.links import link
from inspector.spec.pointer import parts
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from inspector.schema.validate import FieldProblem, Report
    from inspector.spec.views.call_result import CallToolResultView
    from inspector.spec.views.tool import ToolView

SHOWN = 5
"""Problems told; the rest is counted."""

FOUND = 20
"""Problems that become a finding each; the rest is counted."""

LONGEST_NAME = 60
"""Characters of a name in the words of a finding; its place has all of it."""

MISSING, BROKEN = "L-TOOL-18", "L-TOOL-19"


class Verdict(NamedTuple):
    """What is said above the structured content."""

    words: str
    """Whether it fits, and if not, where."""
    tone: str
    """The colour's name."""


class Judged(NamedTuple):
    """All that came of it."""

    verdict: Verdict
    """What is said above the structured content."""
    findings: tuple[Finding, ...] = ()
    """What the server promised and did not keep."""
    broken: str = ""
    """The same in few words, to stand beside how the call went."""


UNJUDGED = Judged(Verdict("Output not validated: there is too much of it.", "warning"))
PENDING = Verdict("Being checked against the output schema…", "muted")


def judge(tool: ToolView, result: CallToolResultView) -> Judged:
    """Judge `result` by what `tool` promised; knows of no window, and may run in a thread."""
    if is_missing(tool, result):
        words = "the tool promises structured content (`outputSchema`), and none came"
        finding = Finding(MISSING, Severity.ERROR, words, result.place, _page(result))
        return Judged(verdict(tool, result), (finding,), "but what it promises did not come")
    if not result.has_structured or tool.output_schema is None:
        return Judged(verdict(tool, result))
    checker = Checker(tool.output_schema)
    report = checker.check(result.structured)
    told = _told(result, checker, report)
    if result.is_error or not report.problems:
        return Judged(told)
    return Judged(told, _findings(result, report.problems), "but it breaks its output schema")


def verdict(tool: ToolView, result: CallToolResultView) -> Verdict:
    """Whether the structured content of `result` is what `tool` promised."""
    schema = tool.output_schema
    if schema is None:
        words = "The tool has no output schema to check this against."
        return Verdict(f"{_empty(result)}{words}", "muted")
    checker = Checker(schema)
    return _told(result, checker, checker.check(result.structured))


def _told(result: CallToolResultView, checker: Checker, report: Report) -> Verdict:
    empty = _empty(result)
    notes = [*(f"{note.words}" for note in checker.schema_notes), *(n.words for n in report.notes)]
    if report.problems:
        words = _broken(report.problems)
        if result.is_error:
            return Verdict(f"{empty}An error need not fit the output schema. {words}", "muted")
        return Verdict(f"{empty}{words}", "warning")
    if notes:
        return Verdict(f"{empty}Output not validated: {'; '.join(notes[:SHOWN])}", "warning")
    return Verdict(f"{empty}✔ valid: it fits the output schema.", "ok")


def _empty(result: CallToolResultView) -> str:
    return "" if result.content else "Content: empty (0 blocks). "


def _findings(
    result: CallToolResultView, problems: tuple[FieldProblem, ...]
) -> tuple[Finding, ...]:
    root, page = result.at("structuredContent"), _page(result)
    found = [
        Finding(BROKEN, Severity.ERROR, _words(problem), f"{root}{problem.pointer}", page)
        for problem in problems[:FOUND]
    ]
    if len(problems) > FOUND:
        words = (
            f"structured content breaks the output schema at {len(problems) - FOUND:,} more places"
        )
        found.append(Finding(BROKEN, Severity.ERROR, words, root, page))
    return tuple(found)


def _words(problem: FieldProblem) -> str:
    steps = parts(problem.pointer)
    what = f"`{one_line(steps[-1], LONGEST_NAME)}`" if steps else "it"
    return f"structured content breaks the output schema: {what} {problem.words}"


def _page(result: CallToolResultView) -> str:
    return link("tools", result.revision, "Output Schema")


def is_missing(tool: ToolView, result: CallToolResultView) -> bool:
    """Whether structured content was promised and did not come."""
    promised = tool.has_output_schema and not result.has_structured
    return promised and result.is_complete and not result.is_error


def _broken(problems: tuple[FieldProblem, ...]) -> str:
    lines = [f"⚠ {problem.pointer or '/'}: {problem.words}" for problem in problems[:SHOWN]]
    if len(problems) > SHOWN:
        lines.append(f"and {len(problems) - SHOWN} more")
    return "It breaks the output schema:\n" + "\n".join(lines)
