"""The composition root: the only place where objects are made and handed to each other."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from importlib import import_module
from typing import TYPE_CHECKING

from inspector.background_tasks import IMPORTING, import_aside
from inspector.clock import SystemClock
from inspector.config.authorization import access_of
from inspector.config.client_settings import ClientSettings
from inspector.config.profile import Profile
from inspector.config.saved_grants import LOCKS, SavedGrants
from inspector.config.secrets import (
    keyring_or_memory,
    open_secrets,
    system_keyring,
)
from inspector.config.server_list import ServerList
from inspector.config.servers_file import ServersFile
from inspector.errors import InspectorError
from inspector.inbox import ELICITATION, SAMPLING
from inspector.workspace import Workspace
from ui.aio import spawn
from ui.errors import Reporter
from ui.focus import FocusKeeper
from ui.garbage_collector import GuiThreadCollector
from ui.lazy_imports import IMPORTING_STEP_S, import_in_pieces
from ui.shell.session_controller import Restarts, SessionController
from ui.startup import AppPaths, Startup

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication, QWidget

    from inspector.auth.grant import Access
    from inspector.inbox import InboxItem
    from ui.inbox_dialog import InboxDialog

__all__ = ["DEMO_NAME", "App", "AppPaths", "demo_profile"]

DEMO_NAME = "Demo server"

STARTUP_IMPORTS = (
    "ui.traffic.panel",
    "ui.connect.servers_panel",
    "ui.shell.window_parts",
    "ui.shell.commands",
    "ui.shell.header",
)
"""What the window is furnished with, in pieces whose import does not keep the first connection waiting long."""

IDLE_IMPORTS = (
    "inspector.checks",
    "inspector.features",
    "inspector.session",
    "ui.widgets",
    "ui.models",
    "ui.render",
    "ui.request",
    "ui.features",
    "ui.traffic",
    "ui.connect",
    "ui.inbox",
    "ui.shell",
)
"""Everything else, imported when there is time, so that the user does not wait for it later."""

IMPORTED_ON_DEMAND = frozenset(
    {
        "inspector.checks.report_formats",
        "inspector.checks.rules_page",
        "ui.connect.authorization_panel",
        "ui.features.authorization",
        "ui.features.compare",
        "ui.features.elicitation",
        "ui.features.report.probe_dialog",
        "ui.features.report.probing",
        "ui.features.sampling",
        "ui.shell.help_window",
        "ui.shell.import_choice",
        "ui.traffic.comment_dialog",
        "ui.traffic.saved_filter_dialog",
    }
)
"""What few users open, or few servers ask for: imported when it is opened, which takes 10 to 60 ms."""

INDEXES = "indexes"
"""Folder beside the recordings for what was derived from them; it may be deleted at any time."""

AUTOCONNECT_WAIT_STEPS, AUTOCONNECT_STEP_S = 40, 0.05
"""How often, and at which interval in seconds, startup checks whether the first server is connected."""


class App:
    """Spyglass, put together."""

    def __init__(
        self, qt: QApplication, folders: AppPaths, *, opening: Startup | None = None
    ) -> None:
        """Make what can be without a window, around the one of `opening`, if that is on the screen already."""
        opening = opening or Startup(qt, folders)
        self.settings = opening.settings
        self.theme = opening.theme
        self.window = opening.window
        self._qt = qt
        self.collector = GuiThreadCollector(qt)
        self.reporter = Reporter(clock=SystemClock(), parent=qt)
        self._grants = SavedGrants(
            lambda: keyring_or_memory(system_keyring), folders.config / LOCKS
        )
        self.server_list = ServerList(
            ServersFile(folders.config),
            lambda: open_secrets(folders.config, system_keyring),
            grants=self._grants,
        )
        self.client = ClientSettings(folders.config)
        self.workspace = Workspace(folders.records, self.client, access=self._access)
        self.reporter.without_secrets = self.workspace.without_secrets
        self.controller = SessionController(
            workspace=self.workspace,
            server_list=self.server_list,
            indexes=folders.records / INDEXES,
            parent=qt,
        )

    async def run(
        self, stop: asyncio.Event, *, demo: bool = False, record: Path | None = None
    ) -> int:
        """Show the window until `stop` is set or the user closes it, then end everything in order."""
        loop = asyncio.get_running_loop()
        self.reporter.install(loop)
        self.window.close_requested.connect(stop.set)
        self.window.demo_requested.connect(self.connect_demo)
        self.window.show()
        making = spawn(self.window, self._start(demo=demo, record=record), name="start")
        try:
            await stop.wait()
        finally:
            making.cancel()
            await asyncio.gather(making, return_exceptions=True)
            await self.aclose()
        return 0

    def _access(self, profile: Profile) -> Access | None:
        """How a server grants access: no browser is opened before the user selected *Authorize…*."""
        return access_of(profile, self._grants, _show_login, requires_consent=True)

    def populate_window(self) -> None:
        """Fill the bare window, if that was not done yet."""
        if self.window.is_populated:
            return
        from ui.shell.window_parts import make_parts

        with self.theme.stylesheet_suspended():
            self.window.populate(
                make_parts(
                    self.window,
                    workspace=self.workspace,
                    server_list=self.server_list,
                    controller=self.controller,
                    reporter=self.reporter,
                    dialogs={
                        SAMPLING: self._make_sampling_dialog,
                        ELICITATION: self._make_elicitation_dialog,
                    },
                )
            )
        self.window.lay_out()
        FocusKeeper(self._qt, parent=self.window)
        Restarts(
            workspace=self.workspace,
            server_list=self.server_list,
            controller=self.controller,
            parent=self.window,
        )

    async def _start(self, *, demo: bool, record: Path | None) -> None:
        with contextlib.suppress(InspectorError):  # an unreadable list says so in its panel
            await self.server_list.load()
        with contextlib.suppress(
            InspectorError
        ):  # then the defaults hold, and the file is left as it is
            await self.client.load()
        self.server_list.add_notes(*filter(None, (self.settings.note, self.client.note)))
        if demo and record is None:
            self.connect_demo()
        for name in STARTUP_IMPORTS:  # while the server starts
            await asyncio.sleep(0)
            import_module(name)
        self.populate_window()
        if record is not None:
            self.controller.open_record(record)
        elif not demo and (last := self.window.layout_state.last_server(self.server_list)):
            self.window.parts.servers.select(last)
        await self._make_pages()
        self.collector.start()

    async def _make_pages(self) -> None:
        """Make the pages whose tabs show something of them, once the first server is connected or has failed to.

        The others are imported, and made when they are opened.
        """
        for _ in range(AUTOCONNECT_WAIT_STEPS):
            was_beginning = self.controller.is_beginning
            await asyncio.sleep(AUTOCONNECT_STEP_S)  # what the server has is painted
            if not was_beginning:
                break
        # In one piece, and without Qt: in a thread. The first result that is displayed needs the colors of JSON.
        await import_aside("markdown_it", "pygments.lexers.data", "pygments.util")
        for _ in import_in_pieces(*IDLE_IMPORTS, left_out=IMPORTED_ON_DEMAND):
            await asyncio.sleep(IMPORTING_STEP_S if IMPORTING.locked() else 0)
        workbench = self.window.parts.workbench
        for spec in (spec for spec in workbench.specs if spec.is_made_early):
            page = workbench.page(spec.key)
            await asyncio.sleep(0)
            page.complete()
            await asyncio.sleep(0)

    def _make_sampling_dialog(self, ask: InboxItem, parent: QWidget) -> InboxDialog:
        from ui.features.sampling.dialog import SamplingDialog

        return SamplingDialog(
            ask, inbox=self.workspace.inbox, clock=SystemClock(), theme=self.theme, parent=parent
        )

    def _make_elicitation_dialog(self, ask: InboxItem, parent: QWidget) -> InboxDialog:
        from ui.features.elicitation.dialog import make_elicitation_dialog
        from ui.shell.open_link import open_in_browser

        return make_elicitation_dialog(
            ask,
            inbox=self.workspace.inbox,
            clock=SystemClock(),
            theme=self.theme,
            open_url=open_in_browser,
            parent=parent,
        )

    def connect_demo(self) -> None:
        """Connect to the demo server, adding it to the list if it is not there."""
        known = next((p for p in self.server_list.profiles if p.name == DEMO_NAME), None)
        if known is None:
            known = demo_profile()
            self.server_list.add(known)
            spawn(self.window, self._save_library(), name="save server list")
        self.controller.connect_to(known)

    async def _save_library(self) -> None:
        with contextlib.suppress(InspectorError):  # it is added again at the next start
            await self.server_list.save()

    async def aclose(self) -> None:
        """Remember the arrangement, end the sessions, close the window."""
        self.window.setEnabled(False)
        with contextlib.suppress(
            InspectorError
        ):  # an arrangement that is not remembered is no reason to stay
            if self.window.is_populated:
                self.window.layout_state.save()
        await self.controller.aclose()
        await self.workspace.aclose()
        with contextlib.suppress(InspectorError):  # as with the arrangement
            await self.client.aclose()
        with contextlib.suppress(InspectorError):  # a locked keyring is no reason to stay
            await self.server_list.aclose()
        self.window.allow_close = True
        self.window.close()


async def _show_login(url: str) -> None:
    """Open nothing: the view of the authorization shows the URL, and opens it when the user asks for that."""


def demo_profile() -> Profile:
    """How the server that ships with Spyglass is started."""
    return Profile(name=DEMO_NAME, command=sys.executable, args=("-m", "inspector.demo"))
