"""How high the docks at the bottom are while the window changes its height.

Qt takes everything from the pages when a window gets lower. Here the docks give their share, and have it back when there is room again;
how high a person drags them holds from then on.
"""

from __future__ import annotations

SLACK = 2
"""Pixels by which a height may differ from what was asked for."""


class DockHeightKeeper:
    """Reckons for one window; heights are in pixels."""

    def __init__(self, least: float) -> None:
        """Take nothing from docks that have no more than `least` of the height of the window."""
        self._least = least
        self._wanted = 0
        self._share = least
        self._given: int | None = None

    def height(self, current: int, before: int, now: int) -> int:
        """What docks of the height `current` get of a window that was `before` high and is `now`."""
        if self._given is None or abs(current - self._given) > SLACK:
            self._wanted, self._share = current, max(current / before, self._least)
        self._given = min(self._wanted, round(now * self._share))
        return self._given
