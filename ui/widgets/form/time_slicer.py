"""Making many widgets without holding up the window: so long at a time, then the window gets its turn."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from ui.widgets.form.laying_out import lay_out_now

if TYPE_CHECKING:
    from collections.abc import Callable

TURN_SECONDS = 0.03
"""How long widgets are made before the window gets its turn."""


class TimeSlicer(QObject):
    """Says whether there is still time in this turn of the event loop; shared by all that make widgets."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._began: float | None = None
        self._waiting = 0

    def is_idle(self) -> bool:
        """Whether nobody waits for another turn."""
        return self._waiting == 0

    def has_time(self) -> bool:
        """Whether one more widget may be made now; the first of a turn always may."""
        if self._began is None:
            self._began = perf_counter()
            QTimer.singleShot(0, self, self._on_turn_ended)
            return True
        return perf_counter() - self._began < TURN_SECONDS

    def go_on_later(self, owner: QObject, make: Callable[[], None]) -> None:
        """Call `make` in another turn, if `owner` still lives then."""
        timer = QTimer(owner, singleShot=True, interval=0)
        timer.timeout.connect(make)
        timer.timeout.connect(lay_out_now)
        timer.timeout.connect(timer.deleteLater)
        timer.destroyed.connect(self._on_waiting_ended)
        self._waiting += 1
        timer.start()

    def _on_waiting_ended(self) -> None:
        self._waiting -= 1

    def _on_turn_ended(self) -> None:
        self._began = None
