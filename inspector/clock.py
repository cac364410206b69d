"""Time as a parameter: code that needs it gets a `Clock`, so that tests can stop it."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Where times come from."""

    def monotonic(self) -> float:
        """Seconds that never run backwards; only differences mean anything."""
        ...

    def wall_s(self) -> float:
        """Seconds since 1970-01-01 UTC."""
        ...


class SystemClock:
    """The machine's own clocks."""

    monotonic = staticmethod(time.monotonic)
    wall_s = staticmethod(time.time)
