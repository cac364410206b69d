"""Structured content, and its validation against the output schema of the tool (C-TOOL-10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from inspector.checks.output_schema import OutputCheck, OutputState
from inspector.visible_text import visible
from inspector.workspace import is_closed
from ui.bind import Bindings, bind
from ui.render.block_column import result_label
from ui.theme import tokens
from ui.widgets.json_view import JsonView
from ui.widgets.labels import plain_label, set_tone
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.features.tools import ToolCall
    from inspector.finding import Finding
    from inspector.open_session import OpenSession
    from inspector.schema.validate import FieldProblem
    from inspector.spec.views.call_result import CallToolResultView
    from inspector.wire.json_codec import Json
    from ui.theme import Theme

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
    """Finds the outcome of validation for each call of one server, in all its runs.

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
            self._bindings.replace(bind(self, session.sweep.output_validated, self.checked.emit))

    def of(self, call: ToolCall) -> OutputCheck | None:
        """Return the outcome for a call; None while it is unknown."""
        run = self._run_of(call)
        return run.sweep.output_check(call.response_frame) if run is not None else None

    def text(self, call: ToolCall, result: CallToolResultView) -> CheckText:
        """Return the text above the structured content of a call."""
        outcome, run = self.of(call), self._run_of(call)
        if outcome is not None:
            return check_text(outcome, result)
        is_pending = run is not None and run.sweep.pending and not is_closed(run.session)
        return _beside_content(PENDING if is_pending else UNCHECKED, result)

    def violations(self, call: ToolCall) -> Sequence[Finding]:
        """Return the violations of the output schema that are known."""
        check = self.of(call)
        return check.findings if check is not None else ()

    def missing(self, call: ToolCall) -> list[str]:
        """Return the violations of a result that has no structured content to validate."""
        check = self.of(call)
        is_missing = check is not None and check.state is OutputState.MISSING
        return [finding.summary for finding in check.findings] if check and is_missing else []

    def _run_of(self, call: ToolCall) -> OpenSession | None:
        runs = self._session.all_runs if self._session is not None else ()
        return next((run for run in runs if run.session.transcript is call.transcript), None)


class StructuredView(QWidget):
    """Structured content as a tree, below the result of its validation."""

    def __init__(
        self, checks: OutputSchemaCheck, *, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Start empty."""
        super().__init__(parent)
        self._checks = checks
        self._check = result_label("structured_check")
        self._tree = JsonView(theme=theme, name="call_structured")
        column = column_layout(self, self._check, space=theme.SPACING_PX)
        column.addWidget(self._tree, 1)

    def show_result(self, call: ToolCall, result: CallToolResultView) -> None:
        """Show the structured content of a result."""
        self._tree.set_value(result.structured)
        self.show_check(call, result)

    def show_check(self, call: ToolCall, result: CallToolResultView) -> None:
        """Show what is known of the validation now."""
        text, tone = self._checks.text(call, result)
        self._check.setText(visible(text))
        set_tone(self._check, tone)


class OutputSchemaView(QWidget):
    """The output schema of a tool that was not called yet."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("output_schema")
        self._theme = theme
        self._title = plain_label("Output schema", tone="muted", name="output_schema_title")
        self._tree = JsonView(theme=theme, name="output_schema_json")
        edge = theme.px(tokens.READING_PADDING_PX)
        column = column_layout(
            self, self._title, space=theme.PADDING_PX, margins=(edge, edge, edge, theme.PADDING_PX)
        )
        column.addWidget(self._tree, 1)
        theme.changed.connect(self._refresh)
        self._refresh()

    def show_schema(self, schema: Json) -> None:
        """Show a schema; None for none."""
        self._tree.set_value(schema)

    def _refresh(self) -> None:
        self._title.setFont(self._theme.font(tokens.SMALL, bold=True))


def short_check_text(outcome: OutputCheck) -> CheckText | None:
    """Return what is shown beside the views of a result; None unless it is valid: violations are in the outcome already."""
    return CheckText("Schema valid", "ok") if outcome.state is OutputState.VALID else None


def check_text(outcome: OutputCheck, result: CallToolResultView) -> CheckText:
    """Return the text for the outcome of a validation."""
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
    has_none = result.has_no_items("content")
    return made if not has_none else CheckText(f"No content (0 blocks). {made.text}", made.tone)


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
