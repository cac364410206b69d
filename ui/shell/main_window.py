"""The main window: it arranges its parts and connects them. What commands do is in the `…_commands.py`.

It is on the screen before its parts can be imported: first bare, with its docks where they were left; `populate` fills it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence
from PySide6.QtWidgets import QDockWidget, QMainWindow, QToolBar, QWidget

from inspector.visible_text import one_line
from ui.bind import Bindings, bind, bind_coalesced
from ui.navigator import Navigator
from ui.shell.bottom_dock import BottomDock
from ui.shell.dock_sizes import BOTTOM, PROBLEMS, SERVERS
from ui.shell.docks import BOTTOM_PAGES, DOCKS, DockTitle
from ui.shell.layout_state import LayoutState
from ui.tab_order import tab_around
from ui.theme import tokens
from ui.widgets.effective_size import EffectiveSize

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from inspector.config.window_settings import WindowSettings, WindowSettingsFile
    from inspector.transcript.transcript import Transcript
    from ui.page import Page
    from ui.shell.commands import Commands
    from ui.shell.docks import DockSpec
    from ui.shell.header import Header
    from ui.shell.session_controller import SessionController
    from ui.shell.window_parts import WindowParts
    from ui.shell.workbench import Workbench
    from ui.theme import Theme

COUNTS_MS = 100
"""How often the counts follow the traffic."""

RENEWED = "The server did not know the session. Spyglass started a new one and refreshed the lists."

TITLE_LENGTH = 120
"""Characters of a server's name in the title of the window."""


