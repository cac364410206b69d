"""The file of a transcript: it survives everything but its own deletion."""

from __future__ import annotations

import asyncio
import gzip
import os
import signal
import sqlite3
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inspector.errors import StorageError
from inspector.transcript.batch_writer import FrameCache
from inspector.transcript.recording_file import LARGE, RecordingFile, write_copy
from inspector.transcript.recording_reader import RecordingReader
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import FRAME_COST, Channel, Direction, FrameDefect
from inspector.wire.line_splitter import RawChunk
from inspector.wire.message import MessageKind
from tests.support.recordings import open_whole
from tests.support.records import Written, request, result
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]

LOSS_SECONDS = 0.1
"""What `kill -9` may cost."""

RECORDING = """
import asyncio, sys
from pathlib import Path
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk

async def main():
    transcript = Transcript.create(Path(sys.argv[1]))
    while True:
        transcript.append(Direction.SENT, Channel.STDIN, [RawChunk(b"x" * 500)])
        at = transcript.columns.monotonic_s[-1]
        sys.stdout.write(f"{transcript.count} {at!r}\\n")
        sys.stdout.flush()
        await asyncio.sleep(0.001)

asyncio.run(main())
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.spyglass"


def record_and_kill(path: Path, frames: int) -> tuple[list[float], float]:
    """Let another process record, and kill it; gives when each frame was acknowledged and when the end came."""
    command = [sys.executable, "-c", RECORDING, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as child:
        assert child.stdout is not None
        acknowledged = list(_times(child.stdout, frames))
        killed = time.monotonic()
        child.send_signal(signal.SIGKILL)
        acknowledged += _times(child.stdout, 1 << 30)
    return acknowledged, killed


def _times(lines: Iterator[str], limit: int) -> Iterator[float]:
    for line in lines:
        if line.endswith("\n") and len(line.split()) == 2:
            yield float(line.split()[1])
        limit -= 1
        if not limit:
            return


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
@pytest.mark.parametrize("frames", [70, 111, 173])
@pytest.mark.alone
async def test_after_kill_9_the_file_opens_with_all_but_the_last_tenth_of_a_second(
    path: Path, frames: int
) -> None:
    """Ours."""
    times, killed = await asyncio.to_thread(record_and_kill, path, frames)
    stalls = [later - earlier for earlier, later in pairwise(times)]
    # A machine that was too busy to run the process at all was too busy to write, too.
    allowed = LOSS_SECONDS + max([*stalls, killed - times[-1], 0.0])

    transcript = await Transcript.open(path)

    due = [at for at in times if at < killed - allowed]
    assert transcript.count >= len(due)
    assert {transcript.raw(n) for n in range(1, transcript.count + 1)} == {b"x" * 500}
    assert sqlite3.connect(path).execute("PRAGMA quick_check").fetchall() == [("ok",)]


async def test_a_file_can_be_read_while_it_is_written(path: Path) -> None:
    """Ours."""
    live = Written(Transcript.create(path, facts={"title": "t"}))
    live.sent(request(1))
    await wait_until(lambda: any(RecordingReader(path).pages()))

    early = await Transcript.open(path)
    live.received(result(1))
    await live.transcript.aclose()
    late = await Transcript.open(path)

    assert (early.count, late.count) == (1, 2)
    assert late.metadata == {"title": "t"}
    assert not late.live


async def test_a_file_holds_every_frame_after_closing(path: Path) -> None:
    """Ours."""
    live = Written(Transcript.create(path))
    for number in range(500):
        live.sent(request(number))
    await live.transcript.aclose()
    await live.transcript.aclose()

    assert (await Transcript.open(path)).count == 500
    assert live.transcript.frame(500).raw == live.transcript.raw(500)


def test_an_existing_file_is_never_written_over(path: Path) -> None:
    """Ours."""
    path.write_text("precious")

    with pytest.raises(StorageError, match="cannot create recording"):
        Transcript.create(path)
    assert path.read_text() == "precious"


def test_a_file_is_readable_by_its_owner_alone(path: Path) -> None:
    """C-SMP-18: a record may hold secrets."""
    RecordingFile.create(path).close()

    assert path.stat().st_mode & 0o077 == 0


async def test_a_folder_that_is_missing_is_made(tmp_path: Path) -> None:
    """Ours."""
    transcript = Transcript.create(tmp_path / "a" / "b" / "c.spyglass")
    await transcript.aclose()

    assert (tmp_path / "a" / "b" / "c.spyglass").is_file()


async def test_what_is_no_transcript_is_refused_in_words(tmp_path: Path) -> None:
    """Ours."""
    text, other, damaged = tmp_path / "text", tmp_path / "other", tmp_path / "damaged"
    text.write_text("not a database, but long enough to look like something" * 20)
    sqlite3.connect(other).execute("CREATE TABLE x(y)").connection.close()
    await Transcript.create(damaged).aclose()
    damaged.write_bytes(damaged.read_bytes()[:4000] + b"\0" * 20_000)

    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(damaged.read_bytes()))
    reasons = {
        text: "no SQLite database",
        other: "not a Spyglass recording",
        damaged: "damaged",
        packed: "decompress",
        tmp_path / "missing": "no recording",
        tmp_path: "not a regular file",
    }

    for file, reason in reasons.items():
        with pytest.raises(StorageError, match=reason):
            await Transcript.open(file)


def remove(path: Path) -> None:
    path.unlink()


async def test_when_the_file_cannot_be_written_the_record_goes_on_in_memory_and_says_so(
    path: Path,
) -> None:
    """Ours."""
    live = Written(Transcript.create(path))
    remove(path)
    number = live.sent(request(1))
    await wait_until(lambda: live.transcript.failure)
    after = live.received(result(1))

    transcript = live.transcript
    assert isinstance(transcript.failure, StorageError)
    assert transcript.raw(number) == b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    assert transcript.raw(after) == b'{"jsonrpc":"2.0","id":1,"result":{}}'
    assert not transcript.is_congested
    notes = [
        n for n in range(1, transcript.count + 1) if transcript.row(n).kind is MessageKind.NOTE
    ]
    assert b"not-recorded" in transcript.raw(notes[0])
    await transcript.aclose()


async def test_memory_is_bounded_and_the_record_is_not(path: Path) -> None:
    """C-SEC-18: readers pause while too much waits; what is let go is read back from the file."""
    transcript = Transcript.create(path)
    frames = [b"%d" % number + b"x" * (8 << 20) for number in range(1, 11)]
    for raw in frames:
        transcript.append(Direction.RECEIVED, Channel.STDOUT, [RawChunk(raw)])

    assert transcript.is_congested
    drained = asyncio.Event()
    transcript.drained.subscribe(drained.set)
    async with asyncio.timeout(5):
        await drained.wait()
    assert not transcript.is_congested
    await transcript.aclose()
    assert [transcript.raw(n) == frames[n - 1] for n in range(1, 11)] == [True] * 10
    assert transcript.raws(1, 11) == frames
    assert transcript.raws(5, 5) == []
    assert transcript.frame(1).raw == frames[0]


async def test_empty_frames_count_for_the_pause_and_for_memory(path: Path) -> None:
    """C-SEC-18: what costs memory is the frame, whatever is in it."""
    transcript = Transcript.create(path)
    lines = [RawChunk(b"")] * 1_000_000
    transcript.append(Direction.RECEIVED, Channel.STDERR, lines)

    assert transcript.is_congested
    drained = asyncio.Event()
    transcript.drained.subscribe(drained.set)
    async with asyncio.timeout(5):
        await drained.wait()
    assert not transcript.is_congested
    await transcript.aclose()
    assert transcript.raw(1) == transcript.raw(1_000_000) == b""


def test_frames_in_memory_count_with_what_each_costs() -> None:
    """C-SEC-18."""
    recent = FrameCache(budget=10 * (FRAME_COST + 1))
    recent.add([b"%d" % (number % 10) for number in range(100)])

    recent.evict(stored=50)
    assert (recent.first, recent.get(50), recent.get(51)) == (51, None, b"0")
    recent.evict(stored=100)
    assert recent.first == 91
    assert recent.between(91, 93) == [b"0", b"1"]
    assert recent.size == recent.budget


async def test_a_store_that_is_finished_is_not_written_to(path: Path) -> None:
    """Ours."""
    store = RecordingFile.create(path)
    await store.finish()

    with pytest.raises(RuntimeError):
        store.write([], {})


async def test_large_frames_are_stored_like_the_others_between_them(path: Path) -> None:
    """Ours: they are written piece by piece, which takes no copies of them."""
    large = b"ab" * (LARGE // 2) + b"rest"
    lines = [
        RawChunk(b"first"),
        RawChunk(large, FrameDefect.TRUNCATED, 7),
        RawChunk(b"last"),
        RawChunk(b"x" * LARGE),
    ]
    live = Transcript.create(path)
    live.append(Direction.RECEIVED, Channel.STDOUT, lines)
    await live.aclose()

    stored = await Transcript.open(path)

    frames = [stored.frame(number) for number in range(1, stored.count + 1)]
    assert [(frame.raw, frame.flaw, frame.dropped) for frame in frames] == [
        (line.raw, line.flaw, line.dropped) for line in lines
    ]


def in_memory() -> Transcript:
    """A session that could not be recorded, with frames of every kind of flaw."""
    transcript = Transcript(failure=StorageError("the disk is full"))
    transcript.metadata = {"title": "kept"}
    transcript.note("not-recorded", "the disk is full")
    transcript.append(Direction.SENT, Channel.STDIN, [RawChunk(b'{"id":1,"method":"ping"}')])
    lines = [RawChunk(b"no json \xff"), RawChunk(b"cut", FrameDefect.TRUNCATED, 10), RawChunk(b"")]
    transcript.append(Direction.RECEIVED, Channel.STDOUT, lines, stream=2)
    transcript.append(Direction.RECEIVED, Channel.STDERR, [RawChunk(b"x")] * 1200)
    return transcript


def names_in(folder: Path) -> set[str]:
    """Everything in and below a folder."""
    return {path.name for path in folder.rglob("*")}


async def test_a_copy_opens_with_every_frame_as_it_was(tmp_path: Path) -> None:
    """Ours: bytes, times, flaws and facts, in one file."""
    transcript = in_memory()

    assert await write_copy(transcript, tmp_path / "copy.spyglass") == transcript.count

    assert names_in(tmp_path) == {"copy.spyglass"}
    opened = await open_whole(tmp_path / "copy.spyglass")
    numbers = range(1, transcript.count + 1)
    assert [opened.transcript.frame(n) for n in numbers] == [transcript.frame(n) for n in numbers]
    assert opened.transcript.metadata["title"] == "kept"
    await opened.aclose()


async def test_a_copy_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    """Ours."""
    (tmp_path / "folder.spyglass").mkdir()
    (tmp_path / "folder.spyglass" / "kept").touch()

    for place in (tmp_path / "folder.spyglass", tmp_path / "folder.spyglass" / "kept" / "x"):
        with pytest.raises(StorageError):
            await write_copy(in_memory(), place)

    assert names_in(tmp_path) == {"folder.spyglass", "kept"}
