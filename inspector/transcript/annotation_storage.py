"""Where annotations are kept: in a table of the recording of a live session, or in a file beside a recording that was opened.

Versions without annotations ignore the table. An opened recording is not written: it may be evidence, or somewhere read-only; a copy that is saved has
its annotations in its own table. Writing happens in a thread, one change after the other.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import TYPE_CHECKING, TypeAlias

from inspector.errors import StorageError
from inspector.frozen import FrozenStruct
from inspector.transcript.read_only_database import ReadOnlyDatabase
from inspector.transcript.table_checks import problem_of_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from inspector.json_value import Json

SUFFIX = ".annotations.json"
"""What the name of the file beside a recording ends with."""

MAX_ANNOTATIONS = 20_000
"""Annotations of one transcript."""

MAX_COMMENT = 4000
"""Characters of a comment."""

MAX_FILE_BYTES = 16 << 20
"""Size of a file beside a recording that is read."""

READ_SECONDS = 2.0
"""Maximum time for reading the table."""

BUSY_SECONDS = 30.0
"""How long a change waits while a large frame is written into the recording."""

_VERSION = 1
_MAX_FRAME = 2**53
_TABLE = """CREATE TABLE IF NOT EXISTS annotation(
  frame INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY(frame, kind))"""
_READ = (
    f"SELECT frame, substr(kind, 1, 40), substr(text, 1, {MAX_COMMENT}) FROM annotation "
    "WHERE typeof(frame) = 'integer'"
)


class Annotation(FrozenStruct, frozen=True):
    """One annotation, as it is stored."""

    frame: int
    """Number of the frame, from 1."""
    kind: str
    """What it is: `mark`, `comment`, …; of a newer Spyglass perhaps something else."""
    text: str | None = ""
    """The comment; None for an annotation that is removed."""


class AnnotationStorage:
    """Writes changes into the recording at a path, or into the file beside it."""

    def __init__(self, recording: Path, *, is_beside: bool) -> None:
        """Write nothing yet; `is_beside` for a recording that was opened."""
        self.path = recording.with_name(recording.name + SUFFIX) if is_beside else recording
        """The file that is written."""
        self._is_beside = is_beside
        self._lock = threading.Lock()
        self._writer: ThreadPoolExecutor | None = None
        """Lives while there is something to write: a thread for each transcript with a mark would be too many."""
        self._unwritten = 0

    def save(
        self, changes: Sequence[Annotation], everything: Callable[[], Sequence[Annotation]]
    ) -> Future[None]:
        """Write changes, or `everything` where the file is written as a whole; the future carries a `StorageError` if that fails."""
        if self._is_beside:
            return self._submit(_write_beside, list(everything()))
        return self._submit(write_table, list(changes))

    def _submit(
        self, write: Callable[[Path, Sequence[Annotation]], None], annotations: list[Annotation]
    ) -> Future[None]:
        with self._lock:
            if self._writer is None:
                self._writer = ThreadPoolExecutor(1, "annotations")
            self._unwritten += 1
            saved = self._writer.submit(write, self.path, annotations)
        saved.add_done_callback(self._on_saved)
        return saved

    def _on_saved(self, _saved: Future[None]) -> None:
        """End the thread, of which this is called, when nothing is left."""
        with self._lock:
            self._unwritten -= 1
            if not self._unwritten and self._writer is not None:
                self._writer.shutdown(wait=False)
                self._writer = None


def write_table(path: Path, changes: Sequence[Annotation]) -> None:
    """Write changes into the table of a recording; blocks.

    Raises:
        StorageError: it cannot be written.
    """
    kept = [(each.frame, each.kind, each.text) for each in changes if each.text is not None]
    removed = [(each.frame, each.kind) for each in changes if each.text is None]
    try:
        # A recording that is gone is not made again, with annotations alone in it.
        uri = f"{path.absolute().as_uri()}?mode=rw"
        with (
            closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)) as connection,
            connection,
        ):
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute(_TABLE)
            connection.executemany("DELETE FROM annotation WHERE frame=? AND kind=?", removed)
            connection.executemany("INSERT OR REPLACE INTO annotation VALUES(?,?,?)", kept)
    except (sqlite3.Error, UnicodeError) as error:
        raise StorageError(f"cannot save annotations in {path}: {error}") from error


def _write_beside(path: Path, annotations: Sequence[Annotation]) -> None:
    found = [{"frame": each.frame, "kind": each.kind, "text": each.text} for each in annotations]
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(json.dumps({"version": _VERSION, "annotations": found}, indent=1))
        part.replace(path)
    except OSError as error:
        reason = error.strerror or error
        raise StorageError(f"cannot save annotations in {path}: {reason}") from error


def stored_annotations(recording: Path) -> list[Annotation]:
    """Return the annotations of a recording, which may come from anywhere: of the file beside it, else of its table. Blocks."""
    beside = recording.with_name(recording.name + SUFFIX)
    found = _read_beside(beside)
    return _read_table(recording) if found is None else found


def _read_beside(path: Path) -> list[Annotation] | None:
    """Return what the file beside a recording holds, as far as it is valid; None without a valid file."""
    try:
        if not path.is_file() or path.stat().st_size > MAX_FILE_BYTES:
            return None
        root: Json = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    entries = root.get("annotations") if isinstance(root, dict) else None
    if not isinstance(entries, list):
        return None
    rows = [
        (entry.get("frame"), entry.get("kind"), entry.get("text"))
        for entry in entries
        if isinstance(entry, dict)
    ]
    return _valid(rows)


def _read_table(recording: Path) -> list[Annotation]:
    try:
        with closing(ReadOnlyDatabase(recording, max_seconds=READ_SECONDS)) as database:
            if problem_of_table(database, "annotation", ("frame", "kind", "text")):
                return []
            database.restrict(frozenset({"annotation"}))
            rows = database.fetch(_READ, max_rows=MAX_ANNOTATIONS, max_bytes=MAX_FILE_BYTES).rows
    except StorageError:
        return []  # the reader of its frames says why
    return _valid([(frame, _text(kind), _text(text)) for frame, kind, text in rows])


_Row: TypeAlias = tuple[object, object, object]


def _valid(rows: Sequence[_Row]) -> list[Annotation]:
    return [
        Annotation(frame, kind, text[:MAX_COMMENT])
        for frame, kind, text in rows[:MAX_ANNOTATIONS]
        if isinstance(frame, int) and not isinstance(frame, bool) and 0 < frame < _MAX_FRAME
        if isinstance(kind, str) and isinstance(text, str)
    ]


def _text(value: object) -> str | None:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else None