class MainWindow(QMainWindow):
    """The main window of Spyglass.

    Signals:
        close_requested: end Spyglass: close again with `allow_close` set.
        demo_requested: connect to the demo server.
    """

    close_requested = Signal()
    demo_requested = Signal()

    parts: WindowParts
    """What the window is filled with; there once it `is_populated`, as are the commands and the header."""
    commands: Commands
    header: Header

    def __init__(
        self,
        *,
        settings: WindowSettingsFile,
        saved: WindowSettings,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Make the bare window, arranged as it was `saved` in `settings`."""
        super().__init__(parent)
        self.setObjectName("main_window")
        self.setWindowTitle("Spyglass")
        self.allow_close = False
        self.theme = theme
        self.navigator = Navigator(self)
        self.is_populated = False
        """Whether there is more than the frame."""
        self._bindings = Bindings()
        self._build()
        self.effective_size = EffectiveSize(self, theme)
        self.layout_state = LayoutState(self, settings, saved, theme)

    def _build(self) -> None:
        self.menuBar().addMenu("&File")  # one holds the place of all, until they are there
        self._bar = QToolBar("Session", self)
        self._bar.setObjectName("session_bar")
        self._bar.setMovable(False)
        # Qt gives an empty bar a height of its own.
        self._header_space = QWidget(self._bar)
        self._header_space.setFixedHeight(self.theme.px(tokens.HEADER_HEIGHT_PX))
        self._bar.addWidget(self._header_space)
        self._bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._bar.setStyleSheet("QToolBar { padding: 0; margin: 0; spacing: 0 }")
        self.addToolBar(self._bar)
        if (layout := self._bar.layout()) is not None:
            layout.setContentsMargins(0, 0, 0, 0)  # Qt reads its style sheet later
        placeholder = QWidget(self)
        placeholder.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        placeholder.setFocus()  # else a button of a dock has it
        self.setCentralWidget(placeholder)
        self.docks: dict[str, QDockWidget] = {}
        self._titles: dict[str, DockTitle] = {}
        self.dock_specs = DOCKS
        for spec in self.dock_specs:
            self._add_dock(spec)
        self.bottom = BottomDock(BOTTOM_PAGES, theme=self.theme, parent=self)
        self.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.bottom)
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        self._reserve_status_bar()

    def _reserve_status_bar(self) -> None:
        """Make the empty status bar as high as it will be, so that nothing moves when its parts come."""
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().setFixedHeight(self.theme.px(tokens.STATUS_HEIGHT_PX))

    def _add_dock(self, spec: DockSpec) -> None:
        dock = self.docks[spec.key] = QDockWidget(spec.title, self)
        dock.setObjectName(f"dock_{spec.key}")
        dock.setAccessibleName(spec.title)
        title = self._titles[spec.key] = DockTitle(dock, theme=self.theme)
        title.close_requested.connect(partial(self.hide_dock, spec.key))
        dock.setTitleBarWidget(title)
        self.addDockWidget(spec.area, dock)
        dock.setHidden(spec.starts_hidden)

    def populate(self, parts: WindowParts) -> None:
        """Put the parts in their places. Call `lay_out` when the style sheet is on again."""
        from ui.shell.commands import Commands
        from ui.shell.header import Header
        from ui.shell.server_menu import ServerMenu

        self.parts = parts
        self.commands = Commands(self, parts)
        self.header = Header(
            controller=parts.controller,
            actions=self.commands.actions,
            badge=parts.inbox.badge,
            theme=self.theme,
        )
        servers = ServerMenu(
            controller=parts.controller,
            server_list=parts.server_list,
            workspace=parts.workspace,
            actions=self.commands.actions,
            parent=self.header,
        )
        self.header.set_server_menu(servers)
        self._arrange(parts)
        self.is_populated = True
        self._wire(parts)
        if parts.controller.transcript is not None or parts.controller.profile is not None:
            self._on_session_changed()
        self._refresh()

    def _arrange(self, parts: WindowParts) -> None:
        from inspector.clock import SystemClock
        from ui.shell.strip_feed import StripFeed

        self.setCentralWidget(parts.workbench)
        for spec in self.dock_specs:
            self.docks[spec.key].setWidget(spec.widget(parts))
        self.bottom.fill(parts)
        StripFeed(self.bottom, parts.traffic.model, SystemClock())
        self.docks["servers"].setTitleBarWidget(parts.servers.title_line)
        self.setStatusBar(parts.status)
        parts.status.setMinimumWidth(1)  # its numbers make no window wider
        self.menuBar().clear()
        self.commands.fill(self.menuBar())
        self._bar.clear()
        self._header_space.deleteLater()
        self._bar.addWidget(self.header)
        parts.servers.set_compact(self.layout_state.sizes.is_compact)

    def lay_out(self) -> None:
        """Give every part its size now, as it was left. Qt shows new parts later, and gives their space to the docks until then."""
        parts = self.parts
        for part in (parts.workbench, parts.status, self.header):
            part.show()
        for whole in (self._bar, parts.status, self):
            if (layout := whole.layout()) is not None:
                layout.activate()
        self.layout_state.restore_parts()
        if not parts.workbench.isAncestorOf(self.focusWidget()):
            parts.workbench.focus_front()  # else a button of a dock has it

    def _wire(self, parts: WindowParts) -> None:
        controller, servers = parts.controller, parts.servers
        status, commands = parts.status, self.commands
        controller.session_changed.connect(self._on_session_changed)
        controller.failed.connect(status.show_message)
        servers.selected.connect(controller.show_profile)
        servers.selected.connect(self.refresh_commands)
        servers.connect_requested.connect(controller.connect_to)
        servers.disconnect_requested.connect(controller.disconnect_from)
        parts.traffic.recording_requested.connect(controller.open_record)
        status.save_requested.connect(commands.file.unsaved.save_current)
        status.filter_requested.connect(self.navigator.filter_requested)
        status.ping_requested.connect(commands.session.ping)
        status.errors_requested.connect(commands.help.show_about)
        parts.reporter.reported.connect(self._on_reported)
        self._wire_workbench(parts.workbench, controller)
        self._wire_navigator(parts)
        parts.inbox.wire()
        for event in (parts.workspace.changed, parts.server_list.changed):
            bind_coalesced(self, event, self._refresh)
        for dock in self.docks.values():
            dock.visibilityChanged.connect(commands.actions.refresh)
        self.bottom.changed.connect(commands.actions.refresh)
        self.layout_state.sizes.maximized_changed.connect(commands.actions.refresh)
        self._ticks = QTimer(self, interval=1000)
        self._ticks.timeout.connect(self._show_counts)
        self._ticks.start()

    def _wire_workbench(self, workbench: Workbench, controller: SessionController) -> None:
        steps, session, file = workbench.steps, self.commands.session, self.commands.file
        workbench.add_requested.connect(file.add_server)
        workbench.demo_requested.connect(self.demo_requested)
        workbench.connect_requested.connect(session.connect_selected)
        workbench.page_made.connect(self.layout_state.restore_splitters)
        workbench.page_requested.connect(self.layout_state.sizes.uncover_page)
        workbench.recording.open_requested.connect(file.choose_record)
        workbench.recording.back_requested.connect(controller.leave_record)
        workbench.recording.stop_requested.connect(controller.stop_opening)
        steps.retry_requested.connect(controller.reconnect)
        steps.edit_requested.connect(session.edit_current)
        steps.revision_requested.connect(session.connect_with)
        steps.transcript_requested.connect(self.filter_traffic)

    def _wire_navigator(self, parts: WindowParts) -> None:
        navigator, session = self.navigator, self.commands.session
        navigator.frame_requested.connect(self.show_frame)
        navigator.link_requested.connect(session.ask_about_link)
        navigator.resource_requested.connect(session.read_resource)
        navigator.task_requested.connect(session.show_task)
        navigator.review_requested.connect(parts.inbox.dialogs.open)
        navigator.reconnect_requested.connect(parts.controller.reconnect)
        navigator.edit_requested.connect(session.edit_and_send)
        navigator.repeat_requested.connect(session.repeat)

    def go(self, key: str) -> Page:
        """Bring a page to the front and the focus into it, and return the page."""
        self.parts.workbench.show_page(key)
        self.parts.workbench.focus_front()
        return self.parts.workbench.page(key)

    def toggle_dock(self, key: str) -> None:
        """Show a dock or a page of the bottom dock, or hide or fold it when it is in front."""
        if self.is_dock_visible(key):
            self.hide_dock(key)
        else:
            self.raise_dock(key)
            if key == PROBLEMS:
                self.parts.problems.page.focus_front()

    def is_dock_visible(self, key: str) -> bool:
        """Whether a dock or a page of the bottom dock can be seen, not covered by a tab beside it."""
        dock = self.docks.get(key)
        if dock is None:
            return self.bottom.is_page_visible(key)
        return dock.isVisible() and not dock.visibleRegion().isEmpty()

    def raise_dock(self, key: str) -> None:
        """Show a dock in front of the others of its area, or a page of the bottom dock."""
        if key not in self.docks:
            self.bottom.show_page(key)
            return
        if key == SERVERS:
            self.layout_state.sizes.choose(key, True)
        self.docks[key].show()
        self.docks[key].raise_()

    def hide_dock(self, key: str) -> None:
        """Hide a dock; fold the bottom dock if `key` is one of its pages."""
        if key not in self.docks:
            self.layout_state.sizes.choose(BOTTOM, False)
        elif key == SERVERS:
            self.layout_state.sizes.choose(key, False)
        else:
            self.docks[key].hide()

    def set_servers_compact(self, compact: bool) -> None:
        """Show the servers as a rail without names, or as a list."""
        self._titles[SERVERS].set_compact(compact)
        if self.is_populated:
            self.parts.servers.set_compact(compact)

    def filter_traffic(self) -> None:
        """Go to the filter of the traffic."""
        self.raise_dock("traffic")
        self.parts.traffic.focus_filter()

    def show_frame(self, number: int, transcript: Transcript | None = None, at: str = "") -> None:
        """Show a frame in the traffic, of the latest run unless a `transcript` is given; select the value `at` a JSON pointer."""
        self.raise_dock("traffic")
        self.parts.traffic.select_frame(number, transcript, at)

    def _on_session_changed(self) -> None:
        parts, controller = self.parts, self.parts.controller
        transcript, session = controller.transcript, controller.session
        bindings: list[Callable[[], None]] = []
        if transcript is not None:
            counted = (transcript.appended, transcript.findings_changed)
            bindings += [
                bind_coalesced(self, event, self._show_counts, COUNTS_MS) for event in counted
            ]
        if session is not None:
            bindings.append(bind(self, session.ping.changed, self._show_counts))
            renewed = session.session.renewed
            bindings.append(bind(self, renewed, lambda: parts.status.show_message(RENEWED)))
            repaint = parts.traffic.table.viewport().update
            bindings.append(bind(self, session.comparison.changed, repaint))
        self._bindings.replace(*bindings)
        parts.workbench.notice.clear()
        parts.workbench.show_session()
        error = controller.record_error
        if error is not None and transcript is not None:  # otherwise the workbench shows the error
            choice = ("Open another…", "open_another", self.commands.file.choose_record)
            text = f"Cannot open recording: {error.reason}. {error.hint}".strip()
            parts.workbench.notice.show_notice(text, choice, tone="error")
        timeline = controller.timeline
        for part in (parts.traffic, parts.timeline.made, parts.stderr):
            if part is not None:
                part.set_timeline(timeline)
        self._select_server()
        self._refresh()

    def _select_server(self) -> None:
        """Select the displayed server in the list without moving the focus; no server while a recording is open."""
        controller, servers = self.parts.controller, self.parts.servers
        if controller.record is not None:
            servers.clear_selection()
            return
        profile, current = controller.profile, servers.current()
        if profile is not None and (current is None or current.id != profile.id):
            servers.select(profile)

    def _refresh(self) -> None:
        controller = self.parts.controller
        has_servers = bool(self.parts.server_list.profiles)
        self.layout_state.sizes.set_empty(not has_servers and controller.transcript is None)
        self.refresh_commands()
        self._show_counts()
        name = controller.session.profile.name if controller.session is not None else ""
        if controller.record is not None:
            name = controller.record.path.name
        title = one_line(name, TITLE_LENGTH)
        self.setWindowTitle(f"{title} – Spyglass" if title else "Spyglass")

    def _show_counts(self) -> None:
        controller, status = self.parts.controller, self.parts.status
        session = controller.session if controller.is_connected else None
        status.show_counts(self.parts.traffic.model.timeline.transcripts, controller.sweep)
        self.bottom.show_counts(self.parts)
        self.commands.file.unsaved.report()
        if controller.record is not None:  # its number of frames grows while it is read
            self.header.refresh()
        status.show_ping(session.ping if session is not None else None)

    def refresh_commands(self) -> None:
        """Show the state of the session and which commands can run now."""
        self.header.refresh()
        self.commands.actions.refresh()

    def _on_reported(self) -> None:
        reporter = self.parts.reporter
        latest = reporter.problems[-1].summary if reporter.problems else ""
        self.parts.status.set_faults(len(reporter.problems) + reporter.dropped, latest)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes on in the order that is seen, and round at the end. Qt moves the focus too, from each part that is replaced."""
        is_done = self.is_populated and tab_around(self, forward=forward)
        return is_done or super().focusNextPrevChild(forward)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The docks get their part of the new size; Qt would take or give all of the difference to the pages."""
        super().resizeEvent(event)
        if self.isVisible():
            self.layout_state.sizes.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that nothing inside wanted."""
        keys = QKeySequence(event.keyCombination())
        if not (self.is_populated and self.commands.actions.press(keys)):
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask the application to end things in order first."""
        if self.allow_close:
            event.accept()
        elif self.is_populated and self.commands.file.unsaved.warn_before_quitting():
            event.ignore()
        else:
            event.ignore()
            self.close_requested.emit()
