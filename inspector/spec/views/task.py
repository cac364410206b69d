"""A task: a call whose answer comes later.

Two shapes exist: that of the revision which had tasks in its core, and that of the extension. Both are read here.

Source: basic/utilities/tasks of 2025-11-25; the tasks extension.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from inspector.finding import Severity
from inspector.spec.keys import META, META_IMMEDIATE_RESPONSE, META_RELATED_TASK, RESULT_TASK
from inspector.spec.view import View
from inspector.spec.views.list_page import ListedView, ListPage

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json

STATUSES = ("working", "input_required", "completed", "failed", "cancelled")
"""What `status` may say."""

FINAL = frozenset({"completed", "failed", "cancelled"})
"""Statuses that no longer change."""


class TaskView(ListedView):
    """How a task is doing."""

    SUBJECT: ClassVar[str] = "tasks"
    NOUN: ClassVar[str] = "a task"

    def __init__(self, raw: Json, pointer: str = "", revision: Revision | None = None) -> None:
        """Read a task."""
        self.is_core = revision is not None and revision.has_tasks
        super().__init__(raw, pointer, revision)
        self.id = self.text("taskId", required=True)
        self.status = self.text("status", required=True)
        self.status_message = self.text("statusMessage")
        self.created_at = self.text("createdAt", required=True)
        self.updated_at = self.text("lastUpdatedAt", required=True)
        self.ttl_ms = self._span("ttl" if self.is_core else "ttlMs")
        self.poll_ms = self.number("pollInterval" if self.is_core else "pollIntervalMs")
        self.created = self._moment("createdAt", self.created_at)
        self.updated = self._moment("lastUpdatedAt", self.updated_at)
        self.meta = self.members(META)
        self._check()
        self.check_hidden_text("taskId", "statusMessage")

    @property
    def id_label(self) -> str:
        """The id."""
        return self.id

    @property
    def rule(self) -> str:
        """The rule for tasks in the core, or that for the extension."""
        return "L-TK4-01" if self.is_core else "L-TKX-04"

    @property
    def is_final(self) -> bool:
        """Whether it will not change any more."""
        return self.status in FINAL

    @property
    def is_detailed(self) -> bool:
        """Whether all that belongs to its status is said here, or is asked for elsewhere."""
        return self.is_core or self.status == "cancelled" or not self.is_final

    def _span(self, key: str) -> int | float | None:
        """Milliseconds the task is kept; None, which must be said, for ever."""
        if self.has(key) and self.value(key) is None:
            return None
        return self.number(key, required=True)

    def _moment(self, key: str, text: str) -> float | None:
        """Unix seconds of a time as text; None when it cannot be read."""
        if not text:
            return None
        try:
            moment = datetime.fromisoformat(text)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            self.add_finding(
                f"`{key}` is no time as in ISO 8601: {text[:40]!r}", key, rule=self.time_rule
            )
            return None

    @property
    def time_rule(self) -> str:
        """The rule for its times."""
        return "L-TK4-15" if self.is_core else self.rule

    def _check(self) -> None:
        if self.status and self.status not in STATUSES:
            self.add_finding(f"{self.status!r} is no status of a task", "status")
        if self.is_core and META_RELATED_TASK in self.meta:
            text = "the task is named by `taskId`; it should not be named in `_meta` as well"
            self.add_finding(text, META, rule="L-TK4-09", severity=Severity.WARNING)


class TasksPage(ListPage[TaskView]):
    """One page of the tasks of a side."""

    SUBJECT: ClassVar[str] = "tasks"
    NOUN: ClassVar[str] = "the result of a list of tasks"
    KEY: ClassVar[str] = "tasks"
    ITEM = TaskView

    def __init__(
        self, raw: Json, pointer: str = "/result", revision: Revision | None = None
    ) -> None:
        """Read the page; its findings include those of its tasks."""
        super().__init__(raw, pointer, revision)
        for task in self.listed:
            self.include_findings_of(task)


class CreatedTaskView(View):
    """The answer to a request that runs as a task: the task is a member of the result or, in the extension, the result itself."""

    SUBJECT: ClassVar[str] = "tasks"
    NOUN: ClassVar[str] = "the answer to a request that runs as a task"

    def __init__(
        self, raw: Json, pointer: str = "/result", revision: Revision | None = None
    ) -> None:
        """Read the answer."""
        super().__init__(raw, pointer, revision)
        self.task = self._read_task(revision is not None and revision.has_tasks)
        self.meta = self.members(META)
        said = self.meta.get(META_IMMEDIATE_RESPONSE)
        self.immediate = said if isinstance(said, str) else ""
        """What a model may be told while the task runs."""

    def _read_task(self, is_core: bool) -> TaskView | None:
        nested = self.value("task")
        if not is_core and self.value("resultType") != RESULT_TASK:
            return None
        if not is_core and ("taskId" in self._members or nested is None):
            return TaskView(self.raw, self.pointer, self.revision)
        if nested is None:
            return None
        if not is_core:
            self.add_finding(
                "the task must be the result itself, not a member of it", "task", rule="L-TKX-04"
            )
        return TaskView(nested, self.pointer_to("task"), self.revision)
