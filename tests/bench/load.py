"""How busy the machine is with other things than this run. Needs /proc; elsewhere it sees nothing."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path

QUIET = 0.5
"""Cores of other work up to which a sample is as good as undisturbed."""

FIRST = -20
"""The priority before all others."""

LOOK_SECONDS = 0.5
"""How long one look takes."""

_STAT = Path("/proc/stat")
_IDLE = (3, 4)
"""Of the first line of /proc/stat: idle, and idle while a disk works."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The clocks at one moment, in seconds."""

    at: float
    """Of the wall."""
    busy: float
    """Spent by all processors on anything."""
    own: float
    """Spent by this process and its children that have ended."""


def moment() -> Moment:
    """Read the clocks."""
    times = os.times()
    own = times.user + times.system + times.children_user + times.children_system
    return Moment(time.monotonic(), _busy(), own)


def foreign_since(before: Moment) -> float:
    """Cores that others kept busy since `before`, on average."""
    now = moment()
    return max((now.busy - before.busy) - (now.own - before.own), 0) / (now.at - before.at)


def wait_for_quiet(limit_seconds: float) -> None:
    """Return as soon as others leave the machine alone, or when the time is up."""
    until = time.monotonic() + limit_seconds
    while time.monotonic() < until:
        before = moment()
        time.sleep(LOOK_SECONDS)
        if foreign_since(before) < QUIET:
            return


def raise_priority() -> bool:
    """Take precedence over other work, where that is allowed; children inherit it."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, FIRST)
    except OSError:
        return False
    return True


def raise_group(process: int | str = "self") -> None:
    """Extend the precedence of a process to its session: Linux weighs sessions against each other first."""
    group = Path(f"/proc/{process}/autogroup")
    if group.exists() and os.getpriority(os.PRIO_PROCESS, 0) == FIRST:
        with contextlib.suppress(OSError):
            group.write_text(str(FIRST))


def _busy() -> float:
    if not _STAT.exists():
        return 0.0
    ticks = [int(word) for word in _STAT.read_text().partition("\n")[0].split()[1:9]]
    spent = sum(ticks) - sum(ticks[place] for place in _IDLE)
    return spent / os.sysconf("SC_CLK_TCK")
