"""Watches whether a window keeps still while something happens to it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QPropertyAnimation, QTimer
from shiboken6 import isValid

from tests.support.wait import wait_until
from tests.ui.look.geometry import Geometry, geometry_of, moves

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from PySide6.QtWidgets import QWidget

LOOKS = 2
"""So often in a row nothing may differ until the window counts as settled."""

AT_ONCE_MS = 30
"""A timer of this interval or a shorter one does work piece by piece."""
SOON_MS = 1000
"""A single-shot timer of this interval or a shorter one puts work off; longer ones take messages away."""


class Stillness:
    """Collects what moved in one window."""

    def __init__(self, window: QWidget, is_busy: Callable[[], object]) -> None:
        """`is_busy` says whether the engine still does something that the window shows."""
        self._window = window
        self._is_busy = is_busy
        self._last: Geometry = {}
        self._changes = ""
        """What differed between the two latest looks."""
        self._awaited: QTimer | None = None
        """The timer that was due when it was last looked for one."""
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
        """The geometry of the window, once nothing is put off and it does not change by itself any more."""
        looks = 0

        def is_settled() -> bool:
            nonlocal looks
            if self._is_due():
                looks = 0
                return False
            now = geometry_of(self._window)
            self._changes = "; ".join(map(str, moves(self._last, now, frozenset())[:3]))
            looks = looks + 1 if now == self._last else 0
            self._last = now
            return looks >= LOOKS

        try:
            await wait_until(is_settled)
        except TimeoutError:
            raise TimeoutError(f"{self.where}not settled: {self._cause()}") from None
        return self._last

    def _cause(self) -> str:
        """What keeps the window from being settled."""
        timers = [each for each in self._window.findChildren(QTimer) if _is_due(each)]
        names = ", ".join(f"{each.interval()} ms of {each.parent()}" for each in timers)
        return names or ("the engine is busy" if self._is_busy() else self._changes)

    def _is_due(self) -> bool:
        """Whether the window or the engine has something to do that is put off; running clocks are not meant."""
        if self._is_busy() or (self._awaited is not None and _is_due(self._awaited)):
            return True
        if any(map(_is_running, self._window.findChildren(QPropertyAnimation))):
            return True
        timers = self._window.findChildren(QTimer)  # takes its time
        self._awaited = next(filter(_is_due, timers), None)
        return self._awaited is not None


def _is_running(animation: QPropertyAnimation) -> bool:
    """Qt fades the buttons in a field."""
    return animation.state() is QPropertyAnimation.State.Running


def _is_due(timer: QTimer) -> bool:
    if not (isValid(timer) and timer.isActive()):
        return False
    if timer.interval() <= AT_ONCE_MS and not timer.isSingleShot():
        return True
    # One that keeps updates apart has its next one only if something came meanwhile.
    return (
        timer.isSingleShot()
        and timer.interval() <= SOON_MS
        and getattr(timer.parent(), "is_pending", True)
    )
