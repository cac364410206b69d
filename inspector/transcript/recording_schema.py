"""Which tables a file from anywhere has: whether it is a recording, and in what form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.transcript.recording_file import APPLICATION_ID, SCHEMA_VERSION
from inspector.transcript.stored_rows import COLUMNS
from inspector.transcript.table_checks import (
    columns_of,
    integer,
    ordinary_table,
    problem_of_table,
    text_of,
)

if TYPE_CHECKING:
    from inspector.transcript.read_only_database import ReadOnlyDatabase
    from inspector.transcript.stored_rows import ReadingReport

MAX_FACTS, MAX_FACT_BYTES = 100, 2000
"""Facts about the session that are read, and bytes of each."""


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
    if problem := problem_of_table(database, "frame", ("number", *COLUMNS)):
        raise _unusable(database, problem)
    _, sql = ordinary_table(database, "frame")
    columns = columns_of(database, "frame")
    if re.search(rb"WITHOUT\s+ROWID[\s,;A-Z]*$", sql, re.IGNORECASE):
        return "number"
    return next((name for name in ("rowid", "_rowid_", "oid") if name not in columns), "number")


def has_facts(database: ReadOnlyDatabase, report: ReadingReport) -> bool:
    """Return whether the table of facts can be read; what is ignored of the file goes into `report`."""
    problem = problem_of_table(database, "fact", ("name", "value"))
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
    return {text_of(name): text_of(value) for name, value in rows}


def _unusable(database: ReadOnlyDatabase, problem: str) -> StorageError:
    identity = database.fetch("PRAGMA user_version", max_rows=1).rows
    version = integer(identity[0][0]) if identity else 0
    if version > SCHEMA_VERSION:
        text = f"{database.path} was written by a newer Spyglass (format {version}): {problem}"
        return StorageError(text, hint="Update Spyglass to open it.")
    return StorageError(f"{database.path} is not a valid recording: {problem}")
