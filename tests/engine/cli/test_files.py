"""`export` and `import`: recordings in the formats of other tools, and the other way round; ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector.__main__ import main
from inspector.cli.command import SUCCESS, USAGE
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.command_line import cli
from tests.support.recordings import open_whole, write_recording
from tests.support.records import Written, request, result

FOREIGN = Path(__file__).parents[1] / "imports" / "files"


@pytest.fixture
async def recording(tmp_path: Path) -> Path:
    """A recording of three requests."""
    path = tmp_path / "x.spyglass"
    await write_recording(path)
    return path


async def test_a_recording_is_exported_and_imported_again(recording: Path, tmp_path: Path) -> None:
    """Ours."""
    lines, copy = tmp_path / "x.jsonl", tmp_path / "y.spyglass"

    printed = await cli("export", "jsonl", str(recording))
    lines.write_text(printed.out)
    made = await cli("import", str(lines), "--output", str(copy))

    assert (printed.code, made.code) == (SUCCESS, SUCCESS)
    assert len(printed.out.splitlines()) == 7
    first, second = (await open_whole(recording)), (await open_whole(copy))
    numbers = range(1, 8)
    assert [*map(second.transcript.frame, numbers)] == [*map(first.transcript.frame, numbers)]
    await first.aclose()
    await second.aclose()


@pytest.mark.parametrize("command", [["export", "jsonl"], ["transcript", "--format", "jsonl"]])
async def test_a_filter_selects_the_frames(command: list[str], recording: Path) -> None:
    """Ours: a wrong one says what is wrong."""
    found = await cli(*command, "--filter", "kind:request", str(recording))
    wrong = await cli(*command, "--filter", "kind:nothing", str(recording))

    assert [json.loads(line)["kind"] for line in found.out.splitlines()] == ["request"] * 3
    assert (wrong.code, wrong.out) == (USAGE, "")
    assert "--filter" in wrong.err


async def test_what_was_masked_is_reported_with_its_number(tmp_path: Path) -> None:
    """C-SEC-17: and all of it is there with `--secrets`."""
    path = tmp_path / "x.spyglass"
    record = Written(Transcript.create(path))
    record.transcript.redaction.is_on = False
    record.sent(request(1, "ping"))
    header = b"POST / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer abcdefgh\r\nX-Api-Key: 123456789"
    record.transcript.append(Direction.SENT, Channel.HTTP, [RawChunk(header)], 1)
    record.received(result(1, {"seen": "abcdefgh"}))
    await record.transcript.aclose()

    masked = await cli("export", "raw", str(path))
    whole = await cli("export", "raw", "--secrets", str(path))

    assert "abcdefgh" not in masked.out
    assert "3 secrets masked (2 in headers, 1 known values)" in masked.err
    assert whole.out.count("abcdefgh") == 2
    assert "masked" not in whole.err


async def test_a_file_with_several_sessions_lists_them(tmp_path: Path) -> None:
    """Ours: one is chosen by its name."""
    log = tmp_path / "mcp.log"
    line = '2026-08-01T10:00:00.000Z [{}] [info] Message from client: {{"method":"ping","jsonrpc":"2.0","id":1}}\n'
    log.write_text(line.format("one") + line.format("two"))
    output = tmp_path / "x.spyglass"

    listed = await cli("import", str(log), "--output", str(output))
    chosen = await cli("import", str(log), "--session", "two", "--output", str(output))

    assert listed.code == USAGE
    assert {"one", "two"} <= set(listed.err.split())
    assert chosen.code == SUCCESS
    recording = await open_whole(output)
    assert recording.transcript.count == 1
    await recording.aclose()


async def test_what_cannot_be_used_says_why(recording: Path, tmp_path: Path) -> None:
    """Ours: a format, a file, a recording."""
    unknown = await cli("export", "pdf", str(recording))
    foreign = await cli("import", str(recording), "--output", str(tmp_path / "y.spyglass"))
    missing = await cli("export", "har", str(tmp_path / "none"))
    empty = await cli("export", "csv", str(recording), "--filter", "method:none")

    assert "no selected frame can be written as CSV" in empty.err
    assert [each.code for each in (unknown, foreign, missing)] == [USAGE] * 3
    assert "otlp" in unknown.err
    assert "HAR" in foreign.err
    assert "none" in missing.err


def test_the_output_of_an_import_is_a_recording_and_not_what_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ours: as a whole program."""
    output = tmp_path / "x.spyglass"

    code = main(["import", str(FOREIGN / "mcpsnoop.jsonl"), "--output", str(output)])

    assert code == SUCCESS
    assert output.read_bytes().startswith(b"SQLite")
    assert "5 frames of mcpsnoop" in capsys.readouterr().out
