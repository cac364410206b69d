"""What is wrong with one message about tasks. There are no official models for them.

Source: basic/utilities/tasks of 2025-11-25; the tasks extension.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from inspector.spec import tasks
from inspector.spec.keys import RESULT_TASK
from inspector.spec.spec_urls import link
from inspector.spec.views.detailed_task import DetailedTaskView
from inspector.spec.views.task import CreatedTaskView, TaskView

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import JsonObject

TOLD = ("taskId", "status")
"""Members that make a task."""


def of_result(method: str, result: JsonObject, revision: Revision) -> Sequence[Finding] | None:
    """What is wrong with a result that is, or should be, about tasks; None when it is about something else."""
    if revision.has_tasks:
        return _of_core(method, result, revision)
    if tasks.dialect(revision) is None:
        return None
    if method == tasks.EXTENSION.get_method:
        return DetailedTaskView(result, revision=revision).notes
    if method in {tasks.EXTENSION.update_method, tasks.EXTENSION.cancel_method}:
        return [*_of_acknowledgement(method, result, revision)]
    if result.get("resultType") == RESULT_TASK:
        return [*_of_creation(method, result, revision)]
    if method == "tools/call" and all(key in result for key in TOLD) and "content" not in result:
        text = "this looks like a task, but `resultType` does not say `task`"
        return [_finding("L-TKX-02", text, "/result/resultType", revision)]
    return None


def of_news(method: str, params: JsonObject, revision: Revision) -> Sequence[Finding]:
    """What is wrong with a notification about a task."""
    is_known = tasks.dialect(revision) is tasks.EXTENSION
    if not is_known or method != tasks.EXTENSION.announced:
        return ()
    return DetailedTaskView(params, "/params", revision, is_news=True).notes


def _of_core(method: str, result: JsonObject, revision: Revision) -> Sequence[Finding] | None:
    nested = result.get("task")
    if isinstance(nested, dict) and "content" not in result:
        return TaskView(nested, "/result/task", revision).notes
    if method in {tasks.CORE.get_method, tasks.CORE.cancel_method}:
        return TaskView(result, "/result", revision).notes
    listed = result.get("tasks")
    if method != tasks.CORE.list_method or not isinstance(listed, list):
        return None
    views = (TaskView(each, f"/result/tasks/{n}", revision) for n, each in enumerate(listed))
    return [note for view in views for note in view.notes]


def _of_creation(method: str, result: JsonObject, revision: Revision) -> Iterator[Finding]:
    if method != "tools/call":
        text = f"only calls of tools become tasks, {method} does not"
        yield _finding("L-TKX-03", text, "/result/resultType", revision)
    created = CreatedTaskView(result, revision=revision)
    yield from created.notes
    if created.task is not None:
        yield from created.task.notes


def _of_acknowledgement(method: str, result: JsonObject, revision: Revision) -> Iterator[Finding]:
    if result.get("resultType") == RESULT_TASK:
        text = f"the answer to {method} is of type `complete`"
        yield _finding("L-TKX-06", text, "/result/resultType", revision, Severity.INFO)
    for key in TOLD:
        if key in result:
            text = f"the answer to {method} says only that it came; `{key}` does not belong there"
            yield _finding("L-TKX-12", text, f"/result/{key}", revision)


def _finding(
    rule: str, text: str, pointer: str, revision: Revision, severity: Severity = Severity.ERROR
) -> Finding:
    return Finding(rule, severity, text, pointer, link("tasks", revision))
