"""The commands of the window, in the order of its menus, and the Help menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.shell.actions import Actions, Command, CommandGroup
from ui.shell.authorization_commands import AuthorizationCommands, Logins
from ui.shell.compare_commands import CompareCommands
from ui.shell.file_commands import FileCommands
from ui.shell.problem_commands import ProblemCommands
from ui.shell.session_commands import SessionCommands
from ui.shell.traffic_commands import NavigateCommands, TrafficCommands
from ui.shell.view_commands import ViewCommands

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenuBar

    from ui.shell.main_window import MainWindow
    from ui.shell.window_parts import WindowParts


class HelpCommands(CommandGroup):
    """The Help menu. Its windows are imported when they are first opened."""

    menu = "&Help"

    def rows(self) -> tuple[Command, ...]:
        """The commands, in order."""
        demo = self.window.demo_requested.emit
        return (
            Command("help", "&Keyboard shortcuts and filter syntax", self.show_help, "F1"),
            Command("demo", "Connect to &demo server", demo),
            Command("about", "&About Spyglass", self.show_about),
        )

    def show_help(self) -> None:
        """Show the keys and the filter syntax, in a window that can stay open."""
        from ui.shell.help_window import HelpWindow

        window = self.window
        existing = window.findChild(HelpWindow)
        commands = window.commands.actions.commands
        dialog = existing or HelpWindow(commands, theme=window.theme, parent=window)
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def show_about(self) -> None:
        """Show the version and the internal errors since the start."""
        from ui.shell.help_window import AboutDialog

        window = self.window
        AboutDialog(reporter=self.parts.reporter, theme=window.theme, parent=window).open()


class Commands:
    """All commands by menu, and the actions made of them."""

    def __init__(self, window: MainWindow, parts: WindowParts) -> None:
        """Make the commands for `parts` of `window`."""
        self.file = FileCommands(window, parts)
        self.session = SessionCommands(window, parts)
        self.compare = CompareCommands(window, parts)
        window.navigator.comparison_requested.connect(self.compare.compare)
        window.navigator.run_comparison_requested.connect(self.compare.compare_run)
        self.authorization = AuthorizationCommands(window, parts)
        self.view = ViewCommands(window, parts)
        self.problems = ProblemCommands(window, parts)
        self.traffic = TrafficCommands(window, parts)
        window.navigator.filter_requested.connect(self.traffic.show_filtered)
        self.navigate = NavigateCommands(window, parts)
        self.help = HelpCommands(window, parts)
        self.logins = Logins(
            window, parts, run=self.authorization.run, edit=self.session.edit_current
        )
        groups: tuple[CommandGroup, ...] = (
            self.file,
            self.session,
            self.compare,
            self.authorization,
            self.view,
            self.problems,
            self.traffic,
            self.navigate,
            self.help,
        )
        rows = [command for group in groups for command in group.commands()]
        self.actions = Actions(rows, theme=window.theme, owner=window)

    def fill(self, bar: QMenuBar) -> None:
        """Put the menus into `bar`."""
        menus = self.actions.fill(bar)
        self.file.add_earlier_menu(menus["&File"], self.actions["quit"])
