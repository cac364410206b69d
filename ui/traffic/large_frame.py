"""Reads the frame that is to be shown where it is large, so that the window goes on meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inspector.errors import StorageError
from inspector.transcript.large_frames import LargeFrame, is_large, quick_message, read_large
from ui.aio import spawn

if TYPE_CHECKING:
    import asyncio

    from inspector.transcript.transcript import Transcript


class LargeFrameReader(QObject):
    """Reads one frame at a time.

    Signals:
        ready: the frame is read.
        failed: it cannot be read, because of this error.
    """

    ready = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject) -> None:
        """Hold nothing until `start`."""
        super().__init__(parent)
        self.frame: LargeFrame | None = None
        """What was read; None before, and for a frame that is not large."""
        self._transcript: Transcript | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def is_reading(self) -> bool:
        """Whether a frame is being read."""
        return self._task is not None and self.frame is None

    def start(self, transcript: Transcript, number: int) -> bool:
        """Begin to read a frame if it is large, and let go of the one before; return whether to wait for it."""
        if self.frame is not None and (self._transcript, self.frame.number) == (transcript, number):
            return False
        self.stop()
        if not is_large(transcript, number) and _is_quick(transcript, number):
            return False
        self._transcript = transcript
        self._task = spawn(self, self._read(transcript, number), name="read large frame")
        return True

    def stop(self) -> None:
        """Forget what is being read, or was."""
        if self._task is not None:
            self._task.cancel()
        if self._transcript is not None:
            self._transcript.contents.release()
        self._task = self._transcript = self.frame = None

    async def _read(self, transcript: Transcript, number: int) -> None:
        try:
            self.frame = await read_large(transcript, number)
        except StorageError as error:
            self._task = None
            self.failed.emit(error)
        else:
            self.ready.emit()


def _is_quick(transcript: Transcript, number: int) -> bool:
    """Return whether a frame may be decoded on the loop; True for one that cannot be read: decoding it says why."""
    try:
        return quick_message(transcript, number) is not None
    except StorageError:
        return True
