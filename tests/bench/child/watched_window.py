"""The program with an eye on its window: when it was painted first, and when the tools of the demo server were."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QEvent, QObject, QTimer

import ui.startup
from tests.bench.child.telling import report
from ui.__main__ import main
from ui.shell.main_window import MainWindow

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inspector.config.window_settings import WindowSettings, WindowSettingsFile
    from ui.shell.window_parts import WindowParts
    from ui.theme import Theme

IDLE_MS = 6000
"""From the last that is waited for to the look at the memory: everything that is loaded aside is there."""


class Painted(QObject):
    """Calls once when a widget has been painted and `ready` holds."""

    def __init__(
        self, watched: QWidget, ready: Callable[[], bool], told: Callable[[], None]
    ) -> None:
        super().__init__(watched)
        self._ready = ready
        self._told = told
        self._watched = watched
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and self._ready():
            self._watched.removeEventFilter(self)
            QTimer.singleShot(0, self._told)  # the window is painted as a whole before timers run
        return super().eventFilter(watched, event)


class WatchedWindow(MainWindow):
    """The window, which tells what was painted when, and then ends the program."""

    started: ClassVar[float]

    def __init__(
        self, *, settings: WindowSettingsFile, saved: WindowSettings, theme: Theme
    ) -> None:
        super().__init__(settings=settings, saved=saved, theme=theme)
        self.seen: dict[str, float] = {}
        Painted(self, lambda: True, lambda: self._note("window"))

    def populate(self, parts: WindowParts) -> None:
        """Look out for the parts, or for the list of tools with its page in front."""
        super().populate(parts)
        if "--demo" in sys.argv:
            self._watch_tools()
        else:
            Painted(self.parts.workbench, lambda: True, lambda: self._note("parts"))

    def _watch_tools(self) -> None:
        from ui.features.tools.page import ToolsPage

        self.go(ToolsPage.info.key)
        page = self.parts.workbench.page(ToolsPage.info.key)
        assert isinstance(page, ToolsPage)
        view, model = page.list.view, page.list.model
        Painted(view.viewport(), lambda: model.rowCount() > 0, lambda: self._note("tools"))

    def _note(self, what: str) -> None:
        self.seen[what] = time.monotonic() - self.started
        if what == "tools":
            QTimer.singleShot(IDLE_MS, self._end)
        elif what == "parts":
            self._end()

    def _end(self) -> None:
        if "--demo" in sys.argv:
            from tests.bench.child.window import memory_mb

            self.seen["memory_mb"] = memory_mb()
        report(self.seen)
        self.close_requested.emit()


def run(started: float) -> int:
    """Run the program that was started at that moment, on the monotonic clock."""
    WatchedWindow.started = started
    ui.startup.MainWindow = WatchedWindow
    return main(sys.argv[1:])
