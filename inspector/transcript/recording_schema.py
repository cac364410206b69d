"""Which tables a file from anywhere has: whether it is a recording, and in what form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.transcript.recording_file import APPLICATION_ID, SCHEMA_VERSION
from inspector.transcript.stored_rows import COLUMNS

if TYPE_CHECKING:
    from inspector.transcript.read_only_database import ReadOnlyDatabase
    from inspector.transcript.stored_rows import ReadingReport

MAX_FACTS, MAX_FACT_BYTES = 100, 2000
"""Facts about the session that are read, and bytes of each."""

_TABLE = re.compile(rb"CREATE TABLE\b", re.IGNORECASE)


def identify(database: ReadOnlyDatabase, report: ReadingReport) -> bool:
    """Make sure that the file is a recording, and tell whether its end is missing."""
    identity = database.fetch("PRAGMA application_id", max_rows=1)
    is_truncated = bool(identity.damage)
    if is_truncated:
        report.damage = identity.damage
        database.accept_truncated()
        identity = database.fetch("PRAGMA application_id", max_rows=1)
    if identity.damage or not identity.rows:
        raise StorageError(f"cannot read {database.path}: {identity.damage}")
    if identity.rows[0][0] != APPLICATION_ID:
        raise StorageError(f"{database.path} is not a Spyglass recording")
    version = integer(database.fetch("PRAGMA user_version", max_rows=1).rows[0][0])
    if version > SCHEMA_VERSION:
        report.newer_format = version
    return is_truncated


def key_of_frames(database: ReadOnlyDatabase) -> str:
    """The expression that names a row of the table of frames, after making sure that it is a table of the known form."""
    problem, sql = _table(database, "frame")
    columns = _columns(database, "frame")
    missing = [name for name in ("number", *COLUMNS) if name not in columns]
    if not problem and missing:
        problem = f"its table of frames has no column {', '.join(missing)}"
    generated = [name for name in ("number", *COLUMNS) if columns.get(name, 0) > 1]
    if not problem and generated:
        problem = f"its column {', '.join(generated)} is computed, not stored"
    if problem:
        raise _unusable(database, problem)
    if re.search(rb"WITHOUT\s+ROWID[\s,;A-Z]*$", sql, re.IGNORECASE):
        return "number"
    return next((name for name in ("rowid", "_rowid_", "oid") if name not in columns), "number")


def has_facts(database: ReadOnlyDatabase, report: ReadingReport) -> bool:
    """Return whether the table of facts can be read; what is ignored of the file goes into `report`."""
    problem, _ = _table(database, "fact")
    columns = {} if problem else _columns(database, "fact")
    if not problem and not all(columns.get(name, 2) <= 1 for name in ("name", "value")):
        problem = "its table of facts has another form"
    if problem:
        report.add_ignored(problem)
    sql = "SELECT count(*) FROM sqlite_master WHERE type IN ('view', 'trigger')"
    extra = database.fetch(sql, max_rows=1).rows
    if extra and extra[0][0]:
        report.add_ignored("it holds views or triggers, which no recording has; they were not run")
    return not problem


def read_facts(database: ReadOnlyDatabase) -> dict[str, str]:
    """Return the facts about the session, by name."""
    sql = f"SELECT substr(name, 1, {MAX_FACT_BYTES}), substr(value, 1, {MAX_FACT_BYTES}) FROM fact"
    rows = database.fetch(sql, max_rows=MAX_FACTS).rows
    return {_text(name): _text(value) for name, value in rows}


def _table(database: ReadOnlyDatabase, name: str) -> tuple[str, bytes]:
    """Why the table `name` cannot be read, or nothing; and the statement that made it."""
    sql = f"SELECT type, rootpage, sql FROM sqlite_master WHERE lower(name) = '{name}'"
    found = database.fetch(sql, max_rows=1)
    if not found.rows:
        return found.damage or f"it has no table “{name}”", b""
    kind, root, statement = found.rows[0]
    if kind != b"table" or not root or not isinstance(statement, bytes):
        return f"“{name}” is not a table ({_text(kind)[:20]})", b""
    if not _TABLE.match(statement):
        return f"“{name}” is not an ordinary table", b""
    return "", statement


def _columns(database: ReadOnlyDatabase, table: str) -> dict[str, int]:
    """Names of the columns, each with how it is hidden: above 1 it is computed."""
    rows = database.fetch(f"PRAGMA table_xinfo({table})", max_rows=1000).rows
    return {_text(row[1]).lower(): integer(row[6]) for row in rows}


def _unusable(database: ReadOnlyDatabase, problem: str) -> StorageError:
    identity = database.fetch("PRAGMA user_version", max_rows=1).rows
    version = integer(identity[0][0]) if identity else 0
    if version > SCHEMA_VERSION:
        text = f"{database.path} was written by a newer Spyglass (format {version}): {problem}"
        return StorageError(text, hint="Update Spyglass to open it.")
    return StorageError(f"{database.path} is not a valid recording: {problem}")


def integer(value: object) -> int:
    """Return a value that should be an integer; 0 if it is none."""
    return value if isinstance(value, int) else 0


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else f"{value}"
