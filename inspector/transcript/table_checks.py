"""Whether a table of an SQLite file from anywhere can be read safely: a stored one, with the columns that are needed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.transcript.read_only_database import ReadOnlyDatabase

_TABLE = re.compile(rb"CREATE TABLE\b", re.IGNORECASE)


def problem_of_table(database: ReadOnlyDatabase, name: str, needed: Iterable[str]) -> str:
    """Return why a table is none that can be read safely with these columns; empty if it is one.

    Views and virtual tables run code of SQLite or of the file, and computed columns do: the values of rows are read as they are stored.
    """
    problem, _ = ordinary_table(database, name.lower())
    if problem:
        return problem
    columns = columns_of(database, name)
    if missing := [column for column in needed if column not in columns]:
        return f"its table “{name}” has no column {', '.join(missing)}"
    if computed := [column for column in needed if columns[column] > 0]:
        return f"its column {', '.join(computed)} is computed, not stored"
    return ""


def ordinary_table(database: ReadOnlyDatabase, name: str) -> tuple[str, bytes]:
    """Return why the table `name` cannot be read, or nothing; and the statement that made it."""
    sql = f"SELECT type, rootpage, sql FROM sqlite_master WHERE lower(name) = '{name}'"
    found = database.fetch(sql, max_rows=1)
    if not found.rows:
        return found.damage or f"it has no table “{name}”", b""
    kind, root, statement = found.rows[0]
    if kind != b"table":
        return f"“{name}” is not a table ({text_of(kind)[:20]})", b""
    if not root or not isinstance(statement, bytes) or not _TABLE.match(statement):
        return f"“{name}” is not an ordinary table", b""
    return "", statement


def columns_of(database: ReadOnlyDatabase, table: str) -> dict[str, int]:
    """Return the names of the columns, each with how it is hidden: above 1 it is computed."""
    rows = database.fetch(f"PRAGMA table_xinfo({table})", max_rows=1000).rows
    return {text_of(row[1]).lower(): integer(row[6]) for row in rows}


def integer(value: object) -> int:
    """Return a value that should be an integer; 0 if it is none."""
    return value if isinstance(value, int) else 0


def text_of(value: object) -> str:
    """Return a value that should be a text."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else f"{value}"
