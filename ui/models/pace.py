"""Shows a list that is still being read now and then: laying out and painting it take longer than reading."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from collections.abc import Callable

PACE_MS = 600
"""How often a list that is still being read is shown again, at most."""

REST = 9
"""How many times what showing it took passes before it is shown again."""


class Pace(QObject):
    """Passes on that a list has changed."""

    def __init__(
        self, show: Callable[[], object], is_partial: Callable[[], bool], *, parent: QObject
    ) -> None:
        """Call `show` for every change, but not more often than now and then while the list `is_partial`."""
        super().__init__(parent)
        self._show = show
        self._is_partial = is_partial
        self._passed_over = False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_timeout)

    def follow(self) -> None:
        """The list has changed."""
        self._passed_over = self._is_partial() and self._timer.isActive()
        if self._passed_over:
            return
        began = perf_counter()
        self._show()
        spent = round((perf_counter() - began) * 1000)
        self._timer.start(max(PACE_MS, REST * spent))

    def _on_timeout(self) -> None:
        if self._passed_over:
            self.follow()
