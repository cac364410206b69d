"""What the two designs of tasks have in common, and where they differ: data and pure functions.

One design is part of the core of a revision, the other an extension. Everything that follows a task asks for a `TaskDesign` and knows
neither by name.

Source: basic/utilities/tasks of 2025-11-25; the tasks extension.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from inspector.frozen import FrozenStruct
from inspector.spec.capabilities import declares
from inspector.spec.keys import META_RELATED_TASK, TASKS_EXTENSION
from inspector.spec.spec_urls import link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.revision import Revision
    from inspector.spec.views.task import TaskView
    from inspector.wire.json_codec import Json, JsonObject


class TaskDesign(FrozenStruct, frozen=True):
    """How tasks are spoken of in one design."""

    asked_for: bool
    """Whoever asks says that a task is wanted, in `params.task`; else whoever answers decides."""
    extension: str
    """What both sides declare below `extensions`; empty where tasks are a capability of their own."""
    get_method: str
    """Asks how a task is doing."""
    result_method: str
    """Waits for the result; empty where the answer to `get_method` brings it."""
    update_method: str
    """Gives a task the input it asks for; empty where it asks by requests of its own."""
    list_method: str
    """Lists the tasks; empty where there is no list."""
    cancel_method: str
    """Stops a task."""
    announced: str
    """The notification that tells how a task is doing."""
    cancel_tells: bool
    """The answer to `cancel_method` is the task, which is cancelled by then."""
    outlives: bool
    """A task belongs to no session: who knows its id can ask for it in the next one."""


CORE = TaskDesign(
    asked_for=True,
    extension="",
    get_method="tasks/get",
    result_method="tasks/result",
    update_method="",
    list_method="tasks/list",
    cancel_method="tasks/cancel",
    announced="notifications/tasks/status",
    cancel_tells=True,
    outlives=False,
)
"""Tasks as part of the core."""

EXTENSION = TaskDesign(
    asked_for=False,
    extension=TASKS_EXTENSION,
    get_method="tasks/get",
    result_method="",
    update_method="tasks/update",
    list_method="",
    cancel_method="tasks/cancel",
    announced="notifications/tasks",
    cancel_tells=False,
    outlives=True,
)
"""Tasks as an extension."""

DIALECTS = (CORE, EXTENSION)

FILTER = "taskIds"
"""The member of a filter that asks for news of tasks on a stream of announcements."""


def dialect(revision: Revision | None) -> TaskDesign | None:
    """How `revision` speaks of tasks; None if it has none."""
    if revision is None:
        return None
    if revision.has_tasks:
        return CORE
    return EXTENSION if revision.has_extensions else None


def may_answer(method: str, capabilities: Json) -> bool:
    """Whether a result of type `task` may answer that request, which declared `capabilities` (C-TKX-01, C-TKX-02).

    What is said about a task should be of type `complete`, but the examples of the extension show `task` as well.
    """
    if method in {EXTENSION.get_method, EXTENSION.update_method, EXTENSION.cancel_method}:
        return True
    return method == "tools/call" and declares(capabilities, "extensions", TASKS_EXTENSION)


def task_param(ttl_ms: int | None) -> JsonObject:
    """The value of `params.task`, which asks for a task that is kept for `ttl_ms`; None leaves that to the server."""
    return {} if ttl_ms is None else {"ttl": ttl_ms}


def related(meta: Json) -> str | None:
    """The id of the task that a message with this `_meta` belongs to; None if it names none."""
    value = meta.get(META_RELATED_TASK) if isinstance(meta, dict) else None
    id_ = value.get("taskId") if isinstance(value, dict) else None
    return id_ if isinstance(id_, str) else None


def relation(id_: str) -> JsonObject:
    """What `_meta` of a message of that task holds (C-TK4-09)."""
    return {META_RELATED_TASK: {"taskId": id_}}


def check_created(task: TaskView) -> Iterator[Finding]:
    """What is odd about a task that was made just now."""
    if task.is_core and task.status and task.status != "working":
        text = f"a task begins as `working`, this one as {task.status!r}"
        yield _finding(task, "L-TK4-02", text, "status")


def is_older(before: TaskView, after: TaskView) -> bool:
    """Whether `after`, which came later, was said before `before`: messages may cross."""
    earlier, later = before.updated, after.updated
    return earlier is not None and later is not None and later < earlier


def check_update(before: TaskView, after: TaskView) -> Iterator[Finding]:
    """What is odd about a task that was `before` and is `after`."""
    if is_older(before, after):
        text = f"this is older than what was told before (`lastUpdatedAt` {before.updated_at!r})"
        yield _finding(after, after.time_rule, text, "lastUpdatedAt", Severity.INFO)
        return
    if before.is_final and after.status != before.status:
        text = f"the task was {before.status!r}, which is final, and is {after.status!r} now"
        rule = "L-TK4-03" if after.is_core else "L-TKX-14"
        yield _finding(after, rule, text, "status")
    if before.created_at and after.created_at and before.created_at != after.created_at:
        text = f"`createdAt` was {before.created_at!r} before"
        yield _finding(after, after.time_rule, text, "createdAt")


def check_cancelled(before: TaskView, after: TaskView) -> Iterator[Finding]:
    """What is odd about the answer to our cancelling, which was no error."""
    if before.is_final:
        text = (
            f"the task was {before.status!r} already: cancelling it should be refused with -32602"
        )
        yield _finding(after, "L-TK4-11", text)
    elif after.status != "cancelled":
        text = f"a task that was cancelled must be `cancelled`, this one is {after.status!r}"
        yield _finding(after, "L-TK4-12", text, "status")


def check_task_result(id_: str, result: Json, revision: Revision | None) -> Iterator[Finding]:
    """What is odd about the result that was waited for with the id of a task."""
    named = related(result.get("_meta")) if isinstance(result, dict) else None
    if named == id_:
        return
    text = f"the result must name its task in `_meta[{META_RELATED_TASK!r}]`"
    said = "it names none" if named is None else f"it names {named!r}"
    page = link("tasks", revision)
    yield Finding("L-TK4-07", Severity.ERROR, f"{text}; {said}", "/result/_meta", page)


def _finding(
    task: TaskView, rule: str, text: str, key: str = "", severity: Severity = Severity.ERROR
) -> Finding:
    pointer = task.pointer_to(key) if key else task.pointer
    return Finding(rule, severity, text, pointer, link("tasks", task.revision))
