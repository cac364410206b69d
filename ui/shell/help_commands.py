"""The Help menu. What it opens is imported when it is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
            Command("help", MENU, "&Keyboard shortcuts and filter syntax", self.show_help, "F1"),
            Command("demo", MENU, "Connect to &demo server", window.demo_requested.emit),
            Command("about", MENU, "&About Spyglass", self.show_about),
        )

    def show_help(self) -> None:
        """Show the keys and how filters are written, in a window that can stay open."""
        from ui.shell.help_window import HelpWindow

        window = self._window
        known = window.findChild(HelpWindow)
        shown = known or HelpWindow(window.actions_.commands, theme=window.theme, parent=window)
        shown.show()
        shown.raise_()
        shown.activateWindow()

    def show_about(self) -> None:
        """Say what this is, and which errors of its own it caught."""
        from ui.shell.help_window import AboutDialog

        window = self._window
        AboutDialog(reporter=window.reporter, theme=window.theme, parent=window).open()
