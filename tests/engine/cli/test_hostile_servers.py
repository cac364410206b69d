"""Servers that flood, stop in the middle of a line, or send what a terminal acts on, during one command; ours."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from inspector.cli.command import ERROR_RESPONSE, SUCCESS, TOOL_ERROR
from tests.support.command_line import cli

if TYPE_CHECKING:
    from pathlib import Path

SERVER = r"""
import json, os, sys
ESCAPES = "\x1b]0;title\x07\x1b[2J\x9b31m\u202e"
def say(id, **members): print(json.dumps({"jsonrpc": "2.0", "id": id, **members}), flush=True)
def note(text): print(json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": text}}))
for line in sys.stdin:
    message = json.loads(line)
    method, id = message["method"], message.get("id")
    if method == "initialize":
        say(id, result={"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "logging": {}}, "serverInfo": {"name": "s" + ESCAPES, "version": "1"}, "instructions": ESCAPES})
    elif method == "logging/setLevel": say(id, result={})
    elif method == "tools/list":
        say(id, result={"tools": [{"name": ESCAPES, "description": ESCAPES, "inputSchema": {"type": "object"}}]})
    elif method == "tools/call":
        name = message["params"]["name"]
        if name == "flood":
            for _ in range(5000): note(ESCAPES)
            say(id, result={"content": [{"type": "text", "text": "done"}]})
        elif name == "break off":
            sys.stdout.write('{"jsonrpc": "2.0", "id": %s, "res' % json.dumps(id)); sys.stdout.flush(); os._exit(0)
        elif name == "escapes":
            sys.stderr.write(ESCAPES + "\n")
            say(id, result={"content": [{"type": "text", "text": ESCAPES}], "isError": True})
    elif id is not None:
        say(id, error={"code": -32601, "message": ESCAPES, "data": ESCAPES})
"""


@pytest.fixture
def server(tmp_path: Path) -> tuple[str, ...]:
    """The end of a command line that starts it."""
    file = tmp_path / "server.py"
    file.write_text(SERVER)
    return ("--", sys.executable, str(file))


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        (("info",), SUCCESS, "⟨ESC⟩"),
        (("tools",), SUCCESS, "⟨ESC⟩"),
        (("call", "escapes"), TOOL_ERROR, "⟨ESC⟩]0;title⟨BEL⟩⟨ESC⟩[2J⟨U+009B⟩31m⟨U+202E⟩"),
        (("call", "flood", "--log-level", "info"), SUCCESS, "done"),
        (("call", "break off"), ERROR_RESPONSE, "exited"),
        (("--timeout", "0.5", "call", "never"), ERROR_RESPONSE, "0.5 s"),
        (("request", "resources/list"), ERROR_RESPONSE, "⟨ESC⟩"),
        (("raw", "{}"), SUCCESS, ""),
        (("check",), 7, "⟨ESC⟩"),
    ],
)
async def test_a_command_ends_with_its_code_and_prints_nothing_that_a_terminal_acts_on(
    server: tuple[str, ...], line: tuple[str, ...], code: int, told: str
) -> None:
    """stdio-04: in both streams, whatever the server sends."""
    done = await cli(*line, *server)
    printed = done.out + done.err

    assert (done.code, told in printed) == (code, True), printed
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & {*printed}
