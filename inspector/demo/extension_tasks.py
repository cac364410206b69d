"""Calls that run as tasks of the extension: the server decides which, and any client that knows the id may ask for one later.

`tasks/get` returns the outcome of a task, or what input it requires; `tasks/update` brings that input.

Source: the tasks extension.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from inspector.demo.extension_task_faults import (
    FAULT_TOOL,
    OTHER_CODE,
    broken_creation,
    broken_detail,
)
from inspector.demo.listeners import NEWS
from inspector.demo.meta import MISSING_CAPABILITY, TASK
from inspector.demo.request_errors import INVALID_PARAMS, Cancelled, RpcError, ToolError
from inspector.demo.revision_filter import fitted_result
from inspector.demo.tasks import POLL_MS, TTL_MS, Task, Tasks, moment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.demo.call import Answer, Call
    from inspector.demo.conversation import Conversation
    from inspector.demo.embedded_inputs import Asked
    from inspector.demo.listeners import Listeners
    from inspector.wire.json_codec import Json, JsonObject

EXTENSION = "io.modelcontextprotocol/tasks"

MAX_KEPT = 1000
"""Tasks that are remembered; the oldest that are over make room."""

SUPPORTING = ("optional", "required")

NOT_FOUND = "Failed to retrieve task: Task not found"


class LastingTask(Task):
    """One call that runs as a task of the extension."""

    def __init__(self, call: Call, fault: str, listeners: Listeners) -> None:
        """Begin to work."""
        super().__init__(call, TTL_MS, "")
        self.fault = fault
        self._listeners = listeners
        self._asked: dict[str, Asked] = {}
        self._answers: dict[str, JsonObject] = {}

    @property
    def reports_progress(self) -> bool:
        """There is no progress of such a task."""
        return False

    def created(self) -> JsonObject:
        """The result of the call."""
        return broken_creation({"resultType": TASK, **self.entry()}, self.fault)

    def entry(self) -> JsonObject:
        """How it is doing, without what it gave."""
        entry: JsonObject = {
            "taskId": self.id,
            "status": self.status,
            "createdAt": moment(self.created_at),
            "lastUpdatedAt": moment(self.updated_at),
            "ttlMs": self.ttl_ms,
            "pollIntervalMs": POLL_MS,
        }
        return {**entry, "statusMessage": self.status_text} if self.status_text else entry

    def notification(self) -> JsonObject:
        """How it is doing, with all that belongs to that."""
        with self.changing:
            entry, outcome = self.entry(), self.outcome
        if self.status == "input_required":
            entry["inputRequests"] = {key: asked.entry() for key, asked in self._asked.items()}
        elif self.status == "completed" and isinstance(outcome, dict):
            entry["result"] = fitted_result(outcome, self.call.revision)
        elif self.status == "failed" and isinstance(outcome, RpcError):
            entry["error"] = outcome.described()
        return broken_detail(entry, self.fault)

    def announce(self) -> None:
        """Tell those that listen."""
        self._listeners.announce(NEWS, self.notification())
        if self.fault == "progress":
            self._listeners.report(self.id, {"progressToken": self.id, "progress": 1})

    def finish(self, answer: Answer | None) -> None:
        """Take what the call came to; a result that says `isError` is a result."""
        if answer is None:
            self.become("cancelled", "Cancelled")
        else:
            failed = answer.result.get("isError")
            self.end(
                "completed", "The tool says that it failed" if failed else "Done", answer.result
            )

    def end(self, status: str, text: str, outcome: JsonObject | RpcError) -> None:
        """Be over, with this outcome."""
        # Who asks meanwhile learns of the end, after which it may listen no more, when all is told.
        with self.changing:
            super().end(status, text, outcome)
            if self.fault == "comes_back":
                self._listeners.announce(NEWS, {**self.entry(), "status": "working"})

    def gather(self, questions: Mapping[str, Asked], seconds: float) -> dict[str, JsonObject]:
        """Ask, and wait until everything is answered; each whole response by key.

        Raises:
            Cancelled: the task was cancelled meanwhile.
            ToolError: not everything was answered within `seconds`.
        """
        with self.changing:
            self._answers, self._asked = {}, dict(questions)
        self.become("input_required", f"Wants {', '.join(a.method for a in questions.values())}")
        with self.changing:
            done = self.changing.wait_for(lambda: self.is_ended or not self._asked, seconds)
        if self.is_ended:
            raise Cancelled
        if not done:
            raise ToolError(f"The client did not answer within {seconds:g} seconds.")
        return {key: {"result": answer} for key, answer in self._answers.items()}

    def give(self, answers: JsonObject) -> None:
        """Take answers; unsolicited ones are ignored."""
        with self.changing:
            for key in [key for key in self._asked if isinstance(answers.get(key), dict)]:
                answer = answers[key]
                del self._asked[key]
                self._answers[key] = answer if isinstance(answer, dict) else {}
            is_complete = self.status == "input_required" and not self._asked
            self.changing.notify_all()
        if is_complete:
            self.become("working", "Has what it wanted")
        elif not self.is_ended:
            self.announce()

    def stop(self) -> None:
        """Cancel it, unless it is over."""
        if not self.is_ended and self.fault != "stubborn":
            self.become("cancelled", "Cancelled by the client")
            self.call.cancel()


class LastingTasks(Tasks):
    """Those of everybody, oldest first; any thread may use them."""

    def __init__(self, listeners: Listeners) -> None:
        """Start without any; changes are told to `listeners`."""
        super().__init__()
        self._listeners = listeners
        self._lock = threading.Lock()

    def begin(self, call: Call) -> Task | None:
        """The task that a call becomes; None for a call like any other.

        Raises:
            InputRequired: the tool wants to know something before.
            RpcError: the tool runs as a task only, and the client did not declare that it takes one.
        """
        support = call.tool.task_support
        if support not in SUPPORTING:
            return None
        if not is_declared(call.conversation):
            if support == "required":
                raise undeclared(call.tool.name)
            return None
        if call.tool.before is not None:
            call.tool.before(call)
        fault = call.arguments.text("how") if call.tool.name == FAULT_TOOL else ""
        task = call.task = LastingTask(call, fault, self._listeners)
        with self._lock:
            if fault == "guessable_id":
                task.id = f"task-{len(self.known) + 1}"
            self.known[task.id] = task
            ended = [id_ for id_, each in self.known.items() if each.is_ended]
            for id_ in ended[: max(0, len(self.known) - MAX_KEPT)]:
                del self.known[id_]
        return task

    def lasting(self, conversation: Conversation, params: JsonObject, method: str) -> LastingTask:
        """The task that a request is about.

        Raises:
            RpcError: there is no such task, or the client did not declare that there are tasks.
        """
        if not is_declared(conversation):
            raise undeclared(method)
        with self._lock:
            task = self.find(params.get("taskId"))
        assert isinstance(task, LastingTask)
        if task.fault == "vanishes":
            raise RpcError(INVALID_PARAMS, NOT_FOUND)
        if task.fault == "other_code" and task.is_ended:
            raise RpcError(OTHER_CODE, NOT_FOUND)
        return task


def get(conversation: Conversation, params: JsonObject) -> JsonObject:
    """`tasks/get`."""
    return conversation.state.tasks.lasting(conversation, params, "tasks/get").notification()


def update(conversation: Conversation, params: JsonObject) -> JsonObject:
    """`tasks/update`."""
    task = conversation.state.tasks.lasting(conversation, params, "tasks/update")
    answers = params.get("inputResponses")
    if not isinstance(answers, dict):
        raise RpcError(INVALID_PARAMS, "inputResponses must be an object")
    task.give(answers)
    return task.notification() if task.fault == "loud" else {}


def cancel(conversation: Conversation, params: JsonObject) -> JsonObject:
    """`tasks/cancel`."""
    task = conversation.state.tasks.lasting(conversation, params, "tasks/cancel")
    task.stop()
    return task.notification() if task.fault == "loud" else {}


def is_declared(conversation: Conversation) -> bool:
    """Whether the client takes tasks."""
    extensions: Json = conversation.capabilities.get("extensions")
    return isinstance(extensions, dict) and EXTENSION in extensions


def undeclared(what: str) -> RpcError:
    """The refusal of what needs tasks."""
    data: JsonObject = {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}
    return RpcError(MISSING_CAPABILITY, f"{what} needs a client that takes tasks", data)
