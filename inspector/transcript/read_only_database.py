"""An SQLite file from anywhere, read without trusting it.

The file is opened read-only. An authorizer refuses everything but reading the columns of the two known tables, so a view, a trigger
or a recursive query in the file never runs. Each query has a time limit and can be stopped from another thread: an unexpected schema must
cost seconds at most.

Source: https://www.sqlite.org/security.html, "Untrusted SQLite Database Files".
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
import weakref
from functools import partial
from itertools import islice
from stat import S_ISREG
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from inspector.errors import StorageError
from inspector.frozen import FrozenStruct
from inspector.wire.line_splitter import DEFAULT_LINE_BUDGET

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

StoredRow: TypeAlias = tuple[object, ...]
"""One row, with the types that SQLite found: `int`, `float`, `bytes`, `StoredText` or None."""

PROGRESS_STEPS = 10_000
"""Instructions of SQLite's virtual machine between two looks at the clock: below a millisecond."""

_HEADER = b"SQLite format 3\0"
_GZIP = b"\x1f\x8b"

MAX_SQL_BYTES = 1 << 20
"""Longest statement of a schema; the schema of Spyglass has 400 bytes."""

MAX_VALUE_BYTES = DEFAULT_LINE_BUDGET + MAX_SQL_BYTES
"""Longest value that is read."""

_UNREADABLE = (sqlite3.Error, MemoryError, OverflowError, UnicodeError)
"""What reading a row may raise. UnicodeError: sqlite3 decodes names and messages, which a damaged file may have made up."""

_READABLE = frozenset({"frame", "fact"})
_FUNCTIONS = frozenset({"max", "typeof", "length", "substr"})


class StoredText(bytes):
    """A text of the file, not decoded: it need not be UTF-8."""


class Fetched(FrozenStruct, frozen=True):
    """What a query gave."""

    rows: list[StoredRow]
    """The rows up to the limits, or up to the damage."""
    damage: str = ""
    """Why the next row cannot be read; empty where it can."""


class ReadOnlyDatabase:
    """One connection; used by one thread at a time, stopped and closed from any."""

    def __init__(self, path: Path, *, max_seconds: float) -> None:
        """Open the file at `path`; no query takes longer than `max_seconds`.

        Raises:
            StorageError: the path is no regular file or cannot be opened.
        """
        self.path = path
        self._limit = _Limit(max_seconds)
        self._connection = _connect(path)
        # The window may read while a thread closes the file: closing frees the statement that is being carried out.
        self._lock = Lock()
        self._connection.set_progress_handler(self._limit.is_exceeded, PROGRESS_STEPS)
        # The connection keeps what it calls: were that this object, neither would ever be collected.
        weakref.finalize(self, self._connection.close)

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._limit.is_stopped

    def accept_truncated(self) -> None:
        """Read a file that is shorter than it says, as far as it goes; SQLite refuses it otherwise."""
        self._connection.execute("PRAGMA writable_schema=ON")  # in a connection that cannot write

    def restrict(self, tables: frozenset[str] = _READABLE) -> None:
        """From now on allow no more than reading these tables, those of a recording unless others are given; called once their schema was looked at."""
        self._connection.set_authorizer(partial(_authorize, tables))

    def stop(self) -> None:
        """Make the query under way, and every later one, end with what it has."""
        self._limit.is_stopped = True

    def close(self) -> None:
        """Close the file once nothing is read from it; may be called twice. What is read later is damaged."""
        with self._lock:
            self._connection.close()

    def fetch(
        self,
        sql: str,
        values: tuple[int, ...] = (),
        *,
        max_rows: int,
        max_bytes: int = 1 << 20,
    ) -> Fetched:
        """Read up to `max_rows` rows, and no further once they hold more than `max_bytes` of text and blobs.

        Raises:
            StorageError: the query took too long.
        """
        rows: list[StoredRow] = []
        size = 0
        self._limit.restart()
        try:
            with self._lock:
                for row in self._connection.execute(sql, values):
                    rows.append(row)
                    size += sum([len(value) for value in row if isinstance(value, bytes)])
                    if len(rows) >= max_rows or size > max_bytes:
                        break
        except _UNREADABLE as error:
            if self.is_stopped:
                return Fetched(rows)
            if self._limit.is_exceeded():
                text = f"reading {self.path} took over {self._limit.max_seconds:g} s"
                raise StorageError(text) from error
            return Fetched(rows, str(error) or type(error).__name__)
        return Fetched(rows)

    def small_rows(
        self,
        sql: str,
        values: tuple[int, ...],
        take: Callable[[list[StoredRow]], bool],
        *,
        at_once: int,
        max_bytes: int,
    ) -> None:
        """Read rows in half the time that `fetch` takes, and give so many at once to `take`, as long as that returns True.

        Ends before a row with a value above `max_bytes`, or one that cannot be read; `fetch` tells why.
        """
        self._limit.restart()
        with self._lock, contextlib.suppress(*_UNREADABLE):
            self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max_bytes)
            try:
                self._take_rows(self._connection.execute(sql, values), take, at_once)
            finally:
                self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)

    def _take_rows(
        self, found: sqlite3.Cursor, take: Callable[[list[StoredRow]], bool], at_once: int
    ) -> None:
        while True:
            rows: list[StoredRow] = []
            with contextlib.suppress(*_UNREADABLE):
                rows.extend(islice(found, at_once))  # keeps the rows before an error
            if not rows or not take(rows) or len(rows) < at_once:
                return

    def blobs(self, sql: str, values: tuple[int, ...]) -> list[bytes]:
        """Return the only column of all rows, in a third of the time that `fetch` takes; nothing where it is damaged, or not all are blobs."""
        self._limit.restart()
        try:
            with self._lock:
                found = [value for (value,) in self._connection.execute(sql, values).fetchall()]
        except _UNREADABLE:
            return []
        return found if set(map(type, found)) == {bytes} else []

    def beginning(self, table: str, column: str, key: int, size: int) -> bytes:
        """Return up to `size` bytes of a blob without reading the rest; nothing where that cannot be done."""
        try:
            with (
                self._lock,
                self._connection.blobopen(table, column, key, readonly=True) as blob,
            ):
                return blob.read(size)
        except (sqlite3.Error, MemoryError, OverflowError):
            return b""


