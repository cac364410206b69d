"""Requests as spans, and as the command lines and programs that send them again; ours."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from asyncio.subprocess import PIPE
from typing import TYPE_CHECKING

import pytest

from inspector.cli.command_line import read
from inspector.export.curl import request_url
from inspector.export.formats import CLI, OTLP, PYTHON, TYPESCRIPT, Format
from inspector.transcript.redaction import Masking
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from inspector.wire.redaction import MASK
from tests.support.peers import NODE
from tests.support.records import (
    Written,
    error,
    notification,
    progress,
    request,
    result,
)
from tests.support.wait import patience

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.wire.json_codec import Json

DEMO = [sys.executable, "-m", "inspector.demo"]
ADD: Json = {"name": "add", "arguments": {"a": 1, "b": 2.5}, "_meta": {"progressToken": 7}}


def started() -> Written:
    """A session with the demo server."""
    record = Written()
    program, *arguments = DEMO
    record.transcript.note("started", "started process 1", program=program, args=[*arguments])
    return record


def texts(record: Written, format_: Format, *numbers: int) -> list[str]:
    """What the frames are in a format."""
    transcript = record.transcript
    chosen = numbers or range(1, transcript.count + 1)
    return [*format_.texts(transcript, chosen, Masking(transcript))]


def test_a_request_is_a_span_with_its_outcome_and_what_belongs_to_it() -> None:
    """Ours; source: the semantic conventions of OpenTelemetry for MCP."""
    record = Written()
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    first = record.sent(request(1, "tools/call", {"name": "add", "_meta": {"progressToken": 5}}))
    record.received(progress(5))
    record.received(error(1, -32602, "no"))
    record.sent(request(2, "tools/list", {"_meta": {"traceparent": trace}}))
    record.received(notification("notifications/message"))

    document = json.loads("\n".join(texts(record, OTLP)))
    (resource,) = document["resourceSpans"]
    call, listing = resource["scopeSpans"][0]["spans"]
    facts = {each["key"]: each["value"] for each in call["attributes"]}

    assert (call["name"], call["kind"]) == ("tools/call add", 3)
    assert int(call["endTimeUnixNano"]) - int(call["startTimeUnixNano"]) == 2 * 10**9
    assert call["status"] == {"code": 2, "message": "no"}
    assert facts["error.type"] == {"stringValue": "-32602"}
    assert facts["gen_ai.tool.name"] == {"stringValue": "add"}
    assert facts["spyglass.frame"] == {"intValue": f"{first}"}
    assert [each["name"] for each in call["events"]] == ["notifications/progress"]
    assert (listing["traceId"], listing["spanId"]) == tuple(trace.split("-")[1:3])
    assert listing["status"] == {}
    assert (len(call["traceId"]), len(call["spanId"])) == (32, 16)


def test_a_command_line_sends_the_request_with_what_the_user_chose() -> None:
    """Ours: numbers keep their spelling, the progress token is not the user's, and handshakes are no requests."""
    record = started()
    record.sent(request(0, "initialize", {}))
    record.sent(
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"it\'s","arguments":{"n":1.50}}}'
    )
    record.sent(request(2, "resources/read", {"uri": "a b", "_meta": {"x": 1}}))
    record.received(result(2))
    record.sent(request(3, "tasks/list", {"cursor": "c"}))
    server = f"-- {sys.executable} -m inspector.demo"

    assert texts(record, CLI) == [
        f"""spyglass-cli call 'it'"'"'s' '{{"n":1.50}}' {server}""",
        f"""spyglass-cli --meta x=1 read 'a b' {server}""",
        f"""spyglass-cli request tasks/list '{{"cursor":"c"}}' {server}""",
    ]
    assert not CLI.applies_to(record.transcript, 2)
    assert CLI.applies_to(record.transcript, 5)  # the response leads to its request


