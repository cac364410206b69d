"""Faults of whole messages: proper JSON that breaks JSON-RPC or the order of things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.content import result, text
from inspector.demo.malformed import GARBLES
from inspector.demo.schema import flag, record, titled_choice
from inspector.demo.tool import Tool

if TYPE_CHECKING:
    from inspector.demo.call import Call
    from inspector.wire.json_codec import JsonObject

ANSWER_AFTER = flag("Send the proper answer afterwards, so that the call ends")

ENVELOPES = {
    "wrong_jsonrpc": "jsonrpc says 1.0",
    "no_jsonrpc": "jsonrpc is missing",
    "null_id": "The id is null",
    "result_and_error": "Both a result and an error",
    "neither": "Neither a result nor an error",
    "in_a_batch": "Inside an array",
}

TOKEN_TITLES = {
    "backwards": "It runs backwards",
    "beyond_total": "It passes its total",
    "unknown_token": "Its token belongs to no call",
    "words": "It is a word",
    "too_late": "It comes after the answer",
}


def misspelt(call: Call, garble: str) -> JsonObject | None:
    """Answer with bytes that are wrong, and properly afterwards if that is wanted."""
    proper = result(text("This answer is as it should be."))
    call.outlet.write(GARBLES[garble](call.response(proper)))
    return proper if call.arguments.flag("answer_after") else None


def _wrong_id_type(call: Call) -> JsonObject | None:
    return misspelt(call, "wrong_id_type")


def _wrong_envelope(call: Call) -> JsonObject | None:
    return misspelt(call, call.arguments.text("how"))


def _duplicate(call: Call) -> None:
    misspelt(call, "twice")


def _unknown_id(call: Call) -> None:
    misspelt(call, "unknown_id")


def _bad_progress(call: Call) -> JsonObject | None:
    token, how = call.progress_token, call.arguments.text("how")
    answer = result(text("The progress of this call was wrong."))
    if how == "unknown_token" or token is None:
        _progress(call, {"progressToken": "nobody-s-token", "progress": 1})
        return answer
    if how == "too_late":
        call.outlet.send(call.response(answer))
        _progress(call, {"progressToken": token, "progress": 1, "total": 1})
        return None
    for value in {"backwards": (5, 3, 1), "beyond_total": (1, 2, 30), "words": ("half",)}[how]:
        _progress(call, {"progressToken": token, "progress": value, "total": 2})
    return answer


def _progress(call: Call, params: JsonObject) -> None:
    call.conversation.notify("notifications/progress", params)


def _unknown_methods(call: Call) -> JsonObject:
    call.conversation.notify("notifications/demo/nonsense", {"words": "Nobody knows this"})
    answer = call.ask("demo/nonsense", {"words": "Nobody knows this"}, seconds=10)
    error = answer.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    message = f"code {code}" if code is not None else "a result, of all things"
    return result(
        text(f"Sent a notification and a request that no revision knows; answered by {message}.")
    )


TOOLS = (
    Tool(
        "fault_wrong_id_type",
        "Fault: id of another type",
        "Responds with the id as a string instead of a number. A strict client keeps waiting; cancel the call.",
        _wrong_id_type,
        record({"answer_after": ANSWER_AFTER}),
    ),
    Tool(
        "fault_wrong_envelope",
        "Fault: broken response",
        "Sends an invalid response. A strict client keeps waiting; cancel the call.",
        _wrong_envelope,
        record({"how": titled_choice("What is wrong", ENVELOPES), "answer_after": ANSWER_AFTER}),
    ),
    Tool(
        "fault_duplicate_response",
        "Fault: answered twice",
        "Responds twice to the same request.",
        _duplicate,
    ),
    Tool(
        "fault_unknown_id",
        "Fault: answer to nothing",
        "Sends an unsolicited response, then the real one.",
        _unknown_id,
    ),
    Tool(
        "fault_bad_progress",
        "Fault: broken progress",
        "Sends invalid progress notifications.",
        _bad_progress,
        record({"how": titled_choice("What is wrong", TOKEN_TITLES)}),
    ),
    Tool(
        "fault_unknown_methods",
        "Fault: unknown methods",
        "Sends an undefined notification and request, and returns the client's response.",
        _unknown_methods,
    ),
)
