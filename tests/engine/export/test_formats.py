"""Frames in every format of `FORMATS`, on the command line and in a menu of one more; ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inspector.cli.command import SUCCESS, USAGE
from inspector.cli.command_line import read
from inspector.cli.commands import transcript as transcript_command
from inspector.export.formats import CURL, FORMATS, INDENTED_JSON, JSON_LINES, RAW, Format
from inspector.transcript.redaction import Masking
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.command_line import cli
from tests.support.records import Written, notification, request

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

SPACED = b'{"jsonrpc": "2.0", "method": "x", "params": {"n": 1.50}}'

HEADERS = b"POST /mcp HTTP/1.1\r\nHost: x.example\r\nAuthorization: Bearer abcdefgh"


def write(record: Written, format_: Format) -> list[str]:
    """Write all frames of a transcript."""
    transcript = record.transcript
    return [*format_.texts(transcript, range(1, transcript.count + 1), Masking(transcript))]


def over_http(record: Written, number: int) -> None:
    """Let frame `number` be sent in a POST."""
    record.transcript.append(Direction.SENT, Channel.HTTP, [RawChunk(HEADERS)], number)


def test_keys_and_menu_entries_of_formats_differ() -> None:
    """Ours."""
    assert len({each.key for each in FORMATS}) == len(FORMATS)
    copied = [each.copy_text for each in FORMATS if each.copy_text]
    assert len({*copied}) == len(copied)
    assert all(each.copy_text or each.suffix for each in FORMATS)


def test_raw_text_is_exact_and_indented_json_keeps_numbers() -> None:
    """Ours."""
    record = Written()
    record.received(SPACED)
    record.stderr("a line")

    assert write(record, RAW) == [SPACED.decode(), "a line"]
    message, line = write(record, INDENTED_JSON)
    assert '"n": 1.50' in message
    assert line == "a line"


def test_json_lines_hold_the_message_or_the_text() -> None:
    """Ours."""
    record = Written()
    record.received(SPACED)
    record.stderr("a line")

    message, line = (json.loads(each) for each in write(record, JSON_LINES))

    assert message["message"]["method"] == "x"
    assert "raw" not in message
    assert {*line} == {"number", "time", "monotonic", "direction", "channel", "kind", "raw"}
    assert line["raw"] == "a line"


def test_a_request_over_http_is_one_command_whichever_of_its_frames_are_written() -> None:
    """Ours: a notification over stdio is none."""
    record = Written()
    record.received(notification("notifications/x"))
    append = record.transcript.append
    append(Direction.SENT, Channel.BODY, [RawChunk(SPACED)])
    number = record.transcript.count
    over_http(record, number)

    (command,) = write(record, CURL)

    assert command.startswith("curl ")
    assert "x.example/mcp" in command
    assert "abcdefgh" not in command
    assert [CURL.applies_to(record.transcript, each) for each in (1, number)] == [False, True]


@pytest.fixture
async def recording(tmp_path: Path) -> Path:
    """A recording of two frames."""
    path = tmp_path / "x.spyglass"
    record = Written(Transcript.create(path))
    record.sent(request(1, "tools/list"))
    record.received(SPACED)
    await record.transcript.aclose()
    return path


async def test_a_recording_is_printed_in_another_format(recording: Path) -> None:
    """Ours."""
    printed = await cli("--format", "raw", "--quiet", "transcript", str(recording))

    assert printed.code == SUCCESS
    assert printed.out.splitlines()[1] == SPACED.decode()


async def test_a_format_and_json_exclude_each_other(recording: Path) -> None:
    """Ours."""
    printed = await cli("--json", "--format", "raw", "transcript", str(recording))

    assert (printed.code, printed.out) == (USAGE, "")
    assert "--format" in printed.err


async def test_a_format_more_is_a_row_that_help_and_output_know(
    recording: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ours."""

    def sizes(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> Iterator[str]:
        for number in numbers:
            yield str(len(masking.apply(number, transcript.raw(number))))

    row = Format("sizes", "sizes of frames", "Copy sizes", sizes)
    monkeypatch.setattr(transcript_command, "FORMATS", (*FORMATS, row))
    with pytest.raises(SystemExit):
        read(["transcript", "--help"])
    help_text = capsys.readouterr().out
    printed = await cli("--format", "sizes", "--quiet", "transcript", str(recording))

    assert "sizes of frames" in " ".join(help_text.split())
    assert printed.out.splitlines()[1] == str(len(SPACED))


def test_the_formats_of_a_request_are_those_that_send_it_again() -> None:
    """Ours: the menu has them apart, as what is copied is sent by a program, and not the frame."""
    assert [each.key for each in FORMATS if each.is_of_request] == [
        "curl",
        "cli",
        "python",
        "typescript",
    ]