INJECTED = "--output=/home/u/.bashrc"


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": INJECTED, "arguments": {"a": 1}}),
        ("tools/call", {"name": "--"}),
        ("prompts/get", {"name": "--json"}),
        ("resources/read", {"uri": "-x://y", "_meta": {"--json": 1}}),
        (INJECTED, {"_meta": {"a": 1}}),
    ],
)
def test_no_name_of_a_server_is_an_option_of_the_command_line(
    method: str, params: dict[str, Json]
) -> None:
    """Ours: pasted, the line sends the same request, and does nothing else."""
    record = started()
    record.sent(request(1, method, params))

    (line,) = texts(record, CLI)
    options = read(shlex.split(line)[1:])

    sent = json.loads(options.arguments or options.args[0])
    if options.command.name == "raw":
        assert (sent["method"], sent["params"]) == (method, params)
    else:
        meta = {"_meta": options.meta} if options.meta else {}
        assert (options.command.name, options.args[0]) == ("request", method)
        assert {**sent, **meta} == params
    assert (options.output, options.json) == (None, False)
    assert options.target == tuple(DEMO)


def test_a_url_within_a_query_is_not_where_a_request_goes() -> None:
    """Ours: the target is absolute only if it does not begin with a slash."""
    known = {"x.example": "https"}

    def url(target: str) -> str:
        return request_url(known, "GET", target, "x.example")

    assert url("/mcp?next=http://y.example/") == "https://x.example/mcp?next=http://y.example/"
    assert url("http://y.example/mcp") == "http://y.example/mcp"


def test_a_request_over_http_has_the_headers_of_the_user_and_no_secrets() -> None:
    """C-SEC-17: for every way in which it is sent again."""
    record = Written()
    append = record.transcript.append
    append(Direction.SENT, Channel.BODY, [RawChunk(json.dumps(request(1, "tools/list")).encode())])
    block = b"POST /mcp HTTP/1.1\r\nHost: x.example\r\nMcp-Session-Id: 1\r\nX-Team: a b\r\nAuthorization: Bearer abcdefgh"
    append(Direction.SENT, Channel.HTTP, [RawChunk(block)], 1)

    assert texts(record, CLI) == [
        f"spyglass-cli --header 'X-Team: a b' --header 'Authorization: Bearer {MASK}' tools -- http://x.example/mcp"
    ]
    for format_ in (PYTHON, TYPESCRIPT):
        (program,) = texts(record, format_)
        assert "X-Team" in program
        assert f"Bearer {MASK}" in program


@pytest.mark.parametrize("method", ["tools/call", "tasks/x"])
async def test_a_program_for_the_python_sdk_is_valid(method: str) -> None:
    """Ours: whichever method, with text that needs escapes."""
    record = started()
    record.sent(request(1, method, {"name": 'a"\n\\', "arguments": {"on": True, "no": None}}))

    (program,) = texts(record, PYTHON)

    compile(program, "program", "exec")
    assert "None" in program


async def run(*command: str, cwd: Path | None = None) -> str:
    """What a program prints."""
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, cwd=cwd)
    async with asyncio.timeout(patience()):
        out, _ = await process.communicate()
    assert process.returncode == 0
    return out.decode()


async def test_the_program_for_the_python_sdk_calls_the_tool(sdk2_python: Path) -> None:
    """Ours: with the official SDK."""
    record = started()
    number = record.sent(request(1, "tools/call", ADD))

    out = await run(str(sdk2_python), "-c", *texts(record, PYTHON, number))

    assert json.loads(out)["structuredContent"] == {"sum": 3.5}


async def test_the_program_for_the_typescript_sdk_calls_the_tool(
    npm_folder: Path, tmp_path: Path
) -> None:
    """Ours: with the official SDK, as JavaScript, which it is too."""
    record = started()
    number = record.sent(request(1, "tools/call", ADD))
    (tmp_path / "node_modules").symlink_to(npm_folder / "node_modules")
    program = tmp_path / "program.mjs"
    program.write_text("\n".join(texts(record, TYPESCRIPT, number)))

    out = await run(str(NODE), "--preserve-symlinks-main", str(program))

    assert json.loads(out)["structuredContent"] == {"sum": 3.5}
