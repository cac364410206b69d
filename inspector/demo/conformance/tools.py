"""Tools that return what their name says, and tools that take a little time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo import content
from inspector.demo.conformance import asking, rounds
from inspector.demo.request_errors import ToolError
from inspector.demo.samples.image import png
from inspector.demo.samples.tone import wav
from inspector.demo.tool import Tool

if TYPE_CHECKING:
    from inspector.demo.call import Call
    from inspector.wire.json_codec import Json, JsonObject

PAUSE_SECONDS = 0.05
"""Between two notifications of one call."""

RECONNECTING = "test_reconnection"
"""The tool whose stream is closed before it answered."""

RECONNECTION_SECONDS = 0.2
"""How long its answer takes; the stream is closed by then."""


def closes_its_stream(params: Json) -> bool:
    """Whether these are the params of a call whose stream is to be closed at once."""
    return isinstance(params, dict) and params.get("name") == RECONNECTING


def _text(call: Call) -> JsonObject:
    del call
    return content.result(content.text("A simple text."))


def _image(call: Call) -> JsonObject:
    del call
    return content.result(content.image(png(8, 8), "image/png"))


def _audio(call: Call) -> JsonObject:
    del call
    return content.result(content.audio(wav(440, 0.1), "audio/wav"))


def _embedded(call: Call) -> JsonObject:
    del call
    inside = content.text_contents("test://embedded-resource", "text/plain", "Embedded text.")
    return content.result(content.embedded(inside))


def _mixed(call: Call) -> JsonObject:
    del call
    inside = content.text_contents(
        "test://mixed-content-resource", "application/json", '{"mixed": true}'
    )
    return content.result(
        content.text("A text, a picture and a resource."),
        content.image(png(8, 8), "image/png"),
        content.embedded(inside),
    )


def _fail(call: Call) -> JsonObject:
    del call
    raise ToolError("This tool always fails.")


def _progress(call: Call) -> JsonObject:
    for done in (0, 50):
        call.progress(done, 100)
        call.wait(PAUSE_SECONDS)
    call.progress(100, 100)
    return content.result(content.text("Progress was reported three times."))


def _log(call: Call) -> JsonObject:
    for text in ("The tool has begun", "The tool is at work"):
        call.conversation.log("info", text, "conformance")
        call.wait(PAUSE_SECONDS)
    call.conversation.log("info", "The tool is done", "conformance")
    return content.result(content.text("Three messages were logged."))


def _reconnect(call: Call) -> JsonObject:
    call.wait(RECONNECTION_SECONDS)
    return content.result(content.text("Here is the answer, on a stream that was opened again."))


def _schema(call: Call) -> JsonObject:
    return content.result(content.text(content.pretty(call.arguments.values)))


SCHEMA: JsonObject = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "address",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "reach_by": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"reach_by": {"const": "phone"}}, "required": ["reach_by"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
"""Keywords of JSON Schema 2020-12 that a careless server loses on the way."""

TOOLS = (
    Tool("test_simple_text", "Text", "Returns a text.", _text),
    Tool("test_image_content", "Picture", "Returns a picture.", _image),
    Tool(
        "test_audio_content",
        "Sound",
        "Returns a sound.",
        _audio,
        is_known=lambda revision: revision.has_audio,
    ),
    Tool("test_embedded_resource", "Resource", "Returns an embedded resource.", _embedded),
    Tool("test_multiple_content_types", "Mixture", "Returns three kinds of content.", _mixed),
    Tool("test_error_handling", "Failure", "Returns a result that says isError.", _fail),
    Tool("test_tool_with_progress", "Progress", "Reports progress three times.", _progress),
    Tool("test_tool_with_logging", "Log", "Logs three messages.", _log),
    Tool(
        "json_schema_2020_12_tool",
        "JSON Schema 2020-12",
        "Has an input schema with keywords of that draft, and returns its arguments.",
        _schema,
        SCHEMA,
    ),
    Tool(
        RECONNECTING,
        "Reconnection",
        "Over HTTP, answers only on a stream that is opened again.",
        _reconnect,
    ),
    *asking.TOOLS,
    *rounds.TOOLS,
)
"""In front of the others, so that all of them are on the first page."""
