"""Bounded waits for what happens soon. Tests never sleep: they wait for the thing itself, with a limit.

Never `qtbot.wait*` in a coroutine test: a nested event loop loses the other tasks for ever.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import SignalInstance

LIMIT_SECONDS = 20.0
"""How long anything may take to happen, on a busy machine too; only what fails waits that long."""

POLL_SECONDS = 0.005


async def wait_until(predicate: Callable[[], object], timeout: float = LIMIT_SECONDS) -> None:
    """Wait until `predicate()` is true.

    Raises:
        TimeoutError: it was not, for `timeout` seconds.
    """
    async with asyncio.timeout(timeout):
        # What is waited for need not know that it is.
        while not predicate():  # noqa: ASYNC110
            await asyncio.sleep(POLL_SECONDS)


async def wait_signal(signal: SignalInstance, timeout: float = LIMIT_SECONDS) -> tuple[object, ...]:
    """Wait for the next emission of `signal` and return its arguments.

    Raises:
        TimeoutError: there was none for `timeout` seconds.
    """
    emitted: asyncio.Future[tuple[object, ...]] = asyncio.get_running_loop().create_future()

    def receive(*args: object) -> None:
        if not emitted.done():
            emitted.set_result(args)

    signal.connect(receive)
    try:
        async with asyncio.timeout(timeout):
            return await emitted
    finally:
        signal.disconnect(receive)
