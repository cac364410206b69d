"""Python's garbage collection, in the thread of the window only.

Left to itself it runs in whichever thread happens to allocate, and would then destroy Qt objects in a worker thread. Here it is
switched off and done by a timer, youngest objects first; the objects of the start are set aside for good, so that a full
collection stays short.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

EVERY_MS, IDLE_MS = 25, 100
"""How often to check whether there is garbage to collect: after a collection, and after a check that found none due."""

THRESHOLDS = (5_000, 1, 500)
"""Objects, then collections of the younger generation, that make a collection due. Few of the youngest at a time: while a long list is read,
twenty of them together hold a hundred thousand objects, and a collection takes half a microsecond for each."""


class GuiThreadCollector(QObject):
    """Collects by the clock."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Leave everything as it is until `start`."""
        super().__init__(parent)
        self._timer = QTimer(self, interval=IDLE_MS)
        self._timer.timeout.connect(self._on_time)

    def start(self) -> None:
        """Set aside what exists now, be it garbage or not, and collect here from now on.

        To look for the little garbage of the start would hold the window up for a tenth of a second.
        """
        gc.disable()
        gc.freeze()
        self._timer.start()

    @property
    def is_running(self) -> bool:
        """Whether it collects: everything of the start is made then."""
        return self._timer.isActive()

    def stop(self) -> None:
        """Leave it to Python again."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    def _on_time(self) -> None:
        counts = gc.get_count()
        due = [generation for generation in range(3) if counts[generation] > THRESHOLDS[generation]]
        if due:
            gc.collect(due[-1])
        interval = EVERY_MS if due else IDLE_MS
        if interval != self._timer.interval():
            self._timer.setInterval(interval)
