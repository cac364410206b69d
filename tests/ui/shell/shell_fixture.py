"""A running Spyglass, the server behind it, and what tests do with both."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from inspector.config.profile import Profile
from inspector.session.session_state import SessionState
from tests.support.answering import AnsweringServer, tool
from tests.support.wait import wait_until
from ui.app import App, AppPaths
from ui.features.tools.page import ToolsPage

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    import pytest
    from PySide6.QtWidgets import QApplication

    from inspector.open_session import OpenSession
    from inspector.session.transport_factory import ConnectionTarget
    from inspector.transport.base import Transport
    from inspector.transport.http.credentials import Credentials
    from inspector.wire.json_codec import Json, JsonObject


def many_tools() -> AnsweringServer:
    """A server with forty tools, each with two parameters."""
    schema: JsonObject = {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
    }
    tools: list[Json] = [tool(f"tool_{at:02}", inputSchema=schema) for at in range(40)]
    server = AnsweringServer({"tools/list": lambda _: {"tools": tools}})
    server.answers["tools/call"] = lambda _: {"content": [{"type": "text", "text": "fine"}]}
    return server


class ShellFixture:
    """One window."""

    def __init__(self, app: App, server: AnsweringServer) -> None:
        self.app = app
        self.window = app.window
        self.controller = app.controller
        self.server = server
        """Whom the next session talks to."""
        self.running: asyncio.Future[int] | None = None
        """The program, where a test starts it itself."""

    def connect(
        self, profile: ConnectionTarget, credentials: Credentials | None = None
    ) -> Transport:
        """Take the place of processes and sockets, which nobody has to be let into."""
        assert isinstance(profile, Profile)
        return self.server.connect(profile)

    @property
    def session(self) -> OpenSession:
        """The session that is shown."""
        assert self.controller.session is not None
        return self.controller.session

    @property
    def tools(self) -> ToolsPage:
        """The tools page."""
        page = self.window.parts.workbench.page(ToolsPage.info.key)
        assert isinstance(page, ToolsPage)
        return page

    async def started(self) -> None:
        """Wait for the window and what it is filled with; pages are made when they are opened, or later, when there is time."""
        await wait_until(self.window.isVisible)
        self.window.activateWindow()
        await wait_until(self.window.isActiveWindow)
        await wait_until(lambda: self.window.is_populated)

    def make_pages(self) -> None:
        """Make every page now, as Spyglass does some time after its start."""
        workbench = self.window.parts.workbench
        for spec in workbench.specs:
            workbench.page(spec.key).complete()

    def add(self, name: str = "server") -> Profile:
        """Put a server into the list."""
        profile = Profile(name=name, command=name)
        self.app.server_list.add(profile)
        return profile

    async def open(self, name: str = "server") -> OpenSession:
        """Add a server, connect to it and wait until its lists are read."""
        profile = self.add(name)
        self.controller.connect_to(profile)
        await wait_until(lambda: self.is_ready(profile))
        return self.session

    def is_ready(self, profile: Profile) -> bool:
        """Whether that server is shown, connected and read."""
        session = self.controller.session
        return (
            session is not None
            and session.profile.id == profile.id
            and session.session.state is SessionState.READY
            and session.tools.state == "read"
        )

    def dispose(self) -> None:
        """Delete what the end of the program would."""
        self.app.collector.stop()
        for thing in (
            self.window,
            self.controller,
            self.app.collector,
            self.app.reporter,
            self.app.theme,
        ):
            thing.deleteLater()


async def breathe() -> None:
    """Let what is due now happen."""
    for _ in range(3):
        await asyncio.sleep(0)


@asynccontextmanager
async def running(
    qapp: QApplication, folder: Path, monkeypatch: pytest.MonkeyPatch, server: AnsweringServer
) -> AsyncGenerator[ShellFixture]:
    """Spyglass, started for the first time with its files in `folder`; sessions talk to `server`. It is ended in order, and must have had no fault of its own."""
    app = App(qapp, AppPaths(folder, folder / "records"))
    shell = ShellFixture(app, server)
    monkeypatch.setattr("inspector.workspace.make_transport", shell.connect)
    stop = asyncio.Event()
    ended = asyncio.ensure_future(app.run(stop))
    await shell.started()
    yield shell
    stop.set()
    assert await ended == 0
    shell.dispose()
    assert [problem.traceback for problem in app.reporter.problems] == []
