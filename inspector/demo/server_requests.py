"""Our own requests, waiting for the client.

Ids count from 1 as most clients' do: both sides may use the same numbers, and a client has to keep them apart.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import threading

    from inspector.demo.writer import Outlet
    from inspector.wire.json_codec import JsonObject


class Question:
    """One request of this server."""

    def __init__(self, number: int, signal: threading.Event) -> None:
        """Wait for the answer to request `number`; `signal` is set when it came."""
        self.number = number
        self.answer: JsonObject | None = None
        self._signal = signal

    def settle(self, response: JsonObject) -> None:
        """Take the whole response."""
        self.answer = response
        self._signal.set()


class Questions:
    """Those that are open."""

    def __init__(self, outlet: Outlet) -> None:
        """Send through `outlet`."""
        self._outlet = outlet
        self._numbers = itertools.count(1)
        self._open: dict[int, Question] = {}

    def ask(self, method: str, params: JsonObject | None, signal: threading.Event) -> Question:
        """Send a request; `signal` is set when its answer came."""
        question = Question(next(self._numbers), signal)
        self._open[question.number] = question
        message: JsonObject = {"jsonrpc": "2.0", "id": question.number, "method": method}
        if params is not None:
            message["params"] = params
        self._outlet.send(message)
        return question

    def withdraw(self, question: Question, reason: str) -> None:
        """Stop waiting, and tell the client."""
        if self._open.pop(question.number, None) is None:
            return
        params: JsonObject = {"requestId": question.number, "reason": reason}
        self._outlet.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})

    def settle(self, response: JsonObject) -> bool:
        """Give a response to the question that it answers; whether there is one."""
        number = response.get("id")
        if not isinstance(number, int) or isinstance(number, bool):
            return False
        question = self._open.pop(number, None)
        if question is None:
            return False
        question.settle(response)
        return True
