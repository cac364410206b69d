"""A copy of a recording at another place: of one that cannot be written where it belongs, or of any other."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.transcript.recording_file import FrameBatch, RecordingFile
from inspector.wire.line_splitter import RawChunk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inspector.transcript.transcript import Transcript

BATCH_FRAMES, BATCH_BYTES = 500, 4 << 20
"""Frames that are read at a time, and about how many bytes of them."""


async def write_copy(transcript: Transcript, path: Path) -> int:
    """Write the frames there are now into a recording at `path`, in the place of what is there; return how many.

    What was at `path` stays until the copy is whole.

    Raises:
        StorageError: the copy cannot be written, or a frame cannot be read.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        count = await _write(transcript, part)
        part.replace(path)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        _remove(part)
    return count


async def _write(transcript: Transcript, path: Path) -> int:
    store = RecordingFile.create(path)
    count, facts = transcript.count, dict(transcript.metadata)
    try:
        for batch in _batches(transcript, count):
            await asyncio.wrap_future(store.write(batch, facts))
            facts = {}
    finally:
        store.close()  # before the writer, which then leaves one file alone
        await store.finish()
    return count


def _batches(transcript: Transcript, count: int) -> Iterator[list[FrameBatch]]:
    batch: list[FrameBatch] = []
    size = 0
    for number in range(1, count + 1):
        frame = transcript.frame(number)
        line = RawChunk(frame.raw, frame.flaw, frame.dropped)
        moment = (frame.direction, frame.channel, frame.monotonic_s, frame.wall_s, frame.stream)
        lines = transcript.redaction.redact(frame.channel, [line])
        batch.append(FrameBatch(number, *moment, lines))
        size += len(frame.raw)
        if len(batch) == BATCH_FRAMES or size > BATCH_BYTES:
            yield batch
            batch, size = [], 0
    yield batch  # an empty one as well: it brings the facts


def _remove(part: Path) -> None:
    for beside in ("", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            part.with_name(part.name + beside).unlink()
