"""Failing as the specification wants it: as a result, and as an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.content import failure
from inspector.demo.meta import HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION
from inspector.demo.request_errors import INTERNAL_ERROR, INVALID_PARAMS, RpcError
from inspector.demo.schema import record, string, titled_choice
from inspector.demo.tool import Tool

if TYPE_CHECKING:
    from inspector.demo.call import Call
    from inspector.wire.json_codec import JsonObject

CODES = {
    str(INVALID_PARAMS): "-32602 invalid params, as for an unknown tool",
    str(INTERNAL_ERROR): "-32603 internal error",
    "-32042": "-32042 a page must be visited first",
    str(HEADER_MISMATCH): "-32020 headers that do not match",
    str(MISSING_CAPABILITY): "-32021 a capability that the client must declare",
    str(UNSUPPORTED_VERSION): "-32022 a revision that is not spoken",
    "-32000": "-32000 server-defined error",
    "418": "418 a code outside the reserved range",
}


PAGE: JsonObject = {
    "mode": "url",
    "elicitationId": "demo-1",
    "url": "https://example.com/confirm",
    "message": "Please confirm on the website.",
}

DATA: dict[int, JsonObject] = {
    -32042: {"elicitations": [PAGE]},
    MISSING_CAPABILITY: {"requiredCapabilities": {"sampling": {"tools": {}}}},
    UNSUPPORTED_VERSION: {"supported": ["the-day-after"], "requested": "today"},
}
"""What the codes say besides."""


def _as_result(call: Call) -> JsonObject:
    return failure(call.arguments.text("words"))


def _as_error(call: Call) -> JsonObject:
    code = int(call.arguments.text("code"))
    data = DATA.get(code, {"tool": call.tool.name})
    raise RpcError(code, call.arguments.text("words"), data)


def _unexpectedly(call: Call) -> JsonObject:
    nothing: dict[str, JsonObject] = {}
    return nothing[call.tool.name]


TOOLS = (
    Tool(
        "fail_as_result",
        "Fail with a result",
        "Fails correctly: a result with isError and a reason.",
        _as_result,
        record({"words": string("Why", default="The printer is out of paper.")}),
    ),
    Tool(
        "fail_as_error",
        "Fail with an error",
        "Responds with a JSON-RPC error instead of a result.",
        _as_error,
        record(
            {
                "code": titled_choice("Which code", CODES),
                "words": string("The message", default="The demo server was asked to fail."),
            }
        ),
    ),
    Tool(
        "fail_unexpectedly",
        "Fail unexpectedly",
        "Raises an exception: internal error (-32603), traceback on stderr.",
        _unexpectedly,
    ),
)
