"""The commands of the window, in the order of its menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.shell.authorization_commands import AuthorizationCommands
from ui.shell.file_commands import FileCommands
from ui.shell.help_commands import HelpCommands
from ui.shell.session_commands import SessionCommands
from ui.shell.traffic_commands import TrafficCommands
from ui.shell.view_commands import ViewCommands

if TYPE_CHECKING:
    from ui.shell.actions import Command
    from ui.shell.main_window import MainWindow


class Commands:
    """Everything a person can ask the window for, by menu."""

    def __init__(self, window: MainWindow) -> None:
        """Act on `window`."""
        self.file = FileCommands(window)
        self.session = SessionCommands(window)
        self.authorization = AuthorizationCommands(window)
        self.view = ViewCommands(window)
        self.traffic = TrafficCommands(window)
        self.help = HelpCommands(window)

    def rows(self) -> tuple[Command, ...]:
        """All of them."""
        session = (self.session, self.authorization)
        menus = (self.file, *session, self.view, self.traffic, self.help)
        return tuple(command for menu in menus for command in menu.rows())
