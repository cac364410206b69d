"""The page over a protected server on a real socket."""

from __future__ import annotations

from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import pytest

from inspector.auth.browser import LoginPageCheck, LoopbackListener
from inspector.auth.grant import Access
from inspector.auth.settings import Settings, Way
from inspector.errors import InspectorError
from inspector.workspace import Workspace
from tests.ui.features.conftest import on_screen
from ui.features.authorization.page import AuthorizationPage

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from contextlib import AbstractAsyncContextManager

    from pytestqt.qtbot import QtBot

    from inspector.auth.user_agent import Sender, UserAgent
    from inspector.open_session import OpenSession
    from tests.support.protected import Protected
    from ui.theme import Theme


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> AuthorizationPage:
    return on_screen(AuthorizationPage(theme=theme), qtbot)


async def _opens_nothing(_url: str) -> None:
    """The page shows the URL, and the user opens it."""


def listening(sender: Sender) -> UserAgent:
    """A browser on this machine, as the window has it."""
    return LoginPageCheck(LoopbackListener(_opens_nothing), sender)


def with_browser(server: Protected) -> Workspace:
    """A workspace whose logins wait for a browser."""
    settings = Settings(way=Way.CODE)
    return Workspace(None, access=lambda _: Access(settings, server.grants, listening))


@pytest.fixture
def shown(page: AuthorizationPage) -> Callable[..., AbstractAsyncContextManager[OpenSession]]:
    """Shows a session with a server on the page, connected or rejected."""

    @asynccontextmanager
    async def show(
        server: Protected, workspace: Workspace | None = None, *, connects: bool = True
    ) -> AsyncGenerator[OpenSession]:
        workspace = workspace or server.workspace()
        opened = workspace.open(server.profile)
        page.set_session(opened)
        try:
            if connects:
                with suppress(InspectorError):
                    await opened.connect()
            yield opened
        finally:
            page.set_session(None)
            await workspace.aclose()

    return show
