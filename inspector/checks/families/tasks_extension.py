"""The tasks extension: who may get a task, and what one asks for while it runs.

Source: the tasks extension.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.task_history import created_task
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec import tasks
from inspector.spec.error_codes import INVALID_PARAMS
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value
from inspector.spec.keys import TASKS_EXTENSION
from inspector.spec.pointer import join
from inspector.spec.task_rules import declares_tasks
from inspector.visible_text import one_line
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding
    from inspector.wire.json_codec import Json, JsonObject

GRACE_SECONDS = 10.0
"""How long a task may still list an input request after we responded to it."""


def _params(message: ReceivedMessage) -> JsonObject:
    params = message.request_params()
    return params if isinstance(params, dict) else {}


def check_declared(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a task for a client that did not declare them; one that `params.task` caused is L-TKX-19."""
    del history
    params = _params(message)
    if not declares_tasks(params) and "task" not in params:
        text = f"the result is a task, but the request did not declare `{TASKS_EXTENSION}`"
        yield make_finding("L-TKX-01", text, "/result/resultType", message.revision)


def _creates(message: ReceivedMessage, history: History) -> bool:
    del history
    return created_task(message) is not None


def check_presence(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a new task is unknown when it is asked for the first time."""
    del history
    if message.error.get("code") == INVALID_PARAMS:
        text = "the task is unknown right after it was created"
        yield make_finding("L-TKX-05", text, "/error", message.revision)


def _is_new(message: ReceivedMessage, history: History) -> bool:
    known = history.tasks.known.get(str(_params(message).get("taskId")))
    if known is None or known.polls or known.is_final or known.is_cancelled:
        return False
    return known.is_kept(message.monotonic_s)


def _inputs(message: ReceivedMessage) -> tuple[str, str, dict[str, Json]]:
    """Return the id of a task, the pointer to its input requests, and those."""
    is_news = message.kind is MessageKind.NOTIFICATION
    task = message.params if is_news else message.result
    requests = task.get("inputRequests")
    pointer = "/params/inputRequests" if is_news else "/result/inputRequests"
    read = requests if isinstance(requests, dict) else {}
    return str(task.get("taskId")), pointer, read


def check_keys(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a key stands for another input request than before."""
    id_, pointer, requests = _inputs(message)
    for key, each in requests.items():
        before = history.tasks.inputs.get((id_, key))
        if before is not None and before != each:
            text = f"key {one_line(format_value(key), 80)} was already used by another request of this task"
            yield make_finding("L-TKX-09", text, join(pointer, key), message.revision)


def check_repeated(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that an input request is made again some time after we responded to it."""
    id_, pointer, requests = _inputs(message)
    for key in requests:
        given_s = history.tasks.given.get((id_, key))
        if given_s is not None and message.monotonic_s - given_s > GRACE_SECONDS:
            text = f"input {one_line(format_value(key), 80)} was already provided, but is requested again"
            yield make_finding("L-TKX-21", text, join(pointer, key), message.revision)


def _asks(message: ReceivedMessage, history: History) -> bool:
    del history
    task = message.params if message.kind is MessageKind.NOTIFICATION else message.result
    return "inputRequests" in task


def check_reason(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a failed task does not say why."""
    del history
    if not message.result.get("statusMessage"):
        text = "the task failed, and `statusMessage` does not say why"
        yield make_finding("L-TKX-18", text, "/result", message.revision)


def _has_failed(message: ReceivedMessage, history: History) -> bool:
    del history
    return message.result.get("status") == "failed"


_ON_GET = On(Subject.RESULT, "tasks/get")
_STATES = (_ON_GET, On(Subject.NOTIFICATION, tasks.EXTENSION.announced))

RULES = (
    Rule(
        "L-TKX-01",
        Severity.ERROR,
        "tasks",
        "task although the extension was not declared",
        why="Clients without the extension cannot read the task, and never get the result.",
        hint="Return a task only if the request declares the extension `io.modelcontextprotocol/tasks`.",
        section="How Tasks work",
        level="MUST NOT",
        since=5,
        on=(On(Subject.RESULT, "tools/call"),),
        check=check_declared,
        members=("task", "taskId"),
        when=_creates,
    ),
    Rule(
        "L-TKX-05",
        Severity.ERROR,
        "tasks",
        "new task unknown to tasks/get",
        why="Clients treat the task as lost, and never get its result.",
        hint="Store the task before you return it.",
        section="How Tasks work",
        level="MUST",
        since=5,
        on=(On(Subject.ERROR, "tasks/get"),),
        check=check_presence,
        when=_is_new,
    ),
    Rule(
        "L-TKX-09",
        Severity.ERROR,
        "tasks",
        "input request key reused",
        why="Clients respond to each key once, so the second request stays open or gets the first response.",
        hint="Use a unique key for each input request of a task.",
        section="For MCP servers",
        level="MUST",
        since=5,
        on=_STATES,
        check=check_keys,
        when=_asks,
    ),
    Rule(
        "L-TKX-18",
        Severity.WARNING,
        "tasks",
        "failed task without a reason",
        why="Users see that a task failed, but not why.",
        hint="Set `statusMessage` to the reason of the failure.",
        section="Task lifecycle",
        level="SHOULD",
        since=5,
        on=(_ON_GET,),
        check=check_reason,
        when=_has_failed,
    ),
    Rule(
        "L-TKX-21",
        Severity.ERROR,
        "tasks",
        "input request repeated after its response",
        why="Users have to provide the same input again.",
        hint="List an input request until its response arrives, and not afterward.",
        section="For MCP servers",
        level="MUST",
        since=5,
        on=_STATES,
        check=check_repeated,
        when=_asks,
    ),
)
