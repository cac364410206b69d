"""The file of a transcript: SQLite, append-only, one file a session.

Write-ahead log, one writer thread, one transaction a batch: after `kill -9` the file opens and holds every batch that was written. Bytes
are stored as they came, but for secrets (`redaction.py`); nothing derived is stored, so a later Spyglass reads old files with better eyes.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import weakref
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from functools import cache
from itertools import chain, islice
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.frozen import FrozenStruct
from inspector.transcript.annotation_storage import SUFFIX, write_table
from inspector.wire.line_splitter import RawChunk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from inspector.transcript.transcript import Transcript
    from inspector.wire.frame import Channel, Direction

APPLICATION_ID = 0x53505947
"""Tells our files from other databases."""

SCHEMA_VERSION = 1
"""Raised with every change of the tables; older files are read for ever."""

_SCHEMA = f"""
PRAGMA synchronous=OFF;
PRAGMA page_size=8192;
PRAGMA journal_mode=WAL;
BEGIN;
CREATE TABLE fact(name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE frame(
  number INTEGER PRIMARY KEY, at REAL NOT NULL, wall REAL NOT NULL,
  direction INTEGER NOT NULL, channel INTEGER NOT NULL, stream INTEGER NOT NULL,
  flaw INTEGER NOT NULL, dropped INTEGER NOT NULL, raw BLOB NOT NULL);
PRAGMA application_id={APPLICATION_ID};
PRAGMA user_version={SCHEMA_VERSION};
COMMIT;
"""
"""Creating an empty file does not wait 40 ms for the disk: it has no data that a loss of power could destroy."""

_COLUMNS = "number, direction, channel, at, wall, raw, flaw, dropped, stream"

_INSERT_LARGE = f"INSERT INTO frame({_COLUMNS}) VALUES (?,?,?,?,?,zeroblob(?),?,?,?)"

ROWS = 64
"""Frames written by one statement. At each statement the threads take turns, which costs far more than writing a frame."""


LARGE = 1 << 22
"""Size from which a frame is written in pieces: in one statement SQLite copies it twice."""

PIECE = 1 << 20
"""Size of a piece."""


class FrameBatch(FrozenStruct, frozen=True, gc=False):
    """Frames of one moment, to be stored."""

    first: int
    """Number of the first; the others follow."""
    direction: Direction
    """Of all of them."""
    channel: Channel
    """Of all of them."""
    monotonic_s: float
    """Monotonic seconds."""
    wall_s: float
    """Seconds since 1970-01-01 UTC."""
    stream: int
    """The HTTP exchange they belong to; 0 for none."""
    lines: Sequence[RawChunk]
    """What crossed."""

    @property
    def last(self) -> int:
        """Number of the last."""
        return self.first + len(self.lines) - 1

    def rows(self) -> Iterator[tuple[object, ...]]:
        """Yield the rows of the frames that are not large; made while they are stored, because thousands of tuples would cost a garbage collection."""
        side, channel = int(self.direction), int(self.channel)
        at, wall_s, stream = self.monotonic_s, self.wall_s, self.stream
        for number, line in enumerate(self.lines, self.first):
            if len(line.raw) < LARGE:
                yield (
                    number,
                    side,
                    channel,
                    at,
                    wall_s,
                    line.raw,
                    int(line.flaw),
                    line.dropped,
                    stream,
                )


class RecordingFile:
    """The file of a live session, made by `create`: one thread writes, the caller's reads back what left the memory."""

    def __init__(self, path: Path, reader: sqlite3.Connection, writer: ThreadPoolExecutor) -> None:
        self.path = path
        self._reader = reader
        self._writer: ThreadPoolExecutor | None = writer
        self._writing: sqlite3.Connection | None = None
        # A transcript stays readable as long as it is displayed, so no code knows when to close.
        weakref.finalize(self, reader.close)

    @classmethod
    def create(cls, path: Path) -> RecordingFile:
        """Make a new file.

        Raises:
            StorageError: the file exists or cannot be made.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600, exist_ok=False)
            with sqlite3.connect(path) as connection:
                connection.executescript(_SCHEMA)
            connection.close()
            reader = _reader(path)
        except (OSError, sqlite3.Error) as error:
            cause = error.strerror if isinstance(error, OSError) else error
            raise StorageError(f"cannot create recording {path}: {cause or error}") from error
        return cls(path, reader, ThreadPoolExecutor(1, "transcript"))

    def write(self, crossings: Sequence[FrameBatch], facts: dict[str, str]) -> Future[None]:
        """Store a batch in one transaction; the future carries a `StorageError` if that fails."""
        if self._writer is None:
            raise RuntimeError("the transcript is finished")
        return self._writer.submit(self._write, crossings, facts)

    def raws(self, start: int, stop: int) -> list[bytes]:
        """The content of the frames from `start` to before `stop`, as far as they were written."""
        try:
            rows = self._reader.execute(
                "SELECT raw FROM frame WHERE number >= ? AND number < ? ORDER BY number",
                (start, stop),
            ).fetchall()
        except sqlite3.Error as error:
            raise StorageError(f"cannot read {self.path}: {error}") from error
        return [raw for (raw,) in rows]

    def raw_aside(self, number: int) -> bytes:
        """The content of one frame, read by a connection of its own: for a thread."""
        try:
            with closing(_reader(self.path)) as reader:
                row = reader.execute("SELECT raw FROM frame WHERE number = ?", (number,)).fetchone()
        except sqlite3.Error as error:
            raise StorageError(f"cannot read {self.path}: {error}") from error
        return row[0] if row else b""

    def beginning(self, number: int, size: int) -> bytes:
        """Up to `size` bytes of one frame, without reading the rest."""
        try:
            with self._reader.blobopen("frame", "raw", number, readonly=True) as blob:
                return blob.read(size)
        except sqlite3.Error as error:
            raise StorageError(f"cannot read {self.path}: {error}") from error

    async def finish(self) -> None:
        """End the writing; reading stays possible. May be called twice."""
        if self._writer is not None:
            writer, self._writer = self._writer, None
            await asyncio.wrap_future(writer.submit(self._finish))
            writer.shutdown()

    def close(self) -> None:
        """End the reading too."""
        self._reader.close()

    def _write(self, crossings: Sequence[FrameBatch], facts: dict[str, str]) -> None:
        try:
            if self._writing is None:
                self._writing = sqlite3.connect(self.path)
                self._writing.execute("PRAGMA synchronous=NORMAL")
            with self._writing as connection:
                rows = chain.from_iterable(crossing.rows() for crossing in crossings)
                while part := list(islice(rows, ROWS)):
                    connection.execute(_insert(len(part)), list(chain.from_iterable(part)))
                for crossing in crossings:
                    _write_large(connection, crossing)
                connection.executemany("INSERT OR REPLACE INTO fact VALUES(?,?)", facts.items())
        except (sqlite3.Error, OverflowError) as error:
            raise StorageError(f"cannot write the recording: {error}") from error

    def _finish(self) -> None:
        if self._writing is not None:
            self._writing.close()
            self._writing = None


@cache
def _insert(rows: int) -> str:
    return f"INSERT INTO frame({_COLUMNS}) VALUES {','.join(['(?,?,?,?,?,?,?,?,?)'] * rows)}"


def _write_large(connection: sqlite3.Connection, crossing: FrameBatch) -> None:
    side, channel = int(crossing.direction), int(crossing.channel)
    for number, line in enumerate(crossing.lines, crossing.first):
        size = len(line.raw)
        if size < LARGE:
            continue
        row = (number, side, channel, crossing.monotonic_s, crossing.wall_s)
        rest = (size, int(line.flaw), line.dropped, crossing.stream)
        connection.execute(_INSERT_LARGE, (*row, *rest))
        whole = memoryview(line.raw)
        with connection.blobopen("frame", "raw", number) as blob:
            for at in range(0, size, PIECE):
                blob.write(whole[at : at + PIECE])


def _reader(path: Path) -> sqlite3.Connection:
    # A record that is forgotten unclosed is collected, and so closed, by whichever thread comes across it.
    connection = sqlite3.connect(path, check_same_thread=False)
    connection.execute("PRAGMA query_only=1")
    return connection


COMPANIONS = ("-wal", "-shm", SUFFIX)
"""Endings of the files beside a recording: those of SQLite, left by a program that was killed, and its annotations."""

BATCH_FRAMES, BATCH_BYTES = 500, 4 << 20
"""Frames that are read at a time, and about how many bytes of them."""


async def write_copy(transcript: Transcript, path: Path) -> int:
    """Write the frames there are now into a recording at `path`, replacing what is there; return how many.

    What was at `path` stays until the copy is whole.

    Raises:
        StorageError: the copy cannot be written, or a frame cannot be read.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        count = await _write(transcript, part)
        replace_recording(part, path)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        _remove(part)
    return count


def replace_recording(part: Path, path: Path) -> None:
    """Replace the recording at `path`, and delete the files beside the old one: they are not about the new one.

    Raises:
        OSError: it cannot be replaced.
    """
    part.replace(path)
    for beside in COMPANIONS:
        with contextlib.suppress(OSError):
            path.with_name(path.name + beside).unlink()


async def _write(transcript: Transcript, path: Path) -> int:
    store = RecordingFile.create(path)
    count, facts = transcript.count, dict(transcript.metadata)
    annotations = transcript.annotations.all()
    try:
        for batch in _batches(transcript, count):
            await asyncio.wrap_future(store.write(batch, facts))
            facts = {}
        if annotations:
            await asyncio.to_thread(write_table, path, annotations)
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
