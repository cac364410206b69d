"""The Session menu: beginning and ending sessions, and asking the shown server things."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from ui.aio import spawn
from ui.pages import RAW, REPEAT, REPORT, RESOURCES, TASKS, TOOLS
from ui.shell.actions import Command, CommandGroup
from ui.shell.open_link import OpenLink

if TYPE_CHECKING:
    from inspector.compare.compared_frame import ComparedFrame
    from inspector.config.profile import Profile
    from ui.features.repeat.message_page import MessagePage
    from ui.features.repeat.page import RepeatPage
    from ui.features.repeat.raw_page import RawPage
    from ui.features.report.page import ReportPage
    from ui.features.resources.page import ResourcesPage
    from ui.features.tasks.page import TasksPage
    from ui.features.tools.page import ToolsPage
    from ui.shell.session_controller import SessionController


class SessionCommands(CommandGroup):
    """The commands of the Session menu that connect, disconnect and send requests."""

    menu = "&Session"

    def rows(self) -> tuple[Command, ...]:
        """The commands, in order."""
        return (
            *self._connection_commands(),
            *self._request_commands(),
            *self._server_commands(),
        )

    def _connection_commands(self) -> tuple[Command, ...]:
        controller = self._controller
        return (
            Command(
                "switch_server",
                "Switch &server…",
                lambda: self.window.header.open_server_menu(),
                "Ctrl+Shift+S",
            ),
            Command(
                "connect",
                "&Connect",
                self.connect_selected,
                "Ctrl+Shift+Return",
                enabled=self._can_connect,
            ),
            Command(
                "reconnect",
                "&Reconnect",
                controller.reconnect,
                "Ctrl+R",
                "mdi6.restart",
                enabled=self._has_session,
            ),
            Command(
                "reconnect_call",
                "Reconnect and call &again",
                self.reconnect_and_call,
                "Ctrl+F5",
                enabled=self._has_session,
            ),
            Command(
                "disconnect",
                "&Disconnect",
                self.disconnect_current,
                "Ctrl+Shift+D",
                enabled=lambda: controller.is_live,
            ),
        )

    def _request_commands(self) -> tuple[Command, ...]:
        return (
            Command(
                "ping", "&Ping", self.ping, "Ctrl+Shift+P", enabled=self._can_ping, separated=True
            ),
            Command(
                "review",
                "Review next re&quest",
                self.parts.inbox.review_next,
                "Ctrl+Shift+R",
                enabled=self.parts.inbox.has_pending,
            ),
            Command(
                "submit",
                "Call, &get, read or send",
                self.parts.workbench.submit,
                "Ctrl+Return",
                enabled=self.parts.workbench.can_submit,
                is_local=True,
            ),
            Command("lists", "Refresh &lists", self.read_lists, "F5", enabled=self._is_connected),
            Command(
                "probe",
                "Probe server…",
                lambda: cast("ReportPage", self.window.go(REPORT.key)).probe(),
                enabled=self._is_connected,
            ),
            Command(
                "raw",
                "Send ra&w message…",
                partial(self.window.go, RAW.key),
                "Ctrl+T",
                enabled=self._is_connected,
            ),
            Command(
                "send_many",
                "Send &many times…",
                self.send_many,
                "Ctrl+G",
                enabled=self._can_send_many,
            ),
        )

    def _server_commands(self) -> tuple[Command, ...]:
        rows = (
            ("edit", "&Edit server…", "F2"),
            ("duplicate", "D&uplicate server", "Ctrl+D"),
            ("remove", "Remo&ve server…", "Del"),
        )
        servers = self.parts.servers
        return tuple(
            Command(
                f"server_{name}",
                text,
                partial(servers.act, name),
                keys,
                enabled=lambda: servers.current() is not None,
                separated=name == rows[0][0],
                is_local=True,
            )
            for name, text, keys in rows
        )

    @property
    def _controller(self) -> SessionController:
        return self.parts.controller

    def connect_selected(self) -> None:
        """Connect to the server that is selected on the left."""
        profile = self.parts.servers.current()
        if profile is not None:
            self._controller.connect_to(profile)

    @property
    def _tools(self) -> ToolsPage | None:
        """The page of the tools, if a session is shown there."""
        if self._controller.session is None:
            return None
        return cast("ToolsPage", self.parts.workbench.page(TOOLS.key))

    def reconnect_and_call(self) -> None:
        """Begin another run of the shown server, and make the call that is shown again in it."""
        page = self._tools
        if page is None or not page.can_repeat:
            self.parts.status.show_message("No call to repeat. Call a tool first.")
            return
        self.parts.workbench.show_page(TOOLS.key)
        page.repeat_in_next_run()
        self._controller.reconnect()

    def disconnect_current(self) -> None:
        """End the shown session."""
        if self._controller.session is not None:
            self._controller.disconnect_from(self._controller.session.profile)

    def edit_current(self) -> None:
        """Open the editor for the server that is shown."""
        profile = self._current_profile()
        if profile is not None:
            self.parts.servers.edit(profile)

    def connect_with(self, revision: str) -> None:
        """Connect to the shown server again, insisting on a revision."""
        profile = self._current_profile()
        if profile is not None:
            self._controller.connect_to(profile, revision=revision)

    def ping(self) -> None:
        """Ask the shown server whether it is there; the status bar has the answer."""
        session = self._controller.session
        if session is not None and self._can_ping():
            spawn(self.window, session.ping.once(), name="ping")

    def read_lists(self) -> None:
        """Read the lists of the shown server again."""
        if self._controller.session is not None:
            spawn(self.window, self._controller.session.read_lists(), name="refresh lists")

    def edit_and_send(self, text: str) -> None:
        """Put a message into the raw page, to be edited and sent."""
        if self._can_send():
            cast("RawPage", self.window.go(RAW.key)).set_text(text)

    def repeat(self, frame: ComparedFrame) -> None:
        """Put a sent message into the repeat page, to be sent again."""
        if self._can_send():
            cast("RepeatPage", self.window.go(REPEAT.key)).repeat(frame)

    def send_many(self) -> None:
        """Show how often the message of the page in front is sent, or hide it."""
        cast("MessagePage", self.parts.workbench.current).bar.repeat.click()

    def _can_send_many(self) -> bool:
        workbench = self.parts.workbench
        page = workbench.specs[workbench.tabs.currentIndex()]
        return page in {RAW, REPEAT} and self._controller.is_connected

    def _can_send(self) -> bool:
        """Return whether there is a connection, and say it if not."""
        if not self._controller.is_connected:
            self.parts.status.show_message("Not connected. Connect to a server first.")
        return self._controller.is_connected

    def read_resource(self, uri: str) -> None:
        """Read a resource that something refers to."""
        cast("ResourcesPage", self.window.go(RESOURCES.key)).read_uri(uri)

    def show_task(self, task: str) -> None:
        """Show the task of that id."""
        cast("TasksPage", self.window.go(TASKS.key)).show_task(task)

    def ask_about_link(self, url: str) -> None:
        """Show where a link of a server leads, and open it only if the user confirms."""
        OpenLink(url, theme=self.window.theme, parent=self.window).open()

    def _has_session(self) -> bool:
        return self._controller.session is not None

    def _is_connected(self) -> bool:
        return self._controller.is_connected

    def _can_ping(self) -> bool:
        session = self._controller.session
        return session is not None and self._controller.is_connected and session.ping.offered

    def _can_connect(self) -> bool:
        profile = self.parts.servers.current()
        return profile is not None and not self._controller.is_live_with(profile)

    def _current_profile(self) -> Profile | None:
        session = self._controller.session
        if session is None:
            return None
        return self.parts.server_list.find(session.profile.id) or session.profile
