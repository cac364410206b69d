"""The panel of the calls of one tool: content, and structured content with its validation."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Signal

from inspector.compare.compared_frame import compared_result
from inspector.features.tools import ToolCall
from inspector.finding import Severity
from inspector.session.operation import OperationState
from inspector.spec.views.call_result import CallToolResultView
from inspector.visible_text import one_line
from ui.features.tools.arguments_text import brief_arguments
from ui.features.tools.output_schema_check import (
    OutputSchemaCheck,
    OutputSchemaView,
    StructuredView,
    outcome_text,
    short_check_text,
)
from ui.navigator import navigator_of
from ui.render.answer_panel import AnswerPanel
from ui.render.block_column import BlockColumn, add_blocks
from ui.render.operation_status import Outcome
from ui.widgets.answer_views import AnswerView
from ui.widgets.buttons import link_button

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from inspector.open_session import OpenSession
    from inspector.session.task_record import TaskRecord
    from inspector.spec.views.tool import ToolView
    from inspector.wire.json_codec import Json


class CallResultPanel(AnswerPanel[ToolCall, CallToolResultView]):
    """The calls of one tool, one of them shown.

    Signals:
        repeat_requested: make this call again.
    """

    repeat_requested = Signal(object)

    name: ClassVar[str] = "call"
    empty: ClassVar[tuple[str, str]] = (
        "No result yet",
        "Call the tool to see its content, structured content and raw response.",
    )
    empty_recorded: ClassVar[tuple[str, str]] = (
        "No recorded calls",
        "Recorded calls of the selected tool appear here.",
    )
    repeat: ClassVar[str] = "Call again with the same arguments"
    reuse: ClassVar[str] = "Copy arguments to the form"
    history_title: ClassVar[str] = "Calls of this tool"
    compare_text: ClassVar[str] = "Compare with previous call"

    _tool: ToolView | None = None
    _is_duplicate = False

    def _build(self) -> None:
        theme = self._theme
        self.checks = OutputSchemaCheck(parent=self)
        self._task = link_button("Show task", name="call_task")
        self._schema = OutputSchemaView(theme=theme)
        self._content = BlockColumn(
            add_blocks(theme), theme=theme, name="call", label="Result content"
        )
        self._structured = StructuredView(self.checks, theme=theme)

        def content_label() -> str:
            return "Content" if self.operation is not None and self.operation.has_result else ""

        self.assemble(
            AnswerView("content", content_label, self._content, self._fill_content),
            AnswerView(
                "structured", self._structured_label, self._structured, self._fill_structured
            ),
            beside_outcome=self._task,
            preview=self._schema,
        )

    def _wire(self) -> None:
        super()._wire()
        self.checks.checked.connect(self._on_checked)
        self._task.clicked.connect(self._on_task_clicked)

    def clear(self) -> None:
        """Forget the tool."""
        self._tool = None

    def show_tool(self, tool: ToolView | None, *, is_duplicate: bool) -> None:
        """Show the calls of `tool`; `is_duplicate` if another has its name."""
        self._tool, self._is_duplicate = tool, is_duplicate
        self._schema.show_schema(tool.output_schema if tool is not None else None)
        self.show_history()

    def has_preview(self) -> bool:
        """Whether the tool declares an output schema."""
        return self._tool is not None and self._tool.has_output_schema

    def compare(self) -> None:
        """Compare the call with the one before, on the compare page."""
        if self.operation is not None and self.previous is not None:
            request_comparison(self, self.previous, self.operation)

    def operations(self, session: OpenSession) -> list[ToolCall]:
        """Return the calls of the tool; of two with one name, only those of this definition."""
        tool = self._tool
        if tool is None:
            return []
        name, raw = tool.id_label, tool.raw if self._is_duplicate else None
        return [
            call
            for run in session.all_runs
            for call in run.tools.history.of(lambda call: call.tool.id_label == name)
            if raw is None or call.tool.raw == raw
        ]

    def request_text(self, operation: ToolCall) -> str:
        """Return the arguments."""
        return operation.arguments or ""

    def brief_text(self, operation: ToolCall) -> str:
        """Return the arguments without the signs of JSON, as in `city: lisbon, days: 2`."""
        return brief_arguments(operation.arguments or "")

    def read_result(self, operation: ToolCall) -> CallToolResultView | None:
        """Read the result of the call or of its task."""
        return operation.result

    def send_again(self, operation: ToolCall) -> None:
        """Ask for the call to be made again."""
        self.repeat_requested.emit(operation)

    def schema_of(self, operation: ToolCall) -> Json:
        """Return the input schema of the tool."""
        return operation.tool.input_schema

    def outcome_of(self, operation: ToolCall) -> Outcome:
        """Return the state of a call, its task, and whether structured content violates the output schema."""
        text, tone = super().outcome_of(operation)
        if not operation.is_finished and operation.task is not None:
            text = _task_text(operation.task)
            tone = "person" if operation.task.wants_input else "pending"
        check = self.checks.of(operation)
        if check is not None and (violation := outcome_text(check)):
            text, tone = f"{text}, {violation}", "warning"
        elif operation.state is OperationState.DONE and self._is_malformed(operation):
            text, tone = f"{text}, malformed result", "warning"
        return Outcome(text, tone)

    def _is_malformed(self, operation: ToolCall) -> bool:
        result = self.result_of(operation)
        found = result.findings if result is not None else ()
        return any(finding.severity is Severity.ERROR for finding in found)

    def progress_of(self, operation: ToolCall) -> str:
        """Return the status of the task, if there is one, and the progress."""
        parts = [super().progress_of(operation)]
        if (task := operation.task) is not None:
            parts = [one_line(task.status, 40), task.view.status_message, *parts]
        return " · ".join(part for part in parts if part)

    def can_cancel(self, operation: ToolCall) -> bool:
        """Whether the call is not the latest, which is cancelled beside the button that made it."""
        return operation in self._operations[:-1]

    def better_views(self, operation: ToolCall) -> dict[str, str]:
        """Start with the structured content where there is no other."""
        result = self.result_of(operation)
        is_only = result is not None and result.has_structured and not result.content
        return {"content": "structured"} if is_only else {}

    def _show_status(self) -> None:
        super()._show_status()
        check = self.checks.of(self.operation) if self.operation is not None else None
        note = short_check_text(check) if check is not None else None
        self.views.set_note(*(note or ("", "")))
        self._task.setVisible(self.operation is not None and self.operation.task is not None)

    def _fill_content(self) -> None:
        call = self.operation
        if call is None or (result := self.result_of(call)) is None:
            return
        remarks: list[str] = []
        if result.has_no_items("content"):
            empty = "No content (0 blocks)"
            remarks.append(f"{empty}; see Structured" if result.has_structured else empty)
        self._content.show_result(result, result.content, remarks=remarks, at_once=self._at_once)
        self._content.add_warnings(self.checks.missing(call))

    def _structured_label(self) -> str:
        call = self.operation
        result = self.result_of(call) if call is not None else None
        if call is None or result is None or not result.has_structured:
            return ""
        count = len(self.checks.violations(call))
        return f"Structured ⚠ {count:,}" if count else "Structured"

    def _fill_structured(self) -> None:
        call = self.operation
        if call is not None and (result := self.result_of(call)) is not None:
            self._structured.show_result(call, result)

    def _on_checked(self, frame: int) -> None:
        """Show the validation of the result that is displayed."""
        call = self.operation
        if call is None or call.response_frame != frame:
            return
        self._show_status()
        if not self._is_displayed or (result := self.result_of(call)) is None:
            return
        if self.views.is_filled("structured"):
            self._structured.show_check(call, result)
        if self.views.is_filled("content"):
            self._content.add_warnings(self.checks.missing(call))
        self.views.refresh()
        self._cached = None

    def _on_task_clicked(self) -> None:
        if self.operation is not None and self.operation.task is not None:
            navigator_of(self).show_task(self.operation.task.id)


def _task_text(task: TaskRecord) -> str:
    if task.is_cancel_sent:
        return "running as a task; cancellation requested. Cancel again to stop waiting."
    return "running as a task: input required" if task.wants_input else "running as a task"


def request_comparison(part: QObject, before: ToolCall, after: ToolCall) -> None:
    """Compare two calls that were sent, on the page of the window of `part` for that."""
    if before.request_frame and after.request_frame:
        frames = (
            compared_result(call.transcript, call.request_frame, call.response_frame)
            for call in (before, after)
        )
        navigator_of(part).compare_frames(*frames)
