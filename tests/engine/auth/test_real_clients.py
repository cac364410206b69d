"""Clients at an authorization server that nobody here wrote: registered, entered, described, forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.auth.browser import LoginPageCheck, LoopbackListener
from inspector.auth.client import Client, Origin
from inspector.auth.grant import MemoryGrants
from inspector.auth.settings import Settings, Way
from tests.support.form_browser import FormBrowser
from tests.support.http_session import call, result_text
from tests.support.real_parts import (
    DOCUMENT,
    KEY,
    SECRET,
    authorization_server,
    typescript_server,
)
from tests.support.real_sessions import CODE, authorizer_of, opened, refused

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.auth.user_agent import Sender, UserAgent


async def test_a_client_that_the_authorization_server_forgot_is_told_and_then_registered_again(
    typescript: str, issuer: str
) -> None:
    """Ours: the refusal is a page, which reaches no listener."""
    browser, grants = FormBrowser(), MemoryGrants()
    grants.put_client(Client(issuer, "forgotten", origin=Origin.STORED))
    async with opened(typescript, grants=grants, user_agent=browser.user_agent) as session:
        assert "invalid_client" in (await refused(session)).reason
        assert browser.visited == []
    async with opened(typescript, grants=grants, user_agent=browser.user_agent) as session:
        await session.connect()

    assert len(browser.visited) == 1


async def test_a_redirect_uri_that_was_not_registered_is_told_before_a_browser_is_opened(
    typescript: str,
) -> None:
    """RFC 6749, section 4.1.2.1: `localhost` is not 127.0.0.1."""
    grants, browser = MemoryGrants(), FormBrowser()
    async with opened(typescript, grants=grants) as session:
        await session.connect()
    grants.grants.clear()

    def other(sender: Sender) -> UserAgent:
        return LoginPageCheck(LoopbackListener(browser.open_url, host="localhost"), sender)

    async with opened(typescript, grants=grants, user_agent=other) as session:
        assert "redirect_uri" in (await refused(session)).reason
    assert browser.visited == []


async def test_a_document_that_describes_the_client_needs_no_registration(typescript: str) -> None:
    """C-AUT-11, C-AUT-13, C-AUT-14."""
    grants = MemoryGrants()
    settings = replace(CODE, client_metadata_url=DOCUMENT)
    async with opened(typescript, settings, grants=grants) as session:
        await session.connect()
        told = result_text(await call(session.session, "whoami"))

    assert DOCUMENT in told
    assert grants.clients == {}


async def test_a_client_that_was_registered_by_hand_sends_its_secret(typescript: str) -> None:
    """C-AUT-15; RFC 6749, section 2.3.1: whatever characters the secret has."""
    settings = replace(CODE, client_id="confidential", client_secret=SECRET)
    async with opened(typescript, settings) as session:
        await session.connect()
        assert await authorizer_of(session).refresh()
        told = result_text(await call(session.session, "whoami"))

    assert "confidential mcp:read" in told


async def test_a_client_with_a_key_has_access_without_a_user(typescript: str) -> None:
    """C-AUT-47; RFC 7523, section 2.2."""
    pem = KEY.as_pem(private=True).decode()
    settings = Settings(way=Way.CLIENT_CREDENTIALS, client_id="machine", private_key=pem)
    browser = FormBrowser()
    async with opened(typescript, settings, user_agent=browser.user_agent) as session:
        await session.connect()
        told = result_text(await call(session.session, "whoami"))

    assert "machine mcp:read" in told
    assert browser.visited == []


async def test_a_registration_that_needs_a_token_is_refused_without_one(
    npm_folder: Path, folder: Path
) -> None:
    """RFC 7591, section 3; C-AUT-17."""
    with (
        authorization_server(npm_folder, folder, initialToken="let-us-register") as issuer,
        typescript_server(npm_folder, issuer, folder) as url,
    ):
        async with opened(url) as session:
            assert "rejected" in (await refused(session)).reason
        async with opened(url, replace(CODE, initial_access_token="let-us-register")) as session:
            await session.connect()
