"""A login with the browser on the page: nothing is opened before the user saw where, and there are ways without a browser here."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from inspector.auth.grant import Access
from inspector.auth.settings import Settings, Way
from inspector.auth.state import Stage
from inspector.errors import InspectorError
from inspector.workspace import Workspace
from tests.support.protected import Protected
from tests.support.redirected import Redirected
from tests.support.wait import wait_signal, wait_until
from tests.ui.features.authorization.conftest import with_browser
from tests.ui.qt_actions import click, press, reads, sees
from ui.features.authorization.ladder_rows import RowStatus
from ui.navigator import navigator_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from inspector.open_session import OpenSession
    from ui.features.authorization.ladder_rows import LadderRow
    from ui.features.authorization.page import AuthorizationPage

    Shown = Callable[..., AbstractAsyncContextManager[OpenSession]]


def row(page: AuthorizationPage, stage: Stage) -> LadderRow:
    return next(each for each in page.content.ladder.rows.rows if each.stage is stage)


def statuses(page: AuthorizationPage) -> list[RowStatus]:
    return [each.status for each in page.content.ladder.rows.rows]


async def paused(page: AuthorizationPage) -> None:
    await wait_until(lambda: not page.content.runner.is_running)


async def waiting(page: AuthorizationPage) -> None:
    """Until the callback of a browser would be taken."""
    await wait_until(lambda: sees(page, "authorization_browser"))
    await wait_until(lambda: "awaited" not in page.content.runner.paste("nothing"))


async def test_a_login_shows_its_url_and_opens_it_only_when_the_user_wants(
    page: AuthorizationPage, shown: Shown
) -> None:
    """C-AUT-36; ours."""
    opened: list[str] = []
    page.browser_requested.connect(opened.append)
    async with (
        Protected(shows_login=True) as server,
        shown(server, with_browser(server), connects=False) as session,
    ):
        connecting = asyncio.ensure_future(session.connect())
        await waiting(page)

        assert opened == []
        assert reads(page, "authorization_host") == urlsplit(server.issuer).netloc
        click(page, "authorization_open")
        (url,) = opened
        asked = {name: value[0] for name, value in parse_qs(urlsplit(url).query).items()}
        query = urlencode({"code": "c", "state": asked["state"], "iss": server.issuer})
        async with httpx.AsyncClient(trust_env=False) as browser:
            response = await browser.get(f"{asked['redirect_uri']}?{query}")
            await browser.get(f"{asked['redirect_uri'].removesuffix('callback')}done")
        await asyncio.wait_for(connecting, 8)

        assert response.status_code == 303
        assert page.content.runner.has_tokens
        await wait_until(lambda: not sees(page, "authorization_browser"))


async def test_the_redirect_url_of_another_browser_is_pasted(
    page: AuthorizationPage, shown: Shown
) -> None:
    """C-AUT-41; ours."""
    async with (
        Protected(shows_login=True) as server,
        shown(server, with_browser(server), connects=False) as session,
    ):
        connecting = asyncio.ensure_future(session.connect())
        await waiting(page)
        click(page, "authorization_copy_url")
        url = QGuiApplication.clipboard().text()
        state = parse_qs(urlsplit(url).query)["state"][0]
        click(page, "authorization_paste")
        page.content.detail.browser.field.setText("http://nothing.example/")
        click(page, "authorization_use_redirect")
        assert sees(page, "authorization_redirect_error")

        query = urlencode({"code": "c", "state": state, "iss": server.issuer})
        page.content.detail.browser.field.setText(f"http://elsewhere.example/callback?{query}")
        press(page.content.detail.browser.field, Qt.Key.Key_Return)
        await asyncio.wait_for(connecting, 8)

        assert page.content.runner.has_tokens


async def test_a_login_is_stopped_and_run_again_from_there(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours: whoever runs the flow."""
    async with (
        Protected(shows_login=True) as server,
        shown(server, with_browser(server), connects=False) as session,
    ):
        connecting = asyncio.ensure_future(session.connect())
        await waiting(page)

        click(page, "authorization_stop")
        with pytest.raises(InspectorError):
            await asyncio.wait_for(connecting, 8)

        await paused(page)
        assert row(page, Stage.AUTHORIZATION).status is RowStatus.FAILED
        server.shows_login = False
        click(page, "authorization_run")
        await wait_signal(navigator_of(page).reconnect_requested)
        assert server.count("POST /register") == 1


async def test_a_flow_that_was_begun_without_the_user_goes_on_with_the_user(
    page: AuthorizationPage, shown: Shown
) -> None:
    """Ours: a refusal alone opens nothing."""
    async with Protected() as server:
        access = Access(Settings(way=Way.CODE), server.grants, Redirected, requires_consent=True)
        async with shown(server, Workspace(None, access=lambda _: access)):
            await wait_until(
                lambda: page.content.runner.flow is not None and page.content.runner.flow.needs_user
            )
            assert RowStatus.FAILED not in statuses(page)
            assert len(page.content.runner.steps) == 3
            assert server.count("POST /register") == 0

            click(page, "authorization_run")
            await wait_signal(navigator_of(page).reconnect_requested)

            assert page.content.runner.has_tokens
            assert server.count("GET /.well-known/oauth-protected-resource/mcp") == 1
