"""What the frame of the window is filled with. Importing it takes longer than painting the frame, which is why it is apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.connect.servers_panel import ServersPanel
from ui.shell.actions import Actions
from ui.shell.commands import Commands
from ui.shell.header import Header
from ui.shell.inbox_controller import InboxController
from ui.shell.logins import Logins
from ui.shell.status_bar import StatusBar
from ui.shell.stderr_console import StderrConsole
from ui.shell.workbench import Workbench
from ui.traffic.panel import TrafficPanel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inspector.config.server_list import ServerList
    from inspector.workspace import Workspace
    from ui.errors import Reporter
    from ui.page import PageMaker
    from ui.shell.inbox_controller import MakeInboxDialog
    from ui.shell.main_window import MainWindow
    from ui.shell.session_controller import SessionController


class WindowParts:
    """The parts of one window, made but not yet in their places."""

    def __init__(
        self,
        window: MainWindow,
        *,
        workspace: Workspace,
        server_list: ServerList,
        controller: SessionController,
        reporter: Reporter,
        pages: Sequence[PageMaker],
        dialogs: Mapping[str, MakeInboxDialog],
    ) -> None:
        """For `window`, with `pages` in this order; `dialogs` has the maker of a dialog for each kind of server request."""
        theme = window.theme
        self.workspace = workspace
        self.server_list = server_list
        self.controller = controller
        self.reporter = reporter
        self.workbench = Workbench(pages, controller=controller, theme=theme)
        self.servers = ServersPanel(server_list=server_list, workspace=workspace, theme=theme)
        self.traffic = TrafficPanel(theme=theme)
        self.stderr = StderrConsole(theme=theme)
        self.inbox = InboxController(window, dialogs, inbox=workspace.inbox)
        self.logins = Logins(window)
        self.status = StatusBar(theme=theme)
        self.commands = Commands(window)

    def command(self, window: MainWindow) -> tuple[Actions, Header]:
        """The commands as actions, and the line at the top that has the most wanted ones; once `window` knows its parts."""
        actions = Actions(self.commands.rows(), theme=window.theme, owner=window)
        header = Header(
            controller=self.controller,
            actions=actions,
            inbox=self.workspace.inbox,
            review=self.inbox.review,
            theme=window.theme,
        )
        return actions, header
