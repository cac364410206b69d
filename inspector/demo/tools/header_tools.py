"""Arguments that are repeated in HTTP headers, properly and not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.content import pretty, result, text
from inspector.demo.schema import HEADER, flag, record, string, whole
from inspector.demo.tool import Tool

if TYPE_CHECKING:
    from inspector.demo.call import Call
    from inspector.wire.json_codec import Json, JsonObject

ADDRESS = record({"city": string("Any text, also 東京", default="Oslo", **{HEADER: "City"})})

ROUTED = record(
    {
        "region": string("Any text", default="north", **{HEADER: "Region"}),
        "priority": whole("An integer", default=3, **{HEADER: "Priority"}),
        "express": {**flag("Yes or no"), HEADER: "Express"},
        "address": {**ADDRESS, "description": "An object with one that is repeated"},
        "note": string("This one is not repeated"),
    }
)


def _routed(call: Call) -> JsonObject:
    return result(text(f"The headers said the same as the body:\n{pretty(call.arguments.values)}"))


def _malformed(name: str, text: str, properties: JsonObject) -> JsonObject:
    return {
        "name": f"odd_header_{name}",
        "description": text,
        "inputSchema": {"type": "object", "properties": properties},
    }


MALFORMED_HEADERS: list[Json] = [
    _malformed("empty", "A header without a name", {"a": {"type": "string", HEADER: ""}}),
    _malformed("space", "A space in its name", {"a": {"type": "string", HEADER: "My Region"}}),
    _malformed("colon", "A colon in its name", {"a": {"type": "string", HEADER: "Region:"}}),
    _malformed(
        "not_ascii", "A letter that headers do not know", {"a": {"type": "string", HEADER: "Ö"}}
    ),
    _malformed("not_text", "A number as its name", {"a": {"type": "string", HEADER: 7}}),
    _malformed(
        "number", "On a number that may have a fraction", {"a": {"type": "number", HEADER: "A"}}
    ),
    _malformed("object", "On an object", {"a": {"type": "object", HEADER: "A"}}),
    _malformed("nullable", "On a list of types", {"a": {"type": ["string", "null"], HEADER: "A"}}),
    _malformed(
        "twice",
        "The same name twice, in other letters",
        {"a": {"type": "string", HEADER: "Region"}, "b": {"type": "string", HEADER: "REGION"}},
    ),
    _malformed(
        "in_list",
        "On the entries of a list",
        {"a": {"type": "array", "items": {"type": "string", HEADER: "A"}}},
    ),
    _malformed(
        "in_union", "On one of several", {"a": {"anyOf": [{"type": "string", HEADER: "A"}]}}
    ),
]
"""Listed with the odd tools: what no schema must say about headers."""

TOOLS = (
    Tool(
        "form_headers",
        "Arguments in headers",
        "Arguments are mirrored in HTTP headers; the call is rejected when header and body differ.",
        _routed,
        ROUTED,
        is_known=lambda revision: revision.has_standard_headers,
    ),
)
