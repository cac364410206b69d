"""Cases of `checks.families.models` and `model_schemas`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.engine.checks.families.tools_cases import called, listed, says, schema, tool
from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.talk import Talk


def with_schema(**members: Json) -> Callable[[Talk], object]:
    """A list of one tool whose input schema has these members."""
    whole: JsonObject = {"type": "object", "properties": {}, **members}
    return listed(tool(inputSchema={key: each for key, each in whole.items() if each != "absent"}))


def with_parameter(parameter: Json) -> Callable[[Talk], object]:
    """A list of one tool with this parameter."""
    return listed(tool(inputSchema=schema(a=parameter)))


def with_instructions(text: str) -> Callable[[Talk], object]:
    """A handshake with these instructions."""

    def write(talk: Talk) -> None:
        talk.request(1, "initialize", protocolVersion="2025-11-25", capabilities={})
        info: Json = {"name": "sample", "version": "1.2.3"}
        talk.result(
            1, protocolVersion="2025-11-25", capabilities={}, serverInfo=info, instructions=text
        )

    return write


def numbered(count: int) -> list[JsonObject]:
    """So many tools that are easy to tell apart."""
    return [tool(name=f"tool{n}", description=f"Adds {n} to a number.") for n in range(count)]


OPENAI, ANTHROPIC = frozenset({"OpenAI strict mode"}), frozenset({"Anthropic strict mode"})
CLOSED: JsonObject = {"additionalProperties": False, "required": ["a"]}


def closed(parameter: Json, **members: Json) -> Callable[[Talk], object]:
    """A list of one tool with a required parameter, and no others."""
    return with_schema(properties={"a": parameter}, **{**CLOSED, **members})


ARRAY: JsonObject = {"type": "array", "description": "Numbers."}
REASON = "Traceback (most recent call last): ValueError"

CASES = (
    Case("L-MDL-01", called(says("Error: Only SELECT queries are allowed")), called(says("Error: no", isError=True))),
    Case(
        "L-MDL-01",
        called(says("Failed to read the file")),
        called(says("Failed to read the file"), arguments={"messageType": "error"}),
        name="asked for",
    ),
    Case("L-MDL-01", called(says('{"error": "no such table"}')), called(says('{"error": null, "rows": []}')), name="status"),
    Case("L-MDL-01", called(says(REASON)), called(says("Errors are counted below: 0")), name="word"),
    Case("L-MDL-01", called(says('{"ok": false, "error": "no such table"}')), called(says('{"ok": false, "unhealthy": ["db"]}')), name="health"),
    Case("L-MDL-01", called(says('{"status": "failed", "message": "timeout"}')), called(says('{"id": 5, "status": "failed"}')), name="build"),
    Case("L-MDL-01", called(says("Database error: no such table")), called(says("Standard error: 0.12")), name="kind"),
    Case("L-MDL-01", called(says("ValueError: no")), called(says("Server error: none")), name="class"),
    Case("L-MDL-01", called(says("Cannot open the file")), called(says("Cannot be sold in the EU.")), name="prose"),
    Case("L-MDL-02", with_schema(anyOf=[{"required": ["a"]}]), with_schema(properties={"a": {"anyOf": [{"type": "string"}]}})),
    Case("L-MDL-03", with_schema(properties={"a b": {}}), with_schema(properties={"a.b-c_1": {}})),
    Case("L-MDL-04", with_parameter(ARRAY), with_parameter({**ARRAY, "items": {}})),
    Case("L-MDL-05", with_parameter({**ARRAY, "items": [{"type": "string"}]}), with_parameter({**ARRAY, "prefixItems": [{}]})),
    Case("L-MDL-06", with_schema(properties="absent"), with_schema()),
    Case("L-MDL-07", with_schema(required=None), with_schema(required=[])),
    Case("L-MDL-08", with_parameter({"type": "string", "nullable": True}), with_parameter({"type": "string", "examples": ["a"]})),
    Case("L-MDL-08", with_parameter({"minimum": 1, "exclusiveMinimum": True}), with_parameter({"exclusiveMinimum": 1}), name="draft 4"),
    Case("L-MDL-09", with_parameter({"type": "string", "default": None}), with_parameter({"type": "integer", "default": 5})),
    Case("L-MDL-18", with_schema(properties={"a": {"default": 1}}, required=["a"]), with_schema(properties={"a": {"default": 1}, "b": {}}, required=["b"])),
    Case("L-MDL-19", with_schema(), closed({"type": "string", "format": "uuid"}), targets=OPENAI),
    Case("L-MDL-19", closed({"type": "string"}, required=[]), closed({"type": ["string", "null"]}), name="optional", targets=OPENAI),
    Case("L-MDL-19", closed({"oneOf": [{"type": "string"}]}), closed({"anyOf": [{"type": "string"}]}), name="keyword", targets=OPENAI),
    Case("L-MDL-19", closed({"type": "string", "format": "uri"}), closed({"type": "string", "enum": ["uri"]}), name="format", targets=OPENAI),
    Case("L-MDL-20", closed({"type": "integer", "minimum": 1}), closed({"type": "integer"}), targets=ANTHROPIC),
    Case("L-MDL-20", with_schema(additionalProperties=True), with_schema(additionalProperties=False), name="additional", targets=ANTHROPIC),
    Case("L-MDL-20", with_schema(), closed({"type": "string"}), name="missing", targets=ANTHROPIC),
    Case("L-MDL-20", closed({**ARRAY, "minItems": 2}), closed({**ARRAY, "minItems": 1}), name="items", targets=ANTHROPIC),
    Case("L-MDL-17", listed(tool(name="files.read")), listed(tool(name="files-read_1"))),
    Case("L-MDL-10", listed(tool(name="a" * 47)), listed(tool(name="a" * 46))),
    Case("L-MDL-11", listed(tool(description="a" * 1025)), listed(tool(description="a" * 1024))),
    Case("L-MDL-12", listed(*numbered(41)), listed(*numbered(40))),
    Case("L-MDL-13", called(says("word " * 9_000)), called(says("word " * 8_000))),
    Case("L-MDL-14", listed(tool(name="a"), tool(name="b")), listed(tool(name="a"), tool(name="b", description="Subtracts."))),
    Case(
        "L-MDL-14",
        listed(tool(name="read_file"), tool(name="readFile", description="Reads.")),
        listed(tool(name="read_file"), tool(name="read_files", description="Reads.")),
        name="separators",
    ),
    Case("L-MDL-15", listed(tool(description="word " * 600)), listed(tool(description="word " * 400))),
    Case("L-MDL-16", with_instructions("a" * 2049), with_instructions("a" * 2048)),
    Case("L-TOOL-40", listed(*(tool(name=f"t{n}", description="word " * 500) for n in range(30))), listed(*numbered(40))),
)  # fmt: skip
