"""SQLite databases of other tools, read without trusting them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.transcript.read_only_database import ReadOnlyDatabase
from inspector.transcript.table_checks import problem_of_table

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from inspector.transcript.read_only_database import StoredRow

PAGE_ROWS, PAGE_BYTES, PAGE_SECONDS = 1000, 4 << 20, 10.0
"""Most rows, and about as many bytes, that are in memory at a time, and the longest query for them."""


@contextmanager
def opened(path: Path, tables: dict[str, tuple[str, ...]]) -> Generator[ReadOnlyDatabase]:
    """Open a database and make sure that it has these tables and columns; nothing else of it can be read.

    Raises:
        StorageError: it cannot be read, or is of another form.
    """
    database = ReadOnlyDatabase(path, max_seconds=PAGE_SECONDS)
    try:
        for table, columns in tables.items():
            if problem := problem_of_table(database, table, columns):
                raise StorageError(f"cannot import {path}: {problem}")
        database.restrict(frozenset(tables))
        yield database
    finally:
        database.close()


def pages(database: ReadOnlyDatabase, sql: str, *values: int) -> Iterator[StoredRow]:
    """Yield the rows of a query whose first column is a growing id, compared with its last parameter.

    Raises:
        StorageError: a row cannot be read.
    """
    last = 0
    while True:
        found = database.fetch(sql, (*values, last), max_rows=PAGE_ROWS, max_bytes=PAGE_BYTES)
        yield from found.rows
        if found.damage:
            raise StorageError(f"the database is damaged: {found.damage}")
        after = found.rows[-1][0] if found.rows else None
        if not isinstance(after, int) or after <= last:
            return
        last = after


def text(value: object) -> str:
    """Return a text of a row; empty for none."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def number(value: object) -> float:
    """Return a number of a row; 0 for none."""
    return float(value) if isinstance(value, (int, float)) else 0.0
