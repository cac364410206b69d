"""A task, in both designs: the core of 2025-11-25 and the extension.

Source: basic/utilities/tasks of 2025-11-25; the tasks extension.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from inspector.finding import Severity
from inspector.spec.keys import META, META_IMMEDIATE_RESPONSE, META_RELATED_TASK, RESULT_TASK
from inspector.spec.view import View
from inspector.spec.views.input_required import InputRequest
from inspector.spec.views.list_page import ListedView, ListPage

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json

STATUSES = ("working", "input_required", "completed", "failed", "cancelled")
"""The values of `status`."""

FINAL = frozenset({"completed", "failed", "cancelled"})
"""Statuses that no longer change."""


class TaskView(ListedView):
    """The state of a task."""

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
        """The rule about malformed tasks of its design."""
        return "L-TK4-01" if self.is_core else "L-TKX-04"

    @property
    def is_final(self) -> bool:
        """Whether the status can no longer change."""
        return self.status in FINAL

    @property
    def is_detailed(self) -> bool:
        """Whether no member is missing that belongs to its status; in the core, the outcome is requested separately."""
        return self.is_core or self.status == "cancelled" or not self.is_final

    def _span(self, key: str) -> int | float | None:
        """Return how long the task is kept, in milliseconds; an explicit null is for ever."""
        if self.has(key) and self.value(key) is None:
            return None
        return self.number(key, required=True)

    def _moment(self, key: str, text: str) -> float | None:
        """Return a timestamp in Unix seconds; None if it is invalid."""
        if not text:
            return None
        try:
            moment = datetime.fromisoformat(text)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            self.add_finding(
                f"`{key}` is not an ISO 8601 timestamp: {text[:40]!r}", key, rule=self.time_rule
            )
            return None

    @property
    def time_rule(self) -> str:
        """The rule about its timestamps."""
        return "L-TK4-15" if self.is_core else self.rule

    def _check(self) -> None:
        if self.status and self.status not in STATUSES:
            self.add_finding(
                f"`status` must be working, input_required, completed, failed or cancelled, not {self.status!r}",
                "status",
            )
        if self.is_core and META_RELATED_TASK in self.meta:
            text = "the task is identified by `taskId`; `_meta` should not repeat it"
            self.add_finding(text, META, rule="L-TK4-09", severity=Severity.WARNING)


class TasksPage(ListPage[TaskView]):
    """The result of `tasks/list`."""

    SUBJECT: ClassVar[str] = "tasks"
    NOUN: ClassVar[str] = "the result of tasks/list"
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
    """The result of a request that runs as a task: the result has a member `task` or, in the extension, is the task."""

    SUBJECT: ClassVar[str] = "tasks"
    NOUN: ClassVar[str] = "the task result"

    def __init__(
        self, raw: Json, pointer: str = "/result", revision: Revision | None = None
    ) -> None:
        """Read the result."""
        super().__init__(raw, pointer, revision)
        self.task = self._read_task(revision is not None and revision.has_tasks)
        self.meta = self.members(META)
        immediate = self.meta.get(META_IMMEDIATE_RESPONSE)
        self.immediate = immediate if isinstance(immediate, str) else ""
        """A text for the model while the task runs."""

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
                "the result must be the task itself, not contain it", "task", rule="L-TKX-04"
            )
        return TaskView(nested, self.pointer_to("task"), self.revision)


DETAILS = {"completed": "result", "failed": "error", "input_required": "inputRequests"}
"""The member that a status requires."""


class DetailedTaskView(TaskView):
    """A task of the extension with its input requests, its result or its error."""

    def __init__(
        self,
        raw: Json,
        pointer: str = "/result",
        revision: Revision | None = None,
        *,
        is_notification: bool = False,
    ) -> None:
        """Read the result of `tasks/get` or, with `is_notification`, the params of a notification."""
        super().__init__(raw, pointer, revision)
        self.has_result = self.has("result")
        self.has_error = self.has("error")
        self.error = self.value("error")
        asked = self.members("inputRequests") if self.has("inputRequests") else {}
        self.requests = tuple(
            InputRequest(key, value, self.pointer_to("inputRequests", key), revision)
            for key, value in asked.items()
        )
        for request in self.requests:
            self.include_findings_of(request)
        self._check_details(is_notification)
        if self.value("resultType") == RESULT_TASK and not is_notification:
            text = "`resultType` should be `complete` here; `task` is for new tasks"
            self.add_finding(text, "resultType", rule="L-TKX-06", severity=Severity.INFO)

    @property
    def is_detailed(self) -> bool:
        """Whether no member is missing that belongs to its status."""
        return self.has_result or self.has_error or super().is_detailed

    def _check_details(self, is_notification: bool) -> None:
        member = DETAILS.get(self.status, "")
        if self.status == "failed" and self.has_result:
            text = "a task with a result is `completed`, even when `isError` is true"
            self.add_finding(text, "status", rule="L-TKX-08")
        elif member and not self.has(member):
            rule = "L-TKX-17" if is_notification else "L-TKX-07"
            self.add_finding(f"a `{self.status}` task must have `{member}`", member, rule=rule)
        if self.has_error and not isinstance(self.error, dict):
            self.add_finding("`error` must be an object with `code` and `message`", "error")
