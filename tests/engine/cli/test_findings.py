"""What the command line prints of findings: the same as the window, about a named message, with the part that is meant."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

from inspector.cli.command import ERROR_RESPONSE, NOT_CONNECTED, PROBLEMS, SUCCESS
from inspector.cli.command_line import read
from inspector.cli.console import Console
from inspector.cli.runner import run

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

SERVER = """
import json, sys
answers = json.loads(sys.argv[1])
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    answer = answers.get(message["method"], {"error": {"code": -32601, "message": "Method not found"}})
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}), flush=True)
"""
TOOL: JsonObject = {"name": "a", "inputSchema": {"type": "object"}}
OPENING: JsonObject = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "s", "version": "1"},
}


async def cli(*text: str, **answers: JsonObject) -> tuple[int, str, str]:
    """Run a command line with a server that gives these results; exit code, stdout, stderr."""
    named: JsonObject = {"initialize": {"result": OPENING}}
    named |= {name.replace("_", "/"): {"result": answer} for name, answer in answers.items()}
    out, err = io.StringIO(), io.StringIO()
    server = (sys.executable, "-c", SERVER, json.dumps(named))
    options = read(["--revision", "2025-11-25", *text, "--", *server])
    return await run(options, Console(out, err)), out.getvalue(), err.getvalue()


async def test_a_finding_names_its_message_and_quotes_what_is_meant() -> None:
    """Ours: a finding without evidence cannot be followed."""
    image: JsonObject = {"type": "image", "data": "n o t", "mimeType": "image/png"}
    lists: JsonObject = {"tools": [TOOL]}
    code, _, err = await cli(
        "--strict", "call", "a", tools_list=lists, tools_call={"content": [image]}
    )
    (line,) = [line for line in err.splitlines() if "L-TOOL-42" in line]
    following = err.splitlines()[err.splitlines().index(line) + 1]
    assert code == PROBLEMS
    assert "← tools/call id" in line
    assert "(stdout)" in line
    assert following.strip() == '"n o t"'


async def test_two_tools_of_one_name_are_found() -> None:
    """L-TOOL-04: as in the window."""
    _, _, err = await cli("tools", tools_list={"tools": [TOOL, TOOL]})
    assert "L-TOOL-04" in err


async def test_items_that_pages_repeat_are_found() -> None:
    """L-PAG-05."""
    _, _, err = await cli("tools", tools_list={"tools": [TOOL, TOOL], "nextCursor": "x"})
    assert "L-PAG-05" in err


@pytest.mark.parametrize("result", [{"tools": "none"}, {}, {"tools": None}, {"items": []}])
async def test_a_result_that_is_no_list_is_not_an_empty_list(result: JsonObject) -> None:
    """Ours: `no tools`, exit code 0, is what a server without tools gets."""
    code, _, err = await cli("tools", tools_list=result)
    assert code == ERROR_RESPONSE
    assert "no usable result: `" in err
    assert "object with the list" in err


async def test_a_list_without_tools_is_fine() -> None:
    """Ours."""
    code, _, err = await cli("tools", tools_list={"tools": []})
    assert (code, "no tools" in err) == (SUCCESS, True)


async def test_a_call_of_a_tool_that_is_not_listed_is_sent_and_said() -> None:
    """Ours: the first thing to look at when a call is refused."""
    content: JsonObject = {"content": [{"type": "text", "text": "x"}]}
    code, out, err = await cli("call", "b", tools_list={"tools": [TOOL]}, tools_call=content)
    assert (code, out) == (SUCCESS, "x\n")
    assert "unlisted-tool at /params/name" in err


NUMBER: JsonObject = {"type": "object", "properties": {"n": {"type": "integer"}}}
STRUCTURED: JsonObject = {**TOOL, "outputSchema": NUMBER}


@pytest.mark.parametrize(
    ("tool", "content", "rule", "expected"),
    [
        (STRUCTURED, {"structuredContent": {"n": "x"}}, "L-TOOL-19", PROBLEMS),
        (STRUCTURED, {}, "L-TOOL-18", PROBLEMS),
        (STRUCTURED, {"structuredContent": {"n": 1}}, "fits the output schema", SUCCESS),
        (TOOL, {"structuredContent": {"n": "x"}}, "response in", SUCCESS),
    ],
)
async def test_structured_content_is_validated_as_in_the_window(
    tool: JsonObject, content: JsonObject, rule: str, expected: int
) -> None:
    """C-TOOL-10, L-TOOL-18, L-TOOL-19: and a problem is an exit code under `--strict`."""
    text: Json = [{"type": "text", "text": '{"n":1}'}]
    code, _, err = await cli(
        "--strict",
        "call",
        "a",
        tools_list={"tools": [tool]},
        tools_call={"content": text, **content},
    )
    assert rule in err
    assert code == expected


async def test_an_error_of_a_known_code_has_the_hint_that_the_window_has() -> None:
    """Ours: in words for the command line."""
    code, _, err = await cli("request", "no/such")
    assert code == ERROR_RESPONSE
    assert "Check the declared capabilities" in err


async def test_a_message_over_several_lines_is_one_finding_and_not_one_a_line() -> None:
    """Ours: what follows of it says nothing new."""
    server = (
        'import sys; [print(\'{\\n  "jsonrpc": "2.0",\\n  "id": 1,\\n  "result": {}\\n}\', flush=True) '
        "for line in sys.stdin]"
    )
    out, err = io.StringIO(), io.StringIO()
    options = read(["--timeout", "0.5", "tools", "--", sys.executable, "-c", server])
    await run(options, Console(out, err))

    findings = [line for line in err.getvalue().splitlines() if line.startswith("error: #")]
    assert findings
    assert all("L-STD-02" in line for line in findings)
    assert len(set(findings)) == len(findings) <= 2


async def test_advice_about_lists_is_counted_and_left_to_check() -> None:
    """Ours: five lines about titles would hide the one that matters."""
    bad: JsonObject = {"name": "b", "inputSchema": {"type": "objekt"}}
    _, _, err = await cli("tools", tools_list={"tools": [TOOL, bad]})

    printed = [line.split(":")[0] for line in err.splitlines() if " L-" in line]
    assert printed
    assert "info" not in printed
    assert "notes not printed" in err


async def test_a_connection_that_failed_is_told_once() -> None:
    """Ours: the finding about the exit repeats what the steps say."""
    out, err = io.StringIO(), io.StringIO()
    code = "import sys; input(); print('boom: no config', file=sys.stderr); sys.exit(3)"
    options = read(["tools", "--", sys.executable, "-c", code])

    assert await run(options, Console(out, err)) == NOT_CONNECTED
    assert "boom: no config" in err.getvalue()
    assert not [line for line in err.getvalue().splitlines() if " L-" in line]
