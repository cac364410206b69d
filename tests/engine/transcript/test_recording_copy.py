"""Copies of recordings; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import StorageError
from inspector.transcript.recording_copy import write_copy
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction, FrameDefect
from inspector.wire.line_splitter import RawChunk
from tests.support.recordings import open_whole

if TYPE_CHECKING:
    from pathlib import Path


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
