"""The age of a result, how long the server declares it fresh, and the clock of texts that run.

Nothing is fetched automatically when a result is stale.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, QTimer

from ui.widgets.labels import ElidedLabel, set_tone
from ui.widgets.units import duration

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

TICK_MS = 1000

MAX_SECONDS = 1e9
"""A longer lifetime never ends."""


TIP = "Age, and the cache lifetime and scope the server declares. Spyglass does not cache; Refresh always sends a request."


class Freshness(NamedTuple):
    """How long a result is fresh."""

    seconds: float | None
    """After it was received; None if the server declares nothing."""
    scope: str
    """The cache scope, e.g. `private`."""


class AgeLine(ElidedLabel):
    """One muted line with a running age; hidden without one."""

    def __init__(self, *, name: str, parent: QWidget | None = None) -> None:
        super().__init__(elide=Qt.TextElideMode.ElideRight, parent=parent)
        self.setObjectName(name)
        set_tone(self, "muted")
        self._age: Callable[[], float] | None = None
        self._freshness = Freshness(None, "")
        VisibleClock(self, self._refresh, interval_ms=TICK_MS)
        self.hide()

    def show_age(self, age: Callable[[], float] | None, freshness: Freshness | None) -> None:
        """Show that a result is `age()` seconds old and how long it is fresh; None hides the line."""
        self._age = age if freshness is not None else None
        self._freshness = freshness or self._freshness
        self.setVisible(self._age is not None)
        self._refresh()

    def _refresh(self) -> None:
        if self._age is not None:
            self.set_text(age_text(self._age(), self._freshness))
            self.setToolTip(TIP)


def age_text(age_seconds: float, freshness: Freshness) -> str:
    """`12 s old · valid for 60 s, private`."""
    return f"{_round(age_seconds // 1)} old · {_freshness_text(age_seconds, freshness)}, {freshness.scope}"


def not_kept(freshness: Freshness) -> str:
    """What is said of a result that is stale at once, in a tooltip: it needs no line of its own."""
    return f"Not to be kept (ttlMs 0), {freshness.scope}"


def _freshness_text(age_seconds: float, freshness: Freshness) -> str:
    seconds = freshness.seconds
    if seconds is None:
        return "no TTL"
    if not seconds:
        return "not to be kept"
    if seconds > MAX_SECONDS:
        return "never expires"
    return f"{'stale after' if age_seconds >= seconds else 'valid for'} {_round(seconds)}"


def _round(seconds: float) -> str:
    """In whole seconds up to a minute."""
    whole = seconds == seconds // 1 and seconds < 60
    return f"{seconds:.0f} s" if whole else duration(seconds)


class VisibleClock(QTimer):
    """Calls `tick` when `owner` becomes visible, and every `interval_ms` while it is and the clock is on."""

    def __init__(self, owner: QWidget, tick: Callable[[], object], *, interval_ms: int) -> None:
        super().__init__(owner, interval=interval_ms)
        self._owner = owner
        self._tick = tick
        self._is_on = True
        self.timeout.connect(tick)
        owner.installEventFilter(self)

    def switch(self, *, on: bool) -> None:
        """Switch the clock on or off, for instance with what it measures."""
        self._is_on = on
        self._run()

    def _run(self) -> None:
        if self._is_on and self._owner.isVisible():
            self.start()
        else:
            self.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the visibility of the widget."""
        if event.type() == QEvent.Type.Show:
            self._tick()
            self._run()
        elif event.type() == QEvent.Type.Hide:
            self.stop()
        return super().eventFilter(watched, event)
