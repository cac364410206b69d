"""Ctrl+C ends in order: the running task is cancelled once, and what it started is ended before the program goes.

More of the same signal changes nothing: cleaning up takes a bounded time, and cutting it short would leave the server's
processes behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Coroutine

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


async def run_orderly(work: Coroutine[object, object, int]) -> int:
    """Run `work` and give its exit code, or 128 and the number of the signal that ended it."""
    task = asyncio.current_task()
    assert task is not None
    came: list[int] = []

    def end(number: int) -> None:
        if not came:
            task.cancel()
        came.append(number)

    loop = asyncio.get_running_loop()
    for name in _SIGNALS:
        number = getattr(signal, name, None)
        if number is not None:
            with contextlib.suppress(NotImplementedError):  # not on Windows
                loop.add_signal_handler(number, end, number)
    try:
        return await work
    except asyncio.CancelledError:
        if not came:
            raise
        return 128 + came[0]
