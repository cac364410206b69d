"""What the two designs of tasks have in common, and where they differ: data and pure functions.

One design is part of the core of a revision, the other an extension. Everything that follows a task asks for a `Dialect` and knows
neither by name.

Source: basic/utilities/tasks of 2025-11-25.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from inspector.spec.keys import META_RELATED_TASK
from inspector.spec.links import link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.revision import Revision
    from inspector.spec.views.task import TaskView
    from inspector.wire.jsontext import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Dialect:
    """How tasks are spoken of in one design."""

    asked_for: bool
    """Whoever asks says that a task is wanted, in `params.task`; else whoever answers decides."""
    get_method: str
    """Asks how a task is doing."""
    result_method: str
    """Waits for the result; empty where the answer to `get_method` brings it."""
    list_method: str
    """Lists the tasks; empty where there is no list."""
    cancel_method: str
    """Stops a task."""
    announced: str
    """The notification that tells how a task is doing."""
    cancel_tells: bool
    """The answer to `cancel_method` is the task, which is cancelled by then."""


CORE = Dialect(
    asked_for=True,
    get_method="tasks/get",
    result_method="tasks/result",
    list_method="tasks/list",
    cancel_method="tasks/cancel",
    announced="notifications/tasks/status",
    cancel_tells=True,
)
"""Tasks as part of the core."""


def dialect(revision: Revision | None) -> Dialect | None:
    """How `revision` speaks of tasks; None if it has none."""
    return CORE if revision is not None and revision.has_tasks else None


def wish(ttl_ms: int | None) -> JsonObject:
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


def of_birth(task: TaskView) -> Iterator[Finding]:
    """What is odd about a task that was made just now."""
    if task.status and task.status != "working":
        words = f"a task begins as `working`, this one as {task.status!r}"
        yield _finding(task, "L-TK4-02", words, "status")


def is_older(before: TaskView, after: TaskView) -> bool:
    """Whether `after`, which came later, was said before `before`: messages may cross."""
    earlier, later = before.updated, after.updated
    return earlier is not None and later is not None and later < earlier


def of_change(before: TaskView, after: TaskView) -> Iterator[Finding]:
    """What is odd about a task that was `before` and is `after`."""
    if is_older(before, after):
        words = f"this is older than what was told before (`lastUpdatedAt` {before.updated_at!r})"
        yield _finding(after, "L-TK4-15", words, "lastUpdatedAt", Severity.INFO)
        return
    if before.is_final and after.status != before.status:
        words = f"the task was {before.status!r}, which is final, and is {after.status!r} now"
        yield _finding(after, "L-TK4-03", words, "status")
    if before.created_at and after.created_at and before.created_at != after.created_at:
        words = f"`createdAt` was {before.created_at!r} before"
        yield _finding(after, "L-TK4-15", words, "createdAt")


def of_cancelling(before: TaskView, after: TaskView) -> Iterator[Finding]:
    """What is odd about the answer to our cancelling, which was no error."""
    if before.is_final:
        words = (
            f"the task was {before.status!r} already: cancelling it should be refused with -32602"
        )
        yield _finding(after, "L-TK4-11", words)
    elif after.status != "cancelled":
        words = f"a task that was cancelled must be `cancelled`, this one is {after.status!r}"
        yield _finding(after, "L-TK4-12", words, "status")


def of_result(id_: str, result: Json, revision: Revision | None) -> Iterator[Finding]:
    """What is odd about the result that was waited for with the id of a task."""
    named = related(result.get("_meta")) if isinstance(result, dict) else None
    if named == id_:
        return
    words = f"the result must name its task in `_meta[{META_RELATED_TASK!r}]`"
    said = "it names none" if named is None else f"it names {named!r}"
    page = link("tasks", revision)
    yield Finding("L-TK4-07", Severity.ERROR, f"{words}; {said}", "/result/_meta", page)


def _finding(
    task: TaskView, rule: str, words: str, key: str = "", severity: Severity = Severity.ERROR
) -> Finding:
    place = task.at(key) if key else task.place
    return Finding(rule, severity, words, place, link("tasks", task.revision))
