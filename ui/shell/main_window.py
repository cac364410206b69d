"""The window: it arranges the parts and passes on what one says to another. What commands do is in the `…_commands.py`.

It is on the screen before its parts can be imported: first the frame, with its docks where they were left, then `furnish`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QPushButton, QToolBar, QWidget

from inspector.visible_text import one_line
from ui.bind import bind, bind_coalesced
from ui.navigator import Navigator
from ui.shell.docks import BottomDocks, DockTitle
from ui.shell.layout_state import LayoutState
from ui.tab_order import go_to, neighbour, stops

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from inspector.config.server_list import ServerList
    from inspector.config.window_settings import WindowSettings, WindowSettingsFile
    from inspector.transcript.transcript import Transcript
    from inspector.workspace import Workspace
    from ui.connect.servers_panel import ServersPanel
    from ui.errors import Reporter
    from ui.page import Page
    from ui.shell.actions import Actions
    from ui.shell.commands import Commands
    from ui.shell.header import Header
    from ui.shell.inbox_controller import InboxController
    from ui.shell.logins import Logins
    from ui.shell.session_controller import SessionController
    from ui.shell.status_bar import StatusBar
    from ui.shell.stderr_console import StderrConsole
    from ui.shell.window_parts import WindowParts
    from ui.shell.workbench import Workbench
    from ui.theme import Theme
    from ui.traffic.panel import TrafficPanel

COUNTS_MS = 100
"""How often the counts follow the traffic."""

RENEWED = "The server ended the session. Spyglass started a new one and refreshed the lists."

BAR_HEIGHT, BAR_EDGES = 22, 6
"""Of the strip at the top while it is empty: its text at 100%, and what does not grow with it."""

TITLE_LENGTH = 120
"""Characters of a server's name in the title of the window."""

LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea

DOCKS = (
    ("servers", "Servers", LEFT),
    ("traffic", "Traffic", BOTTOM),
    ("stderr", "Standard error", BOTTOM),
    ("inbox", "Requests", RIGHT),
)
"""Name of a dock, words, where it is at first."""


