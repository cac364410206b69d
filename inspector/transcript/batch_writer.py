"""Frames on the way to the file: written in batches, and kept in memory within a budget.

A frame waits at most `FLUSH_SECONDS` for the writer thread, and one batch is written at a time: a slow disk delays the file and never the
event loop. When writing fails, recording continues in memory. Secrets are replaced by markers before the writer gets a frame.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.errors import StorageError
from inspector.event import Event
from inspector.wire.frame import FRAME_COST

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Future

    from inspector.transcript.recording_file import FrameBatch, RecordingFile
    from inspector.transcript.redaction import Redaction
    from inspector.wire.line_splitter import RawChunk

FLUSH_SECONDS = 0.05
"""Longest wait of a frame: half of what `kill -9` may lose."""

MAX_UNWRITTEN_BYTES = 64 << 20
"""Unwritten bytes, `FRAME_COST` of each frame included, above which reading should pause."""

MAX_CACHE_BYTES = 64 << 20
"""Memory for the latest frames, `FRAME_COST` of each included."""

MAX_ASIDE_BYTES = 1 << 20
"""The same for a transcript that has ended."""

MAX_UNREDACTED_BYTES = 8 << 20
"""Memory for frames that are redacted in the file; beyond it only their redacted form can be read again."""

FRAME_BYTES = 64
"""Memory of a frame beside its bytes, about."""


class FrameCache:
    """The bytes of the latest frames, by number; the oldest stored ones are evicted first."""

    def __init__(self, budget: int = MAX_CACHE_BYTES) -> None:
        """Keep at most `budget` bytes of stored frames; frames that are not stored are always kept."""
        self.budget = budget
        self.size = 0
        self.stored = 0
        """Frames up to this number are in the file."""
        self._raws: list[bytes] = []
        self._evicted = 0
        self._unredacted: dict[int, bytes] = {}
        self._unredacted_bytes = 0

    def add(self, raws: Sequence[bytes]) -> int:
        """Keep the bytes of the next frames; return their memory, `FRAME_COST` of each included."""
        self._raws += raws
        cost = sum(map(len, raws)) + FRAME_COST * len(raws)
        self.size += cost
        return cost

    def keep_unredacted(self, number: int, raw: bytes) -> None:
        """Keep the bytes of a frame that is redacted in the file, as long as the transcript is open."""
        if self._unredacted_bytes + len(raw) + FRAME_COST <= MAX_UNREDACTED_BYTES:
            self._unredacted[number] = raw
            self._unredacted_bytes += len(raw) + FRAME_COST

    def get(self, number: int) -> bytes | None:
        """Return the bytes of a frame; None when they were evicted."""
        if number > self._evicted:
            return self._raws[number - 1 - self._evicted]
        return self._unredacted.get(number)

    def restored(self, start: int, stored: list[bytes]) -> list[bytes]:
        """Return `stored`, the frames of the file from `start` on, with the secrets of those that are kept."""
        if not self._unredacted:
            return stored
        return [self._unredacted.get(number, raw) for number, raw in enumerate(stored, start)]

    def between(self, start: int, stop: int) -> list[bytes]:
        """Return the bytes of the frames from `start`, which is at least `first`, to before `stop`."""
        return self._raws[start - 1 - self._evicted : stop - 1 - self._evicted]

    @property
    def first(self) -> int:
        """The lowest number that was not evicted."""
        return self._evicted + 1

    @property
    def held_bytes(self) -> int:
        """The memory of all frames, about."""
        return self.size + self._unredacted_bytes + len(self._raws) * FRAME_BYTES

    def set_aside(self) -> None:
        """Keep at most `MAX_ASIDE_BYTES` from now on."""
        self.budget = MAX_ASIDE_BYTES
        self.evict(self.stored)

    def skip(self, count: int) -> None:
        """Begin after so many frames, which are all in the file; nothing was added before."""
        self._evicted = self.stored = count

    def evict(self, stored: int) -> None:
        """Note that the frames up to `stored` are in the file, and drop the oldest beyond the budget."""
        self.stored = stored
        excess, limit, count = self.size - self.budget, stored - self._evicted, 0
        while excess > 0 and count < limit:
            excess -= len(self._raws[count]) + FRAME_COST
            count += 1
        if count:
            del self._raws[:count]
            self._evicted += count
            self.size = self.budget + excess


class BatchWriter:
    """Writes frames into the file."""

    def __init__(self, store: RecordingFile, recent: FrameCache, redaction: Redaction) -> None:
        """Write redacted frames into `store`; `recent` keeps what is not written, and what is redacted."""
        self.failure: StorageError | None = None
        self.failed: Event[()] = Event()
        self.drained: Event[()] = Event()
        """Fired when the writer thread has all frames: `is_congested` is False again."""
        self._store = store
        self._recent = recent
        self._redaction = redaction
        self._batches: list[FrameBatch] = []
        self._facts: dict[str, str] = {}
        self._pending_bytes = 0
        self._writing: Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def is_congested(self) -> bool:
        """True while more than `MAX_UNWRITTEN_BYTES` wait for the writer thread."""
        return self._pending_bytes > MAX_UNWRITTEN_BYTES and self.failure is None

    def add(self, batch: FrameBatch, cost: int) -> None:
        """Add frames that take so much memory; ignored after writing has failed."""
        lines = batch.lines
        if self.failure is not None or not lines:
            return
        redacted = self._redaction.redact(batch.channel, lines)
        self._batches.append(batch if redacted is lines else self._replace(batch, redacted))
        self._pending_bytes += cost
        if self._timer is None:
            self._schedule()

    def _replace(self, batch: FrameBatch, redacted: Sequence[RawChunk]) -> FrameBatch:
        for number, (new, old) in enumerate(zip(redacted, batch.lines, strict=True), batch.first):
            if new is not old:
                self._recent.keep_unredacted(number, old.raw)
        return replace(batch, lines=redacted)

    def set_metadata(self, facts: dict[str, str]) -> None:
        """Store facts about the session."""
        self._facts |= facts
        self._schedule()

    async def aclose(self) -> None:
        """Write what is left and close the file for writing; may be called twice."""
        if self._closed:
            return
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        while self._writing is not None or self._batches or self._facts:
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
        if self.failure is not None or not (self._batches or self._facts):
            return
        batches, facts = self._batches, self._facts
        self._batches, self._facts, self._pending_bytes = [], {}, 0
        loop = asyncio.get_running_loop()
        self._writing = self._store.write(batches, facts)
        self.drained.fire()
        last = batches[-1].last if batches else self._recent.stored
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
        if self._batches or self._facts:
            self._schedule()

    def _fail(self, error: StorageError) -> None:
        """Write nothing more: frames stay in memory from now on."""
        self.failure = error
        self._batches, self._facts, self._pending_bytes = [], {}, 0
        self.failed.fire()
        self.drained.fire()
