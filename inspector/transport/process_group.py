"""A child and every process it starts, ended together: a process group on POSIX, a job on Windows (C-STD-09).

On POSIX the child leads a session of its own, so its group id is its process id and is not reused while any member runs.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import NamedTuple, Protocol

if sys.platform == "win32":
    from inspector.transport.windows_job import WindowsJob, kernel32

_NEW_GROUP = 0x00000200
_NO_WINDOW = 0x08000000
"""Flags of `CreateProcess`: Ctrl+C in the console of Spyglass does not reach the server, and no console window opens for it."""


class ProcessGroup(Protocol):
    """The process group of one child."""

    terminate_signal: str
    """What `terminate` sends; empty on Windows, where nothing can be sent to a program without a window."""
    kill_signal: str
    """What `kill` sends or calls."""

    def alive(self) -> bool:
        """Return whether any member still runs."""
        ...

    def terminate(self) -> None:
        """Send `terminate_signal` to every member; ended ones are no error."""
        ...

    def kill(self) -> None:
        """Kill every member."""
        ...

    def close(self) -> None:
        """Free the handle; no method is called afterwards."""
        ...


class SpawnOptions(NamedTuple):
    """How a process is started so that it leads a group of its own."""

    new_session: bool
    """True: as the leader of a session."""
    flags: int
    """Flags of `CreateProcess`; 0 on POSIX."""


def spawn_options(system: str = os.name) -> SpawnOptions:
    """Return the options for a system, by `os.name`."""
    return (
        SpawnOptions(True, 0) if system == "posix" else SpawnOptions(False, _NEW_GROUP | _NO_WINDOW)
    )


def group_of(leader: int) -> ProcessGroup:
    """Return the group of a process that was just started with `spawn_options`."""
    if sys.platform == "win32":
        return WindowsJob(leader, kernel32())
    return PosixGroup(leader)


class PosixGroup:
    """The members of a session."""

    terminate_signal = "SIGTERM"
    kill_signal = "SIGKILL"

    def __init__(self, leader: int) -> None:
        """`leader` is the child's process id; it must have been started as the leader of a new session."""
        self._leader = leader

    def alive(self) -> bool:
        """Return whether any member still runs."""
        try:
            os.killpg(self._leader, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True

    def terminate(self) -> None:
        """Send SIGTERM to every member."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """Kill every member."""
        self._signal(signal.SIGKILL)

    def close(self) -> None:
        """Do nothing: there is no handle."""

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._leader, number)
