"""The calls that run: opened by the reader, so that a cancellation which follows at once finds them, and run on threads."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from inspector.demo.call import Answer, Call
from inspector.demo.check import problems
from inspector.demo.content import failure
from inspector.demo.request_errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    Cancelled,
    InputRequired,
    RpcError,
    ToolError,
)
from inspector.demo.tools import find
from inspector.demo.writer import write_stderr

if TYPE_CHECKING:
    from inspector.demo.conversation import Conversation
    from inspector.wire.json_codec import Json, JsonObject


class Calls:
    """Every `tools/call` that is not answered yet."""

    def __init__(self) -> None:
        """Start without any."""
        self._open: dict[str | int, Call] = {}

    def open(self, request: JsonObject, line: bytes, conversation: Conversation) -> Call:
        """The call that `request` asks for in a conversation.

        Raises:
            RpcError: there is no such tool, or the request is not as it should be.
        """
        if not conversation.is_open:
            raise RpcError(INVALID_REQUEST, "tools/call came before initialize")
        params = request.get("params")
        name = params.get("name") if isinstance(params, dict) else None
        tool = find(name, conversation) if isinstance(name, str) else None
        if tool is None or not isinstance(params, dict):
            raise RpcError(INVALID_PARAMS, f"Unknown tool: {name}")
        if not isinstance(params.get("arguments", {}), dict):
            raise RpcError(INVALID_PARAMS, "arguments must be an object")
        call = Call(request, line, tool, conversation)
        self._open[call.id] = call
        return call

    def run(self, call: Call) -> Answer | None:
        """Run it to its end; None when it gets no answer, or writes the response on its own.

        Raises:
            RpcError: the tool wants a JSON-RPC error, or broke.
        """
        try:
            call.wait(call.conversation.options.slow_answers_seconds)
            answer = _answer(call)
            if not call.is_cancelled or (answer is not None and answer.is_stubborn):
                return answer
            raise Cancelled
        except Cancelled:
            write_stderr(f"cancelled: call {call.id} of {call.tool.name}")
            return None
        finally:
            self._open.pop(call.id, None)

    def let_go(self, number: Json) -> None:
        """The call with that id has its response: it is not canceled when the client goes away."""
        if isinstance(number, str | int):
            self._open.pop(number, None)

    def cancel(self, number: Json) -> None:
        """Cancel the call with that id, if it still runs."""
        call = self._open.get(number) if isinstance(number, str | int) else None
        if call is not None:
            call.cancel()

    def cancel_all(self) -> None:
        """Cancel every call."""
        for call in tuple(self._open.values()):
            call.cancel()


def _answer(call: Call) -> Answer | None:
    """Wrong arguments and failures of the tool are results: a model can learn from them.

    Source: tools, "Error Handling".
    """
    wrong = list(problems(call.tool.input, call.arguments.values))
    if wrong:
        return Answer(failure("Wrong arguments: " + "; ".join(wrong) + "."))
    try:
        result = call.tool.run(call)
    except ToolError as error:
        return Answer(failure(str(error)))
    except InputRequired as wanted:
        return Answer(wanted.result)
    except (Cancelled, RpcError):
        raise
    except Exception as error:
        sys.excepthook(type(error), error, error.__traceback__)
        raise RpcError(INTERNAL_ERROR, f"Internal error: {error}") from error
    return Answer(result) if isinstance(result, dict) else result
