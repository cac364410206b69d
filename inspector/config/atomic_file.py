"""Small text files that are never half written, and locks between the processes of one user. Blocks: call it in a thread.

A write creates a new file beside the old one, syncs it to the disk, and then renames it. A lock file is never deleted; the system releases the
lock when a process ends, also after a crash.
"""

from __future__ import annotations

import contextlib
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from inspector.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

PRIVATE = 0o600
"""Only the owner may read files of Spyglass: arguments and headers may hold secrets."""

MAX_BYTES = 32 * 1024 * 1024
"""A larger file was not written by Spyglass."""


WAIT_SECONDS = 40.0
"""How long another process may hold the lock: longer than an HTTP exchange may take."""

RETRY_SECONDS = 0.05


def read_text(path: Path) -> str | None:
    """Return the text of a file; None if the file does not exist.

    Raises:
        StorageError: the file exists and cannot be read.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise StorageError(
                f"{path} is too large for a Spyglass file", hint="Move or rename the file."
            )
        return path.read_text("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise StorageError(f"{path} is not UTF-8 text: {error.reason}") from error
    except OSError as error:
        raise _storage_error(path, "read", error) from error


def write_text(path: Path, text: str) -> None:
    """Replace the text of a file, or create it and its folder.

    Raises:
        StorageError: the file cannot be written; the old one is unchanged.
    """
    fresh = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        target = path.resolve() if path.is_symlink() else path
        _write_through(fresh, text)
        fresh.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise _storage_error(path, "written", error) from error


def set_aside(path: Path, mark: str) -> Path:
    """Rename a file and return its new path; no other file is overwritten.

    Raises:
        StorageError: the file cannot be renamed.
    """
    number, target = 1, path.with_name(f"{path.stem}.{mark}{path.suffix}")
    while target.exists():
        number += 1
        target = path.with_name(f"{path.stem}.{mark}-{number}{path.suffix}")
    try:
        return path.rename(target)
    except OSError as error:
        raise _storage_error(path, "renamed", error) from error


def _write_through(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    with open(descriptor, "w", encoding="utf-8", newline="\n") as file:  # noqa: PTH123 - a descriptor
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Sync the rename too, on systems where a folder can be opened."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _storage_error(path: Path, verb: str, error: OSError) -> StorageError:
    return StorageError(
        f"{path} cannot be {verb}: {error.strerror or error}",
        hint="Check the folder's permissions and free space.",
    )


class LockHeld(StorageError):
    """Another process holds the lock of a file."""


@contextmanager
def locked(path: Path, *, wait_seconds: float = WAIT_SECONDS) -> Generator[None]:
    """Hold the lock of the file `path`, which is created if it does not exist. Blocks: call it in a thread.

    Raises:
        StorageError: the file cannot be created.
        LockHeld: another process holds it for too long.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StorageError(f"{path} cannot be locked: {error.strerror}") from error
    try:
        until = time.monotonic() + wait_seconds
        while not _try(handle):
            if time.monotonic() > until:
                raise LockHeld(f"{path} is locked by another Spyglass")
            time.sleep(RETRY_SECONDS)
        yield
    finally:
        os.close(handle)  # releases the lock


if os.name == "nt":
    import msvcrt

    def _try(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
