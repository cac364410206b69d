"""What is known of a task, looked at in several ways: what it gave, how it changed, what it says of itself, and the message as it came.

Each view is filled when it is looked at, and again when there is something else to show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from inspector.session.task_record import settled_outcome_of
from inspector.spec.views.call_result import CallToolResultView
from ui.features.tasks.task_text import updates
from ui.render.block_column import BlockColumn, add_blocks
from ui.widgets.json_view import JsonView
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.session.task_record import TaskRecord
    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme

MIN_PIXELS = 60
"""Height that is left where what is above takes the room."""

RESULT = (("content", "Result"), ("json", "Result as JSON"), ("raw", "Raw"))
ALWAYS = (("updates", "Updates"), ("task", "Task as JSON"))


class TaskViews(QWidget):
    """Views of one task."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("task_views")
        self._record: TaskRecord | None = None
        self._transcript: Transcript | None = None
        self._options: list[tuple[str, str]] = []
        self._filled: dict[str, object] = {}
        self._wanted = "content"
        self._build(theme)
        self._wire()

    def _build(self, theme: Theme) -> None:
        self._segments = SegmentedControl((), name="task_segments", parent=self)
        self._content = BlockColumn(
            add_blocks(theme), theme=theme, name="task", label="Task result"
        )
        self._json = JsonView(theme=theme, name="task_result_json")
        self._raw = TextView(theme=theme, name="task_result_raw", file_name="result.json")
        self._updates = TextView(theme=theme, name="task_updates")
        self._task = JsonView(theme=theme, name="task_json")
        self._pages: dict[str, QWidget] = {
            "content": self._content,
            "json": self._json,
            "raw": self._raw,
            "updates": self._updates,
            "task": self._task,
        }
        self._stack = QStackedWidget(self)
        self._stack.setMinimumHeight(theme.px(MIN_PIXELS))
        for page in self._pages.values():
            self._stack.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, theme.SPACING_PX, 0, 0)
        layout.setSpacing(theme.SPACING_PX)
        layout.addWidget(self._segments)
        layout.addWidget(self._stack, 1)

    def _wire(self) -> None:
        self._segments.chosen.connect(self._on_view_chosen)

    def show_record(self, record: TaskRecord | None, transcript: Transcript | None) -> None:
        """Show `record`, whose frames are in `transcript`."""
        if record is not self._record:
            self._filled.clear()
        self._record, self._transcript = record, transcript
        options = _options(record) if record is not None else []
        if options != self._options:
            self._options = options
            self._segments.set_options(options)
        keys = [key for key, _ in options]
        if keys:
            self._show_view(self._wanted if self._wanted in keys else keys[0])

    def _show_view(self, key: str) -> None:
        record = self._record
        if record is None:
            return
        self._segments.choose(key)
        state = _STATES[key](record)
        if self._filled.get(key) != state:
            self._filled[key] = state
            _FILLERS[key](self, record)
        self._stack.setCurrentWidget(self._pages[key])

    def fill_content(self, record: TaskRecord) -> None:
        """Draw what it gave."""
        if self._transcript is None:
            return
        outcome = settled_outcome_of(record, self._transcript)
        result = CallToolResultView(outcome, revision=record.view.revision)
        self._content.show_result(result, result.content, remarks=_remarks(result))

    def fill_json(self, record: TaskRecord) -> None:
        """Show the message with the result as a tree."""
        if self._transcript is not None:
            self._json.set_raw(self._transcript.message(record.result_frame).raw)

    def fill_raw(self, record: TaskRecord) -> None:
        """Show that message as it came."""
        if self._transcript is not None:
            self._raw.set_raw(self._transcript.raw(record.result_frame))

    def fill_updates(self, record: TaskRecord) -> None:
        """List how it changed."""
        self._updates.set_text(updates(record))

    def fill_task(self, record: TaskRecord) -> None:
        """Show what it says of itself."""
        self._task.set_value(record.view.raw)

    def _on_view_chosen(self, key: str) -> None:
        self._wanted = key
        self._show_view(key)


_FILLERS: dict[str, Callable[[TaskViews, TaskRecord], None]] = {
    "content": TaskViews.fill_content,
    "json": TaskViews.fill_json,
    "raw": TaskViews.fill_raw,
    "updates": TaskViews.fill_updates,
    "task": TaskViews.fill_task,
}
"""View → what fills it."""

_STATES: dict[str, Callable[[TaskRecord], object]] = {
    "content": lambda record: record.result_frame,
    "json": lambda record: record.result_frame,
    "raw": lambda record: record.result_frame,
    "updates": lambda record: (record.dropped_updates, len(record.updates)),
    "task": lambda record: record.view,
}
"""View → what it shows depends on this."""


def _options(record: TaskRecord) -> list[tuple[str, str]]:
    if not record.result_frame:
        return [*ALWAYS]
    has_content = record.error is None and not record.hosted
    return [*(RESULT if has_content else RESULT[1:]), *ALWAYS]


def _remarks(result: CallToolResultView) -> list[str]:
    empty = "No content (0 blocks)" if result.has_no_items("content") else ""
    structured = "Has structured content (see JSON)." if result.has_structured else ""
    return [text for text in (empty, structured) if text]
