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

    def processor_use(self) -> ProcessorUse | None:
        """Return what the members have used of the processors, and whether one waits for them; None if the system does not say. Blocks."""
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


class ProcessorUse(NamedTuple):
    """What the processes of a group have of the processors."""

    seconds: float
    """Processor time of those that run now."""
    is_wanting: bool
    """Whether one of them runs, waits for its turn to run, or for a disk: the others sleep until something happens."""


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

    def processor_use(self) -> ProcessorUse | None:
        """Return it from `/proc`; None without one, as on macOS."""
        stats = [each for each in map(_read_stat, _pids()) if each and int(each[3]) == self._leader]
        if not stats:
            return None
        ticks = sum(int(each[12]) + int(each[13]) for each in stats)
        return ProcessorUse(
            ticks / os.sysconf("SC_CLK_TCK"), any(each[1] in _WANTING for each in stats)
        )

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


def has_exited(child: int) -> bool:
    """Return whether a child has ended, also before asyncio reports it: its thread may be kept waiting.

    False where the system does not say: on Windows, and on macOS before Python 3.13.
    """
    if sys.platform == "win32" or not hasattr(os, "waitid"):
        return False
    try:
        return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True  # reported in a moment


PROC = Path("/proc")

_ENDED = ("Z", "X")
"""States of a process that has ended."""

_WANTING = ("R", "D")
"""States of a process that runs or could, or waits for a disk."""


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
    stat = _read_stat(pid)
    return Running(pid, stat[0], int(stat[2]), int(stat[3]), int(stat[20])) if stat else None


def _read_stat(pid: int) -> list[str]:
    """Return name, state, parent, group and the other fields of a process from `/proc`; empty when it has ended."""
    try:
        stat = (PROC / str(pid) / "stat").read_text("utf-8", "replace")
    except OSError:
        return []
    name, _, rest = stat.partition("(")[2].rpartition(")")
    fields = rest.split()
    is_whole = len(fields) >= _FIELDS and fields[0] not in _ENDED
    return [name, *fields] if is_whole else []


_FIELDS = 20
"""Fields of `stat` after the name that are read."""
