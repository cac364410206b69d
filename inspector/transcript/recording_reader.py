"""Reads a recording, which may come from anywhere and contain anything.

Frames keep the numbers they are stored with; a note replaces a missing row. Rows whose number cannot be kept (below 1, or beyond more
missing rows than a user could read) follow after the last one, each with a finding that has its number. The size that the file declares is not
believed: reading goes from row to row until there are no more, past damaged parts.
"""

from __future__ import annotations

from array import array
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.finding import Finding, Severity
from inspector.frozen import FrozenStruct
from inspector.transcript.plain_pages import STEP_ROWS, PlainPage, plain_page, plain_pages
from inspector.transcript.read_only_database import ReadOnlyDatabase
from inspector.transcript.recording_schema import (
    has_facts,
    identify,
    key_of_frames,
    read_facts,
)
from inspector.transcript.stored_rows import (
    COLUMNS,
    Decoded,
    ReadingReport,
    RowDecoder,
    stored_bytes,
)
from inspector.transcript.table_checks import integer

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from pathlib import Path

    from inspector.transcript.read_only_database import StoredRow

PAGE_ROWS, PAGE_BYTES = 1000, 4 << 20
"""Most rows, and about as many bytes, that are in memory at a time."""

MAX_MISSING = 100_000
"""Notes that stand in the place of missing rows, all together."""

MAX_SKIPS = 400
"""Steps taken to get past one damaged part: first row by row, then in steps that double."""

SINGLE_SKIPS = 300
"""Of these, steps of one row: about what one page of the file can hold."""

PAGE_SECONDS, LOOKUP_SECONDS, SUMMARY_SECONDS = 10.0, 2.0, 0.2
"""Longest query: in a thread of its own; while the window waits; for one line of a menu."""

MIN_ROW_BYTES = 12
"""A row takes more, so a number above the size of the file divided by this is no count."""

OUT_OF_ORDER = "its rows are not in order"
"""A file may be damaged, or made, so that a query gives the same rows for ever; SQLite notices no more than it has to."""

STREAM = COLUMNS.index("stream")

_LOWEST, _HIGHEST = -(2**63), 2**63 - 1


class Summary(FrozenStruct, frozen=True):
    """What a list of recordings says about one."""

    facts: dict[str, str]
    """About the session: `title`, `started`, …"""
    frames: int | None
    """Number of frames; None if the file has no credible number."""


class FileState(FrozenStruct, frozen=True):
    """Which file lies at a path, as far as the file system says so: another one, or a changed one, has another state."""

    device: int
    inode: int
    size: int
    changed_ns: int

    @classmethod
    def of(cls, state: os.stat_result) -> FileState:
        """Take it from what the file system says."""
        return cls(state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns)


