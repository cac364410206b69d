"""What the server asks of the client, in the way of the revision; each tool returns what was answered, errors included."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from inspector.demo.call import elapsed
from inspector.demo.content import pretty, result, text
from inspector.demo.request_errors import ToolError
from inspector.demo.schema import choice, flag, number, record, string, whole
from inspector.demo.tool import Tool, reads

if TYPE_CHECKING:
    from inspector.demo.call import Call
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

PATIENCE = number("Response timeout", minimum=1, maximum=3600, default=300)
ANYWAY = flag("Send even if the client did not declare the capability")
PING_SECONDS = 10


def _ping(call: Call) -> JsonObject:
    start = time.perf_counter()
    answer = call.ask("ping", None, seconds=PING_SECONDS)
    took = elapsed(start)
    if answer.get("result") == {}:
        return result(text(f"The client answered the ping after {took}."))
    return _reported("ping", answer)


def _roots(call: Call) -> JsonObject:
    return _ask(call, "roots", "roots/list", None)


def _sampling(call: Call) -> JsonObject:
    arguments = call.arguments
    prompt: JsonObject = {
        "role": "user",
        "content": {"type": "text", "text": arguments.text("prompt")},
    }
    params: JsonObject = {
        "messages": [prompt],
        "systemPrompt": arguments.text("system_prompt"),
        "maxTokens": arguments.whole("max_tokens"),
        "temperature": arguments.number("temperature"),
        "modelPreferences": {
            "hints": [{"name": "small"}, {"name": "fast"}],
            "speedPriority": 0.9,
            "costPriority": 0.7,
            "intelligencePriority": 0.2,
        },
    }
    return _ask(call, "sampling", "sampling/createMessage", params)


def _elicitation(call: Call) -> JsonObject:
    if call.arguments.text("mode") == "url":
        return _visit(call)
    params: JsonObject = {
        "message": "The demo server requests some information about you.",
        "requestedSchema": _questions(call.revision),
    }
    return _ask(call, "elicitation", "elicitation/create", params, part="form")


def _visit(call: Call) -> JsonObject:
    """Ask to visit a page, and announce later that it was done there."""
    if not call.revision.has_url_elicitation:
        raise ToolError("This revision has no URL elicitation.")
    ticket = os.urandom(8).hex()
    params: JsonObject = {
        "mode": "url",
        "message": "Please confirm on the website. (It is an example; nothing happens there.)",
        "url": f"https://example.com/confirm?ticket={ticket}",
    }
    if not call.revision.has_elicitation_complete:
        return _ask(call, "elicitation", "elicitation/create", params, part="url")
    params["elicitationId"] = ticket
    answer = _ask(call, "elicitation", "elicitation/create", params, part="url")
    call.conversation.notify("notifications/elicitation/complete", {"elicitationId": ticket})
    return answer


def _questions(revision: Revision) -> JsonObject:
    """A form with every kind of field that `revision` allows."""
    properties: JsonObject = {
        "name": string("What to call you", title="Name", minLength=1, maxLength=60),
        "email": string("Only an example", title="E-mail", format="email"),
        "birthday": string("A date", title="Birthday", format="date"),
        "age": whole("In years", title="Age", minimum=0, maximum=150),
        "height": number("In metres", title="Height", minimum=0.3, maximum=2.8),
        "newsletter": flag("Send news", default=True),
    }
    if not revision.has_url_elicitation:
        sizes: JsonObject = {"enum": ["s", "m", "l"], "enumNames": ["Small", "Medium", "Large"]}
        properties["size"] = string("Of a shirt", **sizes)
        return record(properties, "name")
    properties["size"] = string(
        "Of a shirt",
        oneOf=[{"const": "s", "title": "Small"}, {"const": "m", "title": "Medium"}],
        default="m",
    )
    properties["days"] = {
        "type": "array",
        "description": "When you have time",
        "items": {"type": "string", "enum": ["Monday", "Wednesday", "Friday"]},
        "minItems": 1,
        "default": ["Friday"],
    }
    return record(properties, "name")


def _ask(
    call: Call, capability: str, method: str, params: JsonObject | None, *, part: str = ""
) -> JsonObject:
    if not call.arguments.flag("even_if_undeclared"):
        call.conversation.require(capability, method, part=part)
    seconds = call.arguments.number("wait_seconds")
    return _reported(method, call.ask(method, params, seconds=seconds))


def _reported(method: str, answer: JsonObject) -> JsonObject:
    error: Json = answer.get("error")
    if isinstance(error, dict):
        message = (
            f"The client refused {method} with code {error.get('code')}: {error.get('message')}"
        )
        return result(text(message), text(pretty(error)))
    return result(text(f"The client answered {method}:"), text(pretty(answer.get("result"))))


TOOLS = (
    Tool(
        "ping_client",
        "Ping the client",
        "Pings the client and returns the response time.",
        _ping,
        hints=reads(),
        is_known=lambda revision: revision.has_ping,
    ),
    Tool(
        "ask_roots",
        "Ask for roots",
        "Requests the client's roots (roots/list) and returns the response.",
        _roots,
        record({"wait_seconds": PATIENCE, "even_if_undeclared": ANYWAY}),
        hints=reads(open_world=True),
    ),
    Tool(
        "ask_sampling",
        "Ask a model",
        "Requests sampling from the client (sampling/createMessage) and returns the response.",
        _sampling,
        record(
            {
                "prompt": string("What to ask", default="Describe a telescope in one sentence."),
                "system_prompt": string("How to answer", default="Be brief and kind."),
                "max_tokens": whole("Longest answer", minimum=1, default=200),
                "temperature": number("How inventive", minimum=0, maximum=2, default=0.7),
                "wait_seconds": PATIENCE,
                "even_if_undeclared": ANYWAY,
            }
        ),
        hints=reads(open_world=True),
    ),
    Tool(
        "ask_elicitation",
        "Ask the person",
        "Requests user input with a form or a URL (elicitation/create) and returns the response.",
        _elicitation,
        record(
            {
                "mode": choice("A form, or a page to visit", "form", "url"),
                "wait_seconds": PATIENCE,
                "even_if_undeclared": ANYWAY,
            }
        ),
        hints=reads(open_world=True),
        is_known=lambda revision: revision.has_elicitation,
    ),
)
