"""Many commands over one connection, and the notifications that come over one; ours."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING

import pytest

from inspector.cli.command import ERROR_RESPONSE, PROBLEMS, SUCCESS, TOOL_ERROR, USAGE
from tests.support.command_line import cli, typing
from tests.support.demo_server import demo
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from pathlib import Path

DEMO = ("--", sys.executable, "-m", "inspector.demo")


async def test_a_script_runs_every_line_over_one_connection(tmp_path: Path) -> None:
    """Ours."""
    file, output = tmp_path / "commands.txt", tmp_path / "tools.json"
    record = tmp_path / "session.spyglass"
    file.write_text(
        f"# comment\n\ncall echo 'message=two words'\ntools --json --output {output}\nping\nexit\nbogus\n"
    )
    server = (*DEMO, "--era", "stateful")
    done = await cli("--record", str(record), "shell", str(file), *server)
    stats = await cli("stats", str(record), "--json")

    assert (done.code, done.out.splitlines()[0]) == (SUCCESS, "two words")
    assert json.loads(output.read_text())["tools"]
    counts = {each["method"]: each["count"] for each in json.loads(stats.out)}
    assert [counts[each] for each in ("initialize", "tools/call", "ping")] == [1, 1, 1]


@pytest.mark.parametrize(
    ("lines", "options", "code", "printed"),
    [
        ("call fail_as_result\ncall echo message=x", (), TOOL_ERROR, False),
        ("call fail_as_error\ncall echo message=x", ("--keep-going",), ERROR_RESPONSE, True),
        ("call\ncall echo message=x", ("--keep-going",), USAGE, True),
        ("login\ncall echo message=x", (), USAGE, False),
        ("call fault_noise\ncall echo message=x", ("--strict",), PROBLEMS, True),
    ],
)
async def test_a_script_ends_at_the_command_that_fails_with_its_code(
    tmp_path: Path, lines: str, options: tuple[str, ...], code: int, printed: bool
) -> None:
    """Ours."""
    file = tmp_path / "commands.txt"
    file.write_text(lines)
    done = await cli("shell", str(file), *options, *DEMO)

    assert done.code == code, done.err
    assert ("\nx\n" in f"\n{done.out}") is printed


async def test_a_user_sees_the_outcome_of_each_line_before_the_next() -> None:
    """Ours: a failure does not end the shell of a user, and what was found is printed at once."""
    async with typing(at_terminal=True) as user:
        running = asyncio.create_task(user.run("shell", *DEMO))
        await wait_until(lambda: "> " in user.err.getvalue())
        user.types("call fault_noise")
        await wait_until(lambda: "INFO handling request" in user.err.getvalue())
        user.types("bogus")
        await wait_until(lambda: "no command of a session" in user.err.getvalue())
        user.types("call echo message=later")
        await wait_until(lambda: "later" in user.out.getvalue())
        user.types("quit")
        done = await running

    assert done.code == SUCCESS


async def test_notifications_are_printed_as_they_arrive() -> None:
    """Ours: those about a resource in either era, and log messages where a request for them exists."""
    for era in ("stateful", "stateless"):
        async with demo("--http", "0", "--era", era) as url:
            listening = asyncio.create_task(
                cli("listen", "demo://notes", "--for", "1", "--json", "--", url)
            )
            logs = await cli("logs", "--for", "0.1", "--", url)
            done = await listening
        lines = [json.loads(line)["method"] for line in done.out.splitlines()]
        assert (done.code, all(lines)) == (SUCCESS, True), done.err
        assert logs.code == (SUCCESS if era == "stateful" else ERROR_RESPONSE)
