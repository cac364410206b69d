"""How long the event loop was kept busy without a turn while something went on.

It is measured in time that this thread worked: what else goes on on the machine does not count.
"""

from __future__ import annotations

from contextlib import contextmanager
from time import thread_time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer

if TYPE_CHECKING:
    from collections.abc import Generator

BEAT_MS = 5
"""How often it is looked."""


class Stutter:
    """A heart beat that remembers the most work done between two beats."""

    def __init__(self) -> None:
        self.longest_ms = 0.0
        """Of all measurements so far."""
        self._last = 0.0

    @contextmanager
    def measured(self) -> Generator[None]:
        """Measure while this goes on."""
        timer = QTimer(interval=BEAT_MS)
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.timeout.connect(self._on_beat)
        self._last = thread_time()
        timer.start()
        try:
            yield
        finally:
            timer.stop()

    def _on_beat(self) -> None:
        now = thread_time()
        self.longest_ms = max(self.longest_ms, (now - self._last) * 1000)
        self._last = now
