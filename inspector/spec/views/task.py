"""A task: a call whose answer comes later.

Two shapes exist: that of the revision which had tasks in its core, and that of the extension. Both are read here.

Source: basic/utilities/tasks of 2025-11-25; the tasks extension.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inspector.spec.view import View

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.jsontext import Json

STATUSES = ("working", "input_required", "completed", "failed", "cancelled")
"""What `status` may say."""

FINAL = frozenset({"completed", "failed", "cancelled"})
"""Statuses that no longer change."""


class TaskView(View):
    """How a task is doing."""

    SUBJECT: ClassVar[str] = "tasks"
    NOUN: ClassVar[str] = "a task"

    def __init__(self, raw: Json, place: str = "", revision: Revision | None = None) -> None:
        """Read a task."""
        self.is_core = revision is not None and revision.has_tasks
        super().__init__(raw, place, revision)
        self.id = self.text("taskId", required=True)
        self.status = self.text("status", required=True)
        self.status_message = self.text("statusMessage")
        self.created_at = self.text("createdAt", required=True)
        self.updated_at = self.text("lastUpdatedAt", required=True)
        self.ttl_ms = self._span("ttl" if self.is_core else "ttlMs")
        self.poll_ms = self.number("pollInterval" if self.is_core else "pollIntervalMs")
        if self.status and self.status not in STATUSES:
            self.note(f"{self.status!r} is no status of a task", "status")

    @property
    def rule(self) -> str:
        """The rule for tasks in the core, or that for the extension."""
        return "L-TK4-01" if self.is_core else "L-TKX-04"

    @property
    def is_final(self) -> bool:
        """Whether it will not change any more."""
        return self.status in FINAL

    def _span(self, key: str) -> int | float | None:
        """Milliseconds the task is kept; None, which must be said, for ever."""
        if self.has(key) and self.value(key) is None:
            return None
        return self.number(key, required=True)
