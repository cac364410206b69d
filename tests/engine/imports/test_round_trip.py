"""What was exported as JSON Lines or HAR and imported again; ours."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.export import json_lines, pieces
from inspector.export.formats import HAR, JSON_LINES, Format
from inspector.export.saving import Export, RecordingPart
from inspector.imports.conversion import Conversion
from inspector.transcript.recording_file import write_copy
from inspector.transcript.redaction import Masking
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction, FrameDefect
from inspector.wire.line_splitter import RawChunk
from tests.support.recordings import open_whole
from tests.support.records import SteppingClock, Written, request, result
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


async def again(transcript: Transcript, format_: Format, folder: Path, *chosen: int) -> Transcript:
    """Export frames, all without numbers, and import the file."""
    numbers: Sequence[int] = chosen or range(1, transcript.count + 1)
    path, output = folder / f"x{format_.suffix}", folder / "again.spyglass"
    await Export(format_, transcript, numbers, Masking(transcript, with_secrets=True)).run(path)
    conversion = await Conversion.open(path)
    await conversion.run(output)
    assert not conversion.report.skipped
    recording = await open_whole(output)
    await recording.aclose()
    return recording.transcript


RAWS = st.one_of(
    st.binary(max_size=40),
    st.text(max_size=40).map(lambda text: text.encode("utf-8", "replace")),
    st.sampled_from(
        [
            b'{"jsonrpc": "2.0", "id": 1, "method": "x", "params": {"n": 1.50, "n": 2}}',
            b'{"jsonrpc":"2.0",\n "id":1,"result":{"a":"\\u00e9\\ud800"}}',
            b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"result":{}}\r',
            b'{"jsonrpc":"2.0","id":NaN,"result":' + b"[" * 500 + b"]" * 500 + b"}",
            b'id: 1\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n',
            b'{"a":"}","message":{"x":1}}',
        ]
    ),
)
FRAMES = st.lists(
    st.tuples(
        st.sampled_from([*Direction]),
        st.sampled_from([*Channel]),
        RAWS,
        st.sampled_from([FrameDefect.NONE, FrameDefect.UNTERMINATED, FrameDefect.TRUNCATED]),
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=25, deadline=None)
@given(frames=FRAMES, has_pieces=st.booleans())
def test_json_lines_restore_every_frame_to_the_byte(
    frames: list[tuple[Direction, Channel, bytes, FrameDefect]],
    tmp_path_factory: pytest.TempPathFactory,
    *,
    has_pieces: bool,
) -> None:
    """Ours: bytes, both times, direction, channel, defect, and the HTTP exchange it belongs to; also where a line is written in pieces."""
    transcript = Transcript(clock=SteppingClock())
    for side, where, raw, flaw in frames:
        is_note = Direction.NOTE in {side, Direction.NOTE if where is Channel.NOTE else side}
        direction, channel = (Direction.NOTE, Channel.NOTE) if is_note else (side, where)
        dropped = 5 if flaw & FrameDefect.TRUNCATED else 0
        stream = transcript.count if transcript.count % 3 == 1 else 0
        transcript.append(direction, channel, [RawChunk(raw, flaw, dropped)], stream)

    with pytest.MonkeyPatch.context() as patch:
        if has_pieces:
            patch.setattr(json_lines, "MAX_MESSAGE", 8)
            patch.setattr(pieces, "PIECE_BYTES", 3)
        found = asyncio.run(again(transcript, JSON_LINES, tmp_path_factory.mktemp("lines")))

    numbers = range(1, transcript.count + 1)
    assert [*map(found.frame, numbers)] == [*map(transcript.frame, numbers)]


async def test_a_part_is_numbered_again_with_what_refers_to_a_number(tmp_path: Path) -> None:
    """Ours: the exchange of a stream whose first frame is not in it, and notes about requests."""
    record = Written()
    append = record.transcript.append
    record.stderr("left out")
    first = record.sent(request(1))
    append(Direction.SENT, Channel.BODY, [RawChunk(b"{}")])
    opener = record.transcript.count
    append(Direction.SENT, Channel.HTTP, [RawChunk(b"POST / HTTP/1.1")], opener)
    append(Direction.RECEIVED, Channel.HTTP, [RawChunk(b"HTTP/1.1 200 OK")], opener)
    record.transcript.note("cancelled", "cancelled", request=first)
    chosen = [first, opener + 1, opener + 2, opener + 3]

    found = await again(record.transcript, JSON_LINES, tmp_path, *chosen)

    assert list(found.columns.stream) == [0, 0, 2, 0]
    assert b'"request":1' in found.raw(4)
    assert found.status(1) == "cancelled"


async def test_a_part_that_is_cut_out_keeps_its_annotations(tmp_path: Path) -> None:
    """Ours: at the numbers that its frames have there; those of other frames are left out."""
    record = Written()
    for number in range(6):
        record.sent(request(number))
    transcript = record.transcript
    transcript.annotations.set_marked([2, 5], marked=True)
    transcript.annotations.set_comment(4, "here")
    path = tmp_path / "part.spyglass"

    await RecordingPart(transcript, [4, 5, 6], Masking(transcript)).run(path)

    recording = await open_whole(path)
    assert [*recording.transcript.annotations.marks] == [2]
    assert dict(recording.transcript.annotations.comments) == {1: "here"}
    await recording.aclose()


@pytest.mark.parametrize("with_secrets", [False, True])
async def test_a_part_that_is_cut_out_is_exact(tmp_path: Path, *, with_secrets: bool) -> None:
    """Ours: but for its secrets, which are kept only where the user chose so, and are masked once."""
    record = Written()
    block = b"POST / HTTP/1.1\r\nAuthorization: Bearer abcdefgh"
    record.transcript.append(Direction.SENT, Channel.HTTP, [RawChunk(block)])
    masking = Masking(record.transcript, with_secrets=with_secrets)
    path = tmp_path / "part.spyglass"

    await RecordingPart(record.transcript, [1], masking).run(path)
    recording = await open_whole(path)
    await recording.aclose()

    assert recording.transcript.raw(1) == masking.raw(1)


@pytest.mark.parametrize("is_copy", [False, True])
async def test_a_recording_that_is_replaced_takes_the_files_beside_it_along(
    tmp_path: Path, *, is_copy: bool
) -> None:
    """Ours: marks and comments of the old one would be those of other frames."""
    record = Written()
    record.sent(request(1))
    transcript, path = record.transcript, tmp_path / "x.spyglass"
    part = RecordingPart(transcript, [1], Masking(transcript))
    for ending in ("", "-wal", "-shm", ".annotations.json", "-other"):
        write_bytes(tmp_path / f"x.spyglass{ending}", b"{}")

    await (write_copy(transcript, path) if is_copy else part.run(path))

    assert names_in(tmp_path) == ["x.spyglass", "x.spyglass-other"]


def write_bytes(path: Path, content: bytes) -> None:
    """A file."""
    path.write_bytes(content)


def names_in(folder: Path) -> list[str]:
    """What is in a folder."""
    return sorted(each.name for each in folder.iterdir())


async def test_what_was_masked_before_it_was_exported_stays(tmp_path: Path) -> None:
    """Ours: a marker for what was no secret any more would not be true."""
    record = Written()
    block = b"POST / HTTP/1.1\r\nAuthorization: Bearer abcdefgh\r\nCookie: a=bcdefgh"
    record.transcript.append(Direction.SENT, Channel.HTTP, [RawChunk(block)])
    record.sent(request(1, "tasks/get", {"taskId": "t-77"}))
    masking, path = Masking(record.transcript), tmp_path / "x.jsonl"
    await Export(JSON_LINES, record.transcript, [1, 2], masking).run(path)
    conversion = await Conversion.open(path)

    await conversion.run(tmp_path / "x.spyglass")
    recording = await open_whole(tmp_path / "x.spyglass")
    await recording.aclose()

    assert [*map(recording.transcript.raw, (1, 2))] == [*map(masking.raw, (1, 2))]


async def test_har_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Ours: what a HAR file can hold: messages, header blocks, bodies, events, and who belongs to what."""
    record = Written()
    append = record.transcript.append
    record.transcript.note("opened", "open", url="https://x.example/mcp")
    record.sent(request(0))  # not over HTTP: not in the file
    for number in (1, 2):
        append(
            Direction.SENT,
            Channel.BODY,
            [RawChunk(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}' % number)],
        )
        opener = record.transcript.count
        append(
            Direction.SENT,
            Channel.HTTP,
            [RawChunk(b"POST /mcp HTTP/1.1\r\nHost: x.example")],
            opener,
        )
        append(
            Direction.RECEIVED,
            Channel.HTTP,
            [RawChunk(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream")],
            opener,
        )
        block = b'data: {"jsonrpc":"2.0","id":%d,"result":{}}\n\n' % number
        append(Direction.RECEIVED, Channel.SSE, [RawChunk(b": hi\n\n"), RawChunk(block)], opener)

    found = await again(record.transcript, HAR, tmp_path)

    over_http = [record.transcript.raw(number) for number in range(3, 13)]
    assert [found.raw(number) for number in range(2, 12)] == over_http
    assert found.count == 11
    assert list(found.columns.stream) == [0, 0, 2, 2, 2, 2, 0, 7, 7, 7, 7]
    assert [found.status(2), found.status(7)] == ["ok", "ok"]


def names(folder: Path) -> list[str]:
    """What is in a folder."""
    return [each.name for each in folder.iterdir()]


async def test_an_export_can_be_stopped_and_leaves_nothing(tmp_path: Path) -> None:
    """Ours: what was at the path stays."""
    record = Written()
    for number in range(3000):
        record.sent(request(number))
        record.received(result(number))
    path = tmp_path / "x.jsonl"
    path.write_text("before")
    transcript = record.transcript
    export = Export(JSON_LINES, transcript, range(1, transcript.count + 1), Masking(transcript))

    running = asyncio.ensure_future(export.run(path))
    await wait_until(lambda: export.done > 0)
    export.stop()

    assert await running == 0
    assert 0 < export.done < export.frames
    assert path.read_text() == "before"
    assert names(tmp_path) == ["x.jsonl"]
