"""Faults inside results and lists: proper JSON-RPC that breaks MCP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.content import link, pretty, result, text
from inspector.demo.schema import number, record, string, titled_choice
from inspector.demo.tool import Tool, writes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.demo.call import Call
    from inspector.wire.json_codec import Json, JsonObject

NAMELESS: JsonObject = {"description": "A tool without a name", "inputSchema": {"type": "object"}}

MALFORMED_ENTRIES: list[Json] = [
    NAMELESS,
    {"name": 42, "description": "A name that is a number", "inputSchema": {"type": "object"}},
    {"name": "odd_without_schema", "description": "No input schema at all"},
    {
        "name": "odd_list_schema",
        "description": "A list as schema",
        "inputSchema": ["type", "object"],
    },
    {
        "name": "odd_broken_schema",
        "description": "A schema that is none",
        "inputSchema": {"type": "object", "properties": {"a": {"type": "strnig"}}, "required": "a"},
    },
    {
        "name": "odd name / with (signs)",
        "description": ["not", "text"],
        "inputSchema": {"type": "object"},
    },
    {
        "name": "echo",
        "description": "The second tool called echo",
        "inputSchema": {"type": "object"},
    },
    {
        "name": "odd_extra_fields",
        "description": "Fields that no revision knows",
        "inputSchema": {"type": "object"},
        "cost": 3,
        "annotations": {"readOnlyHint": "yes", "colour": "blue"},
    },
    None,
    "not an object",
]
"""What a list of tools must not hold."""

PROMISED = record(
    {"celsius": number("Degrees"), "sky": string("What it looks like")}, "celsius", "sky"
)

BROKEN_PROMISES: Mapping[str, JsonObject] = {
    "wrong_types": {
        "content": [text('{"celsius": "warm"}')],
        "structuredContent": {"celsius": "warm"},
    },
    "missing": result(text("The structured content is missing.")),
    "not_an_object": {"content": [text("[20]")], "structuredContent": [20]},
    "other_text": {
        "content": [text(pretty({"celsius": 30, "sky": "sunny"}))],
        "structuredContent": {"celsius": 3, "sky": "snow"},
    },
    "without_content": {"structuredContent": {"celsius": 20, "sky": "sunny"}},
}
SCHEMA_FAULT_TITLES = {
    "wrong_types": "Values of the wrong type, one missing",
    "missing": "No structured content at all",
    "not_an_object": "A list instead of an object",
    "other_text": "Text that says something else",
    "without_content": "No content beside it",
}

BROKEN_CONTENT: Mapping[str, Json] = {
    "unknown_type": [{"type": "hologram", "data": "AAAA"}],
    "no_type": [{"text": "Which type am I?"}],
    "no_text": [{"type": "text"}],
    "bad_base64": [{"type": "image", "data": "*** not base64 ***", "mimeType": "image/png"}],
    "wrong_mime_type": [
        {"type": "image", "data": "R0lGODlhAQABAAAAACw=", "mimeType": "text/plain"}
    ],
    "text_and_blob": [
        {"type": "resource", "resource": {"uri": "demo://both", "text": "a", "blob": "YQ=="}}
    ],
    "link_without_uri": [link({"name": "nowhere"})],
    "not_a_list": {"type": "text", "text": "Not in a list"},
    "null_block": [text("Before"), None, text("After")],
}
BROKEN_TYPES: Mapping[str, JsonObject] = {
    "missing": result(text("Which type of result am I?")),
    "unknown": {"resultType": "partial", **result(text("Half of it."))},
    "number": {"resultType": 1, **result(text("One."))},
    "task": {"resultType": "task", "taskId": "nobody-asked", "status": "working"},
    "nothing_asked": {"resultType": "input_required"},
    "no_requests": {"resultType": "input_required", "inputRequests": {}},
    "state_is_object": {"resultType": "input_required", "requestState": {"round": 1}},
}
TYPE_TITLES = {
    "missing": "No type",
    "unknown": "A type that nobody defines",
    "number": "A number as type",
    "task": "A task that nobody asked for",
    "nothing_asked": "Wants input and does not say which",
    "no_requests": "Wants input, of an empty list",
    "state_is_object": "A state that is no text",
}

CONTENT_TITLES = {
    "unknown_type": "A type that no revision knows",
    "no_type": "No type",
    "no_text": "Text without text",
    "bad_base64": "A picture that is not Base64",
    "wrong_mime_type": "A picture that says it is text",
    "text_and_blob": "A resource with both text and blob",
    "link_without_uri": "A link that leads nowhere",
    "not_a_list": "An object instead of a list",
    "null_block": "null between two blocks",
}


def _wrong_output(call: Call) -> JsonObject:
    return dict(BROKEN_PROMISES[call.arguments.text("how")])


def _wrong_content(call: Call) -> JsonObject:
    return {"content": BROKEN_CONTENT[call.arguments.text("how")]}


def _malformed_list(call: Call) -> JsonObject:
    conversation = call.conversation
    conversation.state.has_malformed_tools = not conversation.state.has_malformed_tools
    conversation.announce("tools")
    state = "now holds" if conversation.state.has_malformed_tools else "no longer holds"
    return result(text(f"The list of tools {state} {len(MALFORMED_ENTRIES)} odd entries."))


def _wrong_type(call: Call) -> None:
    """Send the result as it is, without what would put it right."""
    found = {**BROKEN_TYPES[call.arguments.text("how")]}
    call.outlet.send({"jsonrpc": "2.0", "id": call.id, "result": found})


TOOLS = (
    Tool(
        "fault_wrong_output",
        "Fault: broken output schema",
        "Declares an output schema and violates it.",
        _wrong_output,
        record({"how": titled_choice("What is wrong", SCHEMA_FAULT_TITLES)}),
        PROMISED,
        is_known=lambda revision: revision.has_structured_content,
    ),
    Tool(
        "fault_wrong_content",
        "Fault: broken content",
        "Returns invalid content.",
        _wrong_content,
        record({"how": titled_choice("What is wrong", CONTENT_TITLES)}),
    ),
    Tool(
        "fault_result_type",
        "Fault: broken type of result",
        "Returns a result with an invalid resultType.",
        _wrong_type,
        record({"how": titled_choice("What is wrong", TYPE_TITLES)}),
        is_known=lambda revision: revision.has_result_type,
    ),
    Tool(
        "fault_odd_list",
        "Fault: odd tools in the list",
        "Adds malformed and duplicate tools to the list (call again to remove them) and sends list_changed.",
        _malformed_list,
        hints=writes(),
    ),
)
