"""Limits of requests, and the one timer that watches all of them.

One timer, not one a request: under qasync a cancelled timer stays alive until its time, so thousands of calls would leave thousands
of timers behind.

Source: basic/lifecycle, "Timeouts": progress may reset the clock, an absolute maximum always holds.
"""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, Protocol

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable, Collection


MAX_SECONDS = 3600.0
"""The longest run of a timer: those of Qt cannot run longer."""


class Timeouts(FrozenStruct, frozen=True):
    """Limits of one request, in seconds."""

    idle_seconds: float = 60.0
    """The idle timeout: the limit without a sign of life."""
    total_seconds: float = 600.0
    """The total timeout."""
    progress_resets: bool = True
    """Whether progress is a sign of life."""


ENDLESS = Timeouts(math.inf, math.inf)
"""The limits of a request whose response may come at any time, such as that of a stream."""


class Watched(Protocol):
    """Something with a deadline."""

    timeouts: Timeouts
    """Its limits."""

    @property
    def deadline(self) -> float:
        """Seconds on the loop's clock."""
        ...


class Deadlines:
    """Calls `expire` with each watched item whose deadline has passed."""

    def __init__(
        self, watched: Callable[[], Collection[Watched]], expire: Callable[[Watched], None]
    ) -> None:
        """`watched` returns the watched items; `expire` must end an item, so that it is not returned again."""
        self._watched = watched
        self._expire = expire
        self._timer: asyncio.Handle | None = None
        self._when = 0.0

    def watch(self, item: Watched) -> None:
        """Start the timer, or move it forward, so that it fires in time for `item`."""
        if self._timer is None or item.deadline < self._when:
            self._arm(item.deadline)

    def remove_limits(self) -> None:
        """Remove the limits of all watched items."""
        for item in self._watched():
            item.timeouts = ENDLESS

    def close(self) -> None:
        """Stop watching."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self, when: float) -> None:
        self.close()
        loop = asyncio.get_running_loop()
        self._when = min(when, loop.time() + MAX_SECONDS)
        self._timer = loop.call_at(self._when, self._on_time)

    def _on_time(self) -> None:
        self._timer = None
        now = asyncio.get_running_loop().time()
        for item in [item for item in self._watched() if item.deadline <= now]:
            self._expire(item)
        if rest := self._watched():
            self._arm(min(item.deadline for item in rest))
