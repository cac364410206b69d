"""Says how a process ended, and waits for the end of a process and its group, by a time that passes only while they could have ended.

On a busy machine a server that ends as it should waits longer for a processor than it needs of it. So what counts is the time that
its processes sleep, and the time that they run, but not the time that they wait to run. The state of a process is that of its main thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.transport.process_group import ProcessGroup, ProcessorUse

MAX_STRETCH, MAX_SECONDS = 5.0, 10.0
"""How many times as long it may take on a machine that is too busy, and how long at most; a longer time is not stretched."""

WATCH_SECONDS = 0.25
"""How often the processes are examined."""

POLL_SECONDS = 0.01


class End(Enum):
    """What waiting came to."""

    ENDED = "ended"
    """The process and its whole group have ended."""
    HAD_TIME = "had time"
    """One still runs, although it could have ended."""
    BUSY = "busy"
    """One still runs, and waited for a processor too long to tell."""


async def wait_for_end(exited: asyncio.Event, group: ProcessGroup, seconds: float) -> End:
    """Wait until the leader has `exited` and its group has ended, for `seconds` in which they could have."""
    left, watch = seconds, min(WATCH_SECONDS, seconds / 4)
    until = time.monotonic() + max(seconds, min(seconds * MAX_STRETCH, MAX_SECONDS))
    used: ProcessorUse | None = None
    while not await _has_ended_in(watch, exited, group):
        before, used = used, await asyncio.to_thread(group.processor_use)
        if used is None or before is None or not used.is_wanting:
            left -= watch
        else:
            left -= min(watch, max(0.0, used.seconds - before.seconds))
        if left <= 0:
            return End.HAD_TIME
        if time.monotonic() > until:
            return End.BUSY
    return End.ENDED


async def _has_ended_in(seconds: float, exited: asyncio.Event, group: ProcessGroup) -> bool:
    deadline = time.monotonic() + seconds
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(exited.wait(), seconds)
    while exited.is_set() and group.alive():
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(POLL_SECONDS)
    return exited.is_set()


def exit_text(code: int | None, lived_seconds: float) -> str:
    """Return how a process ended, e.g. `exited with code 3 after 0.3 s` or `was killed by SIGKILL after 4.0 s`."""
    after = (
        f"after {lived_seconds * 1000:.0f} ms"
        if lived_seconds < 1
        else f"after {lived_seconds:.1f} s"
    )
    if code is not None and code < 0:
        try:
            return f"was killed by {signal.Signals(-code).name} {after}"
        except ValueError:
            return f"was killed by signal {-code} {after}"
    return f"exited with code {code} {after}"
