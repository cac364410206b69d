"""What the window is filled with. Importing it takes longer than painting the bare window, which is why it is apart."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from ui.connect.servers_panel import ServersPanel
from ui.pages import PAGES
from ui.problems.source import ProblemSource
from ui.shell.inbox_controller import InboxController
from ui.shell.status_bar import StatusBar
from ui.shell.stderr_console import StderrConsole
from ui.shell.workbench import Workbench
from ui.traffic.panel import TrafficPanel
from ui.widgets.page_container import LazyPage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtWidgets import QWidget

    from inspector.config.server_list import ServerList
    from inspector.workspace import Workspace
    from ui.errors import Reporter
    from ui.problems.page import ProblemsPage
    from ui.shell.inbox_controller import MakeInboxDialog
    from ui.shell.main_window import MainWindow
    from ui.shell.session_controller import SessionController
    from ui.theme import Theme
    from ui.timeline.page import TimelinePage


class WindowParts(FrozenStruct, frozen=True):
    """The parts of one window, all made before the window and its commands get them."""

    workspace: Workspace
    server_list: ServerList
    controller: SessionController
    reporter: Reporter
    workbench: Workbench
    servers: ServersPanel
    traffic: TrafficPanel
    timeline: LazyPage[TimelinePage]
    problem_source: ProblemSource
    problems: LazyPage[ProblemsPage]
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
    traffic, source = TrafficPanel(theme=theme), ProblemSource(window)
    return WindowParts(
        workspace=workspace,
        server_list=server_list,
        controller=controller,
        reporter=reporter,
        workbench=Workbench(PAGES, controller=controller, theme=theme),
        servers=ServersPanel(server_list=server_list, workspace=workspace, theme=theme),
        traffic=traffic,
        timeline=LazyPage(partial(_make_timeline, window, traffic), package="ui.timeline"),
        problem_source=source,
        problems=LazyPage(partial(_make_problems, source, theme), package="ui.problems"),
        stderr=StderrConsole(theme=theme),
        status=StatusBar(theme=theme),
        inbox=InboxController(window, dialogs, inbox=workspace.inbox),
    )


def _make_timeline(window: MainWindow, traffic: TrafficPanel, parent: QWidget) -> TimelinePage:
    from ui.timeline.page import TimelinePage  # for those who look at it

    page = TimelinePage(theme=window.theme, parent=parent)
    page.frame_selected.connect(traffic.select_frame)
    page.range_requested.connect(traffic.filtering.set_time_range)
    page.filter_requested.connect(traffic.set_filter)
    for requested in (page.range_requested, page.filter_requested):
        requested.connect(window.filter_traffic)
    page.set_timeline(window.parts.controller.timeline)
    return page


def _make_problems(source: ProblemSource, theme: Theme, parent: QWidget) -> ProblemsPage:
    from ui.problems.page import ProblemsPage  # for those who look at it

    return ProblemsPage(source, theme=theme, parent=parent)
