"""Tasks of the core: what asks for one gets one, what belongs to one says so, and what is promised about one is kept.

Source: basic/utilities/tasks of the revision that has them.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from inspector.checks.families.listing import text_of
from inspector.checks.seen import At
from inspector.checks.task_history import created_task
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec import task_rules, tasks
from inspector.spec.error_codes import METHOD_NOT_FOUND
from inspector.spec.findings import make_finding
from inspector.spec.keys import META
from inspector.visible_text import one_line
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding
    from inspector.wire.json_codec import JsonObject

MAX_OPEN = 100
"""Open requests that are looked at."""

_OF_TASKS = re.compile(r"\btasks?\b", re.IGNORECASE)


def params_of(message: ReceivedMessage) -> JsonObject:
    """Return the params of the request of a response; an empty object for none."""
    params = message.request_params()
    return params if isinstance(params, dict) else {}


def task_id_of(message: ReceivedMessage) -> str:
    """Return the task that a request is about; empty for none."""
    id_ = params_of(message).get("taskId")
    return id_ if isinstance(id_, str) else ""


def creates_task(message: ReceivedMessage, history: History) -> bool:
    """Whether a result creates a task."""
    del history
    return created_task(message) is not None


def _has_tasks(history: History) -> bool:
    return bool(history.has_capability("tasks", "requests", "tools", "call"))


def check_unique(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a task has the id of another."""
    created = created_task(message)
    known = history.tasks.known.get(str(created.get("taskId"))) if created is not None else None
    if known is not None:
        text = f"the task of #{known.number} already has this id"
        yield make_finding("L-TK4-04", text, "/result/task/taskId", message.revision)


