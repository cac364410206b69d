"""A record is printed without its secrets, unless they are asked for; ours (security duty 15)."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest

from inspector.__main__ import main
from inspector.cli.command import SUCCESS
from inspector.cli.command_line import read
from inspector.cli.console import Console
from inspector.cli.runner import run
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from inspector.wire.redaction import MASK
from tests.support.demo_server import demo
from tests.support.recordings import written

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.wire.json_codec import Json

HEAD = b"POST /mcp?api_key=k1 HTTP/1.1\r\nAuthorization: Bearer abc\r\nX-Odd: 1"


@pytest.fixture
async def record(tmp_path: Path) -> Path:
    """One request over HTTP."""
    path = tmp_path / "x.spyglass"
    transcript = Transcript.create(path)
    transcript.redaction.is_on = False
    transcript.note(
        "opened", "POST endpoint http://x/mcp?api_key=k1", url="http://x/mcp?api_key=k1"
    )
    transcript.append(Direction.SENT, Channel.HTTP, [RawChunk(HEAD)])
    await transcript.aclose()
    return path


@pytest.fixture
async def task_record(tmp_path: Path) -> Path:
    """A question about a task."""
    path = tmp_path / "x.spyglass"
    transcript = Transcript.create(path)
    asked = b'{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"t-77"}}'
    transcript.append(Direction.SENT, Channel.STDIN, [RawChunk(asked)])
    await transcript.aclose()
    return path


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_secrets_are_hidden_and_can_be_asked_for(
    record: Path, capfd: pytest.CaptureFixture[str], form: list[str]
) -> None:
    """C-SEC-17."""
    assert main([*form, "transcript", str(record)]) == 0
    hidden = capfd.readouterr().out
    assert main([*form, "--secrets", "transcript", str(record)]) == 0
    whole = capfd.readouterr().out

    assert "abc" not in hidden
    assert "k1" not in hidden
    assert "X-Odd: 1" in hidden
    assert "Bearer abc" in whole
    assert whole.count("k1") >= 2


def test_what_is_hidden_is_said_to_programs(
    record: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    main(["--json", "transcript", str(record)])
    frames = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    main(["--json", "--secrets", "transcript", str(record)])
    whole = [json.loads(line) for line in capfd.readouterr().out.splitlines()]

    assert [frame.get("secretsHidden") for frame in frames] == [True, True]
    assert MASK in frames[1]["raw"]
    assert whole[1]["raw"].encode() == HEAD
    assert "secretsHidden" not in whole[1]


def test_the_id_of_a_task_is_not_printed(
    task_record: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """C-SEC-14: neither as what a request is about, nor in its text."""
    for form in ([], ["--json"]):
        main([*form, "transcript", str(task_record)])
    hidden = capfd.readouterr().out
    main(["--secrets", "transcript", str(task_record)])

    assert "tasks/get" in hidden
    assert "t-77" not in hidden
    assert "t-77" in capfd.readouterr().out


@pytest.fixture
async def argument_record(tmp_path: Path) -> Path:
    """A program that was given secrets as arguments, and prints them."""
    path = tmp_path / "x.spyglass"
    transcript = Transcript.create(path)
    transcript.redaction.is_on = False
    args: list[Json] = ["server.py", "--api-key=argsecret123", "--token", "argsecret456"]
    transcript.note("started", "started process 7", pid=7, program="python", args=args)
    transcript.append(Direction.RECEIVED, Channel.STDERR, [RawChunk(b"using argsecret123")])
    transcript.append(Direction.RECEIVED, Channel.STDERR, [RawChunk(b"and argsecret456")])
    await transcript.aclose()
    return path


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_secret_arguments_are_hidden_wherever_they_come_back(
    argument_record: Path, capfd: pytest.CaptureFixture[str], form: list[str]
) -> None:
    """C-SEC-17: the recording is all that is known of them."""
    assert main([*form, "transcript", str(argument_record)]) == 0
    hidden = capfd.readouterr().out

    assert "argsecret" not in hidden
    assert MASK in hidden


@pytest.mark.parametrize("option", ["", "--record-secrets"])
async def test_secrets_are_recorded_only_where_that_is_asked_for(
    tmp_path: Path, option: str
) -> None:
    """C-SEC-15: markers take their place otherwise; whoever asks for them is warned."""
    err = io.StringIO()
    async with demo("--http", "0") as url:
        task = ["--record", str(tmp_path / "x.spyglass"), *filter(None, [option]), "info"]
        header = ["--header", "Authorization: Bearer a-long-token-123"]
        code = await run(read([*header, *task, "--", url]), Console(io.StringIO(), err))
    left = written(tmp_path)

    assert code == SUCCESS
    assert (b"a-long-token-123" in left) is bool(option)
    assert ("in clear" in err.getvalue()) is bool(option)
