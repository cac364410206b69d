"""Writing a transcript in batches by time.

A frame waits at most `FLUSH_SECONDS` before the writer thread has it, and one batch is written at a time, so a slow disk delays
the file and never the loop. When writing fails the record goes on in memory, and says so. Secrets are replaced by markers before anything
is handed to the writer.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.event import Event
from inspector.wire.frame import FRAME_COST

if TYPE_CHECKING:
    from concurrent.futures import Future

    from inspector.transcript.frame_cache import FrameCache
    from inspector.transcript.recording_file import FrameBatch, RecordingFile
    from inspector.transcript.redaction import Redaction

FLUSH_SECONDS = 0.05
"""Longest wait of a frame; half of what `kill -9` may cost."""

MAX_UNWRITTEN_BYTES = 64 << 20
"""Unwritten bytes from which readers should pause; every frame counts with what it costs in memory, an empty one as well."""


class BatchWriter:
    """Takes frames and sees that they get into the file."""

    def __init__(self, store: RecordingFile, recent: FrameCache, redaction: Redaction) -> None:
        """Write into `store` what `redaction` leaves, and tell `recent` what may be let go and what to hold."""
        self.failure: StorageError | None = None
        self.failed: Event[()] = Event()
        self.drained: Event[()] = Event()
        """Fired when the frames that were not written are with the writer thread: `is_congested` is False again."""
        self._store = store
        self._recent = recent
        self._redaction = redaction
        self._crossings: list[FrameBatch] = []
        self._facts: dict[str, str] = {}
        self._waiting_bytes = 0
        self._writing: Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def is_congested(self) -> bool:
        """True while more bytes than `MAX_UNWRITTEN_BYTES` are not with the writer thread."""
        return self._waiting_bytes > MAX_UNWRITTEN_BYTES and self.failure is None

    def add(self, crossing: FrameBatch) -> None:
        """Take frames; none once writing has failed."""
        if self.failure is not None or not crossing.lines:
            return
        self._crossings.append(self._redacted(crossing))
        content = sum([len(line.raw) for line in crossing.lines])
        self._waiting_bytes += content + FRAME_COST * len(crossing.lines)
        if self._timer is None:
            self._schedule()

    def _redacted(self, crossing: FrameBatch) -> FrameBatch:
        lines = self._redaction.redact(crossing.channel, crossing.lines)
        if lines is crossing.lines:
            return crossing
        for number, (new, old) in enumerate(
            zip(lines, crossing.lines, strict=True), crossing.first
        ):
            if new is not old:
                self._recent.hold(number, old.raw)
        return crossing.with_lines(lines)

    def set_metadata(self, facts: dict[str, str]) -> None:
        """Take facts about the session."""
        self._facts |= facts
        self._schedule()

    async def aclose(self) -> None:
        """Write what is left and close the file for writing; may be called twice."""
        if self._closed:
            return
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        while self._writing is not None or self._crossings or self._facts:
            if self._writing is None:
                self._flush()
            if self._writing is None:
                break
            await asyncio.wait([asyncio.wrap_future(self._writing)])
            await asyncio.sleep(0)
        await self._store.finish()

    def _schedule(self) -> None:
        if self._timer is None and self.failure is None and not self._closed:
            self._timer = asyncio.get_running_loop().call_later(FLUSH_SECONDS, self._on_time)

    def _on_time(self) -> None:
        self._timer = None
        if self._writing is None:
            self._flush()

    def _flush(self) -> None:
        if self.failure is not None or not (self._crossings or self._facts):
            return
        crossings, facts = self._crossings, self._facts
        self._crossings, self._facts, self._waiting_bytes = [], {}, 0
        loop = asyncio.get_running_loop()
        self._writing = self._store.write(crossings, facts)
        self.drained.fire()
        last = crossings[-1].last if crossings else self._recent.stored
        self._writing.add_done_callback(
            lambda done: loop.call_soon_threadsafe(self._on_written, done, last)
        )

    def _on_written(self, done: Future[None], last: int) -> None:
        self._writing = None
        error = done.exception()
        if error is None:
            self._recent.evict(last)
        else:
            self._fail(error if isinstance(error, StorageError) else StorageError(str(error)))
        if self._crossings or self._facts:
            self._schedule()

    def _fail(self, error: StorageError) -> None:
        """Write no more: what is kept in memory from now on is kept for good."""
        self.failure = error
        self._crossings, self._facts, self._waiting_bytes = [], {}, 0
        self.failed.fire()
        self.drained.fire()
