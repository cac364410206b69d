"""The window: it arranges the parts and passes on what one says to another. What commands do is in the `…_commands.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence
from PySide6.QtWidgets import QDockWidget, QMainWindow, QToolBar, QWidget

from ui.bind import bind, bind_coalesced
from ui.connect.servers_panel import ServersPanel
from ui.features.client.page import ClientPage
from ui.features.overview.page import OverviewPage
from ui.features.prompts.page import PromptsPage
from ui.features.resources.page import ResourcesPage
from ui.features.tools.page import ToolsPage
from ui.shell.about import AboutDialog
from ui.shell.actions import Actions
from ui.shell.commands import Commands
from ui.shell.dock_title import DockTitle
from ui.shell.finder import open_finder
from ui.shell.header import Header
from ui.shell.layout_state import LayoutState
from ui.shell.status_bar import StatusBar
from ui.shell.stderr_console import StderrConsole
from ui.shell.waiting import Waiting
from ui.shell.workbench import Workbench
from ui.traffic.panel import TrafficPanel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtGui import QKeyEvent

    from inspector.library.library import Library
    from inspector.library.settings import Settings, SettingsFile
    from inspector.workspace import Workspace
    from ui.errors import Reporter
    from ui.inbox.desk import MakeSheet
    from ui.page import Page
    from ui.shell.conductor import Conductor
    from ui.theme import Theme

COUNTS_MS = 100
"""How often the counts follow the traffic."""


class MainWindow(QMainWindow):
    """Everything in its place.

    Signals:
        close_requested: the person wants to end Spyglass; close again with `allow_close` set.
        demo_wanted: the person wants the demo server.
    """

    close_requested = Signal()
    demo_wanted = Signal()

    def __init__(
        self,
        *,
        workspace: Workspace,
        library: Library,
        settings: SettingsFile,
        saved: Settings,
        conductor: Conductor,
        theme: Theme,
        reporter: Reporter,
        pages: Sequence[Page],
        sheets: Mapping[str, MakeSheet],
        parent: QWidget | None = None,
    ) -> None:
        """Arrange `pages` and the docks around them; `sheets` has for each kind of question who makes its sheet."""
        super().__init__(parent)
        self.setObjectName("main_window")
        self.setWindowTitle("Spyglass")
        self.allow_close = False
        self.conductor = conductor
        self.theme = theme
        self.workspace = workspace
        self.library = library
        self._reporter = reporter
        self._unbind: list[Callable[[], None]] = []
        self._build(pages, sheets)
        self.layout_state = LayoutState(self, settings, saved, theme)
        self._wire()
        self._refresh()

    def _build(self, pages: Sequence[Page], sheets: Mapping[str, MakeSheet]) -> None:
        theme = self.theme
        self.workbench = Workbench(pages, conductor=self.conductor, theme=theme)
        self.setCentralWidget(self.workbench)
        self.waiting = Waiting(self, sheets)
        self._build_docks()
        self.status = StatusBar(theme=theme)
        self.setStatusBar(self.status)
        self.commands = Commands(self)
        self.actions_ = Actions(self.commands.rows(), theme=theme, owner=self)
        menus = self.actions_.fill(self.menuBar())
        self.commands.file.add_earlier_menu(menus["&File"], self.actions_["quit"])
        self.header = Header(conductor=self.conductor, actions=self.actions_, theme=theme)
        bar = QToolBar("Session", self)
        bar.setObjectName("session_bar")
        bar.setMovable(False)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        bar.setStyleSheet("QToolBar { padding: 0; margin: 0; spacing: 0 }")
        bar.addWidget(self.header)
        self.addToolBar(bar)

    def _build_docks(self) -> None:
        theme = self.theme
        left, bottom = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea
        self.servers = ServersPanel(library=self.library, workspace=self.workspace, theme=theme)
        self.traffic = TrafficPanel(theme=theme)
        self.stderr = StderrConsole(theme=theme)
        self.docks: dict[str, QDockWidget] = {}
        self._dock("servers", "Servers", self.servers, left)
        self._dock("traffic", "Traffic", self.traffic, bottom)
        self._dock("stderr", "Standard error", self.stderr, bottom)
        right = Qt.DockWidgetArea.RightDockWidgetArea
        self._dock("inbox", "Waiting for you", self.waiting.panel, right)
        self.docks["traffic"].setTitleBarWidget(self.traffic.bar)
        self.setCorner(Qt.Corner.BottomLeftCorner, bottom)

    def _dock(self, name: str, words: str, widget: QWidget, area: Qt.DockWidgetArea) -> None:
        dock = QDockWidget(words, self)
        dock.setObjectName(f"dock_{name}")
        dock.setAccessibleName(words)
        dock.setWidget(widget)
        dock.setTitleBarWidget(DockTitle(dock, theme=self.theme))
        self.addDockWidget(area, dock)
        self.docks[name] = dock

    def _wire(self) -> None:
        conductor, servers = self.conductor, self.servers
        conductor.shown.connect(self._on_shown)
        conductor.failed.connect(self.status.say)
        servers.selected.connect(conductor.show_profile)
        servers.connect_requested.connect(conductor.connect_to)
        servers.disconnect_requested.connect(conductor.disconnect_from)
        self.traffic.resend_requested.connect(self.commands.session.resend)
        self.stderr.frame_wanted.connect(self.show_frame)
        self.status.filter_wanted.connect(self._on_filter_wanted)
        self.status.ping_wanted.connect(self.commands.session.ping)
        self.status.errors_wanted.connect(self.show_about)
        self._reporter.reported.connect(self._on_reported)
        self._wire_workbench()
        self.waiting.wire()
        bind_coalesced(self, self.workspace.changed, self._refresh)
        self._ticks = QTimer(self, interval=1000)
        self._ticks.timeout.connect(self._show_counts)
        self._ticks.start()

    def _wire_workbench(self) -> None:
        workbench, steps, session = self.workbench, self.workbench.steps, self.commands.session
        workbench.add_wanted.connect(self.commands.file.add_server)
        workbench.demo_wanted.connect(self.demo_wanted)
        workbench.connect_wanted.connect(session.connect_selected)
        workbench.frame_wanted.connect(self.show_frame)
        steps.retry_requested.connect(self.conductor.reconnect)
        steps.cancel_requested.connect(session.disconnect_shown)
        steps.edit_requested.connect(session.edit_shown)
        steps.revision_requested.connect(session.connect_with)
        steps.transcript_requested.connect(self.filter_traffic)
        for page in workbench.pages:
            if isinstance(page, ToolsPage | PromptsPage):
                page.resource_wanted.connect(session.read_resource)
            if isinstance(page, ClientPage):
                page.reconnect_wanted.connect(self.conductor.reconnect)
            if isinstance(page, ToolsPage | OverviewPage | ResourcesPage | PromptsPage):
                page.link_wanted.connect(session.ask_about_link)

    def go(self, page: str) -> None:
        """Bring a page to the front."""
        self.workbench.show_page(page)

    def toggle_dock(self, name: str) -> None:
        """Show a dock, or hide it when it is in front."""
        shown = self.is_dock_shown(name)
        self.docks[name].setVisible(not shown)
        if not shown:
            self.docks[name].raise_()

    def is_dock_shown(self, name: str) -> bool:
        """Whether a dock can be seen, not covered by a tab beside it."""
        return self.docks[name].isVisible() and not self.docks[name].visibleRegion().isEmpty()

    def reset_layout(self) -> None:
        """Put everything back where it was at first."""
        self.layout_state.reset()

    def open_palette(self) -> None:
        """Offer to find anything."""
        open_finder(self)

    def filter_traffic(self) -> None:
        """Go to the filter of the traffic."""
        self._raise_traffic()
        self.traffic.focus_filter()

    def show_about(self) -> None:
        """Say what this is, and which errors of its own it caught."""
        AboutDialog(reporter=self._reporter, theme=self.theme, parent=self).open()

    def show_frame(self, number: int) -> None:
        """Show a frame in the traffic."""
        self._raise_traffic()
        self.traffic.select_frame(number)

    def _raise_traffic(self) -> None:
        self.docks["traffic"].show()
        self.docks["traffic"].raise_()

    def _on_shown(self) -> None:
        for unbind in self._unbind:
            unbind()
        conductor, transcript = self.conductor, self.conductor.transcript
        self._unbind = []
        if transcript is not None:
            self._unbind = [
                bind_coalesced(self, transcript.appended, self._show_counts, COUNTS_MS),
                bind_coalesced(self, transcript.judged, self._show_counts, COUNTS_MS),
            ]
        if conductor.session is not None:
            self._unbind.append(bind(self, conductor.session.ping.changed, self._show_counts))
        self.workbench.show_shown()
        self.traffic.set_transcript(transcript)
        self.stderr.set_transcript(transcript)
        self._select_shown()
        self._refresh()

    def _select_shown(self) -> None:
        """Mark the shown server in the list, without taking the focus from where it is."""
        profile, current = self.conductor.profile, self.servers.current()
        if profile is not None and (current is None or current.id != profile.id):
            self.servers.select(profile)

    def _refresh(self) -> None:
        self.header.refresh()
        self.actions_.refresh()
        self._show_counts()
        name = self.conductor.session.profile.name if self.conductor.session is not None else ""
        self.setWindowTitle(f"{name} – Spyglass" if name else "Spyglass")

    def _show_counts(self) -> None:
        session = self.conductor.session
        sweep = session.sweep if session is not None else None
        self.status.show_counts(self.conductor.transcript, sweep)
        self.status.show_ping(session.ping if session is not None else None)

    def refresh_header(self) -> None:
        """Show how the shown session stands now."""
        self.header.refresh()

    def _on_filter_wanted(self, text: str) -> None:
        self._raise_traffic()
        self.traffic.set_filter(text)

    def _on_reported(self) -> None:
        self.status.set_faults(len(self._reporter.problems) + self._reporter.dropped)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that nothing inside wanted."""
        if not self.actions_.press(QKeySequence(event.keyCombination())):
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask the application to end things in order first."""
        if self.allow_close:
            event.accept()
        else:
            event.ignore()
            self.close_requested.emit()
