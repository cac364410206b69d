"""The bytes of frames: in memory the latest and one large one, of a recording or a session with a file all others from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.transcript.batch_writer import FrameCache
    from inspector.transcript.recording_file import RecordingFile
    from inspector.transcript.recording_reader import RecordingReader
    from inspector.wire.message import Message


class FrameContents:
    """The bytes of the frames of one transcript."""

    def __init__(self, recent: FrameCache, file: RecordingFile | RecordingReader | None) -> None:
        """Take frames from `recent` as long as they are there, then from `file`."""
        self._recent = recent
        self._file = file
        self._held: tuple[int, bytes, Message] | None = None

    def raw(self, number: int) -> bytes:
        """Return the bytes of a frame.

        Raises:
            StorageError: they are in the file and it cannot be read.
        """
        if self._held is not None and self._held[0] == number:
            return self._held[1]
        kept = self._recent.get(number)
        if kept is not None or self._file is None:
            return kept or b""
        return next(iter(self._file.raws(number, number + 1)), b"")

    def raws(self, start: int, stop: int) -> list[bytes]:
        """Return the bytes of the frames from `start` to before `stop`; reads the file once for those not in memory.

        Raises:
            StorageError: they are in the file and it cannot be read.
        """
        first = min(max(self._recent.first, start), stop)
        old = self._file.raws(start, first) if self._file is not None and first > start else []
        return self._recent.restored(start, old) + self._recent.between(first, stop)

    def is_at_hand(self, number: int) -> bool:
        """Whether the bytes of a frame are in memory."""
        is_held = self._held is not None and self._held[0] == number
        return is_held or self._file is None or self._recent.get(number) is not None

    def raw_aside(self, number: int) -> bytes:
        """Return the bytes of a frame of the file; may be called in a thread, because it opens the file for itself.

        Raises:
            StorageError: it cannot be read.
        """
        return self._file.raw_aside(number) if self._file is not None else b""

    def beginning(self, number: int, size: int) -> bytes:
        """Return up to `size` bytes of a frame from its beginning, without reading all of it.

        Raises:
            StorageError: they are in the file and it cannot be read.
        """
        if self._file is None or self.is_at_hand(number):
            return self.raw(number)[:size]
        return self._file.beginning(number, size)

    def hold(self, number: int, raw: bytes, message: Message) -> None:
        """Keep a large frame in memory, in the place of the one held before."""
        self._held = (number, raw, message)

    def release(self) -> None:
        """Hold no frame."""
        self._held = None

    def held_message(self, number: int) -> Message | None:
        """Return the message of the frame that is held; None for any other."""
        return self._held[2] if self._held is not None and self._held[0] == number else None
