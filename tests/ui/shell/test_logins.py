"""A protected server in the window: what it asks for, *Authorize…*, the login, and the connection that goes on; ours throughout."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urljoin

import httpx
import keyring
import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget

from inspector.auth.settings import Waiver
from inspector.config.profile import Profile
from inspector.errors import InspectorError
from inspector.session.session_state import SessionState
from tests.engine.demo.auth.site import Form
from tests.support.answering import AnsweringServer
from tests.support.demo_server import demo
from tests.support.http_stub import HttpStub, reply
from tests.support.keyrings import KeyringInMemory
from tests.support.protected import Protected, log_in
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, sees
from tests.ui.shell.shell_fixture import ShellFixture
from ui.app import App, AppPaths
from ui.connect.authorization_need import Need
from ui.connect.authorization_panel import AuthorizationPanel
from ui.connect.editor import ServerEditor
from ui.connect.state_styles import LOGIN, style_of
from ui.widgets.key_values import KeyValues

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from ui.connect.steps_view import ConnectionSteps

W = TypeVar("W", bound=QWidget)


class Browser:
    """The browser of the user: what it was told to open, and the user in front of it."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.logins: list[asyncio.Future[int]] = []
        self.is_used = True
        self.log_in = log_in
        """What the user does on the page."""

    def open(self, url: str) -> None:
        self.opened.append(url)
        if self.is_used:
            self.logins.append(asyncio.ensure_future(self.log_in(url)))


@pytest.fixture
async def shell(qapp: QApplication, tmp_path: Path) -> AsyncGenerator[ShellFixture]:
    """Spyglass over real sockets, with a keyring; it must have had no fault of its own."""
    before = keyring.get_keyring()
    keyring.set_keyring(KeyringInMemory())
    app = App(qapp, AppPaths(tmp_path, tmp_path / "records"))
    shell = ShellFixture(app, AnsweringServer())
    stop = asyncio.Event()
    running = asyncio.ensure_future(app.run(stop))
    await shell.started()
    yield shell
    stop.set()
    assert await running == 0
    shell.dispose()
    keyring.set_keyring(before)
    assert [problem.traceback for problem in app.reporter.problems] == []


@pytest.fixture
async def browser(shell: ShellFixture) -> AsyncGenerator[Browser]:
    browser = Browser()
    shell.window.commands.logins.open_url = browser.open
    yield browser
    await asyncio.gather(*browser.logins, return_exceptions=True)


def steps(shell: ShellFixture) -> ConnectionSteps:
    return shell.window.parts.workbench.steps


def part(within: QWidget, kind: type[W], name: str) -> W:
    found = within.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


async def press(within: QWidget, name: str) -> None:
    button = part(within, QPushButton, name)
    await wait_until(button.isVisible)
    button.click()


def holding(folder: Path, text: str) -> list[Path]:
    """The files in a folder that hold a text."""
    return [
        each for each in folder.rglob("*") if each.is_file() and text.encode() in each.read_bytes()
    ]


async def needs(shell: ShellFixture, need: Need) -> AuthorizationPanel:
    def is_shown() -> bool:
        shown = steps(shell).findChildren(AuthorizationPanel)
        is_there = any(panel.need is need and panel.isVisible() for panel in shown)
        return is_there and shown[0].browser.isVisible() is (need is Need.BROWSER)

    await wait_until(is_shown)
    return part(steps(shell), AuthorizationPanel, "authorization_panel")


async def open_login(shell: ShellFixture) -> None:
    """Look at the URL of the login page, and have it opened."""
    await press(await needs(shell, Need.BROWSER), "authorization_open")


def connect(shell: ShellFixture, profile: Profile) -> None:
    shell.app.server_list.add(profile)
    shell.controller.connect_to(profile)


async def is_connected(shell: ShellFixture) -> None:
    await wait_until(lambda: shell.controller.is_connected)


async def test_a_protected_server_is_a_step_that_tells_what_it_asks_for(
    shell: ShellFixture, browser: Browser
) -> None:
    async with Protected(shows_login=True) as server:
        connect(shell, server.profile)
        shown = await needs(shell, Need.LOGIN)

        assert style_of(shell.session.session) is LOGIN
        values = part(shown, KeyValues, "authorization_facts").facts()
        facts = {fact.name: fact.value for fact in values}
        assert facts["Authorization server"] == server.issuer
        assert facts["Scopes"] == "read"
        assert "401" in facts["Response"]
        assert "oauth-protected-resource" in facts["Resource metadata"]
        assert part(shown, QPushButton, "authorize").property("primary") is True
        retry = part(shell.window, QPushButton, "retry_connect")
        assert retry.property("primary") is False
        assert server.count("POST /register") == 0
        assert browser.opened == []


