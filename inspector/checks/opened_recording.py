"""A recording that was opened: read from its file, then judged by the revision that was spoken in it, as a live session is."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.checks.background_validator import BackgroundValidator
from inspector.checks.revision_detection import detect_revision
from inspector.transcript.recording_loader import RecordingLoader
from inspector.transcript.transcript import Transcript

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.transcript.reading_report import ReadingReport


class OpenedRecording:
    """A transcript that fills up from a file, and what checks it."""

    def __init__(self, loader: RecordingLoader) -> None:
        """Use `open`."""
        self.transcript = Transcript(file=loader.file)
        self.sweep = BackgroundValidator(self.transcript)
        self._loader = loader

    @classmethod
    async def open(cls, path: Path) -> OpenedRecording:
        """Open the file at `path`; `load` reads its frames.

        Raises:
            StorageError: it is missing, no recording, or of a form that cannot be read.
        """
        return cls(await RecordingLoader.open(path))

    @property
    def path(self) -> Path:
        """The file."""
        return self._loader.file.path

    @property
    def report(self) -> ReadingReport:
        """What could not be read; grows during `load`."""
        return self._loader.file.report

    @property
    def is_loading(self) -> bool:
        """Whether frames are still to be read."""
        return not self._loader.is_done

    async def load(self) -> None:
        """Read all frames. What could not be read is in the report, not an error."""
        await self._loader.load(self.transcript)
        self.sweep.revision = detect_revision(self.transcript)
        self.transcript.appended.fire()  # the state has changed, though no frame came

    async def validate(self) -> None:
        """Check the frames that were read."""
        await self.sweep.catch_up()

    def stop(self) -> None:
        """End the reading; the frames that were read stay."""
        self._loader.file.stop()

    async def aclose(self) -> None:
        """Close the file, away from the loop: that may wait for the disk."""
        await asyncio.to_thread(self._loader.file.close)
