"""Tools that ask the client, and return its answer as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.content import pretty, result, text
from inspector.demo.request_errors import ToolError
from inspector.demo.schema import record, string
from inspector.demo.tool import Tool, reads

if TYPE_CHECKING:
    from inspector.demo.call import Call
    from inspector.wire.json_codec import Json, JsonObject

PATIENCE_SECONDS = 20


def _sampling(call: Call) -> JsonObject:
    prompt: JsonObject = {"type": "text", "text": call.arguments.text("prompt")}
    params: JsonObject = {"messages": [{"role": "user", "content": prompt}], "maxTokens": 100}
    answer = _asked(call, "sampling", "sampling/createMessage", params)
    return result(text(f"LLM response: {_text(answer.get('content'))}"))


def _text(content: Json) -> str:
    block = content[0] if isinstance(content, list) and content else content
    text = block.get("text") if isinstance(block, dict) else None
    return text if isinstance(text, str) else pretty(content)


def _elicitation(call: Call) -> JsonObject:
    schema = record(
        {"username": string("The person's answer"), "email": string("The person's e-mail address")},
        "username",
        "email",
    )
    return _form(call, call.arguments.text("message"), schema, "User response")


def _defaults(call: Call) -> JsonObject:
    return _form(call, "Every kind of field, with a default", DEFAULTS, "Elicitation completed")


def _choices(call: Call) -> JsonObject:
    return _form(call, "Every kind of choice", CHOICES, "Elicitation completed")


def _form(call: Call, message: str, schema: JsonObject, done: str) -> JsonObject:
    params: JsonObject = {"message": message, "requestedSchema": schema}
    answer = _asked(call, "elicitation", "elicitation/create", params)
    content = pretty(answer.get("content"))
    return result(text(f"{done}: action={answer.get('action')}, content={content}"))


def _asked(call: Call, capability: str, method: str, params: JsonObject) -> JsonObject:
    call.conversation.require(capability, method)
    answer = call.ask(method, params, seconds=PATIENCE_SECONDS).get("result")
    if not isinstance(answer, dict):
        raise ToolError(f"The client refused {method}.")
    return answer


DEFAULTS: JsonObject = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {
            "type": "string",
            "enum": ["active", "inactive", "pending"],
            "default": "active",
        },
        "verified": {"type": "boolean", "default": True},
    },
    "required": [],
}
"""A form whose every field has a default."""


def _titled(*pairs: tuple[str, str]) -> list[Json]:
    return [{"const": value, "title": title} for value, title in pairs]


VALUES = (("value1", "First"), ("value2", "Second"), ("value3", "Third"))

CHOICES: JsonObject = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
        "titledSingle": {"type": "string", "oneOf": _titled(*VALUES)},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["First", "Second", "Third"],
        },
        "untitledMulti": {
            "type": "array",
            "items": {"type": "string", "enum": ["option1", "option2", "option3"]},
        },
        "titledMulti": {"type": "array", "items": {"anyOf": _titled(*VALUES)}},
    },
    "required": [],
}
"""A form with every spelling of a choice."""

TOOLS = (
    Tool(
        "test_sampling",
        "Sampling",
        "Asks the client's model.",
        _sampling,
        record({"prompt": string("What to ask")}, "prompt"),
        hints=reads(open_world=True),
    ),
    Tool(
        "test_elicitation",
        "Elicitation",
        "Asks the person for two texts.",
        _elicitation,
        record({"message": string("What to say above the form")}, "message"),
        hints=reads(open_world=True),
        is_known=lambda revision: revision.has_elicitation,
    ),
    Tool(
        "test_elicitation_sep1034_defaults",
        "Defaults",
        "Asks the person with a default for every field.",
        _defaults,
        hints=reads(open_world=True),
        # Numbers, choices and flags have defaults since forms and pages are told apart.
        is_known=lambda revision: revision.has_url_elicitation,
    ),
    Tool(
        "test_elicitation_sep1330_enums",
        "Choices",
        "Asks the person with every kind of choice.",
        _choices,
        hints=reads(open_world=True),
        is_known=lambda revision: revision.has_url_elicitation,
    ),
)
