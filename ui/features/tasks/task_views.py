"""The views of one task: its result, its updates, and the task itself. A view is filled again when the task has more for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.session.task_record import settled_outcome_of
from inspector.spec.views.call_result import CallToolResultView
from ui.features.tasks.task_text import updates
from ui.render.block_column import BlockColumn, add_blocks
from ui.widgets.answer_views import AnswerView, AnswerViews
from ui.widgets.json_view import JsonView
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.session.task_record import TaskRecord
    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme


class TaskViews(AnswerViews):
    """Views of one task."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        self._record: TaskRecord | None = None
        self._transcript: Transcript | None = None
        self._states: dict[str, object] = {}
        self._content = BlockColumn(
            add_blocks(theme), theme=theme, name="task", label="Task result"
        )
        self._json = JsonView(theme=theme, name="task_result_json")
        self._raw = TextView(theme=theme, name="task_result_raw", file_name="result.json")
        self._updates = TextView(theme=theme, name="task_updates")
        self._task = JsonView(theme=theme, name="task_json")
        views = (
            AnswerView("content", self._content_label, self._content, self._fill_content),
            AnswerView("json", self._json_label, self._json, self._fill_json),
            AnswerView("raw", self._raw_label, self._raw, self._fill_raw),
            AnswerView("updates", lambda: "Updates", self._updates, self._fill_updates),
            AnswerView("task", lambda: "Task as JSON", self._task, self._fill_task),
        )
        super().__init__(views, theme=theme, name="task_answer", parent=parent)

    def show_record(self, record: TaskRecord | None, transcript: Transcript | None) -> None:
        """Show `record`, whose frames are in `transcript`."""
        states = _states(record) if record is not None else {}
        is_same = record is self._record
        stale = [key for key in states if not is_same or states[key] != self._states.get(key)]
        self._record, self._transcript, self._states = record, transcript, states
        if record is None:
            self.clear()
        else:
            self.show_result(stale=stale)

    def _has_result(self) -> bool:
        return self._record is not None and bool(self._record.result_frame)

    def _content_label(self) -> str:
        record = self._record
        has_content = record is not None and record.error is None and not record.hosted
        return "Result" if has_content and self._has_result() else ""

    def _json_label(self) -> str:
        return "Result as JSON" if self._has_result() else ""

    def _raw_label(self) -> str:
        return "Raw" if self._has_result() else ""

    def _fill_content(self) -> None:
        record = self._record
        if record is None or self._transcript is None:
            return
        outcome = settled_outcome_of(record, self._transcript)
        result = CallToolResultView(outcome, revision=record.view.revision)
        empty = "No content (0 blocks)" if result.has_no_items("content") else ""
        structured = "Has structured content (see JSON)." if result.has_structured else ""
        remarks = [text for text in (empty, structured) if text]
        self._content.show_result(result, result.content, remarks=remarks)

    def _fill_json(self) -> None:
        if self._record is not None and self._transcript is not None:
            self._json.set_raw(self._transcript.message(self._record.result_frame).raw)

    def _fill_raw(self) -> None:
        if self._record is not None and self._transcript is not None:
            self._raw.set_raw(self._transcript.raw(self._record.result_frame))

    def _fill_updates(self) -> None:
        if self._record is not None:
            self._updates.set_text(updates(self._record))

    def _fill_task(self) -> None:
        if self._record is not None:
            self._task.set_value(self._record.view.raw)


def _states(record: TaskRecord) -> dict[str, object]:
    """Return what each view depends on."""
    result = record.result_frame
    return {
        "content": result,
        "json": result,
        "raw": result,
        "updates": (record.dropped_updates, len(record.updates)),
        "task": record.view,
    }
