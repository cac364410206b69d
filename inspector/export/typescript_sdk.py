"""A request as a program for the TypeScript SDK (`npm install @modelcontextprotocol/sdk`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.export.server_target import sent_requests
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.export.server_target import SentRequest, ServerTarget
    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript

_PACKAGE = "@modelcontextprotocol/sdk"

_LISTS = {
    "tools/list": "listTools",
    "resources/list": "listResources",
    "resources/templates/list": "listResourceTemplates",
    "prompts/list": "listPrompts",
}
_WITH_PARAMS = {
    "tools/call": "callTool",
    "prompts/get": "getPrompt",
    "resources/read": "readResource",
}


def typescript_programs(
    transcript: Transcript, numbers: Iterable[int], masking: Masking
) -> Iterator[str]:
    """Yield a program for every request of the client that the frames belong to, each once."""
    for request in sent_requests(transcript, numbers, masking):
        yield "\n".join(_lines(request))


def _lines(request: SentRequest) -> Iterator[str]:
    transport, imported = _transport(request.target)
    call, is_plain = _call(request)
    yield f'import {{ Client }} from "{_PACKAGE}/client/index.js";'
    yield imported
    if not is_plain:
        yield f'import {{ ResultSchema }} from "{_PACKAGE}/types.js";'
    yield ""
    yield 'const client = new Client({ name: "snippet", version: "1.0.0" });'
    yield f"const transport = {transport};"
    yield "await client.connect(transport);"
    yield f"const result = await {call};"
    yield "console.log(JSON.stringify(result, null, 2));"
    yield "await client.close();"


def _transport(target: ServerTarget) -> tuple[str, str]:
    if target.url:
        name, module = "StreamableHTTPClientTransport", "streamableHttp"
        options = ""
        if target.headers:
            headers: json_codec.JsonObject = dict(target.headers)
            options = f", {{ requestInit: {{ headers: {json_codec.write(headers)} }} }}"
        made = f"new {name}(new URL({json_codec.write(target.url)}){options})"
    else:
        name, module = "StdioClientTransport", "stdio"
        program, *arguments = target.command or ("PROGRAM",)
        given = f"command: {json_codec.write(program)}, args: {json_codec.write([*arguments])}"
        made = f"new {name}({{ {given} }})"
    return made, f'import {{ {name} }} from "{_PACKAGE}/client/{module}.js";'


def _call(request: SentRequest) -> tuple[str, bool]:
    """The call that sends the request, and whether the client has a method for it."""
    params = request.all_params
    if request.method in _LISTS:
        return (
            f"client.{_LISTS[request.method]}({json_codec.write(params) if params else ''})",
            True,
        )
    if request.method in _WITH_PARAMS:
        return f"client.{_WITH_PARAMS[request.method]}({json_codec.write(params)})", True
    sent: json_codec.JsonObject = {"method": request.method}
    if params:
        sent["params"] = params
    return f"client.request({json_codec.write(sent)}, ResultSchema)", False
