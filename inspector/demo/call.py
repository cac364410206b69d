"""What a running tool can do."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from inspector.demo.arguments import Arguments
from inspector.demo.embedded_inputs import Asked
from inspector.demo.extension_tasks import LastingTask
from inspector.demo.request_errors import Cancelled, ToolError
from inspector.demo.revision_filter import fitted_result
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.demo.conversation import Conversation
    from inspector.demo.server_requests import Question
    from inspector.demo.tasks import Task
    from inspector.demo.tool import Tool
    from inspector.wire.json_codec import JsonObject


class Answer(FrozenStruct, frozen=True):
    """A result with a peculiarity."""

    result: JsonObject
    """The proper result."""
    is_stubborn: bool = False
    """Leave even though the client cancelled."""


class Call:
    """One `tools/call` while it runs, on a thread of its own."""

    def __init__(
        self, request: JsonObject, line: bytes, tool: Tool, conversation: Conversation
    ) -> None:
        """Keep the request, also as the exact `line` that it came in."""
        number = request["id"]
        assert isinstance(number, str | int)
        self.id = number
        self.line = line
        self.tool = tool
        self.conversation = conversation
        self.outlet = conversation.outlet
        self.revision = conversation.revision
        params = request.get("params")
        self._params: JsonObject = params if isinstance(params, dict) else {}
        values = self._params.get("arguments")
        self.arguments = Arguments(values if isinstance(values, dict) else {}, tool.input)
        self.task: Task | None = None
        self.is_cancelled = False
        self._questions = 0
        self._signal = threading.Event()

    @property
    def progress_token(self) -> str | int | None:
        """What the client calls the progress of this call; None when it wants to hear of none."""
        meta = self._params.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        return token if isinstance(token, str | int) else None

    @property
    def task_request(self) -> JsonObject | None:
        """What the client said of the task that it wants; None when it wants none."""
        requested = self._params.get("task")
        return requested if isinstance(requested, dict) else None

    def set_status(self, text: str) -> None:
        """Tell how the task is doing; of a call that is none, nothing is told."""
        if self.task is not None:
            self.task.become("working", text)

    def cancel(self) -> None:
        """Called by the reader: the client cancelled."""
        self.is_cancelled = True
        self._signal.set()

    def wait(self, seconds: float) -> None:
        """Let time pass.

        Raises:
            Cancelled: the client cancelled meanwhile.
        """
        self._signal.wait(seconds)
        self._stop_if_cancelled()

    def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        """Tell how far it is, if the client wants to know."""
        if self.progress_token is None or (self.task and not self.task.reports_progress):
            return
        params: JsonObject = {"progressToken": self.progress_token, "progress": done}
        if total is not None:
            params["total"] = total
        if message and self.revision.progress_has_message:
            params["message"] = message
        if self.task is not None:
            params["_meta"] = self.task.meta
        self.conversation.notify("notifications/progress", params)

    def ask(
        self, method: str, params: JsonObject | None, *, seconds: float, key: str = ""
    ) -> JsonObject:
        """Have the client answer a request: its whole response, `error` or `result`.

        In a session it is sent, and waited for. Elsewhere the call ends with a result that asks under `key`; when it comes again
        with the answer, this returns at once.

        Raises:
            Cancelled: the client cancelled the call meanwhile.
            InputRequired: the client has to send the call again with the answer.
            ToolError: no response came within `seconds`.
        """
        inputs = self.conversation.inputs
        self._questions += 1
        key = key or f"question_{self._questions}"
        if isinstance(self.task, LastingTask):
            return self.task.gather({key: Asked(method, params or {})}, seconds)[key]
        if inputs is None:
            return self._ask_now(method, params, seconds)
        return {"result": inputs.demand({key: Asked(method, params or {})})[key]}

    def ask_all(
        self, questions: Mapping[str, Asked], *, seconds: float, remember: bool = False
    ) -> dict[str, JsonObject]:
        """Have the client answer several: as `ask`, with the responses by key; in a session one after the other.

        Raises:
            Cancelled: the client cancelled the call meanwhile.
            InputRequired: the client has to send the call again with the answers.
            ToolError: no response came within `seconds`.
        """
        inputs = self.conversation.inputs
        if isinstance(self.task, LastingTask):
            return self.task.gather(questions, seconds)
        if inputs is None:
            return {
                key: self._ask_now(asked.method, asked.params, seconds)
                for key, asked in questions.items()
            }
        answers = inputs.demand(questions, remember=remember)
        return {key: {"result": answer} for key, answer in answers.items()}

    def _ask_now(self, method: str, params: JsonObject | None, seconds: float) -> JsonObject:
        questions = self.conversation.questions
        self._stop_if_cancelled()
        self._signal.clear()
        question = self._put(method, params, seconds)
        self._signal.clear()  # or what is waited for next would be here at once
        if self.is_cancelled:
            self._signal.set()
        if question is not None and question.answer is not None and not self.is_cancelled:
            return question.answer
        if question is not None:
            questions.withdraw(question, "cancelled" if self.is_cancelled else "no response")
        self._stop_if_cancelled()
        raise ToolError(f"The client did not respond to {method} within {seconds:g} seconds.")

    def _put(self, method: str, params: JsonObject | None, seconds: float) -> Question | None:
        """Ask and wait; a task asks when its result is waited for, and maybe never."""
        if self.task is None:
            question = self.conversation.questions.ask(method, params, self._signal)
            self._signal.wait(seconds)
            return question
        pending = self.task.want(method, params or {}, self._signal)
        self._signal.wait(seconds)
        return self.task.asked(pending)

    def response(self, result: JsonObject) -> JsonObject:
        """The message that answers this call."""
        fitting = fitted_result(result, self.revision)
        whole = self.conversation.wrapped("tools/call", fitting)
        return {"jsonrpc": "2.0", "id": self.id, "result": whole}

    def _stop_if_cancelled(self) -> None:
        if self.is_cancelled:
            raise Cancelled


def elapsed(since: float) -> str:
    """Time since `since` (of `time.perf_counter`) as text."""
    return f"{(time.perf_counter() - since) * 1000:.1f} ms"