async def test_the_browser_is_opened_once_the_whole_url_was_confirmed_and_the_connection_goes_on(
    shell: ShellFixture, browser: Browser
) -> None:
    async with Protected(shows_login=True) as server:
        connect(shell, server.profile)
        await press(await needs(shell, Need.LOGIN), "authorize")

        shown = await needs(shell, Need.BROWSER)
        assert browser.opened == []
        assert part(shown, QLabel, "authorization_host").text() in server.issuer
        whole = part(shown, QWidget, "authorization_url").accessibleName()
        assert f"{server.issuer}/authorize?" in whole

        await open_login(shell)
        await is_connected(shell)

        (url,) = browser.opened
        assert url.startswith(f"{server.issuer}/authorize?")
        assert steps(shell).need is Need.NOTHING
        assert server.count("POST /token") == 1


async def test_a_stored_token_works_without_a_word_in_the_next_run_and_after_a_restart(
    shell: ShellFixture, browser: Browser, qapp: QApplication, tmp_path: Path
) -> None:
    async with Protected(shows_login=True) as server:
        connect(shell, server.profile)
        await press(await needs(shell, Need.LOGIN), "authorize")
        await open_login(shell)
        await is_connected(shell)

        before = server.count("POST /mcp")
        first = shell.session
        shell.controller.reconnect()
        await wait_until(lambda: shell.session is not first and shell.controller.is_connected)

        assert all("authorization" in each.headers for each in server.asked("POST /mcp")[before:])
        assert len(browser.opened) == 1
        assert not holding(tmp_path, "access-token")
        later = App(qapp, AppPaths(tmp_path, tmp_path / "records"))
        opened = later.workspace.open(server.profile)
        await opened.connect()
        await later.workspace.aclose()
        ShellFixture(later, AnsweringServer()).dispose()
        assert len(browser.opened) == 1


async def test_a_url_can_be_pasted_and_a_wrong_one_is_explained(
    shell: ShellFixture, browser: Browser
) -> None:
    """Ours: for a browser on another computer."""
    browser.is_used = False
    async with Protected(shows_login=True) as server:
        connect(shell, server.profile)
        await press(await needs(shell, Need.LOGIN), "authorize")
        shown = await needs(shell, Need.BROWSER)

        await press(shown, "authorization_copy_url")
        url = QGuiApplication.clipboard().text()
        await press(shown, "authorization_paste")
        line = part(shown, QLineEdit, "authorization_redirect")
        line.setText("not a URL")
        await press(shown, "authorization_use_redirect")
        assert part(shown, QLabel, "authorization_redirect_error").isVisible()

        state = url.partition("state=")[2].partition("&")[0]
        callback = f"http://127.0.0.1:1/callback?code=the-code&state={state}&iss={server.issuer}"
        error = part(shown, QLabel, "authorization_redirect_error")

        def is_taken() -> bool:
            """Paste; before the login page was looked at, nothing is awaited yet."""
            line.setText(callback)
            QTest.keyClick(line, Qt.Key.Key_Return)
            return error.isHidden()

        await wait_until(is_taken)
        await is_connected(shell)
        assert browser.opened == []


async def test_a_login_that_is_cancelled_can_be_tried_again(
    shell: ShellFixture, browser: Browser
) -> None:
    browser.is_used = False
    async with Protected(shows_login=True) as server:
        connect(shell, server.profile)
        await press(await needs(shell, Need.LOGIN), "authorize")
        await press(await needs(shell, Need.BROWSER), "cancel_login")

        await wait_until(lambda: shell.session.session.state is SessionState.FAILED)
        shown = await needs(shell, Need.LOGIN)
        assert style_of(shell.session.session) is LOGIN  # cancelled by the user: no failure

        browser.is_used = True
        await press(shown, "authorize")
        await open_login(shell)
        await is_connected(shell)


async def test_a_rule_that_the_server_breaks_can_be_waived_for_it(
    shell: ShellFixture, browser: Browser
) -> None:
    async with Protected(metadata={"code_challenge_methods_supported": ["plain"]}) as server:
        connect(shell, replace(server.profile, revision=""))
        shown = await needs(shell, Need.REPAIR)
        await press(shown, "accept_waiver")

        await wait_until(lambda: bool(shell.app.server_list.profiles[0].authorization.waivers))
        assert shell.app.server_list.profiles[0].authorization.waivers == {Waiver.PKCE}
        await is_connected(shell)
        assert browser.opened == []  # this authorization endpoint redirects at once


async def test_a_server_that_wants_a_password_leads_to_its_headers(shell: ShellFixture) -> None:
    basic = reply(401, www_authenticate='Basic realm="staging"')
    async with HttpStub(otherwise=lambda _: basic) as stub:
        connect(shell, Profile(name="x", transport="http", url=stub.url))
        await press(await needs(shell, Need.CREDENTIALS), "use_basic")

        editor = part(shell.window, ServerEditor, "server_editor")
        assert editor.form.headers.pairs() == (("Authorization", "Basic "),)
        editor.discard()


