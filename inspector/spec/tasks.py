"""The two designs of tasks, one in the core of a revision and one in an extension: data and pure functions.

Code that handles tasks asks for the `TaskDesign` of its revision and does not know the designs by name.

Source: basic/utilities/tasks of 2025-11-25; the tasks extension.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.spec.capabilities import declares
from inspector.spec.keys import META_RELATED_TASK, TASKS_EXTENSION

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject


class TaskDesign(FrozenStruct, frozen=True):
    """The methods and rules of one design."""

    asked_for: bool
    """Whether the requester asks for a task, in `params.task`; otherwise the receiver decides."""
    extension: str
    """The member of `extensions` that both sides declare; empty if tasks are a capability."""
    get_method: str
    """Returns the task."""
    result_method: str
    """Waits for the result; empty if `get_method` returns it."""
    update_method: str
    """Sends the input that a task requires; empty if a task sends requests for it."""
    list_method: str
    """Lists the tasks; empty without a list."""
    cancel_method: str
    """Cancels a task."""
    announced: str
    """The notification with a task."""
    cancel_tells: bool
    """Whether `cancel_method` returns the task, cancelled."""
    outlives: bool
    """Whether a later session can request a task by its id."""


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
"""The member of a subscription filter with the ids of tasks."""


def dialect(revision: Revision | None) -> TaskDesign | None:
    """Return the design of `revision`; None if it has no tasks."""
    if revision is None:
        return None
    if revision.has_tasks:
        return CORE
    return EXTENSION if revision.has_extensions else None


def may_answer(method: str, capabilities: Json) -> bool:
    """Return whether a request that declared `capabilities` may have a result of type `task` (C-TKX-01, C-TKX-02).

    Results about tasks should be of type `complete`, but the examples of the extension show `task` as well.
    """
    if method in {EXTENSION.get_method, EXTENSION.update_method, EXTENSION.cancel_method}:
        return True
    return method == "tools/call" and declares(capabilities, "extensions", TASKS_EXTENSION)


def task_param(ttl_ms: int | None) -> JsonObject:
    """Return `params.task` for a task that is kept for `ttl_ms` milliseconds; None leaves that to the server."""
    return {} if ttl_ms is None else {"ttl": ttl_ms}


def related(meta: Json) -> str | None:
    """Return the id of the task that a message with this `_meta` belongs to; None without a task."""
    value = meta.get(META_RELATED_TASK) if isinstance(meta, dict) else None
    id_ = value.get("taskId") if isinstance(value, dict) else None
    return id_ if isinstance(id_, str) else None


def relation(id_: str) -> JsonObject:
    """Return the members of `_meta` of a message that belongs to the task (C-TK4-09)."""
    return {META_RELATED_TASK: {"taskId": id_}}
