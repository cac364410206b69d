"""Where named connections are, and what is sent over their sockets.

A named connection is a process that holds one session and listens on a socket. Its folder can be entered by its owner alone, and both ends refuse
a socket of another user. A lock that lives as long as the process says whether it runs; when it ended without `disconnect`, a file says why.

    request    one line of JSON: {"version", "action": "run" | "show" | "stop", "command", "fields", "columns"}
               what is to be sent to the server is text in it, so that numbers stay as they are spelled
    response   pieces: a byte for the kind, four bytes for the length, that many bytes; the last one is the exit code
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import stat
import struct
import sys
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.config.atomic_file import LockHeld, locked
from inspector.errors import StorageError
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

SIGN = "@"
"""Stands before the name of a connection in a command line."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")

MAX_SOCKET_BYTES = 103
"""The longest path of a socket on every system."""

HAS_SOCKETS = hasattr(socket, "AF_UNIX") and hasattr(os, "geteuid")
"""Whether this system has sockets that only their owner can open; Windows has none."""

PRIVATE_FOLDER = 0o700

_OTHERS_WRITE = 0o002

PIECE = struct.Struct(">cI")
"""Kind and length."""

TEXT, DATA, ERROR, CODE = b"o", b"b", b"e", b"x"
"""Kinds of pieces: text and bytes for standard output, text for standard error, and the exit code, which ends the response."""

MAX_REQUEST_BYTES = 128 << 20

_CLAIMED = b"held\n"
"""What the lock of a running connection has in it."""

_CLAIM_SECONDS = 0.05
"""How often who waits for a name looks."""

_PEER = struct.Struct("3i")
"""Process, user and group of the other end, on Linux."""


class ConnectionFiles(FrozenStruct, frozen=True):
    """The files of one connection."""

    name: str
    """The name."""
    folder: Path
    """The folder of all connections."""

    @property
    def socket(self) -> Path:
        """Where its process listens."""
        return self.folder / f"{self.name}.sock"

    @property
    def lock(self) -> Path:
        """Locked as long as its process runs."""
        return self.folder / f"{self.name}.lock"

    @property
    def ended(self) -> Path:
        """Says why it ended, if it was not `disconnect`."""
        return self.folder / f"{self.name}.ended"

    @property
    def is_claimed(self) -> bool:
        """Whether the process that holds the lock is not about to end."""
        with contextlib.suppress(OSError):
            return self.lock.read_bytes() == _CLAIMED
        return False

    def unclaim(self) -> None:
        """Say that the process that holds the lock is about to end: who waits for the name gets it soon."""
        with contextlib.suppress(OSError):
            os.truncate(self.lock, 0)

    def end_reason(self) -> str:
        """Return why it ended; empty if it was ended, or never made."""
        with contextlib.suppress(OSError, UnicodeDecodeError):
            return self.ended.read_text("utf-8").strip()
        return "its process was ended" if self.socket.exists() else ""

    def forget(self) -> None:
        """Remove what an ended process left behind."""
        for each in (self.socket, self.ended):
            with contextlib.suppress(OSError):
                each.unlink(missing_ok=True)


@contextlib.contextmanager
def claimed(files: ConnectionFiles, wait_seconds: float) -> Generator[None]:
    """Hold a name; waits only for a process that is about to end. Blocks: call it in a thread.

    Raises:
        StorageError: it cannot be locked.
        LockHeld: another process holds it.
    """
    until = time.monotonic() + wait_seconds
    with contextlib.ExitStack() as held:
        while True:
            try:
                held.enter_context(locked(files.lock, wait_seconds=0))
                break
            except LockHeld:
                if files.is_claimed or time.monotonic() > until:
                    raise
                time.sleep(_CLAIM_SECONDS)
        with contextlib.suppress(OSError):  # another one then waits before it says so
            files.lock.write_bytes(_CLAIMED)
        try:
            yield
        finally:
            files.unclaim()


