"""Calls that run as tasks: made at once, asked for later.

A task waits for input only while a client waits for its result, because what it asks travels that way. It is forgotten when its time
to live is over.

Source: basic/utilities/tasks.
"""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inspector.demo.paging import page
from inspector.demo.request_errors import INVALID_PARAMS, METHOD_NOT_FOUND, RpcError
from inspector.demo.task_faults import FAULT_TOOL, broken_entry, broken_result, is_plain

if TYPE_CHECKING:
    from inspector.demo.call import Answer, Call
    from inspector.demo.conversation import Conversation
    from inspector.demo.server_requests import Question
    from inspector.wire.json_codec import Json, JsonObject

FINAL = ("completed", "failed", "cancelled")
RELATED = "io.modelcontextprotocol/related-task"

POLL_MS = 500
"""How often we suggest to be asked."""

TTL_MS = 600_000
MAX_TTL_MS = 3_600_000
"""How long a task is kept: when nothing is asked for, and at most."""


@dataclass(slots=True, eq=False)
class PendingRequest:
    """A question that a task wants to put to the client."""

    method: str
    """Its method."""
    params: JsonObject
    """Its params."""
    signal: threading.Event
    """Set when the answer is here."""
    question: Question | None = None
    """What was sent."""


class Task:
    """One call that runs as a task."""

    def __init__(self, call: Call, ttl_ms: int, fault: str) -> None:
        """Begin to work."""
        self.id = secrets.token_urlsafe(16)
        self.call = call
        self.status = "working"
        self.created_at = self.updated_at = time.time()
        self.ttl_ms = ttl_ms
        self._fault = fault
        self.status_text = "Started"
        self.outcome: JsonObject | RpcError | None = None
        self._pending: PendingRequest | None = None
        self.changing = threading.Condition()

    @property
    def is_ended(self) -> bool:
        """Whether it will not change any more."""
        return self.status in FINAL

    @property
    def is_expired(self) -> bool:
        """Whether it may be forgotten."""
        return time.time() > self.created_at + self.ttl_ms / 1000

    @property
    def meta(self) -> JsonObject:
        """`_meta` of what belongs to it."""
        return {RELATED: {"taskId": self.id}}

    @property
    def reports_progress(self) -> bool:
        """Whether progress goes on under the token of the call."""
        return True

    def created(self) -> JsonObject:
        """The result of the call."""
        return {"task": self.entry()}

    def entry(self) -> JsonObject:
        """How it is doing."""
        entry: JsonObject = {
            "taskId": self.id,
            "status": self.status,
            "createdAt": moment(self.created_at),
            "lastUpdatedAt": moment(self.updated_at),
            "ttl": self.ttl_ms,
            "pollInterval": POLL_MS,
        }
        if self.status_text:
            entry["statusMessage"] = self.status_text
        return broken_entry(entry, self._fault)

    def become(self, status: str, text: str = "") -> None:
        """Change, unless it is over, and tell the client."""
        with self.changing:
            if self.is_ended:
                return
            self.status, self.status_text, self.updated_at = status, text, time.time()
            self.changing.notify_all()
        self.announce()

    def announce(self) -> None:
        """Tell the client."""
        self.call.conversation.notify("notifications/tasks/status", self.entry())

    def finish(self, answer: Answer | None) -> None:
        """Take what the call came to; nothing when it was cancelled."""
        if answer is None:
            self.become("cancelled", "Cancelled")
        elif answer.result.get("isError"):
            self.end("failed", "The tool says that it failed", answer.result)
        else:
            self.end("completed", "Done", answer.result)

    def fail(self, error: RpcError) -> None:
        """Take the error that the call came to."""
        self.end("failed", error.message, error)

    def forget(self) -> None:
        """Stop without a word: it cannot be asked for any more, and a status of it would be news of nothing."""
        with self.changing:
            if not self.is_ended:
                self.status, self.outcome = "cancelled", _not_found()
                self.changing.notify_all()
        self.call.cancel()

    def want(self, method: str, params: JsonObject, signal: threading.Event) -> PendingRequest:
        """Ask the client as soon as it waits for the result."""
        pending = PendingRequest(method, {**params, "_meta": self.meta}, signal)
        with self.changing:
            self._pending = pending
        self.become("input_required", f"Wants {method}")
        return pending

    def asked(self, pending: PendingRequest) -> Question | None:
        """What was sent of it; the answer may be quicker than the note that it was."""
        with self.changing:
            return pending.question

    def result(self) -> JsonObject:
        """Wait until it is over; meanwhile questions are put to the client.

        Raises:
            RpcError: that is what the call came to, or it was cancelled.
        """
        while not self.is_ended and self._fault != "early_result":
            with self.changing:
                self.changing.wait_for(lambda: self.is_ended or self._pending is not None)
                pending, self._pending = self._pending, None
                if pending is not None:
                    questions = self.call.conversation.questions
                    pending.question = questions.ask(pending.method, pending.params, pending.signal)
        if isinstance(self.outcome, RpcError):
            raise self.outcome
        if self.outcome is None and self.status == "cancelled":
            raise RpcError(INVALID_PARAMS, "The task was cancelled")
        return broken_result(self.outcome or {"content": []}, self.meta, self._fault)

    def end(self, status: str, text: str, outcome: JsonObject | RpcError) -> None:
        """Be over, with this outcome."""
        self.outcome = outcome
        self.become(status, text)
        if self._fault == "comes_back":
            self.status, self.status_text = "working", "Working again"
            self.announce()
            self.status = status


