"""A task of the extension with what belongs to its status: what it asks for, its result, or its error.

So it is told when it is asked for, and when news of it are announced.

Source: the tasks extension, "Task Polling", "Task Status Notifications"; C-TKX-06.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.spec.keys import RESULT_TASK
from inspector.spec.views.input_required import InputRequest
from inspector.spec.views.task import TaskView

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json

DETAILS = {"completed": "result", "failed": "error", "input_required": "inputRequests"}
"""Status, and the member that must stand beside it."""


class DetailedTaskView(TaskView):
    """All that a task says of itself."""

    def __init__(
        self,
        raw: Json,
        pointer: str = "/result",
        revision: Revision | None = None,
        *,
        is_news: bool = False,
    ) -> None:
        """Read a task as it was asked for or, with `is_news`, as it was announced."""
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
        self._check_details(is_news)
        if self.value("resultType") == RESULT_TASK and not is_news:
            text = "`resultType` should be `complete` when a task is told, `task` when one is made"
            self.add_finding(text, "resultType", rule="L-TKX-06", severity=Severity.INFO)

    @property
    def is_detailed(self) -> bool:
        """Whether its outcome stands here."""
        return self.has_result or self.has_error or super().is_detailed

    def _check_details(self, is_news: bool) -> None:
        member = DETAILS.get(self.status, "")
        if self.status == "failed" and self.has_result:
            text = "a call with a result is `completed`, even if that says `isError`"
            self.add_finding(text, "status", rule="L-TKX-08")
        elif member and not self.has(member):
            rule = "L-TKX-17" if is_news else "L-TKX-07"
            self.add_finding(
                f"a task that is `{self.status}` must have `{member}`", member, rule=rule
            )
        if self.has_error and not isinstance(self.error, dict):
            self.add_finding("`error` must be an object with `code` and `message`", "error")