def files_of(name: str) -> ConnectionFiles:
    """Return the files of the connection `name`.

    Raises:
        StorageError: the name cannot be used, or there is no private folder for sockets.
    """
    if not NAME.fullmatch(name):
        hint = "Use up to 40 letters, digits, dots, hyphens and underscores."
        raise StorageError(f"{name!r} is no name for a connection", hint=hint)
    files = ConnectionFiles(name, connections_folder())
    if len(os.fsencode(files.socket)) > MAX_SOCKET_BYTES:
        hint = "Set XDG_RUNTIME_DIR to a folder with a shorter path, or use a shorter name."
        raise StorageError(f"the path of the socket is too long: {files.socket}", hint=hint)
    return files


def all_connections() -> Iterator[ConnectionFiles]:
    """Yield the connections of this user, also those that have ended, by name.

    Raises:
        StorageError: there is no private folder for sockets.
    """
    folder = connections_folder()
    names = {each.stem for each in folder.iterdir() if each.suffix in {".sock", ".ended"}}
    for name in sorted(names):
        yield ConnectionFiles(name, folder)


def connections_folder() -> Path:
    """Return the folder of the sockets, made if it is missing.

    Raises:
        StorageError: it cannot be made, or others could enter or replace it.
    """
    if not HAS_SOCKETS:
        reason = "this system has no sockets that only their owner can open"
        raise StorageError(reason, hint="Use shell: many commands over one connection.")
    import platformdirs  # the other commands start faster without it

    try:
        with warnings.catch_warnings():  # about XDG_RUNTIME_DIR: without it there is another folder
            warnings.simplefilter("ignore")
            found = platformdirs.user_runtime_dir("spyglass", appauthor=False)
        folder = Path(found).absolute() / "connections"
        folder.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
        state = folder.lstat()
        replaceable = next(filter(_is_replaceable, folder.parents), None)
    except OSError as error:
        reason = f"cannot make a private folder for sockets: {error.strerror or error}"
        raise StorageError(reason, hint="Set XDG_RUNTIME_DIR to a private folder.") from error
    if replaceable is not None:
        hint = "Set XDG_RUNTIME_DIR to a folder that only you can change."
        raise StorageError(f"{folder} is not private: others can change {replaceable}", hint=hint)
    is_ours = state.st_uid == os.geteuid() and stat.S_ISDIR(state.st_mode)
    if not is_ours or stat.S_IMODE(state.st_mode) & 0o077:
        hint = f"It has to be a folder of yours that no other user can enter: chmod 700 {folder}"
        raise StorageError(f"{folder} is not private", hint=hint)
    return folder


def _is_replaceable(parent: Path) -> bool:
    """Whether another user could put something else in place of what is in this folder."""
    trusted = (os.geteuid(), 0)
    if parent.lstat().st_uid not in trusted:  # of a symbolic link: its own
        return True
    state = parent.stat()
    is_open = state.st_mode & _OTHERS_WRITE and not state.st_mode & stat.S_ISVTX
    return bool(is_open) or state.st_uid not in trusted


def is_own(channel: socket.socket, system: str = sys.platform) -> bool:
    """Whether the process at the other end belongs to this user; true where the system cannot tell."""
    if system == "darwin":
        raw = channel.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED.size)
        version, user, *_ = _XUCRED.unpack(raw)
        return version == _XUCRED_VERSION and user == os.geteuid()
    peer_option: int | None = getattr(socket, "SO_PEERCRED", None)
    if peer_option is None:
        return True
    raw = channel.getsockopt(socket.SOL_SOCKET, peer_option, _PEER.size)
    return _PEER.unpack(raw)[1] == os.geteuid()


_SOL_LOCAL, _LOCAL_PEERCRED = 0, 1
"""Level and name of an option of macOS (`sys/un.h`), which Python does not name."""

_XUCRED, _XUCRED_VERSION = struct.Struct("IIh16I"), 0
"""Version, user, number of groups, and groups (`sys/ucred.h`)."""
