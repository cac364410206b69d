"""A child and every process it starts, ended together: a process group on POSIX, a job on Windows (C-STD-09).

On POSIX the child leads a session of its own, so its group id is its process id and is not reused while any member runs. Killing the
group does not end processes that left it: `detached` finds them in `/proc`, so none on macOS and Windows, and none whose parent ended earlier.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import NamedTuple, Protocol

from inspector.frozen import FrozenStruct

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


PROC = Path("/proc")

_ENDED = ("Z", "X")
"""States of a process that has ended."""


class Running(FrozenStruct, frozen=True):
    """A process; `started` distinguishes it from a later one with the same id."""

    pid: int
    name: str
    """Name of the program, truncated to 15 bytes."""
    parent: int
    group: int
    started: int
    """Clock ticks since the system started."""


def detached(leader: int) -> list[Running]:
    """Return the descendants of the process `leader` outside the process group that it leads, by id."""
    children: dict[int, list[Running]] = {}
    for pid in _pids():
        found = _read_process(pid)
        if found is not None:
            children.setdefault(found.parent, []).append(found)
    pending, known = [leader], list[Running]()
    while pending:
        below = children.pop(pending.pop(), [])
        known += below
        pending += [each.pid for each in below]
    return sorted((each for each in known if each.group != leader), key=lambda each: each.pid)


def is_running(process: Running) -> bool:
    """Return whether that process still runs."""
    found = _read_process(process.pid)
    return found is not None and found.started == process.started


def _pids() -> list[int]:
    try:
        return [int(each.name) for each in PROC.iterdir() if each.name.isdecimal()]
    except OSError:
        return []


def _read_process(pid: int) -> Running | None:
    """Return a process from `/proc`; None when it has ended."""
    try:
        stat = (PROC / str(pid) / "stat").read_text("utf-8", "replace")
        name, _, rest = stat.partition("(")[2].rpartition(")")
        fields = rest.split()
        if fields[0] in _ENDED:
            return None
        return Running(pid, name, int(fields[1]), int(fields[2]), int(fields[19]))
    except (OSError, ValueError, IndexError):
        return None
