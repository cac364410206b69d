"""Bounded waits for what happens soon. Tests never sleep: they wait for the thing itself, with a limit.

Where the machine is calm, nothing takes longer than `LIMIT_SECONDS`. A busy machine takes its time, the more so where processes are started:
limits are stretched by how many processes wait for each processor, and never beyond `MAX_SECONDS`.

Never `qtbot.wait*` in a coroutine test: a nested event loop loses the other tasks for ever.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import SignalInstance

LIMIT_SECONDS = 20.0
"""How long anything may take to happen, on a busy machine too; only what fails waits that long."""

POLL_SECONDS = 0.005

MAX_SECONDS = 30.0
"""No limit is stretched beyond it: half of what a test may take."""

CI_STRETCH = 2.0
"""At least this where others decide what runs beside us."""


def patience(seconds: float = LIMIT_SECONDS) -> float:
    """`seconds`, stretched by what the machine has to do just now."""
    load = os.getloadavg()[0] / (os.cpu_count() or 1) if hasattr(os, "getloadavg") else 1.0
    least = CI_STRETCH if "CI" in os.environ else 1.0
    return min(seconds * max(least, load), max(seconds, MAX_SECONDS))


async def wait_until(
    predicate: Callable[[], object], timeout: float = LIMIT_SECONDS, *, every: float = POLL_SECONDS
) -> None:
    """Wait until `predicate()` is true; look `every` so many seconds.

    Raises:
        TimeoutError: it was not, for `timeout` seconds of a calm machine.
    """
    async with asyncio.timeout(patience(timeout)):
        # What is waited for need not know that it is.
        while not predicate():  # noqa: ASYNC110
            await asyncio.sleep(every)


async def wait_signal(signal: SignalInstance, timeout: float = LIMIT_SECONDS) -> tuple[object, ...]:
    """Wait for the next emission of `signal` and return its arguments.

    Raises:
        TimeoutError: there was none for `timeout` seconds of a calm machine.
    """
    emitted: asyncio.Future[tuple[object, ...]] = asyncio.get_running_loop().create_future()

    def receive(*args: object) -> None:
        if not emitted.done():
            emitted.set_result(args)

    signal.connect(receive)
    try:
        async with asyncio.timeout(patience(timeout)):
            return await emitted
    finally:
        signal.disconnect(receive)
