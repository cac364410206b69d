"""How long the tests of the whole program wait.

Where the machine is calm, nothing takes longer than `CALM_SECONDS`. Real servers are started here, and a busy machine takes its
time: the limit is stretched by how many processes wait for each processor, and never beyond `MOST_STRETCH`.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

CALM_SECONDS = 5.0
MOST_STRETCH = 6.0
CI_STRETCH = 2.0
"""At least this where others decide what runs beside us."""


def patience(seconds: float = CALM_SECONDS) -> float:
    """`seconds`, stretched by what the machine has to do just now."""
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    least = CI_STRETCH if "CI" in os.environ else 1.0
    return seconds * min(max(least, load), MOST_STRETCH)


async def until(predicate: Callable[[], object], what: str, seconds: float = CALM_SECONDS) -> None:
    """Wait until `predicate()` is true; `what` is for the message when it is not."""
    try:
        await wait_until(predicate, patience(seconds))
    except TimeoutError:
        raise AssertionError(f"waited in vain for {what}") from None


async def breathe() -> None:
    """Let the event loop do what is due now."""
    for _ in range(3):
        await asyncio.sleep(0)