class RecordingReader:
    """A recording, open for reading. Everything here blocks; `pages` belongs into a thread."""

    def __init__(self, path: Path, *, max_seconds: float = PAGE_SECONDS) -> None:
        """Open the file and look at its tables.

        Raises:
            StorageError: it is missing, no recording, or of a form that cannot be read.
        """
        self.path = path
        self.report = ReadingReport()
        self.opened: FileState | None = None
        """The file at the path before it was opened."""
        with suppress(OSError, ValueError):
            self.opened = FileState.of(path.stat())
        self._database = ReadOnlyDatabase(path, max_seconds=max_seconds)
        try:
            self._is_truncated = identify(self._database, self.report)
            self._key = key_of_frames(self._database)
            tells_facts = has_facts(self._database, self.report)
            self._database.restrict()
            self.facts = read_facts(self._database) if tells_facts else {}
            """What is known about the session, by name: `title`, `started`, …."""
            self._lookups: ReadOnlyDatabase | None = None
        except BaseException:
            self._database.close()
            raise
        self._keys = array("q")
        """Keys of the rows of the frames after `_kept`."""
        self._kept = 0
        """Frames up to this number have it as the key of their row."""
        self._moved: dict[int, int] = {}
        """For the first frames with another number than stored: the stored number → that number."""

    def summary(self) -> Summary:
        """Facts and extent, without reading the frames."""
        with suppress(StorageError, OSError):
            found = self._database.fetch(f"SELECT max({self._key}) FROM frame", max_rows=1)
            last = found.rows[0][0] if found.rows else None
            if last is None or isinstance(last, int):
                count = last or 0
                is_credible = 0 <= count <= self.path.stat().st_size // MIN_ROW_BYTES
                return Summary(self.facts, count if is_credible else None)
        return Summary(self.facts, None)

    def rows_if_whole(self) -> int:
        """The number of the last row of a file that is not being written and has no known damage; else 0."""
        log = self.path.with_name(f"{self.path.name}-wal")
        has_log = log.exists() and log.stat().st_size > 0
        is_whole = not (has_log or self._is_truncated or self._keys or self.report.sentences)
        return self.summary().frames or 0 if is_whole else 0

    def accept_whole(self, count: int) -> None:
        """Know that all rows up to `count` are frames of that number, instead of reading `pages`."""
        self._kept = count

    def stop(self) -> None:
        """Let `pages` end early; callable from any thread."""
        self.report.is_stopped = True
        self._database.stop()

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._database.is_stopped

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._database.close()
        if self._lookups is not None:
            self._lookups.close()

    def pages(self) -> Iterator[list[Decoded | PlainPage]]:
        """All frames in order, numbered from 1 without gaps, a page at a time.

        Raises:
            StorageError: the file takes too long to read.
        """
        decoder = RowDecoder()
        count = 0
        for plain, rows in self._rows():
            if plain:
                count = self._kept = plain[-1].last
                decoder.follow(plain[-1])
                yield list(plain)
            page: list[Decoded | PlainPage] = []
            for start in range(0, len(rows), STEP_ROWS):
                part = rows[start : start + STEP_ROWS]
                found = None if self._keys else plain_page(part, count + 1)
                if found is not None:
                    count = self._kept = found.last
                    decoder.follow(found)
                    page.append(found)
                    continue
                for row in part:
                    count += self._fill(decoder, count, row[0], row[1], page) + 1
                    page.append(self._decode(decoder, count, row[0], row[1], row[2:]))
                    if len(page) >= PAGE_ROWS:
                        yield page
                        page = []
            if rows:
                yield page

    def raws(self, start: int, stop: int) -> list[bytes]:
        """The content of the frames from `start` to before `stop`, which `pages` gave.

        Raises:
            StorageError: the file cannot be read any more.
        """
        if self._lookups is None:
            self._lookups = self._another(LOOKUP_SECONDS)
        return self._raws_in(self._lookups, start, stop)

    def _raws_in(self, database: ReadOnlyDatabase, start: int, stop: int) -> list[bytes]:
        kept = min(stop, self._kept + 1)
        if stop <= kept and self._has_all:
            raws = database.blobs(
                f"SELECT raw FROM frame WHERE {self._key} BETWEEN ? AND ? ORDER BY {self._key}",
                (start, stop - 1),
            )
            if len(raws) == stop - start:  # else it is told below what has become of the file
                return raws
        found: dict[int, StoredRow] = {}
        if start < kept:
            condition = f"BETWEEN {start} AND {kept - 1}"
            found = dict(self._lookup(database, condition, kept - start))
        for number in range(max(start, kept), stop):
            key = self._keys[number - self._kept - 1]
            found.update((number, row) for _, row in self._lookup(database, f"= {key}", 1))
        return [stored_bytes(number, found.get(number)) for number in range(start, stop)]

    def raw_aside(self, number: int) -> bytes:
        """The content of one frame, read by a connection of its own: for a thread.

        Raises:
            StorageError: the file cannot be read any more.
        """
        with closing(self._another(PAGE_SECONDS)) as database:
            return next(iter(self._raws_in(database, number, number + 1)), b"")

    def beginning(self, number: int, size: int) -> bytes:
        """Up to `size` bytes of one frame, without reading the rest where that can be done.

        Raises:
            StorageError: the file cannot be read any more.
        """
        if self._lookups is None:
            self._lookups = self._another(LOOKUP_SECONDS)
        if number <= self._kept and self._has_all:
            found = self._lookups.beginning("frame", "raw", number, size)
            if found:
                return found
        return next(iter(self.raws(number, number + 1)), b"")[:size]

    @property
    def _has_all(self) -> bool:
        """Whether every frame up to `_kept` is the content of a row, not a note in the place of one."""
        return not (self.report.missing or self.report.unreadable)

    def _another(self, max_seconds: float) -> ReadOnlyDatabase:
        database = ReadOnlyDatabase(self.path, max_seconds=max_seconds)
        if self._is_truncated:
            database.accept_truncated()
        database.restrict()
        return database

    def _lookup(
        self, database: ReadOnlyDatabase, condition: str, rows: int
    ) -> Iterator[tuple[int, StoredRow]]:
        # The limit keeps SQLite from looking for one more row, which may be on a damaged page.
        sql = (
            f"SELECT {self._key}, {', '.join(COLUMNS)} FROM frame "
            f"WHERE {self._key} {condition} LIMIT {rows}"
        )
        found = database.fetch(sql, max_rows=rows, max_bytes=1 << 62)
        if found.damage and not found.rows:
            raise StorageError(f"cannot read {self.path}: {found.damage}")
        for key, *values in found.rows:
            assert isinstance(key, int)
            yield key, tuple(values)

    def _rows(self) -> Iterator[tuple[list[PlainPage], list[StoredRow]]]:
        """The rows with a number that can be a frame's, in order; then the others. Each time pages of plain rows, or other rows."""
        yield from self._walk(1, _HIGHEST)
        yield from self._walk(_LOWEST, 0)

    def _walk(self, low: int, high: int) -> Iterator[tuple[list[PlainPage], list[StoredRow]]]:
        key, skips, is_single = self._key, 0, False
        sql = (
            f"SELECT {key}, number, {', '.join(COLUMNS)} FROM frame "
            f"WHERE {key} >= ? AND {key} <= ? AND typeof({key}) = 'integer' ORDER BY {key}"
        )
        while low <= high and not self._database.is_stopped:
            if not self._keys and low == self._kept + 1:
                plain = plain_pages(self._database, key, low)
                if plain:
                    yield plain, []
                    low, skips = plain[-1].last + 1, 0
                    continue
            # SQLite looks for one more row, unless limited: where that is damaged, the row before it would be lost
            query = f"{sql} LIMIT 1" if is_single else sql
            found = self._database.fetch(
                query, (low, high), max_rows=PAGE_ROWS, max_bytes=PAGE_BYTES
            )
            rows = _in_order(found.rows, low, high)
            damage = found.damage if len(rows) == len(found.rows) else OUT_OF_ORDER
            if rows:
                yield [], rows
                low, skips = integer(rows[-1][0]) + 1, 0
            elif not damage:
                return
            if damage and (is_single or damage is OUT_OF_ORDER):
                if not self.report.damage:
                    self.report.damaged_after = max(0, low - 1)
                self.report.damage = damage
            is_single = bool(damage) and not is_single
            if not rows and not is_single:
                skips += 1
                if skips > MAX_SKIPS:
                    return
                low += 1 << min(62, max(0, skips - SINGLE_SKIPS))

    def _fill(
        self,
        decoder: RowDecoder,
        count: int,
        key: object,
        stored: object,
        page: list[Decoded | PlainPage],
    ) -> int:
        """Put a note in the place of each missing frame before the stored one, if all of them have room."""
        gap = stored - count - 1 if isinstance(stored, int) else -1
        if self._keys or key != stored or not 0 < gap <= MAX_MISSING - self.report.missing:
            return 0
        page += [decoder.missing(number) for number in range(count + 1, count + 1 + gap)]
        self.report.add_missing(count + 1, count + gap)
        self._kept = count + gap
        return gap

    def _decode(
        self, decoder: RowDecoder, number: int, key: object, stored: object, row: StoredRow
    ) -> Decoded:
        is_kept = not self._keys and key == stored == number
        if is_kept:
            self._kept = number
            decoded = decoder.decode(number, row)
        else:
            self._keys.append(integer(key))
            decoded = self._decode_moved(decoder, number, stored, row)
        if decoded.is_substitute:
            self.report.add_unreadable(number)
        return decoded

    def _decode_moved(
        self, decoder: RowDecoder, number: int, stored: object, row: StoredRow
    ) -> Decoded:
        if isinstance(stored, int) and stored != number:
            if len(self._moved) < MAX_MISSING:
                self._moved.setdefault(stored, number)
            stream = self._moved.get(integer(row[STREAM]), row[STREAM]) if row[STREAM] else 0
            decoded = decoder.decode(number, (*row[:STREAM], stream, *row[STREAM + 1 :]))
            self.report.add_moved(number)
            text = f"stored as frame {stored:,}; shown as frame {number:,}"
        elif stored == number:
            return decoder.decode(number, row)
        else:
            decoded = decoder.decode(number, row)
            self.report.add_moved(number)
            text = f"stored without a valid number; shown as frame {number:,}"
        finding = Finding("stored-number", Severity.WARNING, text)
        return decoded._replace(findings=(*decoded.findings, finding))


def _in_order(rows: list[StoredRow], low: int, high: int) -> list[StoredRow]:
    """The first rows whose keys go up from `low` or more to `high` at most, as the query wanted all of them."""
    keys = [integer(row[0]) for row in rows]
    if not keys or (low <= keys[0] and keys[-1] <= high and keys == sorted(set(keys))):
        return rows
    ascending = 0
    for key in keys:
        if not low <= key <= high:
            break
        low = key + 1
        ascending += 1
    return rows[:ascending]


def summarize(path: Path) -> Summary:
    """What a list says about the recording at `path`.

    Raises:
        StorageError: it cannot be read.
    """
    file = RecordingReader(path, max_seconds=SUMMARY_SECONDS)
    try:
        return file.summary()
    finally:
        file.close()
