"""What the tasks of a server say of themselves one after the other, in a record: changes that must not be. Nothing here raises.

Source: basic/utilities/tasks; the tasks extension; L-TK4-02, L-TK4-03, L-TK4-11, L-TK4-12, L-TKX-14.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from inspector.spec import task_rules, tasks
from inspector.spec.findings import make_finding
from inspector.spec.views.task import CreatedTaskView, DetailedTaskView, TaskView
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding
    from inspector.spec.revision import Revision
    from inspector.spec.tasks import TaskDesign
    from inspector.wire.json_codec import Json, JsonObject

MAX_TASKS = 1_000
"""Tasks that are remembered; the one that was heard of longest ago makes room."""

NEWS = "/params"


class TaskChanges:
    """Follows the messages of the server in one record, in order."""

    def __init__(self) -> None:
        self._latest: OrderedDict[str, TaskView] = OrderedDict()

    def check(self, message: ReceivedMessage) -> Iterator[Finding]:
        """Yield what is wrong with the tasks in a message."""
        kind, method, value, revision = (
            message.kind,
            message.method,
            message.value,
            message.revision,
        )
        dialect = tasks.dialect(revision)
        if dialect is None:
            return
        if kind is MessageKind.REQUEST:
            yield from _of_request(message)
        elif kind is MessageKind.NOTIFICATION and method == dialect.announced:
            yield from self._of_news(value.get("params"), dialect, revision)
        elif kind is MessageKind.RESPONSE:
            result = value.get("result")
            if isinstance(result, dict):
                yield from self._of_result(message, result, dialect)

    def _of_news(self, params: Json, dialect: TaskDesign, revision: Revision) -> Iterator[Finding]:
        """News may come before the response that makes the task; then there is nothing to compare with."""
        if isinstance(params, dict):
            view = _read(params, NEWS, dialect, revision)
            if view.id in self._latest:
                yield from self._of_change(view)

    def _of_result(
        self, message: ReceivedMessage, result: JsonObject, dialect: TaskDesign
    ) -> Iterator[Finding]:
        method, revision = message.method, message.revision
        if method in {dialect.get_method, dialect.cancel_method}:
            yield from _of_other(TaskView(result, "/result", revision), message.request_params())
        if method == dialect.get_method:
            yield from self._of_change(_read(result, "/result", dialect, revision))
        elif method == dialect.cancel_method and dialect.cancel_tells:
            view = TaskView(result, "/result", revision)
            before = self._latest.get(view.id)
            if before is not None:
                yield from task_rules.check_cancelled(before, view)
            yield from self._of_change(view)
        elif ("task" in result or "taskId" in result) and "content" not in result:
            task = CreatedTaskView(result, revision=revision).task
            if task is not None:
                yield from task_rules.check_created(task)
                if task.id in self._latest and not task.is_core:
                    text = "another task of this session has the same id"
                    yield make_finding(task.rule, text, task.pointer_to("taskId"), revision)
                self._keep(task)

    def _of_change(self, view: TaskView) -> Iterator[Finding]:
        before = self._latest.get(view.id)
        if before is not None:
            yield from task_rules.check_update(before, view)
            if before.is_final and task_rules.is_older(before, view):
                return  # it crossed the news of the end
        self._keep(view)

    def _keep(self, view: TaskView) -> None:
        if view.id:
            self._latest[view.id] = view
            self._latest.move_to_end(view.id)
            if len(self._latest) > MAX_TASKS:
                self._latest.popitem(last=False)


def _of_request(message: ReceivedMessage) -> Iterator[Finding]:
    """Yield that the server asks for a task that is to be kept for no time at all."""
    task = message.params.get("task")
    ttl = task.get("ttl") if isinstance(task, dict) else None
    is_time = isinstance(ttl, int | float) and not isinstance(ttl, bool) and ttl >= 0
    if ttl is not None and not is_time and message.revision.has_tasks:
        text = "`ttl` must be a number of milliseconds; the task is kept until the session ends"
        yield make_finding("L-TK4-01", text, "/params/task/ttl", message.revision)


def _of_other(view: TaskView, params: Json) -> Iterator[Finding]:
    """Yield that a task was returned that was not asked for."""
    asked = params.get("taskId") if isinstance(params, dict) else None
    if view.id and isinstance(asked, str) and view.id != asked:
        text = "the response is for another task than the request"
        yield make_finding(view.rule, text, view.pointer_to("taskId"), view.revision)


def _read(raw: JsonObject, pointer: str, dialect: TaskDesign, revision: Revision) -> TaskView:
    """What a task says of itself, as the session reads it."""
    if dialect.result_method:
        return TaskView(raw, pointer, revision)
    return DetailedTaskView(raw, pointer, revision, is_notification=pointer == NEWS)
