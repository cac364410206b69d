"""What the command line says about a server that fails; ours."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from inspector.cli.command import ERROR_RESPONSE, NOT_CONNECTED
from tests.support.command_line import cli

if TYPE_CHECKING:
    from pathlib import Path

SERVER = """
import json, sys
def say(id, **members): print(json.dumps({"jsonrpc": "2.0", "id": id, **members}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    method, id = message["method"], message.get("id")
    if method == "server/discover": say(id, error={"code": -32601, "message": "Method not found"})
    elif method == "initialize": INITIALIZE
    elif method == "tools/call": raise ZeroDivisionError("division by zero")
    elif id is not None: say(id, result={"tools": []})
"""
ACCEPT = (
    'say(id, result={"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, '
    '"serverInfo": {"name": "s", "version": "1"}})'
)


def server(folder: Path, initialize: str) -> tuple[str, str, str]:
    """Arguments of a command line that start a server with that reaction to `initialize`."""
    file = folder / "server.py"
    file.write_text(SERVER.replace("INITIALIZE", initialize))
    return ("--", sys.executable, str(file))


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    ("error", "word"),
    [
        ('{"code": -32603, "message": "license expired"}', "license expired"),
        ('{"code": -32602, "message": "no", "data": {"supported": ["2024-11-05"]}}', "-32602"),
        ('{"message": "license expired"}', "license expired"),
        ('"database is down"', "database is down"),
    ],
)
async def test_a_refused_handshake_ends_the_command_with_the_reason(
    tmp_path: Path, error: str, word: str
) -> None:
    """Ours: after `server/discover` was refused as well."""
    printed = await cli(
        "--quiet", "--timeout", "5", "info", *server(tmp_path, f"say(id, error={error})")
    )
    assert printed.code == NOT_CONNECTED
    assert word in printed.err


async def test_a_process_that_ends_during_a_call_is_told_with_the_line_that_says_why(
    tmp_path: Path,
) -> None:
    """Ours: as for one that ends while it is connected to."""
    printed = await cli("--quiet", "call", "t", "{}", *server(tmp_path, ACCEPT))
    assert printed.code == ERROR_RESPONSE
    assert "ZeroDivisionError: division by zero" in printed.err.splitlines()[0]
