"""Files that are written, and those that are there already; ours."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest

from inspector.export.bug_report import report_writer
from inspector.export.formats import CSV, HAR, JSON_LINES, MARKDOWN, OTLP, RAW, Format
from inspector.export.pieces import PIECE_BYTES, SEARCHED_BYTES
from inspector.export.saving import BugReport, Export, RecordingPart
from inspector.transcript.redaction import Masking
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from inspector.wire.redaction import MASK
from tests.support.records import Written, request

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from inspector.export.formats import Write
    from inspector.transcript.transcript import Transcript


REPORT = report_writer(1, {}, "x.spyglass")


def files(folder: Path) -> dict[str, bytes]:
    """The files in a folder."""
    return {each.name: each.read_bytes() for each in folder.iterdir()}


def bug_report(record: Written, write: Write = REPORT) -> BugReport:
    """A report about the first frame."""
    transcript, numbers = record.transcript, [1]
    format_ = Format("report", "Report", "", write, suffix=".md")

    def report(recording: str) -> Export:
        assert recording
        return Export(format_, transcript, numbers, Masking(transcript))

    return BugReport(report, RecordingPart(transcript, numbers, Masking(transcript)))


async def test_the_recording_of_a_bug_report_replaces_no_other_file(tmp_path: Path) -> None:
    """Ours: the user was asked about the report only."""
    record = Written()
    record.sent(request(1))
    other = tmp_path / "x.spyglass"
    other.write_bytes(b"evidence")

    for _ in range(2):
        assert await bug_report(record).run(tmp_path / "x.md")

    found = files(tmp_path)
    assert found["x.spyglass"] == b"evidence"
    assert sorted(found) == ["x-2.spyglass", "x-3.spyglass", "x.md", "x.spyglass"]


async def test_a_bug_report_can_be_stopped_until_its_end(tmp_path: Path) -> None:
    """Ours: in its second file too; then neither is kept."""
    record = Written()
    record.sent(request(1))

    def write(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> Iterator[str]:
        del transcript, numbers, masking
        job.stop()
        yield "text"

    job = bug_report(record, write)

    assert await job.run(tmp_path / "x.md") == 0
    assert not files(tmp_path)


@pytest.mark.parametrize("write", [CSV.write, MARKDOWN.write, OTLP.write, REPORT])
@pytest.mark.parametrize("method", ["tasks/get", "tasks/update"])
def test_no_file_has_the_id_of_a_task(write: Write, method: str) -> None:
    """C-SEC-14: neither as what a request is about, nor in its text."""
    record = Written()
    record.sent(request(1, method, {"taskId": "t-77"}))

    hidden = "\n".join(write(record.transcript, [1], Masking(record.transcript)))
    whole = "\n".join(write(record.transcript, [1], Masking(record.transcript, with_secrets=True)))

    assert "t-77" not in hidden
    assert MASK in hidden
    assert "t-77" in whole


LARGE = 3 * PIECE_BYTES + 1


@pytest.mark.parametrize("format_", [RAW, JSON_LINES, HAR])
@pytest.mark.parametrize("character", [b"a", "\u20ac".encode(), b"\xff"])
def test_a_large_frame_is_written_in_pieces(format_: Format, character: bytes) -> None:
    """Ours: no step takes long, so the window stays usable; together they are what was received."""
    record = Written()
    append, body = record.transcript.append, character * (LARGE * 2 // len(character))
    append(Direction.SENT, Channel.HTTP, [RawChunk(b"POST /mcp HTTP/1.1\r\nHost: x")])
    append(Direction.RECEIVED, Channel.HTTP, [RawChunk(b"HTTP/1.1 200 OK")], 1)
    append(Direction.RECEIVED, Channel.HTTP, [RawChunk(body)], 1)

    written = [*format_.write(record.transcript, [1, 2, 3], Masking(record.transcript))]

    assert max(map(len, written)) <= 2 * PIECE_BYTES
    text = "\n".join(format_.texts(record.transcript, [1, 2, 3], Masking(record.transcript)))
    assert body_in(format_, text) == (body if format_ is not RAW else readable(body))


def readable(body: bytes) -> bytes:
    """What a text has of bytes that are no text."""
    return body.decode(errors="replace").encode()


def body_in(format_: Format, text: str) -> bytes:
    """The body of the response as a format has it."""
    if format_ is RAW:
        return text.split("\n")[-1].encode()
    if format_ is HAR:
        content = json.loads(text)["log"]["entries"][0]["response"]["content"]
        is_text = "encoding" not in content
        return content["text"].encode() if is_text else base64.b64decode(content["text"])
    line = json.loads(text.splitlines()[-1])
    return line["raw"].encode() if "raw" in line else base64.b64decode(line["base64"])


async def test_pieces_are_one_line_of_a_file(tmp_path: Path) -> None:
    """Ours: a line that is written in pieces is read back as one."""
    record = Written()
    record.received(request(1, "ping", {"text": "\u20ac" * LARGE}))
    record.sent(request(2))

    export = Export(JSON_LINES, record.transcript, [1, 2], Masking(record.transcript))
    await export.run(tmp_path / "x.jsonl")

    lines = (tmp_path / "x.jsonl").read_bytes().split(b"\n")
    assert [json.loads(line)["number"] for line in lines if line] == [1, 2]


@pytest.mark.parametrize("format_", [RAW, JSON_LINES, HAR])
def test_a_secret_in_a_large_frame_is_hidden(format_: Format) -> None:
    """Ours: also one that lies across two of the parts that are searched for it."""
    record = Written()
    append, secret = record.transcript.append, b'{"taskId": "t-7777"}'
    append(Direction.SENT, Channel.HTTP, [RawChunk(b"POST /mcp HTTP/1.1\r\nHost: x")])
    append(Direction.RECEIVED, Channel.HTTP, [RawChunk(b"HTTP/1.1 200 OK")], 1)
    body = b"a" * (SEARCHED_BYTES * 5 - 4) + secret + b"a" * PIECE_BYTES
    append(Direction.RECEIVED, Channel.HTTP, [RawChunk(body)], 1)
    masking = Masking(record.transcript)

    text = "\n".join(format_.texts(record.transcript, [1, 2, 3], masking))

    assert "t-7777" not in text
    assert len(text) > len(body)
    assert sum(masking.masked.values()) == 1


async def test_a_line_without_text_is_a_line_of_the_raw_text(tmp_path: Path) -> None:
    """Ours: nothing that a server sent is left out."""
    record = Written()
    for raw in (b"one", b"", b"two"):
        record.transcript.append(Direction.RECEIVED, Channel.STDERR, [RawChunk(raw)])
    transcript = record.transcript
    file = tmp_path / "x.txt"

    assert await Export(RAW, transcript, [1, 2, 3], Masking(transcript)).run(file)
    assert file.read_text() == "one\n\ntwo\n"
    assert [*RAW.texts(transcript, [1, 2, 3], Masking(transcript))] == ["one", "", "two"]
