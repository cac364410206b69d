"""Processes that a server started and that left its process group: killing the group does not end them.

Read from `/proc`, so nothing is found on macOS and Windows, and no process whose parent ended earlier.
"""

from __future__ import annotations

from pathlib import Path

from inspector.fact import Fact

PROC = Path("/proc")

_ENDED = ("Z", "X")
"""States of a process that has ended."""


class Running(Fact, frozen=True):
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
