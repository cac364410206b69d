"""What was derived from recordings, kept so that opening one again takes a moment.

One file for each recording, in a folder of Spyglass: never beside the recording, which may lie in a folder that is not ours, and never read from
there. A file is used only for the recording it was made from (size, time of change, rows, samples of its bytes), by the code that made it, and
if its checksum is right; in any other case the recording is read whole. So all of it can be deleted at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import time
import zlib
from array import array
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from inspector.transcript.frame_processor import DerivedState
from inspector.transcript.recording_reader import FileState
from inspector.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.transcript.recording_reader import RecordingReader

MAX_FILES, MAX_BYTES = 100, 1 << 30
"""Files kept, and their bytes together; the ones not used for the longest time go first."""

MAX_HEADER_BYTES = MAX_CHECKS_BYTES = 64 << 20
SUFFIX, CHECKS, PART = ".index", ".checks", ".part"
"""Endings of the files: what was derived, what checking gave, and what is being written."""

PART_SECONDS = 3600.0
"""A part that is older was left by a crash: writing one takes seconds."""

PART_ITEMS = 1 << 16
"""Values of a column that are summed up in one go."""

_MAGIC = b"SPYIDX01"
_CHECKSUM_BYTES = 4
_SAMPLES, _SAMPLE_BYTES, _EDGE_BYTES = 64, 4096, 1 << 16


class RecordingKey(msgspec.Struct, frozen=True):
    """What a file belongs to: tells one recording from every other, and from itself once it was changed."""

    code: str
    """The version of Spyglass and of the modules that derive."""
    byte_order: str
    size: int
    changed_ns: int
    rows: int
    digest: str
    """Of samples of the recording."""


class _Header(msgspec.Struct, frozen=True):
    key: RecordingKey
    recording: str
    """Where the recording was: once it is gone, so is this file, from the next time on that a recording is opened."""
    columns: list[tuple[str, str, int, int]]
    """Name, type code, bytes of an item, items; in the order in which they follow."""
    state: DerivedState | None = None
    """None in a file of what checking gave: that follows as it is, so that the header stays short and `prune` reads little."""


class Derived(msgspec.Struct, frozen=True):
    """What was derived from a recording."""

    rows: int
    columns: dict[str, array[int] | array[float]]
    state: DerivedState


class IndexCache:
    """The files in one folder. Everything here blocks; it belongs into a thread."""

    def __init__(self, folder: Path) -> None:
        """Keep files in `folder`, which is made once it is needed."""
        self._folder = folder

    def key_of(self, reader: RecordingReader) -> RecordingKey | None:
        """Return what tells this recording from every other; None for one of which nothing can be kept."""
        try:
            return _key_of(reader)
        except OSError:
            return None

    def load(self, key: RecordingKey) -> Derived | None:
        """Return what was derived from this very recording; None if that is not known, or not certain."""
        try:
            return self._read(self._path(key, SUFFIX), key)
        except (OSError, ValueError, EOFError, msgspec.MsgspecError, MemoryError):
            return None

    def store(
        self,
        reader: RecordingReader,
        key: RecordingKey,
        columns: Mapping[str, array[int] | array[float]],
        state: DerivedState,
    ) -> None:
        """Keep what was derived from a recording, which had this key before its frames were read.

        Nothing is kept of one that was changed or replaced meanwhile, and nothing is told of a failure, because nothing is lost.
        """
        if _fit(key, columns, state):
            described = [(n, c.typecode, c.itemsize, len(c)) for n, c in columns.items()]
            recording = str(reader.path.resolve())
            header = _Header(key, recording, described, state)
            self._write(reader, self._path(key, SUFFIX), header, columns)

    def load_checks(self, key: RecordingKey) -> bytes:
        """Return what `store_checks` kept for this very recording; empty if that is not known, or not certain."""
        path = self._path(key, CHECKS)
        try:
            with path.open("rb") as file:
                header, checksum = _read_header(file)
                body = file.read(MAX_CHECKS_BYTES + _CHECKSUM_BYTES)
            checks, end = body[:-_CHECKSUM_BYTES], body[-_CHECKSUM_BYTES:]
            if header.key != key or end != _as_bytes(zlib.crc32(checks, checksum)):
                return b""
            os.utime(path)
        except (OSError, ValueError, EOFError, msgspec.MsgspecError, MemoryError):
            return b""
        return checks

    def store_checks(self, reader: RecordingReader, key: RecordingKey, checks: bytes) -> None:
        """Keep what checking a recording gave, on the terms of `store`; nothing of more than `MAX_CHECKS_BYTES`."""
        if len(checks) <= MAX_CHECKS_BYTES:
            header = _Header(key, str(reader.path.resolve()), [])
            self._write(reader, self._path(key, CHECKS), header, {CHECKS: checks})

    def _write(
        self,
        reader: RecordingReader,
        path: Path,
        header: _Header,
        columns: Mapping[str, array[int] | array[float] | bytes],
    ) -> None:
        with contextlib.suppress(OSError, UnicodeError, OverflowError, msgspec.MsgspecError):
            if self.key_of(reader) != header.key:
                return
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            part = path.with_suffix(f"{path.suffix}.{os.getpid()}{PART}")
            try:
                with open(part, "xb", opener=_private) as file:
                    _write(file, header, columns)
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)

    def prune(self) -> None:
        """Remove files that are too many, those whose recording is gone, and parts that a crash has left."""
        with contextlib.suppress(OSError):
            oldest_s = time.time() - PART_SECONDS
            for part in self._folder.glob(f"*{PART}"):
                if part.stat().st_mtime < oldest_s:
                    part.unlink(missing_ok=True)
            found = [
                each for suffix in (SUFFIX, CHECKS) for each in self._folder.glob(f"*{suffix}")
            ]
            files = sorted(found, key=_used_ns, reverse=True)
            total = 0
            for count, path in enumerate(files, 1):
                total += path.stat().st_size
                if count >= MAX_FILES or total > MAX_BYTES or not _has_recording(path):
                    path.unlink(missing_ok=True)

    def _path(self, key: RecordingKey, suffix: str) -> Path:
        return self._folder / f"{key.digest[:32]}-{key.size:x}{suffix}"

    def _read(self, path: Path, key: RecordingKey) -> Derived | None:
        with path.open("rb") as file:
            header, checksum = _read_header(file)
            if header.key != key:
                return None
            columns: dict[str, array[int] | array[float]] = {}
            for name, code, item_bytes, items in header.columns:
                if items != key.rows or array(code).itemsize != item_bytes:
                    return None
                # Read in place: `fromfile` copies once more, and keeps the interpreter meanwhile.
                column = columns[name] = array(code, bytes(item_bytes)) * items
                if file.readinto(column) != items * item_bytes:
                    return None
                checksum = zlib.crc32(column, checksum)
            if file.read() != _as_bytes(checksum):
                return None
        if header.state is None or not _fit(key, columns, header.state):
            return None
        os.utime(path)
        return Derived(key.rows, columns, header.state)


def _fit(
    key: RecordingKey, columns: Mapping[str, array[int] | array[float]], state: DerivedState
) -> bool:
    """Return whether columns and counts can be of one recording, of this number of frames."""
    lengths = set(map(len, columns.values()))
    return lengths == {key.rows} and _total(columns["size"]) == state.counts["bytes"]


def _total(column: array[int] | array[float]) -> float:
    """Return the sum of a column, in parts, between which a thread lets go of the interpreter."""
    total: float = 0
    for at in range(0, len(column), PART_ITEMS):
        total += sum(column[at : at + PART_ITEMS])
        time.sleep(0)
    return total


def _write(
    file: BinaryIO, header: _Header, columns: Mapping[str, array[int] | array[float] | bytes]
) -> None:
    encoded = msgspec.msgpack.encode(header)
    checksum = zlib.crc32(encoded)
    file.write(_MAGIC + len(encoded).to_bytes(4, "big") + encoded)
    for column in columns.values():
        checksum = zlib.crc32(column, checksum)
        file.write(column)
    file.write(_as_bytes(checksum))


def _as_bytes(checksum: int) -> bytes:
    return checksum.to_bytes(_CHECKSUM_BYTES, "big")


def _read_header(file: BinaryIO) -> tuple[_Header, int]:
    """Return the header, and the checksum up to it."""
    start = file.read(len(_MAGIC) + 4)
    length = int.from_bytes(start[len(_MAGIC) :], "big")
    if not start.startswith(_MAGIC) or length > MAX_HEADER_BYTES:
        raise ValueError(start)
    encoded = file.read(length)
    return msgspec.msgpack.decode(encoded, type=_Header), zlib.crc32(encoded)


def _has_recording(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return Path(_read_header(file)[0].recording).exists()
    except (OSError, ValueError, msgspec.MsgspecError):
        return False


def _used_ns(path: Path) -> int:
    return path.stat().st_mtime_ns


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _key_of(reader: RecordingReader) -> RecordingKey | None:
    """Return None for a recording that is being written, is damaged, is empty or was changed since it was opened."""
    rows = reader.rows_if_whole()
    if not rows:
        return None
    with reader.path.open("rb") as file:
        state = os.fstat(file.fileno())
        if FileState.of(state) != reader.opened:
            return None
        digest = hashlib.blake2b(digest_size=16)
        digest.update(file.read(_EDGE_BYTES))
        for sample in range(1, _SAMPLES):
            file.seek(state.st_size * sample // _SAMPLES)
            digest.update(file.read(_SAMPLE_BYTES))
        file.seek(max(0, state.st_size - _EDGE_BYTES))
        digest.update(file.read())
    return RecordingKey(
        *(_code(), sys.byteorder, state.st_size, state.st_mtime_ns, rows, digest.hexdigest())
    )


@cache
def _code() -> str:
    """Return what changes with each change of what is derived: the modules themselves, as far as they lie here as text."""
    digest = hashlib.blake2b(VERSION.encode(), digest_size=8)
    for module in deriving_modules():
        digest.update(module.read_bytes())
    return digest.hexdigest()


def deriving_modules() -> list[Path]:
    """Return the modules that decide what is derived, in a fixed order."""
    root = Path(__file__).parents[1]
    folders = (root / name for name in ("transcript", "wire", "spec"))
    found = [root / "finding.py", *(each for folder in folders for each in folder.glob("*.py"))]
    return sorted(filter(Path.exists, found))
