"""Someone who uses Spyglass by keyboard alone: keys go where the focus is, and nowhere else."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.e2e.waits import breathe, until
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.e2e.user import User

MAX_STOPS = 80
"""More than Tab stops at in any window."""


class Keyboard:
    """The keys, and where the focus went."""

    def __init__(self, user: User, on_stop: Callable[[QWidget], None] = lambda _: None) -> None:
        """`on_stop` is called with each widget that had the focus when a key was pressed."""
        self.user = user
        self._on_stop = on_stop

    @property
    def focus(self) -> QWidget:
        """The widget with the focus, which must be on the screen."""
        widget = QApplication.focusWidget()
        assert widget is not None, "nothing has the focus"
        assert not widget.visibleRegion().isEmpty(), f"{way_to(widget)} is not to be seen"
        return widget

    async def presses(self, keys: str) -> None:
        """Press a key or a shortcut where the focus is."""
        await self.user.is_in_front()
        await until(lambda: QApplication.focusWidget() is not None, "a focus")
        widget = self.focus
        self._on_stop(widget)
        QTest.keySequence(widget, QKeySequence(keys))
        await self._comes_to_rest()

    async def types(self, text: str) -> None:
        """Type text where the focus is."""
        await self.user.is_in_front()
        widget = self.focus
        self._on_stop(widget)
        QTest.keyClicks(widget, text)
        await self._comes_to_rest()

    async def _comes_to_rest(self) -> None:
        """Wait until what has the focus now is on the screen; it may have to be scrolled to."""
        await breathe()
        with contextlib.suppress(TimeoutError):  # then `focus` says so
            await wait_until(is_focus_in_sight)

    async def tabs_to(self, *names: str) -> QWidget:
        """Press Tab until one of `names` has the focus; each stop is on the screen, and the way goes on as it is seen."""
        passed: list[str] = []
        back: list[str] = []
        before = self.focus
        for _ in range(MAX_STOPS):
            await self.presses("Tab")
            now = self.focus
            passed.append(name_of(now))
            if not goes_on(before, now):
                back.append(f"{name_of(before)} → {name_of(now)}")
            if now.objectName() in names:
                assert len(back) <= 1, back  # once round
                return now
            before = now
        raise AssertionError(f"Tab goes past {', '.join(names)}: {passed}")

    async def is_at(self, name: str) -> QWidget:
        """Wait until the widget of that name, or one in it, has the focus."""
        await self.user.is_in_front()
        try:
            await wait_until(lambda: is_in(QApplication.focusWidget(), name))
        except TimeoutError:
            raise AssertionError(f"the focus is in {way_to(self.focus)}, not in {name}") from None
        return self.focus


def is_focus_in_sight() -> bool:
    """Whether what has the focus is on the screen; nothing has it while windows change."""
    widget = QApplication.focusWidget()
    return widget is None or not widget.visibleRegion().isEmpty()


def name_of(widget: QWidget) -> str:
    return widget.objectName() or type(widget).__name__


def way_to(widget: QWidget) -> str:
    """The names from the window down."""
    return "/".join(name_of(part) for part in reversed(_ancestors(widget)))


def is_in(widget: QWidget | None, name: str) -> bool:
    """Whether that is the widget of the name, or in it."""
    while widget is not None and widget.objectName() != name:
        widget = widget.parentWidget()
    return widget is not None


def goes_on(before: QWidget, after: QWidget) -> bool:
    """Whether a reader of the window finds `after` further on: lower, or beside it further to the right."""
    window = before.window()
    if after.window() is not window:
        return True
    first, second = _branches(before, after)
    if first is None or second is None:
        return True  # one is in the other
    a, b = first.geometry(), second.geometry()
    is_beside = b.top() <= a.center().y() and a.top() <= b.center().y()
    return b.left() >= a.left() if is_beside else b.top() >= a.top()


def _branches(before: QWidget, after: QWidget) -> tuple[QWidget | None, QWidget | None]:
    """The parts of the smallest part around both that they are in."""
    above = _ancestors(before)
    inner: QWidget | None = None
    for part in _ancestors(after):
        if part in above:
            at = above.index(part)
            return (above[at - 1] if at else None), inner
        inner = part
    return None, None


def _ancestors(widget: QWidget) -> list[QWidget]:
    found = [widget]
    while not found[-1].isWindow() and (parent := found[-1].parentWidget()) is not None:
        found.append(parent)
    return found
