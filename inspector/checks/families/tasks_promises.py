"""What a server promises about tasks of the core: lists, reasons, intervals and times.

Source: basic/utilities/tasks of the revision that has them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.families.tasks_core import creates_task, params_of, task_id_of
from inspector.checks.latest import short_key
from inspector.checks.task_history import created_task
from inspector.finding import Severity
from inspector.rules.rule import HTTP_ONLY, On, Rule, Subject
from inspector.spec import tasks
from inspector.spec.error_codes import INVALID_PARAMS
from inspector.spec.findings import make_finding
from inspector.spec.json_types import number_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding

LATE_SECONDS = 5.0
"""Within this time a server should say that it has begun a task."""

MIN_POLL_MS, MAX_POLL_MS = 10, 3_600_000


def check_listed(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a list of one page lacks a task that `tasks/get` returned."""
    listed = message.result.get("tasks")
    rows = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    ids = {short_key(str(each.get("taskId"))) for each in rows}
    for id_ in history.tasks.known:
        known = history.tasks.known.get(id_)
        is_here = known is not None and known.polls > 0 and known.is_kept(message.monotonic_s)
        if known is not None and is_here and id_ not in ids:
            text = (
                f"`tasks/get` returns the task of #{known.number}, but the list does not include it"
            )
            yield make_finding("L-TK4-13", text, "/result/tasks", message.revision)
            return


def _is_whole_list(message: ReceivedMessage, history: History) -> bool:
    is_first = params_of(message).get("cursor") is None
    is_only = is_first and "nextCursor" not in message.result
    return is_only and len(history.tasks.known) > 0


def check_failure(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a task with a tool error completed, or that a failed one does not say why."""
    if message.method == tasks.CORE.result_method:
        known = history.tasks.known.get(task_id_of(message))
        is_error = message.result.get("isError") is True
        if is_error and known is not None and known.status == "completed":
            text = "the result is a tool error, but the status of the task is `completed` instead of `failed`"
            yield make_finding("L-TK4-14", text, "/result/isError", message.revision)
    elif message.result.get("status") == "failed" and not message.result.get("statusMessage"):
        text = "the task failed, and `statusMessage` does not say why"
        yield make_finding("L-TK4-14", text, "/result", message.revision)


def _has_failed(message: ReceivedMessage, history: History) -> bool:
    del history
    return message.result.get("isError") is True or message.result.get("status") == "failed"


def check_stream(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that the state of a task comes on an event stream, once."""
    if message.is_event and history.is_first("L-TK4-16"):
        text = "the response to `tasks/get` should be JSON, not an event stream"
        yield make_finding("L-TK4-16", text, "", message.revision)


def check_list_capability(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that tasks can be listed by anyone."""
    if not history.http.is_authorized:
        text = "`tasks.list` is declared, but requests have no authorization"
        pointer = "/result/capabilities/tasks/list"
        yield make_finding("L-TK4-17", text, pointer, message.revision)


def _lists_tasks(message: ReceivedMessage, history: History) -> bool:
    del history
    capabilities = message.result.get("capabilities")
    declared = capabilities.get("tasks") if isinstance(capabilities, dict) else None
    return isinstance(declared, dict) and declared.get("list") is not None


def check_lateness(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a task is announced late."""
    seconds = history.calls.seconds_of(message.request, message.monotonic_s)
    if seconds is not None and seconds > LATE_SECONDS:
        text = f"the task was returned after {seconds:.1f} s; it should be returned as soon as the request is accepted"
        yield make_finding("L-TK4-18", text, "/result/task", message.revision)


def _is_uninterrupted(message: ReceivedMessage, history: History) -> bool:
    return creates_task(message, history) and message.request not in history.calls.interrupted


def check_promises(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield an interval that is too short or too long, or that a task is gone before its time."""
    created = created_task(message)
    interval = number_of(created.get("pollInterval")) if created is not None else None
    if interval is not None and not MIN_POLL_MS <= interval <= MAX_POLL_MS:
        text = f"`pollInterval` of {interval:g} ms is outside of {MIN_POLL_MS} ms to {MAX_POLL_MS // 60_000} minutes"
        yield make_finding("L-TK4-19", text, "/result/task/pollInterval", message.revision)
    is_unknown = message.error.get("code") == INVALID_PARAMS
    known = history.tasks.known.get(task_id_of(message)) if is_unknown else None
    if known is None or known.ttl_ms is None or known.is_cancelled:
        return
    if known.is_kept(message.monotonic_s):
        text = (
            f"the task is unknown, although its `ttl` of {known.ttl_ms / 1000:g} s has not passed"
        )
        yield make_finding("L-TK4-19", text, "/error", message.revision)


_CALLS = (On(Subject.RESULT, "tools/call"),)
_ON_GET, _ON_RESULT = On(Subject.RESULT, "tasks/get"), On(Subject.RESULT, "tasks/result")

RULES = (
    Rule(
        "L-TK4-13",
        Severity.ERROR,
        "tasks",
        "task missing from the list",
        why="Clients that find tasks in the list lose the result.",
        hint="List every task that `tasks/get` returns, and set `nextCursor` while more exist.",
        section="Task Listing",
        level="MUST",
        since=4,
        until=4,
        on=(On(Subject.RESULT, "tasks/list"),),
        check=check_listed,
        when=_is_whole_list,
    ),
    Rule(
        "L-TK4-14",
        Severity.WARNING,
        "tasks",
        "failed task without status or reason",
        why="Users see a completed task, or a failure without a reason.",
        hint="Set the status to `failed` for a tool error, and `statusMessage` to the reason.",
        section="Task Execution Errors",
        level="SHOULD",
        since=4,
        until=4,
        on=(_ON_GET, _ON_RESULT),
        check=check_failure,
        when=_has_failed,
    ),
    Rule(
        "L-TK4-16",
        Severity.INFO,
        "tasks",
        "event stream for the state of a task",
        why="Polling with a stream each time costs more than the response itself.",
        hint="Respond to `tasks/get` with `application/json`.",
        typescript="Pass `enableJsonResponse: true` to the transport.",
        section="Input Required Status",
        level="SHOULD NOT",
        since=4,
        until=4,
        transports=HTTP_ONLY,
        on=(_ON_GET,),
        check=check_stream,
    ),
    Rule(
        "L-TK4-17",
        Severity.INFO,
        "tasks",
        "tasks can be listed without authorization",
        why="Anyone who reaches the server can list the tasks of all users.",
        hint="Declare `tasks.list` only where requests are authorized.",
        section="Security Considerations",
        level="SHOULD NOT",
        since=4,
        until=4,
        transports=HTTP_ONLY,
        on=(On(Subject.RESULT, "initialize"),),
        check=check_list_capability,
        when=_lists_tasks,
    ),
    Rule(
        "L-TK4-18",
        Severity.INFO,
        "tasks",
        "task returned late",
        why="Clients time out before they get the task.",
        hint="Return the task as soon as the request is accepted.",
        section="Result Retrieval",
        level="SHOULD",
        since=4,
        until=4,
        on=_CALLS,
        check=check_lateness,
        members=("task", "taskId"),
        when=_is_uninterrupted,
    ),
    Rule(
        "L-TK4-19",
        Severity.INFO,
        "tasks",
        "task deleted early, or pollInterval unusable",
        why="Clients lose the result, or poll far too often or too rarely.",
        hint="Keep a task for its `ttl`, and set `pollInterval` to some seconds.",
        section="TTL and Resource Management",
        level="quality",
        since=4,
        until=4,
        on=(*_CALLS, On(Subject.ERROR, "tasks/get")),
        check=check_promises,
    ),
)
