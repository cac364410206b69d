"""`--json` prints one document that a program can read, also when a command fails; ours."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from inspector.cli.command import (
    COMMANDS,
    ERROR_RESPONSE,
    NOT_CONNECTED,
    USAGE,
    Target,
)
from tests.support.command_line import cli, with_folder

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.json_value import JsonObject

MISSING = ("--", "no-such-program-of-spyglass")
DEMO = ("--", sys.executable, "-m", "inspector.demo")

ARGUMENTS = {
    "call": ("echo",),
    "read": ("demo://x",),
    "prompt": ("greet",),
    "request": ("ping",),
    "complete": ("p", "a=b"),
    "load": ("echo", "--count", "1"),
    "raw": ("{}",),
    "connect": ("x", "--foreground"),
}
"""What a command needs besides a server."""

SERVER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message: continue
    page = message.get("params", {}).get("cursor")
    found = {"tools": [{"name": "a", "inputSchema": {"type": "object"}}], "nextCursor": "2"}
    if message["method"] == "initialize":
        found = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    answer = {"result": found}
    if page or message["method"] not in ("initialize", "tools/list"):
        answer = {"error": {"code": -32000, "message": "database is down"}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}), flush=True)
"""


def error_of(text: str) -> JsonObject:
    """Return the failure in a document."""
    return json.loads(text)["error"]


@pytest.mark.parametrize("name", [each.name for each in COMMANDS if each.target is Target.ANY])
async def test_a_command_without_a_connection_prints_one_document(name: str) -> None:
    """Ours."""
    done = await cli(name, *ARGUMENTS.get(name, ()), "--json", *MISSING)

    command = next(each for each in COMMANDS if each.name == name)
    assert done.code == NOT_CONNECTED
    assert done.code in command.load().codes  # as its help says
    assert "not on PATH" in str(error_of(done.out)["reason"])


async def test_a_check_without_a_connection_is_one_report_that_says_so() -> None:
    """Ours: it is no report of a server without problems."""
    for form in (("--json",), ("--format", "json")):
        done = await cli("check", *form, *MISSING)
        assert (done.code, "not on PATH" in json.loads(done.out)["failure"]) == (
            NOT_CONNECTED,
            True,
        )


@pytest.mark.parametrize(
    "line",
    [
        ("tools", "--server", "none"),
        ("servers", "remove", "none"),
        ("servers", "show", "none"),
        ("login", "--server", "none"),
        ("check", "--server", "none"),
    ],
)
async def test_a_server_that_is_not_saved_is_a_document_too(
    line: tuple[str, ...], tmp_path: Path
) -> None:
    """Ours."""
    done = await with_folder(tmp_path, *line, "--json")

    assert (done.code, "none" in str(error_of(done.out)["reason"])) == (USAGE, True)


@pytest.mark.parametrize(
    "line", [("transcript", "FILE"), ("stats", "FILE"), ("diff", "FILE", "FILE"), ("check", "FILE")]
)
async def test_a_recording_that_cannot_be_read_is_a_document_too(
    line: tuple[str, ...], tmp_path: Path
) -> None:
    """Ours."""
    file = tmp_path / "x.spyglass"
    file.write_text("no recording")
    done = await cli(*[str(file) if each == "FILE" else each for each in line], "--json")

    assert (done.code, bool(error_of(done.out)["reason"])) == (USAGE, True)


async def test_a_list_that_breaks_off_is_one_document_with_what_was_read(tmp_path: Path) -> None:
    """Ours: and so is each line of a shell."""
    (tmp_path / "server.py").write_text(SERVER)
    (tmp_path / "lines").write_text("tools --json\nping --json\n")
    server = ("--", sys.executable, str(tmp_path / "server.py"))
    done = await cli("tools", "--json", *server)
    shell = await cli("shell", str(tmp_path / "lines"), "--keep-going", *server)

    assert done.code == ERROR_RESPONSE
    document = json.loads(done.out)
    assert [each["name"] for each in document["tools"]] == ["a"]
    assert document["error"]["code"] == -32000
    first, second = map(json.loads, shell.out.splitlines())
    assert first["tools"] == document["tools"]
    assert (second["error"]["code"], "tools" in second) == (-32000, False)
