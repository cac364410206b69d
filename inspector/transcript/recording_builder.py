"""Frames from elsewhere, or some of a transcript, as a recording: numbered from 1 without gaps, with what refers to a number adjusted.

The frames come in order. An exchange over HTTP whose first frame is not among them is opened by the first one that is. A note that names a
frame which is not among them names frame 0.
"""

from __future__ import annotations

import asyncio
import contextlib
from array import array
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.transcript.annotation_storage import Annotation, write_table
from inspector.transcript.recording_file import FrameBatch, RecordingFile, replace_recording
from inspector.transcript.transcript import FRAME_LIMIT
from inspector.wire import json_codec
from inspector.wire.frame import Channel
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.line_splitter import RawChunk

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from inspector.wire.frame import Frame

_FRAME_MEMBERS = ("request", "retry", "until")
"""Members of a note that are numbers of frames."""


class RecordingBuilder:
    """Writes one recording; what is at its path stays until `finish`."""

    def __init__(self, path: Path) -> None:
        """Start a file beside `path`.

        Raises:
            StorageError: it cannot be made.
        """
        self.count = 0
        self.size = 0
        """Bytes of the file, once it is finished."""
        self._path = path
        self._part = path.with_name(f"{path.name}.part")
        _remove(self._part)
        self._file = RecordingFile.create(self._part)
        self._new = array("I", (0,))
        """By the number that a frame had before, the number that it has now."""
        self._is_shifted = False

    @property
    def is_full(self) -> bool:
        """Whether no more frames can be added: a transcript would not take them."""
        return self.count >= FRAME_LIMIT

    async def add(self, frames: Sequence[Frame]) -> None:
        """Write frames; the number of each is the one that it had before, 0 for none.

        Raises:
            StorageError: the file cannot be written.
        """
        batches = [self._batch(frame) for frame in frames[: FRAME_LIMIT - self.count]]
        await asyncio.wrap_future(self._file.write(batches, {}))

    async def finish(self, facts: dict[str, str], annotations: Iterable[Annotation] = ()) -> None:
        """Write facts about the session and the annotations of frames that were added, and put the file into its place.

        Raises:
            StorageError: the file cannot be written.
        """
        try:
            await asyncio.wrap_future(self._file.write([], facts))
            await self._close()
            numbered = ((self._number(each.frame), each) for each in annotations)
            kept = [Annotation(now, each.kind, each.text) for now, each in numbered if now]
            if kept:
                await asyncio.to_thread(write_table, self._part, kept)
            self.size = self._part.stat().st_size
            replace_recording(self._part, self._path)
        except OSError as error:
            text = f"{self._path} cannot be written: {error.strerror or error}"
            raise StorageError(text) from error

    async def abort(self) -> None:
        """Delete what was written; does nothing after `finish`."""
        await self._close()
        _remove(self._part)

    async def _close(self) -> None:
        self._file.close()  # before the writer, which then leaves one file alone
        await self._file.finish()

    def _batch(self, frame: Frame) -> FrameBatch:
        self.count += 1
        stream = self._stream(frame)
        self._remember(frame.number, self.count)
        raw = frame.raw
        if frame.channel is Channel.NOTE and self._is_shifted:
            raw = self._renumbered(raw)
        line = RawChunk(raw, frame.flaw, frame.dropped)
        moment = (frame.direction, frame.channel, frame.monotonic_s, frame.wall_s, stream)
        return FrameBatch(self.count, *moment, [line])

    def _stream(self, frame: Frame) -> int:
        """The frame that opens its exchange now; 0 for that frame itself."""
        if not frame.stream:
            return 0
        opener = self._number(frame.stream)
        if not opener:
            self._remember(frame.stream, self.count)
        return opener

    def _remember(self, before: int, now: int) -> None:
        if not 0 < before <= 2 * FRAME_LIMIT:
            return
        self._is_shifted |= before != now
        missing = before + 1 - len(self._new)
        if missing > 0:
            self._new.frombytes(bytes(self._new.itemsize * missing))
        self._new[before] = now

    def _number(self, before: int) -> int:
        return self._new[before] if 0 < before < len(self._new) else 0

    def _renumbered(self, raw: bytes) -> bytes:
        try:
            note = json_codec.read(raw).value
        except JsonSyntaxError:
            return raw
        if not isinstance(note, dict):
            return raw
        named = {name: note[name] for name in _FRAME_MEMBERS if isinstance(note.get(name), int)}
        now = {name: self._number(each) for name, each in named.items() if isinstance(each, int)}
        return json_codec.write_bytes(note | now) if now != named else raw


def _remove(part: Path) -> None:
    for beside in ("", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            part.with_name(part.name + beside).unlink()
