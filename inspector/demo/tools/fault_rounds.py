"""Faults of questions and of announcements, where both travel on the answers to requests of the client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.content import result, text
from inspector.demo.embedded_inputs import Asked, form
from inspector.demo.meta import SUBSCRIPTION_ID
from inspector.demo.schema import record, titled_choice
from inspector.demo.tool import Tool, writes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inspector.demo.call import Call
    from inspector.demo.listeners import Listener
    from inspector.wire.json_codec import JsonObject

QUESTIONS: Mapping[str, Asked] = {
    "unknown_method": Asked("demo/nonsense", {"words": "Nobody knows this"}),
    "method_of_clients": Asked("tools/list", {}),
    "no_form": Asked("elicitation/create", {"message": "Where is the form?"}),
    "unknown_mode": Asked("elicitation/create", {"mode": "song", "message": "Sing to me."}),
    "no_messages": Asked("sampling/createMessage", {"maxTokens": 10}),
}
QUESTION_TITLES = {
    "unknown_method": "A method that no revision knows",
    "method_of_clients": "A method that only clients may call",
    "no_form": "A form without its fields",
    "unknown_mode": "A mode that nobody defines",
    "no_messages": "Sampling without messages",
}

SECONDS = 300


def _endless(call: Call) -> JsonObject:
    number = 0
    while True:
        number += 1
        asked = form(f"Question {number}. There will be another.", "word", "Any word")
        call.ask(asked.method, asked.params, seconds=SECONDS, key=f"word_{number}")


def _question(call: Call) -> JsonObject:
    asked = QUESTIONS[call.arguments.text("how")]
    call.ask(asked.method, asked.params, seconds=SECONDS)
    return result(text("It was answered, of all things."))


def _request(call: Call) -> JsonObject:
    message: JsonObject = {"jsonrpc": "2.0", "id": 1, "method": "roots/list"}
    call.outlet.send(message)
    return result(text("A request came before this answer, and no revision like this has any."))


def _untagged(listener: Listener, _: Call) -> None:
    listener.outlet.send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})


def _wrong_tag(listener: Listener, _: Call) -> None:
    params: JsonObject = {"_meta": {SUBSCRIPTION_ID: "nobody-s-subscription"}}
    message: JsonObject = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
    listener.outlet.send({**message, "params": params})


def _tag_of_other_type(listener: Listener, _: Call) -> None:
    tag = str(listener.number) if isinstance(listener.number, int) else 7
    params: JsonObject = {"_meta": {SUBSCRIPTION_ID: tag}}
    message: JsonObject = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
    listener.outlet.send({**message, "params": params})


def _not_asked(listener: Listener, _: Call) -> None:
    listener.notify("notifications/resources/updated", {"uri": "demo://nobody/asked"})


def _log(listener: Listener, _: Call) -> None:
    listener.notify("notifications/message", {"level": "info", "data": "Not here"})


def _other_stream(listener: Listener, call: Call) -> None:
    others = [each for each in call.conversation.state.listeners.every() if each is not listener]
    for other in others[:1]:
        listener.outlet.send({**_CHANGED, "params": {"_meta": other.tag}})


def _on_call(listener: Listener, call: Call) -> None:
    call.outlet.send({**_CHANGED, "params": {"_meta": listener.tag}})


_CHANGED: JsonObject = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}

ANNOUNCEMENTS: Mapping[str, Callable[[Listener, Call], None]] = {
    "untagged": _untagged,
    "wrong_tag": _wrong_tag,
    "tag_of_other_type": _tag_of_other_type,
    "not_asked": _not_asked,
    "log": _log,
    "other_stream": _other_stream,
    "on_call": _on_call,
}
ANNOUNCEMENT_TITLES = {
    "untagged": "No tag",
    "wrong_tag": "A tag that nobody has",
    "tag_of_other_type": "A tag of another type",
    "not_asked": "A change that nobody asked for",
    "log": "A log message among the announcements",
    "other_stream": "The tag of another stream",
    "on_call": "With the answer to this call",
}


def _announce(call: Call) -> JsonObject:
    listeners = call.conversation.state.listeners.every()
    for listener in listeners:
        ANNOUNCEMENTS[call.arguments.text("how")](listener, call)
    return result(text(f"Announced it wrongly on {len(listeners)} streams."))


TOOLS = (
    Tool(
        "fault_endless_rounds",
        "Fault: never satisfied",
        "Requests input in endless rounds. Cancel the call.",
        _endless,
        is_known=lambda revision: revision.has_elicitation,
    ),
    Tool(
        "fault_wrong_question",
        "Fault: broken question",
        "Sends an invalid input request.",
        _question,
        record({"how": titled_choice("What is wrong", QUESTION_TITLES)}),
        is_known=lambda revision: revision.has_input_required,
    ),
    Tool(
        "fault_server_request",
        "Fault: a request of the server",
        "Sends a forbidden server request, then responds normally.",
        _request,
        is_known=lambda revision: not revision.has_server_requests,
    ),
    Tool(
        "fault_wrong_announcement",
        "Fault: broken announcement",
        "Sends an invalid notification on every open notification stream. Open one first.",
        _announce,
        record({"how": titled_choice("What is wrong", ANNOUNCEMENT_TITLES)}),
        hints=writes(),
        is_known=lambda revision: revision.has_listen,
    ),
)
