"""Processes that a server started and that left its process group: ending the group does not end them.

Read from `/proc`; where there is none, nothing is known. A process whose parent ended before it was looked for is not found.
"""

from __future__ import annotations

from pathlib import Path

from inspector.fact import Fact

PROC = Path("/proc")

_GONE = ("Z", "X")
"""States of a process that ended."""


class Running(Fact, frozen=True):
    """A process, told from a later one of the same id by when it started."""

    pid: int
    """Its id."""
    name: str
    """The name of its program, 15 bytes at most."""
    parent: int
    """The id of its parent."""
    group: int
    """The id of its process group."""
    started: int
    """When it started, in clock ticks since the system did."""


def detached(leader: int) -> list[Running]:
    """The descendants of the process `leader` that belong to another process group than the one it leads, by id."""
    children: dict[int, list[Running]] = {}
    for pid in _pids():
        found = _read_process(pid)
        if found is not None:
            children.setdefault(found.parent, []).append(found)
    waiting, known = [leader], list[Running]()
    while waiting:
        below = children.pop(waiting.pop(), [])
        known += below
        waiting += [each.pid for each in below]
    return sorted((each for each in known if each.group != leader), key=lambda each: each.pid)


def is_running(process: Running) -> bool:
    """Whether that very process still runs."""
    found = _read_process(process.pid)
    return found is not None and found.started == process.started


def _pids() -> list[int]:
    try:
        return [int(each.name) for each in PROC.iterdir() if each.name.isdecimal()]
    except OSError:
        return []


def _read_process(pid: int) -> Running | None:
    """What `/proc` says of a process; none once it ended."""
    try:
        said = (PROC / str(pid) / "stat").read_text("utf-8", "replace")
        name, _, rest = said.partition("(")[2].rpartition(")")
        fields = rest.split()
        if fields[0] in _GONE:
            return None
        return Running(pid, name, int(fields[1]), int(fields[2]), int(fields[19]))
    except (OSError, ValueError, IndexError):
        return None