def check_kind(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a plain result although a task was requested, or the reverse."""
    is_task, is_asked = creates_task(message, history), "task" in params_of(message)
    if is_task and not is_asked:
        text = "no task was requested, but the result is a task"
    elif is_asked and not is_task:
        text = "a task was requested, but the result is not a task"
    else:
        return
    yield make_finding("L-TK4-05", text, "/result", message.revision)


def _may_be_task(message: ReceivedMessage, history: History) -> bool:
    """A server that does not declare tasks ignores the request for one."""
    is_asked = _has_tasks(history) and "task" in params_of(message)
    return is_asked or creates_task(message, history)


def check_support(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a call got what the tool does not offer."""
    support, is_asked = _support_of(message, history), "task" in params_of(message)
    code = message.error.get("code")
    is_result = message.kind is MessageKind.RESPONSE
    if support == "required" and not is_asked and is_result and not creates_task(message, history):
        text = (
            f"the tool requires a task; a call without one must fail with error {METHOD_NOT_FOUND}"
        )
        is_refused = message.result.get("isError") is True  # as the TypeScript SDK does
        severity = Severity.INFO if is_refused else None
        yield make_finding("L-TK4-06", text, "/result", message.revision, severity=severity)
    elif support == "required" and not is_asked and code != METHOD_NOT_FOUND:
        if _OF_TASKS.search(str(message.error.get("message"))[:500]):
            text = f"a call without the task that the tool requires must fail with error {METHOD_NOT_FOUND}, not {code}"
            yield make_finding("L-TK4-06", text, "/error/code", message.revision)
    elif support == "forbidden" and is_asked and creates_task(message, history):
        text = f"the tool forbids tasks; a call as a task should fail with error {METHOD_NOT_FOUND}"
        severity = Severity.WARNING
        yield make_finding("L-TK4-06", text, "/result", message.revision, severity=severity)


def _support_of(message: ReceivedMessage, history: History) -> object:
    whole = history.lists.get("tools/list")
    return history.tasks.task_support(params_of(message).get("name"), whole)


def _is_negotiated(message: ReceivedMessage, history: History) -> bool:
    if not _has_tasks(history):
        return False
    support, is_asked = _support_of(message, history), "task" in params_of(message)
    return (support == "required" and not is_asked) or (support == "forbidden" and is_asked)


def check_result(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that the result of a task does not name it."""
    del history
    result = message.value.get("result")
    yield from task_rules.check_task_result(task_id_of(message), result, message.revision)


def check_group(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a request names an unknown task, or does not name the one that it can only belong to."""
    named = tasks.related(message.params.get(META))
    if named is not None:
        if named in history.tasks.known:
            return
        text = f"`_meta` references the unknown task “{one_line(named, 80)}”"
    else:
        text = "the request belongs to a task, but `_meta` does not reference it"
    yield make_finding("L-TK4-08", text, "/params/_meta", message.revision)


def _belongs_to_task(message: ReceivedMessage, history: History) -> bool:
    """Whether it names a task, or comes while nothing but the result of one is waited for."""
    if tasks.related(message.params.get(META)) is not None:
        return True
    calls = history.calls
    opened = [calls.open.get(number) for number in islice(calls.open, MAX_OPEN)]
    methods = {call.method for call in opened if call is not None}
    return tasks.CORE.result_method in methods and all(m.startswith("tasks/") for m in methods)


def check_early(message: ReceivedMessage, history: History) -> Iterator[At]:
    """Yield that the result of a task came before its end, as the task says when it is asked afterwards."""
    number = history.tasks.fetched.pop(task_id_of(message))
    status = text_of(message.result.get("status"))
    if number is not None and message.request > number and status in {"working", "input_required"}:
        text = f"the result was returned before the task had ended: its status was still `{status}` afterward"
        yield At(number, make_finding("L-TK4-10", text, "/result", message.revision))


def _is_fetched(message: ReceivedMessage, history: History) -> bool:
    return task_id_of(message) in history.tasks.fetched


_RESULTS, _RELATED = "Result Retrieval", "Associating"
_CALLS = (On(Subject.RESULT, "tools/call"),)
_ON_GET, _ON_RESULT = On(Subject.RESULT, "tasks/get"), On(Subject.RESULT, "tasks/result")
_ASKED = ("sampling/createMessage", "elicitation/create", "roots/list")

RULES = (
    Rule(
        "L-TK4-04",
        Severity.ERROR,
        "tasks",
        "task id not unique",
        why="Clients that request one task get another.",
        hint="Generate each task id with a secure random source, such as UUID version 4.",
        section="Task ID Requirements",
        level="MUST",
        since=4,
        until=4,
        on=_CALLS,
        check=check_unique,
        members=("task", "taskId"),
        when=creates_task,
    ),
    Rule(
        "L-TK4-05",
        Severity.ERROR,
        "tasks",
        "task requested but not returned, or the reverse",
        why="A client that expects a task never gets the result, and one that does not cannot read a task.",
        hint="Return a task if, and only if, the request has `task`.",
        section=_RESULTS,
        level="MUST",
        since=4,
        until=4,
        on=_CALLS,
        check=check_kind,
        when=_may_be_task,
    ),
    Rule(
        "L-TK4-06",
        Severity.ERROR,
        "tasks",
        "call against taskSupport without error -32601",
        why="Clients that ignore `taskSupport` do not learn what is wrong.",
        hint="Reject a call that does not match `execution.taskSupport` with error -32601.",
        section="Tool-Level Negotiation",
        level="MUST",
        since=4,
        until=4,
        on=(*_CALLS, On(Subject.ERROR, "tools/call")),
        check=check_support,
        when=_is_negotiated,
    ),
    Rule(
        "L-TK4-07",
        Severity.ERROR,
        "tasks",
        "task result without related-task metadata",
        why="Clients with several tasks cannot match the result to its task.",
        hint="Put `io.modelcontextprotocol/related-task` into `_meta` of the result of `tasks/result`.",
        section="Associating Task-Related Messages",
        level="MUST",
        since=4,
        until=4,
        on=(_ON_RESULT,),
        check=check_result,
    ),
    Rule(
        "L-TK4-08",
        Severity.ERROR,
        "tasks",
        "task message without related-task metadata",
        why="Users get a request without the task that it belongs to.",
        hint="Put `io.modelcontextprotocol/related-task` into `_meta` of each request for a task.",
        section="Associating Task-Related Messages",
        level="MUST",
        since=4,
        until=4,
        on=tuple(On(Subject.REQUEST, method) for method in _ASKED),
        check=check_group,
        when=_belongs_to_task,
    ),
    Rule(
        "L-TK4-10",
        Severity.ERROR,
        "tasks",
        "task result before the task has ended",
        why="Clients treat an unfinished task as its result.",
        hint="Block `tasks/result` until the task has ended.",
        section=_RESULTS,
        level="MUST",
        since=4,
        until=4,
        on=(_ON_GET,),
        check=check_early,
        when=_is_fetched,
    ),
)
