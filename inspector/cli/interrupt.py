"""Ctrl+C ends in order: the running task is cancelled once, and the processes it started end before the program does.

Further signals change nothing: cleaning up takes a bounded time, and without it the processes of the server would stay.
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
    """Run `work` and return its exit code, or 128 plus the number of the signal that ended it."""
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
