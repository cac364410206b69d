"""The Help menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.shell.about import AboutDialog
from ui.shell.actions import Command

if TYPE_CHECKING:
    from ui.shell.main_window import MainWindow

MENU = "&Help"


class HelpCommands:
    """What it does."""

    def __init__(self, window: MainWindow) -> None:
        """Act on `window`."""
        self._window = window

    def rows(self) -> tuple[Command, ...]:
        """The commands, in order."""
        window = self._window
        return (
            Command("demo", MENU, "Connect to the &demo server", window.demo_wanted.emit, "F1"),
            Command("about", MENU, "&About Spyglass", self.show_about),
        )

    def show_about(self) -> None:
        """Say what this is, and which errors of its own it caught."""
        window = self._window
        AboutDialog(reporter=window.reporter, theme=window.theme, parent=window).open()
