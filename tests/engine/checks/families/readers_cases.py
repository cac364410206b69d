"""Cases of the rules that readers decide: of tools and their results, resources, prompts, sampling and elicitation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.revision import V2025_03_26, V2025_06_18, V2026_07_28
from tests.engine.checks.families.requests_cases import MESSAGE, asks, form, url
from tests.engine.checks.families.resources_cases import listed as resources
from tests.engine.checks.families.resources_cases import (
    prompts,
    read,
    rendered,
    resource,
    text,
)
from tests.engine.checks.families.tools_cases import called, error, listed, says, schema, tool
from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.talk import Talk


def with_output(root: Json, *results: JsonObject) -> Callable[[Talk], object]:
    """Calls of a tool with this output schema, with these results."""

    def write(talk: Talk) -> None:
        listed(tool(outputSchema=root))(talk)
        for number, result in enumerate(results, 7):
            talk.call(number, "get_sum")
            talk.result(number, **result)

    return write


def templates(pattern: str) -> Callable[[Talk], object]:
    """A list of one template."""

    def write(talk: Talk) -> None:
        talk.request(1, "resources/templates/list")
        talk.result(1, resourceTemplates=[{"uriTemplate": pattern, "name": "file"}])

    return write


def contents(*items: Json) -> Callable[[Talk], object]:
    """Contents that are read."""

    def write(talk: Talk) -> None:
        talk.request(1, "resources/read", uri="demo://report")
        talk.result(1, contents=[*items])

    return write


def get_prompt(**message: Json) -> Callable[[Talk], object]:
    """A prompt of this one message."""

    def write(talk: Talk) -> None:
        talk.request(1, "prompts/get", name="greet")
        talk.result(1, messages=[message])

    return write


def sample(*messages: Json, **params: Json) -> Callable[[Talk], object]:
    """A sampling request."""
    default: Json = {"role": "user", "content": text("Hello")}
    return asks(
        "sampling/createMessage",
        **{"messages": [*(messages or [default])], "maxTokens": 9, **params},
    )


def unknown_tool(answer: JsonObject) -> Callable[[Talk], object]:
    """A call of a tool that is not listed."""

    def write(talk: Talk) -> None:
        listed(tool(name="other"))(talk)
        talk.call(7, "get_sum")
        answer_with = {"error": answer["error"]} if "error" in answer else {"result": answer}
        talk.received({"jsonrpc": "2.0", "id": 7, **answer_with})

    return write


def url_required(data: Json) -> Callable[[Talk], object]:
    """A call that requires URLs."""
    return called({"error": {"code": -32042, "message": "Open a URL", "data": data}})


def block(**members: Json) -> JsonObject:
    """A result with this content block."""
    return {"content": [members]}


PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
OBJECT: JsonObject = {
    "type": "object",
    "properties": {"sum": {"type": "number"}},
    "required": ["sum"],
}
SUM: JsonObject = says('{"sum": 7}', structuredContent={"sum": 7})
LINK: JsonObject = {"type": "resource_link", "uri": "demo://report", "name": "report"}
USE: JsonObject = {"type": "tool_use", "id": "1", "name": "get_sum", "input": {}}
USED: JsonObject = {"type": "tool_result", "toolUseId": "1", "content": [text("7")]}
ASSISTANT: JsonObject = {"role": "assistant", "content": USE}
ANSWER: JsonObject = {"role": "user", "content": USED}
VISIT: JsonObject = {
    "mode": "url",
    "message": MESSAGE,
    "url": "https://example.com",
    "elicitationId": "1",
}


def misspelt(key: str) -> JsonObject:
    """A tool whose input schema has another name."""
    found = tool()
    return {
        **{name: each for name, each in found.items() if name != "inputSchema"},
        key: found["inputSchema"],
    }


CASES = (
    Case("L-TOOL-01", listed(tool(inputSchema={"type": "array"})), listed(tool())),
    Case("L-TOOL-01", listed(misspelt("input_schema")), listed(tool(input_schema={"type": "object"})), name="another name"),
    Case("L-TOOL-02", listed(tool(name="a" * 129)), listed(tool(name="a" * 128))),
    Case("L-TOOL-03", listed(tool(name="get/sum")), listed(tool(name="get.sum-1_A"))),
    Case("L-TOOL-04", listed(tool(), tool()), listed(tool(), tool(name="get_sums"))),
    Case("L-TOOL-05", listed(tool(), tool(name="Get_Sum")), listed(tool(), tool(name="Get-Sum"))),
    Case("L-TOOL-09", listed(tool(inputSchema=schema(a={"type": "text"}))), listed(tool(inputSchema=schema(a={"type": ["string", "null"]})))),
    Case("schema-of-no-dialect", listed(tool(inputSchema=schema(a={"type": "text"}))), listed(tool(inputSchema=schema(a={"type": "string"}))), V2025_06_18),
    Case("L-TOOL-10", listed(tool(inputSchema={**schema(), "$schema": "https://example.com/dialect"})), listed(tool(inputSchema={**schema(), "$schema": "https://json-schema.org/draft/2020-12/schema"}))),
    Case("L-TOOL-11", listed(tool(inputSchema=schema(a={"$ref": "https://example.com/a.json"}))), listed(tool(inputSchema={**schema(a={"$ref": "#/$defs/a"}), "$defs": {"a": {}}})), V2026_07_28),
    Case("L-TOOL-12", listed(tool(inputSchema=schema(a={"$ref": "#/$defs/b"}))), listed(tool(inputSchema={**schema(a={"$ref": "#/$defs/b"}), "$defs": {"b": {}}}))),
    Case("L-TOOL-14", listed(tool(inputSchema=schema(a=True))), listed(tool(inputSchema=schema(a={}))), V2025_06_18),
    Case("L-TOOL-17", listed(tool(outputSchema={"type": "array"})), listed(tool(outputSchema={"type": "object"}))),
    Case("L-TOOL-18", with_output(OBJECT, says("7")), with_output(OBJECT, says("no", isError=True))),
    Case("L-TOOL-19", with_output(OBJECT, says('{"sum": "7"}', structuredContent={"sum": "7"})), with_output(OBJECT, SUM)),
    Case("L-TOOL-20", called(says("[7]", structuredContent=[7])), called(SUM)),
    Case("L-TOOL-21", called(says("The sum is 7.", structuredContent={"sum": 7})), called(says('{ "sum":7.0 }', structuredContent={"sum": 7}))),
    Case("L-TOOL-22", called({"content": [], "structuredContent": [7], "resultType": "complete"}), called(says("[7]", structuredContent=[7], resultType="complete")), V2026_07_28),
    Case("L-TOOL-23", called({"structuredContent": {"sum": 7}}), called(SUM)),
    Case("L-TOOL-24", called({"content": []}), called(says("done"))),
    Case("L-TOOL-27", unknown_tool(says("Unknown tool: get_sum", isError=True)), unknown_tool(error(-32602, "Unknown tool: get_sum"))),
    Case("L-TOOL-36", listed(tool(execution={"taskSupport": "maybe"})), listed(tool(execution={"taskSupport": "optional"}))),
    Case("L-TOOL-37", listed(tool(execution={"taskSupport": "optional"})), listed(tool()), V2026_07_28),
    Case("L-TOOL-38", listed(tool(inputSchema=schema(a={"type": "string", "x-mcp-header": "a b"}))), listed(tool(inputSchema=schema(a={"type": "string", "x-mcp-header": "Region"}))), V2026_07_28),
    Case("L-TOOL-41", called(block(type="resource_link", name="report")), called({"content": [LINK]})),
    Case("L-TOOL-42", called(block(type="image", data="not base64!", mimeType="image/png")), called(block(type="image", data=PNG, mimeType="image/png"))),
    Case("L-TOOL-43", called(block(type="image", data=PNG, mimeType="image/jpeg")), called(block(type="image", data=PNG, mimeType="image/png"))),
    Case("L-TOOL-44", called({"content": [LINK]}), called(says("7")), V2025_03_26),
    Case("L-ANN-01", called(block(**text("a"), annotations={"audience": ["model"]})), called(block(**text("a"), annotations={"audience": ["user"]}))),
    Case("L-ANN-02", called(block(**text("a"), annotations={"priority": 1.1})), called(block(**text("a"), annotations={"priority": 1}))),
    Case("L-ANN-03", called(block(**text("a"), annotations={"lastModified": "today"})), called(block(**text("a"), annotations={"lastModified": "2025-01-12T15:00:58Z"}))),
    Case("L-RES-01", resources(resource(uri="report")), resources(resource(uri="demo:report"))),
    Case("L-RES-02", resources(resource(), resource(name="again")), resources(resource(), resource(uri="demo://other"))),
    Case("L-RES-03", templates("demo://{file"), templates("demo://{+file}")),
    Case("L-RES-05", read({"text": "a", "blob": "AAAA"}), read({"blob": "AAAA"})),
    Case("L-RES-10", contents(), contents({"uri": "demo://report", "text": ""})),
    Case("L-PRM-01", prompts({"name": "a"}, {"name": "a"}), prompts({"name": "a"}, {"name": "b"})),
    Case("L-PRM-03", get_prompt(role="system", content=text("a")), get_prompt(role="assistant", content=text("a"))),
    Case("L-SMP-01", asks("sampling/createMessage", messages=[]), sample()),
    Case("L-SMP-04", sample(ASSISTANT, {"role": "user", "content": [USED, text("a")]}), sample(ASSISTANT, ANSWER)),
    Case("L-SMP-05", sample(ASSISTANT, {"role": "user", "content": text("a")}), sample(ASSISTANT, ANSWER)),
    Case("L-SMP-06", sample(modelPreferences={"costPriority": 2}), sample(modelPreferences={"costPriority": 1})),
    Case("L-SMP-08", sample({"role": "user", "content": [text("a")]}), sample(), V2025_06_18),
    Case("L-ELI-01", form(password={"type": "string"}), form(calendar={"type": "string"})),
    Case("L-ELI-02", asks("elicitation/create", message=MESSAGE), form(a={"type": "string"})),
    Case("L-ELI-02", asks("elicitation/create", message=MESSAGE), form(a={"type": "string"}), V2025_06_18, name="its first revision"),
    Case("L-JR-34", asks("elicitation/create", message=MESSAGE), asks("roots/list"), V2025_03_26, name="request of a later revision"),
    Case("L-ELI-03", form(a={"type": "object"}), form(a={"type": "boolean"})),
    Case("L-ELI-04", form(a={"type": "string", "format": "ipv4"}), form(a={"type": "string", "format": "email"})),
    Case("L-ELI-09", url("ftp://example.com"), url("https://example.com")),
    Case("L-ELI-11", url("http://example.com"), url("http://localhost/page")),
    Case("L-ELI-12", url("https://example.com/?access_token=abc"), url("https://example.com/?page=abc")),
    Case("L-ELI-13", form(a={"type": "string", "description": "See https://example.com"}), form(a={"type": "string", "description": "See the page."})),
    Case("L-ELI-15", url_required({}), url_required({"elicitations": [VISIT]})),
    Case("L-ELI-20", url("https://xn--80ak6aa92e.com"), url("https://example.com")),
    Case("L-Q-03", listed(tool(description="Adds\u200btwo numbers.")), listed(tool(description="Adds two\nnumbers – really."))),
    Case("L-PRM-09", rendered(text("{{ name.first }}")), rendered(text("{{ user.name }}")), name="member"),
)  # fmt: skip