class MainWindow(QMainWindow):
    """Everything in its place.

    Signals:
        close_requested: end Spyglass: close again with `allow_close` set.
        demo_requested: connect to the demo server.
    """

    close_requested = Signal()
    demo_requested = Signal()

    # What `furnish` brings.
    controller: SessionController
    workspace: Workspace
    server_list: ServerList
    reporter: Reporter
    workbench: Workbench
    servers: ServersPanel
    traffic: TrafficPanel
    stderr: StderrConsole
    inbox: InboxController
    logins: Logins
    status: StatusBar
    commands: Commands
    actions_: Actions
    header: Header

    def __init__(
        self,
        *,
        settings: WindowSettingsFile,
        saved: WindowSettings,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """The frame, arranged as it was `saved` in `settings`, with nothing in it."""
        super().__init__(parent)
        self.setObjectName("main_window")
        self.setWindowTitle("Spyglass")
        self.allow_close = False
        self.theme = theme
        self.navigator = Navigator(self)
        self._furnished = False
        self._unbind: list[Callable[[], None]] = []
        self._build()
        self.layout_state = LayoutState(self, settings, saved, theme)

    def _build(self) -> None:
        self.menuBar().addMenu("&File")  # one holds the place of all, until they are there
        self._bar = QToolBar("Session", self)
        self._bar.setObjectName("session_bar")
        self._bar.setMovable(False)
        self._bar.setMinimumHeight(self.theme.px(BAR_HEIGHT) + BAR_EDGES)
        self._bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._bar.setStyleSheet("QToolBar { padding: 0; margin: 0; spacing: 0 }")
        self.addToolBar(self._bar)
        ground = QWidget(self)
        ground.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        ground.setFocus()  # else a button of a dock has it
        self.setCentralWidget(ground)
        self.docks: dict[str, QDockWidget] = {}
        self._titles: dict[str, DockTitle] = {}
        for name, text, area in DOCKS:
            self._dock(name, text, area)
        self._bottom = BottomDocks(self, self.docks["traffic"], self.docks["stderr"])
        self.docks["inbox"].hide()
        self.setCorner(Qt.Corner.BottomLeftCorner, BOTTOM)
        self._hold_status()

    def _hold_status(self) -> None:
        """As high as the status bar will be, so that nothing moves when it comes."""
        place = QPushButton(self)
        place.setFlat(True)
        place.setProperty("flat_look", True)
        place.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().addWidget(place)

    def _dock(self, name: str, text: str, area: Qt.DockWidgetArea) -> None:
        dock = QDockWidget(text, self)
        dock.setObjectName(f"dock_{name}")
        dock.setAccessibleName(text)
        self._titles[name] = DockTitle(dock, theme=self.theme)
        dock.setTitleBarWidget(self._titles[name])
        self.addDockWidget(area, dock)
        self.docks[name] = dock

    @property
    def is_populated(self) -> bool:
        """Whether there is more than the frame."""
        return self._furnished

    def populate(self, parts: WindowParts) -> None:
        """Put the parts in their places; `lay_out` them when they are dressed."""
        self.controller, self.reporter = parts.controller, parts.reporter
        self.workspace, self.server_list = parts.workspace, parts.server_list
        self.workbench, self.servers, self.traffic = parts.workbench, parts.servers, parts.traffic
        self.stderr, self.inbox, self.status = parts.stderr, parts.inbox, parts.status
        self.commands, self.logins = parts.commands, parts.logins
        self.actions_, self.header = parts.command(self)
        self._place()
        self._furnished = True
        self._wire()
        if self.controller.transcript is not None or self.controller.profile is not None:
            self._on_shown()
        self._refresh()

    def _place(self) -> None:
        self.setCentralWidget(self.workbench)
        self.docks["servers"].setWidget(self.servers)
        self.docks["traffic"].setWidget(self.traffic)
        self.docks["stderr"].setWidget(self.stderr)
        self.docks["inbox"].setWidget(self.inbox.panel)
        self.docks["traffic"].setTitleBarWidget(self.traffic.bar)
        title = self._titles["stderr"]
        title.add_buttons(self.stderr.make_buttons(title))
        self.setStatusBar(self.status)
        self.status.setMinimumWidth(1)  # its numbers make no window wider
        self.menuBar().clear()
        menus = self.actions_.fill(self.menuBar())
        self.commands.file.add_earlier_menu(menus["&File"], self.actions_["quit"])
        self._bar.setMinimumHeight(0)
        self._bar.addWidget(self.header)

    def lay_out(self) -> None:
        """Give every part its room now, as it was left. Qt shows new parts later only, and gives their room to the docks until then."""
        for part in (self.workbench, self.status, self.header):
            part.show()
        for whole in (self._bar, self.status, self):
            if (layout := whole.layout()) is not None:
                layout.activate()
        self.layout_state.restore_parts()
        if not self.workbench.isAncestorOf(self.focusWidget()):
            self.workbench.focus_front()  # else a button of a dock has it

    def _wire(self) -> None:
        controller, servers = self.controller, self.servers
        controller.shown.connect(self._on_shown)
        controller.failed.connect(self.status.say)
        servers.selected.connect(controller.show_profile)
        servers.selected.connect(self.refresh_commands)
        servers.connect_requested.connect(controller.connect_to)
        servers.disconnect_requested.connect(controller.disconnect_from)
        self.traffic.resend_requested.connect(self.commands.session.resend)
        self.traffic.recording_requested.connect(controller.open_record)
        self.status.save_requested.connect(self.commands.file.unsaved.save_shown)
        self.status.filter_requested.connect(self._on_filter_requested)
        self.status.ping_requested.connect(self.commands.session.ping)
        self.status.errors_requested.connect(self.commands.help.show_about)
        self.reporter.reported.connect(self._on_reported)
        self._wire_workbench()
        self._wire_navigator()
        self.inbox.wire()
        self.logins.wire()
        bind_coalesced(self, self.workspace.changed, self._refresh)
        for dock in self.docks.values():
            dock.visibilityChanged.connect(self.actions_.refresh)
        self._ticks = QTimer(self, interval=1000)
        self._ticks.timeout.connect(self._show_counts)
        self._ticks.start()

    def _wire_workbench(self) -> None:
        workbench, steps, session = self.workbench, self.workbench.steps, self.commands.session
        workbench.add_requested.connect(self.commands.file.add_server)
        workbench.demo_requested.connect(self.demo_requested)
        workbench.connect_requested.connect(session.connect_selected)
        workbench.page_made.connect(self._on_page_made)
        workbench.recording.open_requested.connect(self.commands.file.choose_record)
        workbench.recording.back_requested.connect(self.controller.leave_record)
        workbench.recording.stop_requested.connect(self.controller.stop_opening)
        steps.retry_requested.connect(self.controller.reconnect)
        steps.cancel_requested.connect(session.disconnect_shown)
        steps.edit_requested.connect(session.edit_shown)
        steps.revision_requested.connect(session.connect_with)
        steps.transcript_requested.connect(self.filter_traffic)

    def _wire_navigator(self) -> None:
        navigator, session = self.navigator, self.commands.session
        navigator.frame_requested.connect(self.show_frame)
        navigator.link_requested.connect(session.ask_about_link)
        navigator.resource_requested.connect(session.read_resource)
        navigator.task_requested.connect(session.show_task)
        navigator.review_requested.connect(self.inbox.dialogs.open)
        navigator.reconnect_requested.connect(self.controller.reconnect)
        navigator.edit_requested.connect(session.resend)

    def go(self, page: str) -> None:
        """Bring a page to the front, and the focus into it."""
        self.workbench.show_page(page)
        self.workbench.focus_front()

    def toggle_dock(self, name: str) -> None:
        """Show a dock, or hide it when it is in front."""
        shown = self.is_dock_shown(name)
        if name == "traffic":
            self._bottom.follow(shown=not shown)
        self.docks[name].setVisible(not shown)
        if not shown:
            self.docks[name].raise_()

    def is_dock_shown(self, name: str) -> bool:
        """Whether a dock can be seen, not covered by a tab beside it."""
        return self.docks[name].isVisible() and not self.docks[name].visibleRegion().isEmpty()

    def reset_layout(self) -> None:
        """Put everything back where it was at first."""
        self.layout_state.reset()

    def filter_traffic(self) -> None:
        """Go to the filter of the traffic."""
        self._raise_traffic()
        self.traffic.focus_filter()

    def show_frame(self, number: int, transcript: Transcript | None = None) -> None:
        """Show a frame in the traffic; of the latest run unless a `transcript` is given."""
        self._raise_traffic()
        self.traffic.select_frame(number, transcript)

    def _raise_traffic(self) -> None:
        self.docks["traffic"].show()
        self.docks["traffic"].raise_()

    def _on_page_made(self, page: Page) -> None:
        self.layout_state.restore_splitters(page)

    def _on_shown(self) -> None:
        for unbind in self._unbind:
            unbind()
        controller, transcript = self.controller, self.controller.transcript
        self._unbind = []
        if transcript is not None:
            self._unbind = [
                bind_coalesced(self, transcript.appended, self._show_counts, COUNTS_MS),
                bind_coalesced(self, transcript.findings_changed, self._show_counts, COUNTS_MS),
            ]
        if controller.session is not None:
            self._unbind.append(bind(self, controller.session.ping.changed, self._show_counts))
            renewed = controller.session.session.renewed
            self._unbind.append(bind(self, renewed, lambda: self.status.say(RENEWED)))
        self.workbench.notice.clear()
        self.workbench.show_shown()
        error = self.controller.record_error
        if error is not None and transcript is not None:  # else the centre has it
            choice = ("Open another…", "open_another", self.commands.file.choose_record)
            text = f"Cannot open recording: {error.reason}. {error.hint}".strip()
            self.workbench.notice.say(text, choice, tone="error")
        timeline = controller.timeline
        self.traffic.set_timeline(timeline)
        self.stderr.set_timeline(timeline)
        self._select_shown()
        self._refresh()

    def _select_shown(self) -> None:
        """Mark the shown server in the list, without taking the focus from where it is; none while a recording is shown."""
        if self.controller.record is not None:
            self.servers.clear_selection()
            return
        profile, current = self.controller.profile, self.servers.current()
        if profile is not None and (current is None or current.id != profile.id):
            self.servers.select(profile)

    def _refresh(self) -> None:
        self.header.refresh()
        self.actions_.refresh()
        self._show_counts()
        session = self.controller.session
        name = one_line(session.profile.name, TITLE_LENGTH) if session is not None else ""
        if self.controller.record is not None:
            name = one_line(self.controller.record.path.name, TITLE_LENGTH)
        self.setWindowTitle(f"{name} – Spyglass" if name else "Spyglass")

    def _show_counts(self) -> None:
        session = self.controller.session
        self.status.show_counts(self.traffic.model.timeline.transcripts, self.controller.sweep)
        self.commands.file.unsaved.report()
        if self.controller.record is not None:  # its number of frames grows while it is read
            self.header.refresh()
        connected = session is not None and self.controller.is_connected
        self.status.show_ping(session.ping if session is not None and connected else None)

    def refresh_commands(self) -> None:
        """Show how the shown session stands, and what can be done, now."""
        self.header.refresh()
        self.actions_.refresh()

    def _on_filter_requested(self, text: str) -> None:
        self._raise_traffic()
        self.traffic.set_filter(text)

    def _on_reported(self) -> None:
        problems = self.reporter.problems
        latest = problems[-1].summary if problems else ""
        self.status.set_faults(len(problems) + self.reporter.dropped, latest)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes on in the order that is seen, and round at the end."""
        found = neighbour(self, QApplication.focusWidget(), forward=forward)
        if found is None:
            found = next(iter(stops(self) if forward else reversed([*stops(self)])), None)
        if found is None:
            return super().focusNextPrevChild(forward)
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        go_to(found, reason)
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A lower window takes from the docks, too."""
        super().resizeEvent(event)
        before, now = event.oldSize().height(), event.size().height()
        if self._furnished and self.isVisible() and before > 0 and before != now:
            self.layout_state.keep_dock_height(before, now)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that nothing inside wanted."""
        if not (self._furnished and self.actions_.press(QKeySequence(event.keyCombination()))):
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask the application to end things in order first."""
        if self.allow_close:
            event.accept()
        elif self._furnished and self.commands.file.unsaved.warn_before_quitting():
            event.ignore()
        else:
            event.ignore()
            self.close_requested.emit()
