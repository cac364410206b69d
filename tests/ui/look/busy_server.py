"""A server in memory that does, when a test says so, everything that may happen to a window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire.frame import Channel
from tests.support.answering import AnsweringServer, Silence, tool

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "count": {"type": "integer", "minimum": 1, "description": "From 1"},
        "name": {"type": "string", "minLength": 2, "description": "At least two letters"},
        "address": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "code": {"type": "integer"}},
            "required": ["city"],
        },
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["count"],
}
OUTPUT: JsonObject = {"type": "object", "properties": {"sum": {"type": "integer"}}}

FORM: JsonObject = {
    "message": "Who are you?",
    "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
}
REQUESTS: dict[str, JsonObject] = {
    "sampling/createMessage": {
        "messages": [{"role": "user", "content": {"type": "text", "text": "How far is it?"}}],
        "maxTokens": 5,
    },
    "elicitation/create": FORM,
}
"""The kinds of requests that wait for the user, with params."""

TEXT: Json = {"type": "text", "text": "fine"}
LONG: Json = {"type": "text", "text": "a line of the result\n" * 2000}
RESULTS: dict[str, JsonObject] = {
    "one line": {"content": [TEXT]},
    "nothing": {"content": []},
    "two thousand lines": {"content": [LONG]},
    "forty blocks": {"content": [TEXT for _ in range(40)]},
    "structured content": {"content": [TEXT], "structuredContent": {"sum": 3}},
    "structured content that is not valid": {"content": [], "structuredContent": {"sum": "x"}},
    "a tool error": {"content": [TEXT], "isError": True},
    "no result of a tool": {"tools": 7},
}
"""Results of a call, by what they are."""


def many(count: int) -> list[Json]:
    """So many tools; a new one stands at the end."""
    return [
        tool(f"tool_{at:03}", title=f"Tool {at}", inputSchema=SCHEMA, outputSchema=OUTPUT)
        for at in range(count)
    ]


class BusyServer(AnsweringServer):
    """Forty tools, some resources and prompts; calls are answered when the test does."""

    def __init__(self) -> None:
        lists: JsonObject = {"listChanged": True}
        super().__init__(
            capabilities={
                "tools": lists,
                "prompts": lists,
                "resources": lists,
                "logging": {},
            }
        )
        self.tool_count = 40
        self.calls: list[JsonObject] = []
        """Calls in the order in which they came."""
        self._asked = 1000
        self.answers |= {
            "tools/list": lambda _: {"tools": many(self.tool_count)},
            "prompts/list": lambda _: {"prompts": [{"name": "greet"}]},
            "resources/list": lambda _: {"resources": [{"uri": "demo://a", "name": "a"}]},
            "resources/templates/list": lambda _: {"resourceTemplates": []},
            "logging/setLevel": lambda _: {},
            "tools/call": self._call,
        }

    def _call(self, _params: JsonObject) -> Json:
        self.calls.append(self.received[-1])
        raise Silence

    def answer_call(self, result: JsonObject) -> None:
        """Answer the latest call."""
        self.reply(self.calls[-1], result)

    def refuse_call(self) -> None:
        """Answer the latest call with an error."""
        error: JsonObject = {"code": -32603, "message": "Out of order", "data": {"why": "rain"}}
        self.send({"jsonrpc": "2.0", "id": self.calls[-1]["id"], "error": error})

    def progress(self, done: int, total: int | None = None) -> None:
        """Report progress of the latest call."""
        params = self.calls[-1]["params"]
        meta = params["_meta"] if isinstance(params, dict) else None
        assert isinstance(meta, dict)
        report: JsonObject = {"progressToken": meta["progressToken"], "progress": done}
        more: JsonObject = {} if total is None else {"total": total, "message": f"step {done}"}
        self.notify("notifications/progress", {**report, **more})

    def ask(self, method: str) -> int:
        """Send a request that waits for the user, or that the client answers; its id."""
        self._asked += 1
        message: JsonObject = {"jsonrpc": "2.0", "id": self._asked, "method": method}
        params = REQUESTS.get(method)
        self.send(message if params is None else {**message, "params": params})
        return self._asked

    def withdraw(self, id_: int) -> None:
        """Cancel a request of `ask`."""
        self.notify("notifications/cancelled", {"requestId": id_, "reason": "too late"})

    def log(self, count: int) -> None:
        """Send log messages."""
        for at in range(count):
            params: JsonObject = {"level": "info", "logger": "flood", "data": f"message {at}"}
            self.notify("notifications/message", params)

    def write_stderr(self, count: int) -> None:
        """Write lines to stderr."""
        assert self._transport is not None
        lines = [f"line {at} on stderr".encode() for at in range(count)]
        self._transport.deliver(*lines, channel=Channel.STDERR)

    def write_noise(self) -> None:
        """Write what is no message."""
        self.send(b"Listening for messages")

    def crash(self) -> None:
        """End as a process does that exits by itself."""
        assert self._transport is not None
        self._transport.end("process exited with code 3")