async def test_a_token_that_ends_in_the_session_is_told_with_the_way_to_another(
    shell: ShellFixture, browser: Browser
) -> None:
    async with Protected(shows_login=True) as server:
        connect(shell, server.profile)
        await press(await needs(shell, Need.LOGIN), "authorize")
        await open_login(shell)
        await is_connected(shell)
        server.valid, server.refresh = set(), "another"
        with pytest.raises(InspectorError):
            await shell.session.session.request("tools/call", {"name": "a", "arguments": {}})

        await wait_until(
            lambda: shell.window.findChild(QPushButton, "authorize_session") is not None
        )
        assert shell.controller.is_connected
        assert len(browser.opened) == 1

        await press(shell.window, "authorize_session")
        page = shell.window.parts.workbench.page("authorization")
        await press(page, "authorization_open")
        await wait_until(lambda: bool(server.valid))
        await shell.session.session.request("tools/call", {"name": "a", "arguments": {}})


async def test_a_login_that_is_needed_later_is_not_asked_for_unasked(
    shell: ShellFixture, browser: Browser
) -> None:
    async with Protected(shows_login=True) as server:
        connect(shell, server.profile)
        await press(await needs(shell, Need.LOGIN), "authorize")
        await open_login(shell)
        await is_connected(shell)
        server.valid, server.refresh = set(), "another"
        shell.controller.reconnect()

        await needs(shell, Need.LOGIN)
        assert len(browser.opened) == 1


async def test_a_header_that_the_server_rejects_is_no_login(
    shell: ShellFixture, browser: Browser
) -> None:
    """Ours: the user chose to send it in the place of a token."""
    async with Protected() as server:
        connect(shell, replace(server.profile, headers=(("Authorization", "Bearer wrong"),)))
        await wait_until(lambda: shell.controller.session is not None)
        await wait_until(lambda: shell.session.session.state is SessionState.FAILED)

        assert steps(shell).need is Need.NOTHING
        assert server.count("GET /.well-known/oauth-protected-resource/mcp") == 0
        assert browser.opened == []


async def test_the_demo_server_is_logged_in_to_on_its_own_page(
    shell: ShellFixture, browser: Browser
) -> None:
    """Ours: a server of its own process, whose login page is filled in as a browser would."""
    browser.log_in = fill_in
    async with demo("--http", "0", "--auth") as url:
        connect(shell, Profile(name="demo", transport="http", url=url))
        await press(await needs(shell, Need.LOGIN), "authorize")
        await open_login(shell)

        await is_connected(shell)
        await wait_until(lambda: shell.session.tools.state == "read")
        assert len(browser.opened) == 1


async def fill_in(url: str) -> int:
    """Allow all on the login page of the demo server."""
    async with httpx.AsyncClient(trust_env=False, follow_redirects=True) as http:
        form = Form((await http.get(url)).text)
        scopes = [value for name, value in form.fields if name == "scope"]
        answers = {**dict(form.fields), "scope": scopes, "decision": "allow"}
        return (await http.post(urljoin(url, form.action), data=answers)).status_code


async def test_a_server_that_is_disconnected_while_the_login_waits_can_be_authorized_later(
    shell: ShellFixture, browser: Browser
) -> None:
    """Ours: nothing listens any more, and no permission is left."""
    async with Protected(shows_login=True) as server:
        connect(shell, server.profile)
        await press(await needs(shell, Need.LOGIN), "authorize")
        await needs(shell, Need.BROWSER)
        session = shell.session
        shell.controller.disconnect_from(session.profile)
        await wait_until(lambda: session.session.state is SessionState.CLOSED)

        shell.controller.reconnect()
        await press(await needs(shell, Need.LOGIN), "authorize")
        await open_login(shell)
        await is_connected(shell)
        assert len(browser.opened) == 1


async def test_a_login_page_that_waits_is_counted_and_leads_to_its_authorization(
    shell: ShellFixture, browser: Browser
) -> None:
    """In the status bar, on the tab and in the list of servers, as a request of a server is."""
    browser.is_used = False
    window, workbench = shell.window, shell.window.parts.workbench
    at = [spec.key for spec in workbench.specs].index("authorization")
    async with Protected(shows_login=True) as server:
        connect(shell, server.profile)
        window.go("authorization")
        await press(window, "status_for_user")  # a login that is offered is counted, too
        await press(await needs(shell, Need.LOGIN), "authorize")
        await wait_until(lambda: workbench.tabs.bar.state(at).pending)
        spoken = window.parts.servers.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
        assert "login" in str(spoken)
        click(window, "status_for_user")
        await wait_until(lambda: workbench.current.info.key == "authorization")
        window.go("overview")
        await press(await needs(shell, Need.BROWSER), "cancel_login")
        await wait_until(lambda: not sees(window, "status_for_user"))
        assert not workbench.tabs.bar.state(at).pending
