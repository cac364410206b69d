"""The traffic and what stands in a tab beside it: one without the other would keep the room."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDockWidget, QMainWindow


class BottomDocks:
    """Hides the dock of standard error together with the traffic, and shows both again."""

    def __init__(self, window: QMainWindow, traffic: QDockWidget, stderr: QDockWidget) -> None:
        """For the docks of `window`."""
        self._window = window
        self._traffic = traffic
        self._stderr = stderr
        self._is_due = False
        """Whether standard error was hidden with the traffic."""

    def follow(self, *, shown: bool) -> None:
        """Bring standard error to where the traffic goes, which is about to be shown or hidden."""
        dock = self._stderr
        if shown:
            dock.setVisible(self._is_due or not dock.isHidden())
            return
        self._is_due = not dock.isHidden() and dock in self._window.tabifiedDockWidgets(
            self._traffic
        )
        if self._is_due:
            dock.hide()
