"""The floor of a start: PySide6 and one empty window, from the moment given to the first painting."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget

from tests.bench.child.telling import report

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent


class Window(QWidget):
    """Tells when it was painted, and ends."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        QTimer.singleShot(0, self._end)

    def _end(self) -> None:
        report({"window": time.monotonic() - float(sys.argv[1])})
        QApplication.quit()


if __name__ == "__main__":
    app = QApplication(sys.argv[:1])
    window = Window()
    window.resize(1360, 860)
    window.show()
    QApplication.exec()
