"""What the engine found when it validated structured content against the output schema of its tool, in words (C-TOOL-10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from inspector.checks.output_schema import OutputCheck, OutputState
from inspector.workspace import is_closed
from ui.bind import Bindings, bind

if TYPE_CHECKING:
    from inspector.features.tools import ToolCall
    from inspector.schema.validate import FieldProblem
    from inspector.spec.views.call_result import CallToolResultView
    from inspector.workspace import OpenSession

MAX_LINES = 5
"""Problems listed above the content; the rest is counted."""


class CheckText(NamedTuple):
    """What is shown above the structured content."""

    text: str
    """Whether it fits, and if not, where."""
    tone: str
    """The name of its color."""


PENDING = CheckText("Validating against the output schema…", "muted")
UNCHECKED = CheckText("Output not validated.", "muted")

_KNOWN = {
    OutputState.UNKNOWN: CheckText(
        "The tool is not in the latest list, or its name is not unique: no output schema to validate against.",
        "muted",
    ),
    OutputState.NO_SCHEMA: CheckText("The tool declares no output schema.", "muted"),
    OutputState.MISSING: CheckText("No structured content.", "muted"),
    OutputState.VALID: CheckText("✔ Valid against the output schema", "ok"),
}


class OutputSchemaCheck(QObject):
    """Finds the outcome for each call of one server, in all its runs.

    Signals:
        checked: the engine has validated the result in this frame of the current run.
    """

    checked = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        """Start without a session."""
        super().__init__(parent)
        self._session: OpenSession | None = None
        self._bindings = Bindings()

    def set_session(self, session: OpenSession | None) -> None:
        """Look at the runs up to `session` from now on."""
        self._bindings.replace()
        self._session = session
        if session is not None:
            self._bindings.replace(bind(self, session.sweep.results.validated, self.checked.emit))

    def of(self, call: ToolCall) -> OutputCheck | None:
        """What was found; None as long as it is not known."""
        run = self._run_of(call)
        return run.sweep.results.of(call.response_frame) if run is not None else None

    def text(self, call: ToolCall, result: CallToolResultView) -> CheckText:
        """What to show above the structured content of a call."""
        outcome, run = self.of(call), self._run_of(call)
        if outcome is not None:
            return check_text(outcome, result)
        is_pending = run is not None and run.sweep.pending and not is_closed(run.session)
        return _beside_content(PENDING if is_pending else UNCHECKED, result)

    def _run_of(self, call: ToolCall) -> OpenSession | None:
        runs = self._session.all_runs if self._session is not None else ()
        return next((run for run in runs if run.session.transcript is call.transcript), None)


def check_text(outcome: OutputCheck, result: CallToolResultView) -> CheckText:
    """Return the outcome in words."""
    made = _KNOWN.get(outcome.state)
    if made is None and outcome.state is OutputState.INVALID:
        text = _problems_text(outcome.problems)
        made = CheckText(text, "warning")
        if outcome.is_error:
            made = CheckText(f"Errors are exempt from the output schema. {text}", "muted")
    elif made is None:
        notes = "; ".join(outcome.notes[:MAX_LINES])
        made = CheckText(f"Output not validated: {notes}", "warning")
    return _beside_content(made, result)


def _beside_content(made: CheckText, result: CallToolResultView) -> CheckText:
    """Say too that there is no content, where the structured content is shown in its place."""
    return made if result.content else CheckText(f"No content (0 blocks). {made.text}", made.tone)


def outcome_text(outcome: OutputCheck) -> str:
    """Return what to add to how the call went; empty where nothing is wrong."""
    if not any(finding.severity for finding in outcome.findings):
        return ""
    is_missing = outcome.state is OutputState.MISSING
    return "structured content missing" if is_missing else "does not match its output schema"


def _problems_text(problems: tuple[FieldProblem, ...]) -> str:
    lines = [f"⚠ {problem.pointer or '/'}: {problem.text}" for problem in problems[:MAX_LINES]]
    if len(problems) > MAX_LINES:
        lines.append(f"and {len(problems) - MAX_LINES} more")
    return "Does not match the output schema:\n" + "\n".join(lines)
