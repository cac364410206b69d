"""What a running tool can do."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inspector.demo.arguments import Arguments
from inspector.demo.failure import Cancelled, ToolError
from inspector.demo.fit import fitted_result

if TYPE_CHECKING:
    from inspector.demo.conversation import Conversation
    from inspector.demo.tool import Tool
    from inspector.wire.jsontext import JsonObject


@dataclass(frozen=True, slots=True)
class Answer:
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
        self.is_cancelled = False
        self._signal = threading.Event()

    @property
    def progress_token(self) -> str | int | None:
        """What the client calls the progress of this call; None when it wants to hear of none."""
        meta = self._params.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        return token if isinstance(token, str | int) else None

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
        if self.progress_token is None:
            return
        params: JsonObject = {"progressToken": self.progress_token, "progress": done}
        if total is not None:
            params["total"] = total
        if message and self.revision.progress_has_message:
            params["message"] = message
        self.conversation.notify("notifications/progress", params)

    def ask(self, method: str, params: JsonObject | None, *, seconds: float) -> JsonObject:
        """Send the client a request and wait for its whole response, `error` or `result`.

        Raises:
            Cancelled: the client cancelled the call meanwhile.
            ToolError: no response came within `seconds`.
        """
        questions = self.conversation.questions
        self._stop_if_cancelled()
        self._signal.clear()
        question = questions.ask(method, params, self._signal)
        self._signal.wait(seconds)
        if question.answer is not None and not self.is_cancelled:
            return question.answer
        questions.withdraw(question, "cancelled" if self.is_cancelled else "no answer")
        self._stop_if_cancelled()
        raise ToolError(f"The client did not answer {method} within {seconds:g} seconds.")

    def response(self, result: JsonObject) -> JsonObject:
        """The message that answers this call."""
        return {"jsonrpc": "2.0", "id": self.id, "result": fitted_result(result, self.revision)}

    def _stop_if_cancelled(self) -> None:
        if self.is_cancelled:
            raise Cancelled


def elapsed(since: float) -> str:
    """Time since `since` (of `time.perf_counter`) in words."""
    return f"{(time.perf_counter() - since) * 1000:.1f} ms"
