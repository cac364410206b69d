"""A child and everything it started, as one thing that can be ended: a process group on POSIX, a job on Windows (C-STD-09).

On POSIX the child leads a session of its own, so its group id is its process id and stays taken while any member lives.
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
"""Flags of `CreateProcess`: interrupts of our console do not reach the server, and no console window opens for it."""


class ProcessGroup(Protocol):
    """What one child leads."""

    terminate_signal: str
    """What `ask` sends; empty where nothing can be sent to a program without a window."""
    kill_signal: str
    """What `kill` does."""

    def alive(self) -> bool:
        """Whether any member still runs."""
        ...

    def terminate(self) -> None:
        """Tell every member to end; those that are gone are no error."""
        ...

    def kill(self) -> None:
        """End every member at once."""
        ...

    def close(self) -> None:
        """Let go of it; nothing is asked of it afterwards."""
        ...


class SpawnOptions(NamedTuple):
    """How a process is started, so that it leads a group of its own."""

    new_session: bool
    """As the leader of a session."""
    flags: int
    """What `CreateProcess` is told; nothing where there is none."""


def spawn_options(system: str = os.name) -> SpawnOptions:
    """What holds on that system."""
    return (
        SpawnOptions(True, 0) if system == "posix" else SpawnOptions(False, _NEW_GROUP | _NO_WINDOW)
    )


def group_of(leader: int) -> ProcessGroup:
    """The group of a process that was started so just now."""
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
        """Whether any member still runs."""
        try:
            os.killpg(self._leader, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True

    def terminate(self) -> None:
        """Tell every member to end."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """End every member at once."""
        self._signal(signal.SIGKILL)

    def close(self) -> None:
        """There is nothing to let go of."""

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._leader, number)
