"""Whether a result of a tool fits the output schema that the tool was listed with. Pure; nothing raises, nothing is loaded.

Source: server/tools, "Output Schema" ("Servers MUST provide structured results that conform to this schema. Clients SHOULD validate
structured results against this schema"); C-TOOL-10, L-TOOL-18, L-TOOL-19.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.spec import revision as revisions
from inspector.spec.findings import make_finding
from inspector.spec.pointer import parts
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from inspector.finding import Finding
    from inspector.schema.validate import Checker, FieldProblem
    from inspector.spec.views.call_result import CallToolResultView
    from inspector.wire.json_codec import Json, JsonObject

MAX_FINDINGS = 20
"""Problems of one result that become a finding each; the rest is counted."""

MAX_NAME = 60
"""Characters of a name that a finding quotes; its pointer has the whole name."""

MISSING, BROKEN = "L-TOOL-18", "L-TOOL-19"


class OutputState(Enum):
    """How a result stands beside the output schema of its tool."""

    UNKNOWN = auto()
    """The tool is not in the latest list, or the list has several of its name."""
    NO_SCHEMA = auto()
    """The tool has no output schema."""
    VALID = auto()
    """The structured content fits the schema."""
    INVALID = auto()
    """It does not."""
    MISSING = auto()
    """The structured content is missing, although there is a schema."""
    NOT_VALIDATED = auto()
    """The schema cannot be used, or the content is too large; `notes` say why."""


class OutputCheck(FrozenStruct, frozen=True):
    """What validating one result gave."""

    state: OutputState
    """How the result stands."""
    is_error: bool = False
    """Whether the result says `isError`: then it need not fit."""
    problems: tuple[FieldProblem, ...] = ()
    """What of the structured content breaks the schema, by pointers into the structured content."""
    notes: tuple[str, ...] = ()
    """What is wrong with the schema, and what could not be checked."""
    findings: tuple[Finding, ...] = ()
    """What is the server's fault, by pointers into the message."""


TOO_LARGE = "there is too much of it"


class OutputSchema:
    """What a tool was listed with as its `outputSchema`."""

    def __init__(self, raw: Json) -> None:
        """Keep `raw`, None for a tool without a schema; it is compiled when the first result is received."""
        self.raw = raw
        self._checker = _checker(raw) if isinstance(raw, dict | bool) else None

    def check(self, result: CallToolResultView) -> OutputCheck:
        """Validate a complete result. May run in a thread; the validator lets no other one run meanwhile."""
        if self.raw is None:
            return OutputCheck(OutputState.NO_SCHEMA, result.is_error)
        if not result.has_structured:
            return OutputCheck(OutputState.MISSING, result.is_error, findings=_missing(result))
        if self._checker is None:  # what stands there is no schema, which the list is told
            return OutputCheck(OutputState.NO_SCHEMA, result.is_error)
        report = self._checker.check(result.structured)
        schema_notes = (*self._checker.schema_notes, *report.notes)
        notes = tuple(note.text for note in schema_notes)
        if not report.problems:
            state = OutputState.NOT_VALIDATED if notes else OutputState.VALID
            return OutputCheck(state, result.is_error, notes=notes)
        found = () if result.is_error else _findings(result, report.problems)
        return OutputCheck(OutputState.INVALID, result.is_error, report.problems, notes, found)


def _checker(schema: JsonObject | bool) -> Checker:
    from inspector.schema.validate import Checker  # with the validator, which few servers need

    return Checker(schema)


def too_large(pointer: str) -> OutputCheck:
    """Return the outcome for structured content at `place` that is too large to be validated."""
    text = "structured content is too large to be validated"
    found = make_finding("not-judged", text, pointer)
    return OutputCheck(OutputState.NOT_VALIDATED, notes=(TOO_LARGE,), findings=(found,))


def _missing(result: CallToolResultView) -> tuple[Finding, ...]:
    """The finding about a result that must have structured content; a revision without it cannot ask for any."""
    revision = result.revision or revisions.NEWEST
    if result.is_error or not revision.has_structured_content:
        return ()
    text = "the tool has an `outputSchema`, so its result must have `structuredContent`"
    return (_finding(MISSING, text, result.pointer, result),)


def _findings(
    result: CallToolResultView, problems: tuple[FieldProblem, ...]
) -> tuple[Finding, ...]:
    root = result.pointer_to("structuredContent")
    found = [
        _finding(BROKEN, _text(problem), f"{root}{problem.pointer}", result)
        for problem in problems[:MAX_FINDINGS]
    ]
    if len(problems) > MAX_FINDINGS:
        count = len(problems) - MAX_FINDINGS
        text = f"structured content breaks the output schema at {count:,} more places"
        found.append(_finding(BROKEN, text, root, result))
    return tuple(found)


def _text(problem: FieldProblem) -> str:
    steps = parts(problem.pointer)
    what = f"`{one_line(steps[-1], MAX_NAME)}`" if steps else "it"
    return f"structured content breaks the output schema: {what} {problem.text}"


def _finding(rule: str, text: str, pointer: str, result: CallToolResultView) -> Finding:
    return make_finding(rule, text, pointer, result.revision, section="Output Schema")
