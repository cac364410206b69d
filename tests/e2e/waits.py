"""How long the tests of the whole program wait."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.support.wait import LIMIT_SECONDS, patience, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["WAIT_SECONDS", "breathe", "patience", "until"]

WAIT_SECONDS = LIMIT_SECONDS

LOOK_SECONDS = 0.02
"""Between looks: to find something in a whole window takes some milliseconds, which the program needs itself."""


async def until(predicate: Callable[[], object], what: str, seconds: float = WAIT_SECONDS) -> None:
    """Wait until `predicate()` is true; `what` is for the message when it is not."""
    try:
        await wait_until(predicate, seconds, every=LOOK_SECONDS)
    except TimeoutError:
        raise AssertionError(f"waited in vain for {what}") from None


async def breathe() -> None:
    """Let the event loop do what is due now."""
    for _ in range(3):
        await asyncio.sleep(0)