class _Limit:
    """When a query has to end; SQLite asks while it works."""

    def __init__(self, max_seconds: float) -> None:
        self.max_seconds = max_seconds
        self.is_stopped = False
        self.restart()

    def restart(self) -> None:
        self._deadline = time.monotonic() + self.max_seconds

    def is_exceeded(self) -> bool:
        return self.is_stopped or time.monotonic() >= self._deadline


def _connect(path: Path) -> sqlite3.Connection:
    try:
        file = path.resolve(strict=True)
        if not S_ISREG(file.stat().st_mode):
            raise StorageError(f"{path} is not a regular file")
        if not file.stat().st_size:
            raise StorageError(f"{path} is empty")
        with file.open("rb") as opened:
            start = opened.read(len(_HEADER))
        if start.startswith(_GZIP):
            raise StorageError(f"{path} is compressed: decompress it first (gunzip)")
        if start != _HEADER:
            raise StorageError(f"{path} is not a recording: it is no SQLite database")
        connection = sqlite3.connect(_uri(file), uri=True, check_same_thread=False, timeout=1.0)
    except FileNotFoundError as error:
        raise StorageError(f"no recording at {path}") from error
    except (OSError, ValueError, RuntimeError, sqlite3.Error) as error:
        raise StorageError(f"cannot open {path}: {error}") from error
    connection.text_factory = StoredText
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, MAX_SQL_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    for pragma in ("trusted_schema=OFF", "query_only=ON", "cell_size_check=ON", "mmap_size=0"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _uri(file: Path) -> str:
    """Without a write-ahead log beside it the file is complete: then nothing is locked or written, so a read-only folder will do."""
    log = file.with_name(f"{file.name}-wal")
    has_log = log.is_file() and log.stat().st_size > 0
    return f"{file.as_uri()}?mode=ro{'' if has_log else '&immutable=1'}"


def _authorize(
    tables: frozenset[str],
    action: int,
    table: str | None,
    function: str | None,
    _database: str | None,
    source: str | None,
) -> int:
    """Decide on one thing that a statement does; `source` is the view or trigger that does it."""
    allowed = source is None and (
        action == sqlite3.SQLITE_SELECT
        or (action == sqlite3.SQLITE_READ and (table or "").lower() in tables)
        or (action == sqlite3.SQLITE_FUNCTION and function in _FUNCTIONS)
    )
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY
