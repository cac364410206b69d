"""Arguments, requests and lists of the command line, and where their results go; ours."""

from __future__ import annotations

import asyncio
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.cli.command import ERROR_RESPONSE, NO_OUTPUT, PROBLEMS, SUCCESS, USAGE
from inspector.cli.command_line import read
from inspector.cli.console import Console
from inspector.cli.findings_report import MAX_LINES_PER_RULE
from inspector.cli.runner import run
from tests.support.wait import wait_until

ROOT = Path(__file__).parents[3]
DEMO = (sys.executable, "-m", "inspector.demo")
CLI = (sys.executable, "-m", "inspector")


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the demo server is found."""
    monkeypatch.chdir(ROOT)


async def cli(*arguments: str, server: tuple[str, ...] = DEMO) -> tuple[int, str, str]:
    """Run a command line in this process; return exit code, stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    code = await run(read([*arguments, "--", *server]), Console(out, err))
    return code, out.getvalue(), err.getvalue()


@pytest.mark.parametrize(
    ("texts", "arguments"),
    [
        ((), None),
        (('{"a": 1.50}',), '{"a": 1.50}'),
        (("[1]",), "[1]"),
        (("a=1", "b:=1.50", "c=x=y", "d="), '{"a": "1", "b": 1.50, "c": "x=y", "d": ""}'),
        (('b:={"x": [null]}',), '{"b": {"x": [null]}}'),
    ],
)
def test_arguments_are_sent_as_they_were_typed(
    texts: tuple[str, ...], arguments: str | None
) -> None:
    """Ours: `=` is a string, `:=` is JSON, and numbers keep their spelling."""
    assert read(["call", "t", *texts, "--", "x"]).arguments == arguments


@pytest.mark.parametrize("texts", [("a",), ("a=1", "b"), ("a:=x",), ("{",)])
def test_arguments_that_are_neither_are_refused(texts: tuple[str, ...]) -> None:
    """Ours."""
    with pytest.raises(SystemExit) as ended:
        read(["call", "t", *texts, "--", "x"])
    assert ended.value.code == USAGE


async def test_a_call_takes_pairs_and_metadata() -> None:
    """Ours."""
    code, out, _ = await cli("--quiet", "call", "echo", "message=hello", "times:=2")
    assert (code, out.count("hello")) == (SUCCESS, 2)


@pytest.mark.parametrize("era", ["stateful", "stateless"])
async def test_a_request_carries_what_its_revision_wants_and_the_metadata_of_the_user(
    era: str, tmp_path: Path
) -> None:
    """Ours: with `raw` the metadata of the stateless revision had to be written by hand."""
    record = tmp_path / "x.spyglass"
    server = (*DEMO, "--era", era)
    task = (
        "--json",
        "--record",
        str(record),
        "--meta",
        "a.b/c=[1]",
        "--meta",
        "t=x",
        "request",
        "tools/list",
    )
    code, out, _ = await cli("--quiet", *task, server=server)
    assert code == SUCCESS
    assert json.loads(out)["result"]["tools"]
    sent = (await cli("--quiet", "--json", "request", "no/such", '{"n": 1.0}', server=server))[0]
    assert sent == ERROR_RESPONSE
    frames = io.StringIO()
    await run(
        read(["--json", "--quiet", "transcript", str(record)]), Console(frames, io.StringIO())
    )
    (request,) = [
        json.loads(frame["raw"])
        for line in frames.getvalue().splitlines()
        if (frame := json.loads(line))["method"] == "tools/list"
        and frame["direction"] == "sent"
        and frame["kind"] == "request"
    ]
    assert request["params"]["_meta"]["a.b/c"] == [1]
    assert request["params"]["_meta"]["t"] == "x"
    assert ("protocolVersion" in json.dumps(request)) == (era == "stateless")


async def test_resources_and_prompts_are_listed_and_read() -> None:
    """Ours."""
    _, resources, _ = await cli("--quiet", "resources")
    uri = resources.split()[0]
    code, text, _ = await cli("--quiet", "read", uri)
    assert (code, bool(text.strip())) == (SUCCESS, True)
    _, prompts, _ = await cli("--quiet", "--json", "prompts")
    prompt = next(item for item in json.loads(prompts)["prompts"] if not item.get("arguments"))
    code, text, _ = await cli("--quiet", "prompt", prompt["name"])
    assert (code, "user:" in text) == (SUCCESS, True)


async def test_the_result_can_go_to_a_file(tmp_path: Path) -> None:
    """Ours."""
    file = tmp_path / "out.json"
    options = ["--quiet", "--json", "--output", str(file), "tools", "--", *DEMO]
    done = await asyncio.create_subprocess_exec(*CLI, *options, stdout=subprocess.PIPE)
    out, _ = await done.communicate()
    assert (done.returncode, out) == (SUCCESS, b"")
    assert json.loads(file.read_text())["tools"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("how", ["/dev/full", ">&-", "--output"])
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_output_that_cannot_be_written_is_one_line_and_a_code(how: str, form: list[str]) -> None:
    """Ours."""
    options = [
        "--quiet",
        *form,
        *(["--output", "/no/such/folder/x"] if how == "--output" else []),
        "tools",
    ]
    where = {"/dev/full": ">/dev/full", ">&-": ">&-", "--output": ""}[how]
    line = " ".join(["exec", *map(_quoted, [*CLI, *options, "--", *DEMO]), where])
    done = subprocess.run(["sh", "-c", line], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, check=False, timeout=30, env={**os.environ, "PYTHONWARNINGS": "ignore"})  # fmt: skip
    assert done.returncode == NO_OUTPUT
    assert done.stderr.count("\n") == 1
    assert "cannot write the output" in done.stderr


def _quoted(word: str) -> str:
    return f"'{word}'"


FLOOD = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        for number in range(500):
            print(json.dumps({"jsonrpc": "1.0", "method": "notifications/x"}))
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"protocolVersion": "2025-11-25",
            "capabilities": {}, "serverInfo": {"name": "f", "version": "1"}}}), flush=True)
"""


async def test_findings_of_one_rule_are_printed_up_to_a_limit_and_counted() -> None:
    """Ours: 50,000 lines say no more than twenty."""
    code, _, err = await cli(
        "--revision", "2025-11-25", "info", server=(sys.executable, "-c", FLOOD)
    )
    lines = [line for line in err.splitlines() if "jsonrpc" in line.lower()]
    assert code == SUCCESS
    assert MAX_LINES_PER_RULE <= len(lines) < 3 * MAX_LINES_PER_RULE
    assert "480 more of 500" in err


async def test_strict_makes_a_problem_an_exit_code() -> None:
    """Ours: for continuous integration."""
    server = (sys.executable, "-c", FLOOD)
    assert (await cli("--strict", "--revision", "2025-11-25", "info", server=server))[0] == PROBLEMS
    assert (await cli("--strict", "info"))[0] == SUCCESS


async def test_judging_at_the_end_can_be_interrupted() -> None:
    """Ours: what is left to judge is judged in slices, between which a signal is heard."""
    flood = FLOOD.replace("range(500)", "range(30000)")
    options = read(["--revision", "2025-11-25", "info", "--", sys.executable, "-c", flood])
    out = io.StringIO()
    work = asyncio.create_task(run(options, Console(out, io.StringIO())))
    await wait_until(lambda: out.getvalue() or work.done(), 30)
    work.cancel()
    async with asyncio.timeout(5):
        await asyncio.wait([work])
    assert work.cancelled()
