"""What rules know of the tasks of a connection: how each began, what it said of itself, and what was given to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.checks.latest import Latest
from inspector.spec import tasks
from inspector.spec.json_types import number_of
from inspector.spec.views.task import FINAL
from inspector.wire import json_codec
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.checks.seen import ReceivedMessage, SentRequest, WholeList
    from inspector.wire.json_codec import Json, JsonObject

MAX_STATUS = 40
"""Characters of a status."""

MAX_INPUT = 10_000
"""Characters of an input request that is remembered."""

MAX_TASKS = 1_000
"""Tasks that are remembered; the one that was heard of longest ago makes room."""


class KnownTask(NamedTuple):
    """A task that a request began."""

    number: int
    """The frame of the result that created it."""
    received_s: float
    status: str
    """What it said of itself last."""
    ttl_ms: float | None
    """How long it is kept; None for ever, or if it does not say."""
    polls: int = 0
    """How often `tasks/get` returned it."""
    is_cancelled: bool = False
    """Whether we asked to cancel it."""

    @property
    def is_final(self) -> bool:
        """Whether its status can no longer change."""
        return self.status in FINAL

    def is_kept(self, now_s: float) -> bool:
        """Whether the server promised to keep it until now."""
        return self.ttl_ms is None or now_s - self.received_s < self.ttl_ms / 1000


class TaskHistory:
    """The tasks of one connection."""

    def __init__(self) -> None:
        """Begin without any."""
        self.known: Latest[str, KnownTask] = Latest(MAX_TASKS)
        """By id."""
        self.inputs: Latest[tuple[str, str], Json] = Latest(MAX_TASKS)
        """Input requests that are not large, by the id of their task and their key."""
        self.given: Latest[tuple[str, str], float] = Latest(MAX_TASKS)
        """When we responded to one."""
        self.fetched: Latest[str, int] = Latest(MAX_TASKS)
        """By id, the frame of the result of `tasks/result`."""
        self._tools: tuple[WholeList | None, dict[str, Json]] = (None, {})

    def task_support(self, name: Json, whole: WholeList | None) -> Json:
        """Return what a tool of a list says about running as a task; None if the list or the tool is not known."""
        if whole is not self._tools[0]:
            items = (item.value for item in whole.items) if whole is not None else ()
            found = {str(each.get("name")): each for each in items if isinstance(each, dict)}
            self._tools = (whole, {key: _support(tool) for key, tool in found.items()})
        return self._tools[1].get(name) if isinstance(name, str) else None

    def add_sent(self, request: SentRequest) -> None:
        """Take note of a request about a task."""
        params = request.params if isinstance(request.params, dict) else {}
        id_ = params.get("taskId")
        known = self.known.get(str(id_)) if request.method == "tasks/cancel" else None
        if known is not None:
            self.known[str(id_)] = known._replace(is_cancelled=True)

    def add_checked(self, message: ReceivedMessage) -> None:
        """Take note of a message of the server, after the rules have looked at it."""
        if message.kind is MessageKind.RESPONSE:
            self._add_result(message)
        elif message.method in {tasks.CORE.announced, tasks.EXTENSION.announced}:
            self._add_state(message, message.params)

    def _add_result(self, message: ReceivedMessage) -> None:
        created = created_task(message)
        if created is not None:
            ttl = created.get("ttl", created.get("ttlMs"))
            kept = number_of(ttl)
            status = str(created.get("status"))[:MAX_STATUS]
            task = KnownTask(message.number, message.monotonic_s, status, kept)
            self.known[str(created.get("taskId"))] = task
        elif message.method == "tasks/get":
            self._add_state(message, message.result, polls=1)
        elif message.method in {tasks.CORE.result_method, tasks.EXTENSION.update_method}:
            params = message.request_params()
            self._add_accepted(message, params if isinstance(params, dict) else {})

    def _add_accepted(self, message: ReceivedMessage, params: JsonObject) -> None:
        """Take note that the server returned the result of a task, or took what we gave to one."""
        id_, responses = str(params.get("taskId")), params.get("inputResponses")
        if message.method == tasks.CORE.result_method:
            self.fetched[id_] = message.number
        for key in responses if isinstance(responses, dict) else ():
            self.given[id_, key] = message.monotonic_s

    def _add_state(self, message: ReceivedMessage, task: JsonObject, polls: int = 0) -> None:
        id_, status = str(task.get("taskId")), task.get("status")
        known = self.known.get(id_)
        if known is None or not isinstance(status, str):
            return
        self.known[id_] = known._replace(status=status[:MAX_STATUS], polls=known.polls + polls)
        requests = task.get("inputRequests")
        for key, each in requests.items() if isinstance(requests, dict) else ():
            if (id_, key) not in self.inputs and len(json_codec.write(each)) <= MAX_INPUT:
                self.inputs[id_, key] = each


def created_task(message: ReceivedMessage) -> JsonObject | None:
    """Return the task that a result creates, in either design; None if it creates none."""
    result = message.result
    if "content" in result or message.method in {"tasks/get", "tasks/list", "tasks/cancel"}:
        return None
    nested = result.get("task")
    if isinstance(nested, dict):
        return nested if isinstance(nested.get("taskId"), str) else None
    is_task = result.get("resultType") == "task" and isinstance(result.get("taskId"), str)
    return result if is_task else None


def _support(tool: JsonObject) -> Json:
    execution = tool.get("execution")
    support = execution.get("taskSupport") if isinstance(execution, dict) else None
    return support if support is not None else "forbidden"
