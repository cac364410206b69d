"""What the window is filled with. Importing it takes longer than painting the bare window, which is why it is apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from ui.connect.servers_panel import ServersPanel
from ui.pages import PAGES
from ui.problems.page import ProblemsPage
from ui.shell.inbox_controller import InboxController
from ui.shell.status_bar import StatusBar
from ui.shell.stderr_console import StderrConsole
from ui.shell.workbench import Workbench
from ui.timeline.page import TimelinePage
from ui.traffic.panel import TrafficPanel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.config.server_list import ServerList
    from inspector.workspace import Workspace
    from ui.errors import Reporter
    from ui.shell.inbox_controller import MakeInboxDialog
    from ui.shell.main_window import MainWindow
    from ui.shell.session_controller import SessionController


class WindowParts(FrozenStruct, frozen=True):
    """The parts of one window, all made before the window and its commands get them."""

    workspace: Workspace
    server_list: ServerList
    controller: SessionController
    reporter: Reporter
    workbench: Workbench
    servers: ServersPanel
    traffic: TrafficPanel
    timeline: TimelinePage
    problems: ProblemsPage
    stderr: StderrConsole
    status: StatusBar
    inbox: InboxController


def make_parts(
    window: MainWindow,
    *,
    workspace: Workspace,
    server_list: ServerList,
    controller: SessionController,
    reporter: Reporter,
    dialogs: Mapping[str, MakeInboxDialog],
) -> WindowParts:
    """Make the parts of `window`; `dialogs` has the function that makes a dialog for each kind of server request."""
    theme = window.theme
    traffic, timeline = TrafficPanel(theme=theme), TimelinePage(theme=theme)
    timeline.frame_selected.connect(traffic.select_frame)
    timeline.range_requested.connect(traffic.filtering.set_time_range)
    timeline.filter_requested.connect(traffic.set_filter)
    for requested in (timeline.range_requested, timeline.filter_requested):
        requested.connect(window.filter_traffic)
    return WindowParts(
        workspace=workspace,
        server_list=server_list,
        controller=controller,
        reporter=reporter,
        workbench=Workbench(PAGES, controller=controller, theme=theme),
        servers=ServersPanel(server_list=server_list, workspace=workspace, theme=theme),
        traffic=traffic,
        timeline=timeline,
        problems=ProblemsPage(theme=theme),
        stderr=StderrConsole(theme=theme),
        status=StatusBar(theme=theme),
        inbox=InboxController(window, dialogs, inbox=workspace.inbox),
    )
