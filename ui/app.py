"""The composition root: the only place where objects are made and handed to each other."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inspector.clock import SystemClock
from inspector.errors import InspectorError, StorageError
from inspector.features import elicitation, sampling
from inspector.library.client_file import ClientFile
from inspector.library.library import Library
from inspector.library.profile import Profile
from inspector.library.secrets import open_secrets, system_keyring
from inspector.library.servers_file import ServersFile
from inspector.library.settings import Settings, SettingsFile
from inspector.workspace import Workspace
from ui.aio import spawn
from ui.collector import Collector
from ui.errors import Reporter
from ui.features.client.page import ClientPage
from ui.features.elicitation.sheet import make_elicitation_sheet
from ui.features.overview.page import OverviewPage
from ui.features.prompts.page import PromptsPage
from ui.features.raw.page import RawPage
from ui.features.resources.page import ResourcesPage
from ui.features.roots.page import RootsPage
from ui.features.sampling.sheet import SamplingSheet
from ui.features.tools.page import ToolsPage
from ui.shell.conductor import Conductor
from ui.shell.main_window import MainWindow
from ui.shell.open_link import OpenLink, open_in_browser
from ui.theme import Theme

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication, QWidget

    from inspector.ask import Ask
    from ui.sheet import Sheet

DEMO_NAME = "Demo server"


@dataclass(frozen=True, slots=True)
class Folders:
    """Where things are kept."""

    config: Path
    """Servers and settings."""
    records: Path
    """Transcripts."""


class App:
    """Spyglass, put together."""

    def __init__(self, qt: QApplication, folders: Folders) -> None:
        """Make everything; nothing runs before `run`."""
        self.settings = SettingsFile(folders.config)
        saved = load_settings(self.settings)
        self.theme = Theme(qt)
        self.theme.apply(qt, saved.theme, saved.text_scale, sheet=False)
        self.collector = Collector(qt)
        self.reporter = Reporter(clock=SystemClock(), parent=qt)
        self.library = Library(
            ServersFile(folders.config),
            lambda: open_secrets(folders.config, system_keyring),
        )
        self.client = ClientFile(folders.config)
        self.workspace = Workspace(folders.records, self.client)
        self.conductor = Conductor(workspace=self.workspace, library=self.library, parent=qt)
        self.window = MainWindow(
            workspace=self.workspace,
            library=self.library,
            settings=self.settings,
            saved=saved,
            conductor=self.conductor,
            theme=self.theme,
            reporter=self.reporter,
            pages=(
                OverviewPage(theme=self.theme),
                ToolsPage(theme=self.theme),
                ResourcesPage(theme=self.theme),
                PromptsPage(theme=self.theme),
                RootsPage(theme=self.theme),
                ClientPage(theme=self.theme),
                RawPage(theme=self.theme),
            ),
            sheets={
                sampling.KIND: self._make_sampling_sheet,
                elicitation.KIND: self._make_elicitation_sheet,
            },
        )
        self.theme.apply(qt, saved.theme, saved.text_scale)

    async def run(
        self, stop: asyncio.Event, *, demo: bool = False, record: Path | None = None
    ) -> int:
        """Show the window until `stop` is set or the person closes it, then end everything in order."""
        loop = asyncio.get_running_loop()
        self.reporter.install(loop)
        self.window.close_requested.connect(stop.set)
        self.window.demo_wanted.connect(self.connect_demo)
        self.window.show()
        await asyncio.sleep(0)  # it is painted before anything is loaded aside
        try:
            await self._start(demo=demo, record=record)
            await stop.wait()
        finally:
            await self.aclose()
        return 0

    async def _start(self, *, demo: bool, record: Path | None) -> None:
        with contextlib.suppress(InspectorError):  # an unreadable list says so in its panel
            await self.library.load()
        with contextlib.suppress(
            InspectorError
        ):  # then the defaults hold, and the file is left as it is
            await self.client.load()
        if record is not None:
            self.conductor.open_record(record)
        elif demo:
            self.connect_demo()
        elif last := self.window.layout_state.last_server(self.library):
            self.window.servers.select(last)
        self.collector.start()

    def _make_sampling_sheet(self, ask: Ask, parent: QWidget) -> Sheet:
        sheet = SamplingSheet(
            ask,
            inbox=self.workspace.inbox,
            clock=SystemClock(),
            theme=self.theme,
            parent=parent,
        )
        sheet.link_wanted.connect(self._on_link_wanted)
        return sheet

    def _on_link_wanted(self, url: str) -> None:
        OpenLink(url, theme=self.theme, parent=self.window).open()

    def _make_elicitation_sheet(self, ask: Ask, parent: QWidget) -> Sheet:
        return make_elicitation_sheet(
            ask,
            inbox=self.workspace.inbox,
            clock=SystemClock(),
            theme=self.theme,
            open_url=open_in_browser,
            parent=parent,
        )

    def connect_demo(self) -> None:
        """Connect to the demo server, adding it to the list if it is not there."""
        known = next((p for p in self.library.profiles if p.name == DEMO_NAME), None)
        if known is None:
            known = demo_profile()
            self.library.add(known)
            spawn(self.window, self._save_library(), name="save the list of servers")
        self.conductor.connect_to(known)

    async def _save_library(self) -> None:
        with contextlib.suppress(InspectorError):  # it is added again at the next start
            await self.library.save()

    async def aclose(self) -> None:
        """Remember the arrangement, end the sessions, close the window."""
        self.window.setEnabled(False)
        with contextlib.suppress(
            InspectorError
        ):  # an arrangement that is not remembered is no reason to stay
            self.window.layout_state.save()
        await self.conductor.aclose()
        await self.workspace.aclose()
        with contextlib.suppress(InspectorError):  # as with the arrangement
            await self.client.aclose()
        await self.library.aclose()
        self.window.allow_close = True
        self.window.close()


def load_settings(file: SettingsFile) -> Settings:
    """What was remembered; the defaults when the file cannot be read, which is no reason not to start."""
    try:
        return file.load()
    except StorageError:
        return Settings()


def demo_profile() -> Profile:
    """How the server that ships with Spyglass is started."""
    return Profile(name=DEMO_NAME, command=sys.executable, args=("-m", "inspector.demo"))
