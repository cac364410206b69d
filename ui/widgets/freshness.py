"""How old a result is, and for how long the server declares it valid. A line changes when that time is over; ages do not run on screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, QTimer

from ui.widgets.labels import ElidedLabel, set_tone, tool_tip
from ui.widgets.units import duration

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

MAX_SECONDS = 1e9
"""A longer lifetime never ends."""

MAX_TIMER_SECONDS = 1e6
"""The longest time that is waited for the end of a lifetime."""

TIP = "Spyglass does not cache; Refresh always sends a request."


class Freshness(NamedTuple):
    """How long a result is fresh."""

    seconds: float | None
    """After it was received; None if the server declares nothing."""
    scope: str
    """The cache scope, e.g. `private`."""


def is_stale(age_seconds: float, freshness: Freshness) -> bool:
    """Return whether a result of that age is no longer valid; one that is not to be kept never was."""
    seconds = freshness.seconds
    return seconds is not None and 0 < seconds <= age_seconds


def age_text(age_seconds: float, freshness: Freshness) -> str:
    """`12 s old · valid for 60 s, private`."""
    return f"{_round(age_seconds // 1)} old · {freshness_text(age_seconds, freshness)}"


def freshness_text(age_seconds: float, freshness: Freshness) -> str:
    """`valid for 60 s, private`."""
    return f"{_validity(age_seconds, freshness)}, {freshness.scope}"


def _validity(age_seconds: float, freshness: Freshness) -> str:
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


class Expiry(QTimer):
    """Calls a function once when a result becomes stale."""

    def __init__(self, expired: Callable[[], object], *, parent: QObject) -> None:
        """Start without a result."""
        super().__init__(parent, singleShot=True)
        self.timeout.connect(expired)

    def start_for(self, age: Callable[[], float] | None, freshness: Freshness | None) -> None:
        """Wait for the end of the lifetime of a result of this age, if it has one."""
        self.stop()
        seconds = freshness.seconds if freshness is not None else None
        left = seconds - age() if seconds and age is not None else 0.0
        if 0 < left < MAX_TIMER_SECONDS:
            self.start(round(left * 1000) + 1)


class FreshnessLine(ElidedLabel):
    """One muted line with the lifetime of a result, whose tool tip has the age; hidden without one."""

    def __init__(self, *, name: str, parent: QWidget | None = None) -> None:
        """Start hidden."""
        super().__init__(elide=Qt.TextElideMode.ElideRight, parent=parent)
        self.setObjectName(name)
        set_tone(self, "muted")
        self._age: Callable[[], float] | None = None
        self._freshness = Freshness(None, "")
        self._expiry = Expiry(self._refresh, parent=self)
        self.hide()

    def show_age(self, age: Callable[[], float] | None, freshness: Freshness | None) -> None:
        """Show how long a result that is `age()` seconds old is valid; None hides the line."""
        self._age = age if freshness is not None else None
        self._freshness = freshness or self._freshness
        self._expiry.start_for(self._age, freshness)
        self._refresh()
        self.setVisible(self._age is not None)

    def _refresh(self) -> None:
        if self._age is not None:
            self.set_text(freshness_text(self._age(), self._freshness))

    def event(self, event: QEvent) -> bool:
        """Look at the age when the tool tip is to appear."""
        if event.type() == QEvent.Type.ToolTip and self._age is not None:
            self.setToolTip(tool_tip(f"{age_text(self._age(), self._freshness)}. {TIP}"))
        return super().event(event)
