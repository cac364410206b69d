"""Filling a transcript from a recording: a thread reads, the loop takes in short slices, and it can be stopped at any time."""

from __future__ import annotations

import asyncio
import sys
import time
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from inspector.background_tasks import IMPORTING, TurnShare
from inspector.errors import StorageError
from inspector.transcript.annotation_storage import stored_annotations
from inspector.transcript.large_frames import read_ahead
from inspector.transcript.plain_pages import PlainPage
from inspector.transcript.recording_reader import RecordingReader
from inspector.wire.frame import Channel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from inspector.transcript.index_cache import Derived, IndexCache, RecordingKey
    from inspector.transcript.stored_rows import Decoded
    from inspector.transcript.transcript import Transcript

SHOW_SECONDS = 0.4
"""Between two times that the frames read are displayed: each costs as much as reading ten thousand of them."""

T = TypeVar("T")

SSE_MODULE = "inspector.wire.sse"

MIN_FRAMES = 20_000
"""Of a smaller recording nothing is kept: it is read in a moment anyway."""


class RecordingLoader:
    """Reads one file into one transcript."""

    def __init__(self, file: RecordingReader, known: IndexCache | None = None) -> None:
        """Use `open`."""
        self.file = file
        self._known = known
        self._key: RecordingKey | None = None
        """Of the recording, before its frames were read."""
        self._is_known = False
        self._next_fired = 0.0
        self._share = TurnShare()
        self.is_done = False

    @classmethod
    async def open(cls, path: Path, known: IndexCache | None = None) -> RecordingLoader:
        """Open the file at `path` without reading its frames yet; `known` has what was derived from recordings before.

        Raises:
            StorageError: it is missing, no recording, or of a form that cannot be read.
        """
        return cls(await asyncio.to_thread(RecordingReader, path), known)

    async def load(self, transcript: Transcript) -> None:
        """Put all frames into `transcript`; what could not be read is in the report of the file, not an error."""
        if await self._restore(transcript):
            self.is_done = self._is_known = True
            await self._annotate(transcript)
        else:
            await self._read(transcript)

    async def _restore(self, transcript: Transcript) -> bool:
        known = self._known
        if known is None:
            return False
        derived = await _in_thread(self.file, lambda: self._known_of(known))
        if derived is None or self.file.is_stopped:
            return False
        self.file.accept_whole(derived.rows)
        return transcript.restore(derived)

    def _known_of(self, known: IndexCache) -> Derived | None:
        self._key = known.key_of(self.file)
        return None if self._key is None else known.load(self._key)

    async def keep(self, transcript: Transcript) -> None:
        """Keep what was derived, for the next time. Call it before anything is added: from then on only the flags change."""
        known, key = self._known, self._key
        if known is None:
            return
        await _in_thread(self.file, known.prune)
        if (
            key is None
            or self._is_known
            or transcript.count < MIN_FRAMES
            or self.file.report.sentences
        ):
            return
        columns = transcript.columns.all
        columns["flags"] = columns["flags"][:]
        state = transcript.derived_state()
        await _in_thread(self.file, lambda: known.store(self.file, key, columns, state))

    async def kept_checks(self) -> bytes:
        """Return what checking this recording gave earlier; empty if that is not known."""
        known, key = self._known, self._key
        if known is None or key is None:
            return b""
        return await _in_thread(self.file, lambda: known.load_checks(key))

    async def keep_checks(self, checks: bytes) -> None:
        """Keep what checking this recording gave, for the next time."""
        known, key = self._known, self._key
        if known is not None and key is not None and not self.file.report.sentences:
            await _in_thread(self.file, lambda: known.store_checks(self.file, key, checks))

    async def _read(self, transcript: Transcript) -> None:
        pages = self.file.pages()
        try:
            await self._annotate(transcript)
            while (page := await _in_thread(self.file, lambda: _next_page(pages))) is not None:
                await self._take(transcript, page)
        except StorageError as error:
            self.file.report.failure = error.reason
        finally:
            self.is_done = True
            transcript.appended.fire()

    async def _annotate(self, transcript: Transcript) -> None:
        stored = await _in_thread(self.file, lambda: stored_annotations(self.file.path))
        transcript.annotations.restore(self.file.path, stored)

    async def _take(self, transcript: Transcript, page: list[Decoded | PlainPage]) -> None:
        while page and not self.file.is_stopped:
            page = page[transcript.take_stored(page, self._share.until()) :]
            self._share.end(is_done=not page)
            if (now := time.perf_counter()) > self._next_fired:
                self._next_fired = now + SHOW_SECONDS
                transcript.appended.fire()
            await asyncio.sleep(0)


def _next_page(pages: Iterator[list[Decoded | PlainPage]]) -> list[Decoded | PlainPage] | None:
    """The next page, its large messages read, and what is needed to read its frames: loading that takes a quarter of a second, which the loop cannot spare."""
    page = next(pages, None)
    for item in page or ():
        if SSE_MODULE not in sys.modules and _needs_sse(item):
            with IMPORTING:
                import_module(SSE_MODULE)
        if isinstance(item, PlainPage):
            read_ahead(item)
    return page


def _needs_sse(item: Decoded | PlainPage) -> bool:
    if isinstance(item, PlainPage):
        return not item.is_in_passing
    return item.crossing.channel is Channel.SSE


async def _in_thread(file: RecordingReader, read: Callable[[], T]) -> T:
    """Run `read` in a thread. A caller that is cancelled waits until the thread has let go of the file, which must not be closed before."""
    reading = asyncio.get_running_loop().run_in_executor(None, read)
    try:
        return await asyncio.shield(reading)
    except asyncio.CancelledError:
        file.stop()
        await asyncio.wait([reading])
        raise
