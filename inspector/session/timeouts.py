"""How long a request is waited for, and the one timer that watches all of them.

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
"""No timer runs longer at once: those of Qt cannot."""


class Timeouts(FrozenStruct, frozen=True):
    """Limits of one request, in seconds."""

    idle_seconds: float = 60.0
    """Without a sign of life."""
    total_seconds: float = 600.0
    """In any case."""
    progress_resets: bool = True
    """Whether progress counts as a sign of life."""


ENDLESS = Timeouts(math.inf, math.inf)
"""Of a request that is answered when it is over, whenever that is."""


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
        """`watched` gives what is watched now; `expire` must end it, so that it is not given again."""
        self._watched = watched
        self._expire = expire
        self._timer: asyncio.Handle | None = None
        self._when = 0.0

    def watch(self, item: Watched) -> None:
        """See to it that the timer goes off in time for `item`."""
        if self._timer is None or item.deadline < self._when:
            self._arm(item.deadline)

    def remove_limits(self) -> None:
        """Let everything that is watched now take as long as it takes."""
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
        rest = self._watched()
        if rest:
            self._arm(min(item.deadline for item in rest))
