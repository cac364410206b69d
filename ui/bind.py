"""Engine events tied to the life of a QObject.

Events hold strong references to their receivers; these functions drop them when the owner is destroyed, and never call a receiver
after that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVarTuple

from PySide6.QtCore import QObject, Qt, QTimer
from shiboken6 import isValid

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.event import Event

Ts = TypeVarTuple("Ts")

FLUSH_MS = 33
"""Shortest time between two updates of a view: two frames of a 60 Hz display."""


def bind(
    owner: QObject, event: Event[*Ts], receiver: Callable[[*Ts], object]
) -> Callable[[], None]:
    """Call `receiver` at each `event` while `owner` lives; the returned function ends it earlier."""

    def receive(*args: *Ts) -> None:
        if isValid(owner):
            receiver(*args)

    unsubscribe = event.subscribe(receive)
    owner.destroyed.connect(unsubscribe)
    return unsubscribe


def bind_coalesced(
    owner: QObject,
    event: Event[*Ts],
    receiver: Callable[[], object],
    interval_ms: int = FLUSH_MS,
) -> Callable[[], None]:
    """Call `receiver` after `event`, at once when idle, but at most once in `interval_ms`."""
    throttle = _Throttle(receiver, interval_ms, owner)

    def receive(*_args: *Ts) -> None:
        throttle.trigger()

    return bind(throttle, event, receive)


class Bindings:
    """What an object follows at the moment, such as the events of its session: the next session replaces it."""

    def __init__(self) -> None:
        """Start without any."""
        self._unbind: tuple[Callable[[], None], ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is followed."""
        return bool(self._unbind)

    def replace(self, *unbind: Callable[[], None]) -> None:
        """End what was followed, and follow what `bind` and `bind_coalesced` returned instead."""
        for each in self._unbind:
            each()
        self._unbind = unbind

    def add(self, unbind: Callable[[], None]) -> None:
        """Follow one more event."""
        self._unbind = (*self._unbind, unbind)


class _Throttle(QObject):
    """Passes the first event on at once, and those that follow within the interval as one."""

    def __init__(self, receiver: Callable[[], object], interval_ms: int, parent: QObject) -> None:
        super().__init__(parent)
        self._receiver = receiver
        self.is_pending = False
        self._timer = QTimer(self, interval=interval_ms, singleShot=True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_timer_timeout)

    def trigger(self) -> None:
        """An event arrived."""
        if self._timer.isActive():
            self.is_pending = True
            return
        self._timer.start()  # before the receiver, which may cause the next event itself
        self._receiver()

    def _on_timer_timeout(self) -> None:
        if self.is_pending:
            self.is_pending = False
            self.trigger()
