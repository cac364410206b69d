"""Rules about tasks: of one message, of a response beside its request, and of two states of one task. Pure.

There are no official models of tasks. Texts never contain a task id: everyone who knows the id can request the task (C-SEC-14).

Source: basic/utilities/tasks of 2025-11-25; the tasks extension.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from inspector.spec import tasks
from inspector.spec.capabilities import declares
from inspector.spec.error_codes import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MISSING_CLIENT_CAPABILITY,
    UNSUPPORTED_VERSION,
)
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value
from inspector.spec.keys import (
    META,
    META_CLIENT_CAPABILITIES,
    META_RELATED_TASK,
    RESULT_TASK,
    TASKS_EXTENSION,
)
from inspector.spec.subscription_filter import LISTEN
from inspector.spec.views.task import CreatedTaskView, DetailedTaskView, TaskView

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

CALL = "tools/call"
OWN = (
    tasks.EXTENSION.get_method,
    tasks.EXTENSION.update_method,
    tasks.EXTENSION.cancel_method,
)
"""Requests of the extension."""
REMOVED = (tasks.CORE.result_method, tasks.CORE.list_method)
"""Requests of the design of 2025-11-25 that the extension does not have."""
METHODS = frozenset({CALL, LISTEN, *OWN, *REMOVED})
"""Requests whose responses are checked."""

MIN_BITS = 64
"""Entropy below which an id can be found by trying."""

MIN_DIFFERENCE = 6
"""Two ids whose differing characters span fewer positions come from a counter, not from a random source."""

_UNKNOWN = re.compile(r"not found|unknown|no such|not exist|n't exist|expired", re.IGNORECASE)
_NEED = r"requir|support|capab|extension|declar|negotiat|augment"
_NEEDS_TASKS = re.compile(
    rf"\btasks?\b.*(?:{_NEED})|(?:{_NEED}).*\btasks?\b", re.IGNORECASE | re.DOTALL
)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}", re.I)
_TIMED = "126"
"""Versions of a UUID that are made of the time and the machine."""
_EARLIER = frozenset({HEADER_MISMATCH, UNSUPPORTED_VERSION, METHOD_NOT_FOUND})
"""Errors that a server returns before it checks capabilities, or because it has no tasks at all."""
MAX_ERROR_LENGTH = 500
"""Characters of an error message that are searched."""


def check_response(
    method: str, params: Json, message: JsonObject, revision: Revision
) -> Iterator[Finding]:
    """Yield findings about a response in the extension, given the request `method` with `params`."""
    if tasks.dialect(revision) is not tasks.EXTENSION or method not in METHODS:
        return
    sent: JsonObject = params if isinstance(params, dict) else {}
    error, result = message.get("error"), message.get("result")
    if isinstance(error, dict):
        yield from _of_error(method, sent, error, revision)
    elif "result" in message:
        yield from _of_result(method, sent, result, revision)


def created_task_id(method: str, message: JsonObject) -> str:
    """Return the id of the task that a response creates; empty if it creates no task."""
    result = message.get("result")
    if method != CALL or not isinstance(result, dict) or result.get("resultType") != RESULT_TASK:
        return ""
    id_ = result.get("taskId")
    return id_ if isinstance(id_, str) else ""


def check_task_id(id_: str, before: str, revision: Revision) -> Iterator[Finding]:
    """Yield a finding if the id of a new task can be guessed; `before` is the id of the previous task."""
    text = guessable(id_, before)
    if text:
        text = f"task ids must be unguessable; {text}"
        yield make_finding("L-TKX-16", text, "/result/taskId", revision)


def declares_tasks(params: JsonObject) -> bool:
    """Return whether the request declares the tasks extension."""
    meta = params.get(META)
    capabilities = meta.get(META_CLIENT_CAPABILITIES) if isinstance(meta, dict) else None
    return declares(capabilities, "extensions", TASKS_EXTENSION)


def _of_error(
    method: str, sent: JsonObject, error: JsonObject, revision: Revision
) -> Iterator[Finding]:
    code, message = _code(error), error.get("message")
    text = message[:MAX_ERROR_LENGTH] if isinstance(message, str) else ""
    if method == CALL:
        yield from _of_refusal(sent, error, text, revision)
    elif method in OWN and not declares_tasks(sent):
        is_early = code in _EARLIER or (code == INVALID_PARAMS and not _UNKNOWN.search(text))
        if code != MISSING_CLIENT_CAPABILITY and not is_early:
            yield _undeclared(method, f"error {format_value(code)}", "/error/code", revision)
    elif method in OWN and code != INVALID_PARAMS and _UNKNOWN.search(text):
        is_get = method == tasks.EXTENSION.get_method
        severity = Severity.ERROR if is_get else Severity.WARNING
        need = "must" if is_get else "should"
        reason = (
            f"an unknown task {need} be reported with {INVALID_PARAMS}, not {format_value(code)}"
        )
        yield make_finding("L-TKX-10", reason, "/error/code", revision, severity=severity)


def _code(error: JsonObject) -> int | None:
    code = error.get("code")
    return code if isinstance(code, int) else None


def _of_refusal(
    sent: JsonObject, error: JsonObject, text: str, revision: Revision
) -> Iterator[Finding]:
    """Yield findings about the error of a call that requires tasks."""
    if declares_tasks(sent):
        return
    code, data = _code(error), error.get("data")
    required = data.get("requiredCapabilities") if isinstance(data, dict) else None
    if code == MISSING_CLIENT_CAPABILITY:
        is_named = declares(required, "extensions", TASKS_EXTENSION)
        is_old = isinstance(required, dict) and "tasks" in required
        if not is_named and (is_old or _NEEDS_TASKS.search(text)):
            reason = f"the missing extension must be listed in `requiredCapabilities.extensions[{TASKS_EXTENSION!r}]`"
            yield make_finding("L-TKX-20", reason, "/error/data", revision, severity=Severity.ERROR)
    elif _NEEDS_TASKS.search(text) and code not in {*_EARLIER, INVALID_PARAMS} - {METHOD_NOT_FOUND}:
        reason = f"a call that requires tasks must be rejected with {MISSING_CLIENT_CAPABILITY}, not {format_value(code)}"
        yield make_finding("L-TKX-20", reason, "/error/code", revision)


def _of_result(
    method: str, sent: JsonObject, result: Json, revision: Revision
) -> Iterator[Finding]:
    if method in REMOVED:
        text = f"`{method}` is not part of the extension, but got a result"
        yield make_finding("L-TKX-15", text, "/result", revision)
    elif method in OWN and not declares_tasks(sent):
        yield _undeclared(method, "a result", "/result", revision)
    elif method == CALL and "task" in sent and isinstance(result, dict):
        yield from _of_legacy(sent, result, revision)


def _of_legacy(sent: JsonObject, result: JsonObject, revision: Revision) -> Iterator[Finding]:
    """Yield a finding if `params.task`, which means nothing in the extension, had an effect."""
    is_nested = isinstance(result.get("task"), dict) and "content" not in result
    is_task = result.get("resultType") == RESULT_TASK
    if is_nested or (is_task and not declares_tasks(sent)):
        text = "`params.task` of an earlier revision must be ignored, but created a task"
        yield make_finding("L-TKX-19", text, "/result", revision)


def _undeclared(method: str, answer: str, pointer: str, revision: Revision) -> Finding:
    text = f"{method} without the declared extension must be rejected with {MISSING_CLIENT_CAPABILITY}; got {answer}"
    return make_finding("L-TKX-11", text, pointer, revision)


def guessable(id_: str, before: str) -> str:
    """Return why a secret id can be guessed; empty if it cannot. `before` is the one that was made before it."""
    if found := _UUID.fullmatch(id_):
        return f"this is a time-based UUID (version {found[1]})" if found[1] in _TIMED else ""
    bits = len(id_) * math.log2(max(2, _letters(id_)))
    if bits < MIN_BITS:
        return f"this one has at most {bits:.0f} bits of entropy, fewer than {MIN_BITS}"
    if before and len(before) == len(id_) and 0 < _difference(before, id_) < MIN_DIFFERENCE:
        return "this one differs from the previous one in only a few characters"
    return ""


def _letters(id_: str) -> int:
    """Return the size of the alphabet of the id."""
    if re.fullmatch(r"[0-9]*", id_):
        return 10
    if re.fullmatch(r"[0-9a-f-]*|[0-9A-F-]*", id_):
        return 16
    return 36 if id_ in {id_.lower(), id_.upper()} else 64


def _difference(one: str, other: str) -> int:
    """Return the span from the first to the last difference of two strings of one length."""
    differing = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    return differing[-1] - differing[0] + 1 if differing else 0


REQUIRED_MEMBERS = ("taskId", "status")
"""Members that every task has."""


def check_result(method: str, result: JsonObject, revision: Revision) -> Sequence[Finding] | None:
    """Return findings about a result that is, or should be, about tasks; None if it is about something else."""
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
    if (
        method == "tools/call"
        and all(key in result for key in REQUIRED_MEMBERS)
        and "content" not in result
    ):
        text = "looks like a task, but `resultType` is not `task`"
        return [make_finding("L-TKX-02", text, "/result/resultType", revision)]
    return None


def check_notification(method: str, params: JsonObject, revision: Revision) -> Sequence[Finding]:
    """Return findings about a notification of a task in the extension."""
    is_known = tasks.dialect(revision) is tasks.EXTENSION
    if not is_known or method != tasks.EXTENSION.announced:
        return ()
    return DetailedTaskView(params, "/params", revision, is_notification=True).notes


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
        text = f"only tools/call can return a task, not {method}"
        yield make_finding("L-TKX-03", text, "/result/resultType", revision)
    created = CreatedTaskView(result, revision=revision)
    yield from created.notes
    if created.task is not None:
        yield from created.task.notes


def _of_acknowledgement(method: str, result: JsonObject, revision: Revision) -> Iterator[Finding]:
    if result.get("resultType") == RESULT_TASK:
        text = f"the `resultType` of {method} must be `complete`"
        yield make_finding("L-TKX-06", text, "/result/resultType", revision)
    for key in REQUIRED_MEMBERS:
        if key in result:
            text = f"the result of `{method}` must be empty, but has `{key}`"
            yield make_finding("L-TKX-12", text, f"/result/{key}", revision)


def check_created(task: TaskView) -> Iterator[Finding]:
    """Yield findings about a new task."""
    if task.is_core and task.status and task.status != "working":
        text = f"a new task must be `working`, not {task.status!r}"
        yield _of_member(task, "L-TK4-02", text, "status")


def is_older(before: TaskView, after: TaskView) -> bool:
    """Return whether `after`, received later, describes an earlier state than `before`: messages may cross."""
    earlier, later = before.updated, after.updated
    return earlier is not None and later is not None and later < earlier


def check_update(before: TaskView, after: TaskView) -> Iterator[Finding]:
    """Yield findings about a change of a task."""
    if is_older(before, after):
        text = f"`lastUpdatedAt` is before that of the previous update, {before.updated_at!r}"
        yield _of_member(after, after.time_rule, text, "lastUpdatedAt", Severity.INFO)
        return
    if before.is_final and after.status != before.status:
        text = f"the status changed from {before.status!r}, which is final, to {after.status!r}"
        rule = "L-TK4-03" if after.is_core else "L-TKX-14"
        yield _of_member(after, rule, text, "status")
    if before.created_at and after.created_at and before.created_at != after.created_at:
        text = f"`createdAt` changed from {before.created_at!r}"
        yield _of_member(after, after.time_rule, text, "createdAt")


def check_cancelled(before: TaskView, after: TaskView) -> Iterator[Finding]:
    """Yield findings about the result of `tasks/cancel`."""
    if (
        before.is_final and before.status != "cancelled"
    ):  # that may be the news of this cancellation
        text = f"cancelling a task that is already {before.status!r} must fail with -32602"
        yield _of_member(after, "L-TK4-11", text)
    elif after.status != "cancelled":
        text = f"a cancelled task must have status `cancelled`, not {after.status!r}"
        yield _of_member(after, "L-TK4-12", text, "status")


def check_task_result(id_: str, result: Json, revision: Revision | None) -> Iterator[Finding]:
    """Yield a finding if the result of `tasks/result` does not reference its task."""
    named = tasks.related(result.get("_meta")) if isinstance(result, dict) else None
    if named == id_:
        return
    text = f"the result must reference its task in `_meta[{META_RELATED_TASK!r}]`"
    actual = "none given" if named is None else f"got {named!r}"
    yield make_finding("L-TK4-07", f"{text}; {actual}", "/result/_meta", revision)


def _of_member(
    task: TaskView, rule: str, text: str, key: str = "", severity: Severity | None = None
) -> Finding:
    pointer = task.pointer_to(key) if key else task.pointer
    return make_finding(rule, text, pointer, task.revision, severity=severity)
