"""One file of another tool into one recording: a thread reads it, in batches, and it can be stopped at any time.

Markers replace the secrets in it, as in every recording: those that are recognized by name, and wherever they occur later those that the server was given.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.imports.importer import ForeignSession, ImportReport
from inspector.imports.importers import importer_of
from inspector.transcript.recording_builder import RecordingBuilder
from inspector.transcript.redaction import MAX_SEARCHED_BYTES, Redaction, secrets_in_frame
from inspector.wire.line_splitter import RawChunk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inspector.imports.importer import Importer
    from inspector.wire.frame import Frame

BATCH_FRAMES, BATCH_BYTES = 500, 4 << 20
"""Frames that are read at a time, and about how many bytes of them."""

MAX_SECRETS = 64
"""Secrets that are searched for in later frames; a hostile file may have any number of them."""

FULL = "a recording cannot hold more frames"


class Conversion:
    """Turns a file into a recording."""

    def __init__(self, path: Path, importer: Importer) -> None:
        """Use `open`."""
        self.path = path
        self.importer = importer
        self.report = ImportReport()
        self._redaction = Redaction()
        self._redacted = 0
        """Frames with a secret."""

    @classmethod
    async def open(cls, path: Path) -> Conversion:
        """Find out what the file at `path` is.

        Raises:
            StorageError: it cannot be read, or no importer is for it.
        """
        return cls(path, await asyncio.to_thread(importer_of, path))

    async def sessions(self) -> list[ForeignSession]:
        """Return the sessions in the file; empty where it can have one only.

        Raises:
            StorageError: it cannot be read.
        """
        try:
            return await asyncio.to_thread(self.importer.sessions, self.path)
        except OSError as error:
            raise self._unreadable(error) from error

    def stop(self) -> None:
        """End the reading soon; what was read becomes the recording."""
        self.report.is_stopped = True

    async def run(self, output: Path, session: str = "") -> None:
        """Write the recording; what was not taken is in the report.

        Raises:
            StorageError: the recording cannot be written, or nothing can be read.
        """
        builder = await asyncio.to_thread(RecordingBuilder, output)
        try:
            await self._take(builder, self.importer.read(self.path, session, self.report))
            if not builder.count and not self.report.is_stopped:
                reason = self.report.failure or self.report.skipped_text.rstrip(".")
                raise StorageError(f"no frames in {self.path}" + (f": {reason}" if reason else ""))
            if self._redacted:
                noun = "frame" if self._redacted == 1 else "frames"
                self.report.limits.append(
                    f"Markers replace the secrets in {self._redacted:,} {noun}"
                )
            title = session or self.path.name
            facts = {
                "title": title,
                "imported": self.importer.title,
                "started": f"{time.time():.3f}",
            }
            await builder.finish(facts | ({"session": session} if session else {}))
        finally:
            await builder.abort()

    async def _take(self, builder: RecordingBuilder, frames: Iterator[Frame]) -> None:
        while not self.report.is_stopped:
            try:
                batch = await asyncio.to_thread(self._next_batch, frames)
            except (StorageError, OSError) as error:
                reason = error.reason if isinstance(error, StorageError) else f"{error}"
                self.report.failure = reason
                return
            if not batch:
                return
            await builder.add(batch)
            self.report.frames = builder.count
            if builder.is_full:
                self.report.failure = FULL
                return

    def _unreadable(self, error: OSError) -> StorageError:
        return StorageError(f"cannot read {self.path}: {error.strerror or error}")

    def _next_batch(self, frames: Iterator[Frame]) -> list[Frame]:
        batch: list[Frame] = []
        size = 0
        for frame in frames:
            batch.append(self._without_secrets(frame))
            size += len(frame.raw)
            if len(batch) >= BATCH_FRAMES or size > BATCH_BYTES:
                break
        return batch

    def _without_secrets(self, frame: Frame) -> Frame:
        redaction = self._redaction
        left = MAX_SECRETS - len(redaction.values)
        if left > 0 and len(frame.raw) <= MAX_SEARCHED_BYTES:
            found = dict.fromkeys(secrets_in_frame(frame.channel, frame.raw))
            if new := [each for each in found if each not in redaction.values]:
                redaction.know_more(new[:left])
        (line,) = redaction.redact(frame.channel, [RawChunk(frame.raw, frame.flaw, frame.dropped)])
        if line.raw is frame.raw:
            return frame
        self._redacted += 1
        return frame._replace(raw=line.raw, flaw=line.flaw)
