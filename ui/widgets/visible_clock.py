"""A timer for texts that run, such as an age: it ticks only while its widget is visible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget


class VisibleClock(QTimer):
    """Calls `tick` when `owner` becomes visible, and every `interval_ms` while it is and the clock is on."""

    def __init__(self, owner: QWidget, tick: Callable[[], object], *, interval_ms: int) -> None:
        """Start switched on."""
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
