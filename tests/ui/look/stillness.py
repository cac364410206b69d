"""Watches whether a window keeps still while something happens to it."""

from __future__ import annotations

import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from tests.support.wait import wait_until
from tests.ui.look.geometry import Geometry, geometry_of, moves

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from PySide6.QtWidgets import QWidget

LOOKS, LOOK_SECONDS = 4, 0.025
"""So often in a row nothing may differ until the window counts as settled, and how long after another a look is taken."""


class Stillness:
    """Collects what moved in one window."""

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self.faults: list[str] = []
        """What moved outside of the region of its event, one line each."""
        self.where = ""
        """What each line begins with."""

    @asynccontextmanager
    async def during(self, event: str, *own: str) -> AsyncGenerator[None]:
        """Have only the parts named `own`, and what is in them, differ by what happens inside of this."""
        before = await self.settled()
        yield
        after = await self.settled()
        self.faults += [
            f"{self.where}{event}: {move}" for move in moves(before, after, frozenset(own))
        ]

    async def settled(self) -> Geometry:
        """The geometry of the window, once it does not change by itself any more."""
        last, looks, looked_at = geometry_of(self._window), 0, time.monotonic()

        def is_settled() -> bool:
            nonlocal last, looks, looked_at
            if time.monotonic() - looked_at < LOOK_SECONDS:
                return False
            now = geometry_of(self._window)
            looks = looks + 1 if now == last else 0
            last, looked_at = now, time.monotonic()
            return looks >= LOOKS

        await wait_until(is_settled)
        return last