class Tasks:
    """Those of one client, oldest first."""

    def __init__(self) -> None:
        """Start without any."""
        self.known: dict[str, Task] = {}

    def begin(self, call: Call) -> Task | None:
        """The task that a call is to be; None for a call like any other.

        Raises:
            RpcError: the tool does not run that way.
        """
        if not call.revision.has_tasks:
            return None
        requested, support = call.task_request, call.tool.task_support
        if requested is None and support == "required":
            raise RpcError(METHOD_NOT_FOUND, f"{call.tool.name} runs as a task only")
        if requested is not None and support not in {"optional", "required"}:
            raise RpcError(METHOD_NOT_FOUND, f"{call.tool.name} does not run as a task")
        fault = call.arguments.text("how") if call.tool.name == FAULT_TOOL else ""
        if requested is None or is_plain(fault):
            return None
        asked = requested.get("ttl")
        ttl = asked if isinstance(asked, int) and not isinstance(asked, bool) else TTL_MS
        task = Task(call, max(0, min(ttl, MAX_TTL_MS)), fault)
        call.task = task
        self.known[task.id] = task
        return task

    def find(self, id_: Json) -> Task:
        """The task of that id.

        Raises:
            RpcError: there is no such task, or not any more.
        """
        self._forget()
        task = self.known.get(id_) if isinstance(id_, str) else None
        if task is None:
            raise _not_found()
        return task

    def entries(self) -> list[Json]:
        """How all of them are doing."""
        self._forget()
        return [task.entry() for task in self.known.values()]

    def _forget(self) -> None:
        for task in [task for task in self.known.values() if task.is_expired]:
            task.forget()
            del self.known[task.id]


def _not_found() -> RpcError:
    return RpcError(INVALID_PARAMS, "Failed to retrieve task: Task not found")


def get(conversation: Conversation, params: JsonObject) -> JsonObject:
    """`tasks/get`."""
    return _tasks(conversation).find(params.get("taskId")).entry()


def result(conversation: Conversation, params: JsonObject) -> JsonObject:
    """`tasks/result`, which takes as long as the task does."""
    return _tasks(conversation).find(params.get("taskId")).result()


def listed(conversation: Conversation, params: JsonObject) -> JsonObject:
    """`tasks/list`."""
    return page("tasks", _tasks(conversation).entries(), params, conversation.options)


def cancel(conversation: Conversation, params: JsonObject) -> JsonObject:
    """`tasks/cancel`."""
    task = _tasks(conversation).find(params.get("taskId"))
    if task.is_ended:
        raise RpcError(INVALID_PARAMS, f"Cannot cancel task: already in status {task.status}")
    task.become("cancelled", "Cancelled by the client")
    task.call.cancel()
    return task.entry()


def _tasks(conversation: Conversation) -> Tasks:
    if not conversation.revision.has_tasks:
        raise RpcError(METHOD_NOT_FOUND, "This revision has no tasks")
    return conversation.tasks


def moment(wall_s: float) -> str:
    """A time, unix seconds, as it is told."""
    thousandths = int(
        wall_s % 1 * 1000
    )  # rounded, the end of a second would be told as its beginning
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(wall_s))}.{thousandths:03}Z"
