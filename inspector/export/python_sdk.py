"""A request as a program for the Python SDK (`pip install "mcp>=2"`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.export.server_target import sent_requests
from inspector.wire.json_codec import RawNumber

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.export.server_target import SentRequest, ServerTarget
    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json

_LISTS = {
    "tools/list": "list_tools",
    "resources/list": "list_resources",
    "resources/templates/list": "list_resource_templates",
    "prompts/list": "list_prompts",
}


def python_programs(
    transcript: Transcript, numbers: Iterable[int], masking: Masking
) -> Iterator[str]:
    """Yield a program for every request of the client that the frames belong to, each once."""
    for request in sent_requests(transcript, numbers, masking):
        yield _program(request)


def _program(request: SentRequest) -> str:
    imports, server = _server(request.target)
    call, more = _call(request)
    lines = [
        "import asyncio",
        "",
        *sorted((*imports, *more)),
        "",
        "",
        "async def main() -> None:",
        *(f"    {line}" for line in server),
        "    async with Client(server) as client:",
        *(f"        {line}" for line in call),
        "        print(result.model_dump_json(indent=2, by_alias=True, exclude_none=True))",
        "",
        "",
        "asyncio.run(main())",
    ]
    return "\n".join(lines)


def _server(target: ServerTarget) -> tuple[list[str], list[str]]:
    if target.url and not target.headers:
        return ["from mcp import Client"], [f"server = {target.url!r}"]
    if target.url:
        imports = [
            "from mcp import Client",
            "from mcp.client.streamable_http import streamable_http_client",
            "from mcp.shared._httpx_utils import create_mcp_http_client",
        ]
        headers = "{" + ", ".join(f"{name!r}: {value!r}" for name, value in target.headers) + "}"
        return imports, [
            f"http = create_mcp_http_client(headers={headers})",
            f"server = streamable_http_client({target.url!r}, http_client=http)",
        ]
    program, *arguments = target.command or ("PROGRAM",)
    return ["from mcp import Client, StdioServerParameters"], [
        f"server = StdioServerParameters(command={program!r}, args={arguments!r})"
    ]


def _call(request: SentRequest) -> tuple[list[str], list[str]]:
    """The lines that send the request, and the imports that they need."""
    method, name, arguments = request.method, request.text("name"), request.arguments
    if method in _LISTS and request.has_only():
        return [f"result = await client.{_LISTS[method]}()"], []
    if method in {"tools/call", "prompts/get"} and name and request.has_only("name", "arguments"):
        verb = "call_tool" if method == "tools/call" else "get_prompt"
        given = "" if arguments is None else f", {literal(arguments)}"
        return [f"result = await client.{verb}({name!r}{given})"], []
    if method == "resources/read" and request.text("uri") and request.has_only("uri"):
        return [f"result = await client.read_resource({request.text('uri')!r})"], []
    params = request.all_params
    return [
        f"request = types.Request(method={method!r}, params={literal(params)})",
        "result = await client.session.send_request(request, types.Result)",
    ], ["from mcp import types"]


def literal(value: Json) -> str:
    """Return a JSON value as Python source; numbers keep their spelling."""
    if isinstance(value, RawNumber):
        return value.text
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {literal(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    return repr(value)
