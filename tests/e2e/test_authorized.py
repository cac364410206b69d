"""A user logs in to servers that nobody here protected: official SDKs, an authorization server from npm, and the example of an SDK; ours."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices

from inspector.frozen import FrozenStruct
from tests.e2e import work
from tests.e2e.peers import Act
from tests.e2e.user import spyglass
from tests.e2e.waits import until
from tests.support.form_browser import FormBrowser
from tests.support.real_parts import (
    authorization_server,
    python_server,
    typescript_example,
    typescript_server,
)
from tests.support.recordings import written
from tests.support.traces import traces

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from inspector.auth.authorizer import Authorizer
    from tests.e2e.user import User

pytestmark = pytest.mark.timeout(180, method="thread")

WHOAMI = Act("whoami", seen="mcp:read")
GREET = Act("Greeting Tool", {"/name": "Ada"}, "Hello, Ada!")


class Server(FrozenStruct, frozen=True):
    """A protected server."""

    url: str
    speaks: Act
    """Answers only whoever is let in."""
    is_complete: bool = True
    """Whether its authorization server shows a login page, and gives refresh tokens; the example redirects at once."""


@pytest.fixture(params=["python", "typescript", "example"])
def server(
    request: pytest.FixtureRequest,
    npm_folder: Path,
    sdk2_python: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Generator[Server]:
    """One of them, with its authorization server."""
    printed = tmp_path_factory.mktemp("printed")
    with ExitStack() as stack:
        if request.param == "example":
            url = stack.enter_context(typescript_example(npm_folder, printed))
            yield Server(url, GREET, is_complete=False)
            return
        issuer = stack.enter_context(authorization_server(npm_folder, printed))
        if request.param == "python":
            made = python_server(sdk2_python, issuer, printed, "mcp:read")
        else:
            made = typescript_server(npm_folder, issuer, printed)
        yield Server(stack.enter_context(made), WHOAMI)


class Browser(QObject):
    """What the system opens URLs with while a test runs: a browser that logs in."""

    def __init__(self) -> None:
        super().__init__()
        self.form = FormBrowser()
        self._logins: list[asyncio.Future[None]] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        """Take a URL that a window hands to the system."""
        address = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        self._logins.append(asyncio.ensure_future(self.form.open_url(address)))

    async def is_done(self) -> None:
        """Wait until every page was filled in."""
        await asyncio.gather(*self._logins)


@pytest.fixture
def browser(qapp: QApplication) -> Generator[Browser]:
    """In the place of the one that the system has."""
    browser = Browser()
    QDesktopServices.setUrlHandler("http", browser, "open")  # pyright: ignore[reportArgumentType] - a name, whatever the stub says
    yield browser
    QDesktopServices.unsetUrlHandler("http")


def authorizer_of(user: User) -> Authorizer:
    authorizer = work.shown(user).authorizer
    assert authorizer is not None
    return authorizer


async def log_in(user: User, url: str, browser: Browser, *, with_page: bool = True) -> None:
    """Connect, read what the server asks for, authorize, look at the URL, open it, and wait for the connection."""
    await work.begin(user, url)
    await user.clicks("authorize")
    if with_page:
        await user.clicks("authorization_open")
    controller = user.app.controller
    await until(lambda: controller.is_connected, "the connection", 20)
    await browser.is_done()
    await work.is_ready(user)


async def test_a_user_logs_in_calls_a_tool_renews_the_token_and_gives_it_back(
    qapp: QApplication, tmp_path: Path, server: Server, browser: Browser
) -> None:
    """C-AUT-02, C-AUT-10, C-AUT-22, C-AUT-42, C-AUT-43: and nothing of it is left on the disk."""
    async with spyglass(qapp, tmp_path) as user:
        await log_in(user, server.url, browser, with_page=server.is_complete)
        secrets = set(work.shown(user).session.transcript.redaction.values)
        await work.call(user, server.speaks)
        assert server.speaks.seen in user.reads("call_result")
        assert len(browser.form.visited) == server.is_complete

        await user.opens_tab("Authorization")
        assert user.reads("authorization_status") == "Authorized"
        if server.is_complete:
            grant = authorizer_of(user).grant
            assert grant is not None
            await user.clicks("authorization_fold")
            await user.clicks("authorization_refresh")
            await until(lambda: authorizer_of(user).grant is not grant, "another token")
            secrets |= set(work.shown(user).session.transcript.redaction.values)
            await user.clicks("authorization_revoke")
            await user.clicks("authorization_confirm")
            await until(lambda: authorizer_of(user).grant is None, "no token")

    assert len(secrets) >= 5
    assert traces(secrets, written(tmp_path)) == []


async def test_a_tool_that_needs_another_scope_leads_to_the_page_and_then_works(
    qapp: QApplication, tmp_path: Path, npm_folder: Path, browser: Browser
) -> None:
    """C-AUT-33, C-AUT-34: the client is registered again, for the scope that it was not registered for."""
    with (
        authorization_server(npm_folder, tmp_path) as issuer,
        typescript_server(npm_folder, issuer, tmp_path) as url,
    ):
        async with spyglass(qapp, tmp_path) as user:
            await log_in(user, url, browser)
            await work.call(user, Act("write"))
            await user.clicks("authorize_session")
            await user.clicks("authorization_run")
            await user.clicks("authorization_open")
            await until(lambda: user.reads("authorization_status") == "Authorized", "tokens", 20)
            await browser.is_done()

            await work.call(user, Act("write"))
            assert "written" in user.reads("call_result")
