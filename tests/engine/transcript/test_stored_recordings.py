"""Recordings that an earlier Spyglass wrote, whole, truncated and corrupt: stored here as they were, and never written again.

Each has 401 frames in format 1: a note, and 200 requests with their responses.
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inspector.cli.command import SUCCESS
from inspector.transcript.exchange import Status
from tests.support.command_line import cli
from tests.support.recordings import open_whole

if TYPE_CHECKING:
    from inspector.checks.opened_recording import OpenedRecording

STORED = Path(__file__).parent / "stored"
FRAMES = 401


def unpacked(name: str, folder: Path) -> Path:
    """A stored recording as a file."""
    path = folder / f"{name}.spyglass"
    path.write_bytes(gzip.decompress((STORED / f"{name}.spyglass.gz").read_bytes()))
    return path


def whole_pairs(recording: OpenedRecording) -> int:
    """How many requests have their response."""
    transcript = recording.transcript
    numbers = range(1, transcript.count + 1)
    return sum(transcript.status(number) is Status.OK for number in numbers)


async def test_a_recording_of_an_earlier_format_opens(tmp_path: Path) -> None:
    """Ours: with every frame, and what belongs to what."""
    recording = await open_whole(unpacked("format-1", tmp_path))

    assert not recording.report.sentences
    assert recording.transcript.count == FRAMES
    assert recording.transcript.metadata["title"] == "good"
    assert whole_pairs(recording) == 200
    assert recording.transcript.raw(2) == b'{"jsonrpc":"2.0","id":0,"method":"ping"}'
    await recording.aclose()


@pytest.mark.parametrize("name", ["format-1-truncated", "format-1-corrupt"])
async def test_a_recording_whose_beginning_is_damaged_opens_and_says_which_frames_are_lost(
    name: str, tmp_path: Path
) -> None:
    """Ours: frames after the damage are there, too, where the file has them."""
    recording = await open_whole(unpacked(name, tmp_path))

    text = " ".join(recording.report.sentences)
    assert "damaged" in text
    assert recording.report.missing or recording.transcript.count < FRAMES
    assert 0 < whole_pairs(recording) < 200
    assert re.search(r"missing from the recording: 1–\d+", text)
    await recording.aclose()


@pytest.mark.parametrize("name", ["format-1", "format-1-truncated", "format-1-corrupt"])
async def test_what_can_be_read_of_it_can_be_exported(name: str, tmp_path: Path) -> None:
    """Ours."""
    printed = await cli("export", "csv", str(unpacked(name, tmp_path)))

    assert printed.code == SUCCESS
    assert len(printed.out.splitlines()) > 100
    assert ("damaged" in printed.err) == (name != "format-1")
