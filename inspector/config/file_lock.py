"""A lock between the processes of one user: the window and the command line share their files.

The lock file is never deleted; the system releases the lock when a process ends, also after a crash.
"""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from inspector.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

WAIT_SECONDS = 40.0
"""How long another process may hold the lock: longer than an HTTP exchange may take."""

RETRY_SECONDS = 0.05


@contextmanager
def locked(path: Path, *, wait_seconds: float = WAIT_SECONDS) -> Generator[None]:
    """Hold the lock of the file `path`, which is created if it does not exist. Blocks: call it in a thread.

    Raises:
        StorageError: the file cannot be created, or another process holds it for too long.
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
                raise StorageError(f"{path} is locked by another Spyglass")
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
