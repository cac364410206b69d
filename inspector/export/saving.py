"""Frames into a file in a format: in slices, so that the event loop runs on, with progress, and it can be stopped."""

from __future__ import annotations

import asyncio
import contextlib
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

from inspector.background_tasks import SLICE_SECONDS
from inspector.errors import StorageError
from inspector.export.pieces import Piece, is_turn
from inspector.transcript.annotation_storage import Annotation
from inspector.transcript.recording_builder import RecordingBuilder
from inspector.wire.frame import FrameDefect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from io import BufferedWriter
    from pathlib import Path

    from inspector.export.formats import Format
    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript
    from inspector.wire.frame import Frame

CHUNK_BYTES = 1 << 20
"""Text that is handed to the thread that writes."""


class _FileJob:
    """The writing of some frames into one file, with progress and a stop."""

    def __init__(self, transcript: Transcript, numbers: Sequence[int], masking: Masking) -> None:
        """Write the frames `numbers` of `transcript`, in ascending order."""
        self.masking = masking
        self.frames = len(numbers)
        self.done: int = 0
        """Frames that were taken so far."""
        self.is_stopped = False
        self._transcript = transcript
        self._numbers = numbers

    def stop(self) -> None:
        """End the writing soon; the file is not kept."""
        self.is_stopped = True


class Export(_FileJob):
    """One file in a format."""

    def __init__(
        self, format_: Format, transcript: Transcript, numbers: Sequence[int], masking: Masking
    ) -> None:
        """Write the frames `numbers` of `transcript`, in ascending order."""
        super().__init__(transcript, numbers, masking)
        self.format = format_

    async def run(self, path: Path) -> int:
        """Write the file, replacing what is there only when all of it is written; return its bytes, 0 if it was stopped.

        Raises:
            StorageError: it cannot be written, or a frame cannot be read.
        """
        part = path.with_name(f"{path.name}.part")
        try:
            with await asyncio.to_thread(part.open, "wb") as file:
                size = await self._write(file)
            if not self.is_stopped:
                part.replace(path)
                return size
        except OSError as error:
            raise StorageError(f"{path} cannot be written: {error.strerror or error}") from error
        finally:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
        return 0

    async def _write(self, file: BufferedWriter) -> int:
        chunk = bytearray()
        size, until = 0, perf_counter() + SLICE_SECONDS
        for text in self.format.write(self._transcript, self._counted(), self.masking):
            if not is_turn(text):
                chunk += text.encode("utf-8", "backslashreplace")
                chunk += b"" if isinstance(text, Piece) else b"\n"
            if len(chunk) >= CHUNK_BYTES:
                size += await asyncio.to_thread(file.write, chunk)
                chunk = bytearray()
            if perf_counter() >= until:
                await asyncio.sleep(0)
                until = perf_counter() + SLICE_SECONDS
            if self.is_stopped:
                return 0
        return size + await asyncio.to_thread(file.write, chunk)

    def _counted(self) -> Iterator[int]:
        for number in self._numbers:
            yield number
            self.done += 1


class RecordingPart(_FileJob):
    """Some frames that are written as a recording."""

    async def run(self, path: Path) -> int:
        """Write the recording, as `Export.run` does.

        Raises:
            StorageError: it cannot be written, or a frame cannot be read.
        """
        builder = await asyncio.to_thread(RecordingBuilder, path)
        try:
            for batch in self._batches():
                await builder.add(batch)
                self.done += len(batch)
                if self.is_stopped:
                    return 0
            annotations = [
                Annotation(each.frame, each.kind, self.masking.text(each.text or ""))
                for each in self._transcript.annotations.all()
            ]
            await builder.finish(dict(self._transcript.metadata), annotations)
        finally:
            await builder.abort()
        return builder.size

    def _batches(self) -> Iterator[list[Frame]]:
        batch: list[Frame] = []
        until = perf_counter() + SLICE_SECONDS
        for number in self._numbers:
            frame = self._transcript.frame(number)
            raw = self.masking.apply(number, frame.raw)
            flaw = frame.flaw if raw == frame.raw else frame.flaw | FrameDefect.REDACTED
            batch.append(frame._replace(raw=raw, flaw=flaw))
            if perf_counter() >= until:
                yield batch
                batch, until = [], perf_counter() + SLICE_SECONDS
        yield batch


class BugReport:
    """A report, and the recording of its frames beside it; it has the members of `Export`."""

    def __init__(self, report: Callable[[str], Export], recording: RecordingPart) -> None:
        """Write both; `report` returns the first for the name of the file of the other."""
        self.masking = recording.masking
        self.frames = recording.frames
        self.done = 0
        self.is_stopped = False
        self._make_report = report
        self._recording = recording
        self._report: Export | None = None

    def stop(self) -> None:
        """End the writing soon; neither file is kept."""
        self.is_stopped = True
        self._recording.stop()
        if self._report is not None:
            self._report.stop()

    async def run(self, path: Path) -> int:
        """Write the report to `path`, and the recording beside it, where no file is.

        Raises:
            StorageError: one of them cannot be written, or a frame cannot be read.
        """
        beside = free_path(path.with_suffix(".spyglass"))
        if not await self._recording.run(beside):
            return 0
        self.done = self._recording.done
        size = 0
        try:
            self._report = self._make_report(beside.name)
            if not self.is_stopped:
                size = await self._report.run(path)
        finally:
            if not size:
                beside.unlink(missing_ok=True)
        return size


def free_path(path: Path) -> Path:
    """Return `path`, or the first one numbered after it at which no file is."""
    number, found = 2, path
    while found.exists():
        found, number = path.with_name(f"{path.stem}-{number}{path.suffix}"), number + 1
    return found


Job: TypeAlias = "Export | RecordingPart | BugReport"
"""Something that is written to files."""


def masked_text(masking: Masking) -> str:
    """Return how many secrets were masked so far, and where; empty for none."""
    if not masking.masked:
        return ""
    total = sum(masking.masked.values())
    parts = ", ".join(f"{count:,} {where}" for where, count in masking.masked.items())
    return f"{total:,} secret{'' if total == 1 else 's'} masked ({parts})"
