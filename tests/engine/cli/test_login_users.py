"""`spyglass-cli login` with a user: at a browser, at a terminal, and what is left behind."""

from __future__ import annotations

import asyncio
import os
import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urljoin, urlsplit

import httpx
import pytest

from inspector.cli.command import SUCCESS, UNAUTHORIZED
from inspector.config.saved_grants import open_grants
from tests.engine.demo.auth.site import Form
from tests.support.command_line import typing, with_folder
from tests.support.demo_server import demo
from tests.support.protected import Protected
from tests.support.recordings import written
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.command_line import Typing
    from tests.support.keyrings import KeyringInMemory

URL = re.compile(r"^http\S+/authorize\?\S+$", re.MULTILINE)


async def callback_of(url: str) -> str:
    """Log in on the page of the demo server; gives where the browser is redirected to."""
    async with httpx.AsyncClient(trust_env=False) as browser:
        page = Form((await browser.get(url)).text)
        fields: dict[str, list[str]] = {}
        for name, value in page.fields:
            fields.setdefault(name, []).append(value)
        answer = await browser.post(
            urljoin(url, page.action), data={**fields, "login": "me", "decision": "allow"}
        )
    return answer.headers["location"]


async def printed_url(user: Typing) -> str:
    """The URL that is to be opened, once it is printed."""
    await wait_until(lambda: URL.search(user.err.getvalue()) is not None)
    found = URL.search(user.err.getvalue())
    assert found is not None
    return found[0]


async def test_the_redirect_url_can_be_pasted(kept: KeyringInMemory, tmp_path: Path) -> None:
    """Ours: the browser is on another machine. What is no such URL is refused, and asked for again."""
    async with demo("--http", "0", "--auth") as url, typing() as user, asyncio.TaskGroup() as group:
        task = ("--folder", str(tmp_path), "--no-browser", "login", url)
        running = group.create_task(user.run(*task))
        address = await printed_url(user)
        callback = await callback_of(address)
        user.types("http://example.org/")
        await wait_until(lambda: "paste the whole URL" in user.err.getvalue())
        user.types(callback)
        printed = await running

    assert printed.code == SUCCESS
    assert f"Log in at {urlsplit(url).netloc}" in printed.err
    assert kept.kept


async def test_the_browser_on_this_machine_comes_back_by_itself(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """RFC 8252, section 7.3; ours: the user opens the URL."""
    async with demo("--http", "0", "--auth") as url, typing() as user, asyncio.TaskGroup() as group:
        running = group.create_task(user.run("--folder", str(tmp_path), "login", url))
        callback = await callback_of(await printed_url(user))
        async with httpx.AsyncClient(trust_env=False, follow_redirects=True) as browser:
            page = await browser.get(callback)
        printed = await running

    assert "Back to Spyglass" in page.text
    assert printed.code == SUCCESS
    assert kept.kept


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A browser that writes down what it is to open; Python looks for browsers once in a process, so that it is one for all tests."""
    script = tmp_path_factory.mktemp("browser") / "browser"
    script.write_text('#!/bin/sh\necho "$1" > "$OPENED.part"; mv "$OPENED.part" "$OPENED"\n')
    script.chmod(0o700)
    return script


@pytest.fixture
def opened(browser: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Gives the URL that was opened; empty before."""
    file = tmp_path / "opened"
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    monkeypatch.setenv("OPENED", str(file))
    return lambda: file.read_text().strip() if file.exists() else ""


@pytest.mark.skipif(os.name != "posix", reason="a script as the browser")
@pytest.mark.parametrize(
    ("switches", "at_terminal", "is_opened"),
    [
        (["--yes"], False, True),
        ([], True, True),
        (["--no-browser"], True, False),
        ([], False, False),
    ],
)
async def test_a_browser_is_opened_only_where_the_user_agreed(
    kept: KeyringInMemory,
    opened: Callable[[], str],
    tmp_path: Path,
    switches: list[str],
    at_terminal: bool,
    is_opened: bool,
) -> None:
    """C-SEC-09; ours: by a switch, or by Enter at a terminal; the URL is printed first."""
    async with (
        demo("--http", "0", "--auth") as url,
        typing(at_terminal=at_terminal) as user,
        asyncio.TaskGroup() as group,
    ):
        running = group.create_task(user.run("--folder", str(tmp_path), *switches, "login", url))
        address = await printed_url(user)
        was_opened_early = opened() and "--yes" not in switches
        if at_terminal:
            user.types("")
        if is_opened:
            await wait_until(opened)
            assert opened() == address
        user.types(await callback_of(address))
        printed = await running

    assert printed.code == SUCCESS
    assert not was_opened_early
    assert bool(opened()) == is_opened
    assert kept.kept


async def test_nothing_that_a_login_leaves_behind_holds_a_secret(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """C-AUT-42, C-SEC-15, C-SEC-17: code, verifier, tokens, secrets and state; on stderr only the URL to be opened may hold the state."""
    async with demo("--http", "0", "--auth") as url, typing() as user, asyncio.TaskGroup() as group:
        record = ("--json", "--record", str(tmp_path / "x.spyglass"))
        task = ("--folder", str(tmp_path), *record, "--no-browser", "login", url)
        running = group.create_task(user.run(*task))
        address = await printed_url(user)
        callback = await callback_of(address)
        user.types(callback)
        printed = await running
        grants = open_grants(tmp_path, lambda: kept)
        assert grants is not None
        grant = await asyncio.to_thread(grants.find, url)
        more = [
            await with_folder(tmp_path, "--json", "tools", "--", url),
            await with_folder(tmp_path, "--json", "auth", url),
            await with_folder(tmp_path, "--json", "logout", url),
        ]
    query = parse_qs(urlsplit(callback).query)
    told = "".join(each.out + each.err for each in (printed, *more)).replace(address, "")
    left = told.encode() + written(tmp_path)

    assert [each.code for each in (printed, *more)] == [SUCCESS] * 4
    assert grant is not None
    assert b"authorization_code" in left
    secrets = [*grant.secrets, query["code"][0], query["state"][0]]
    assert [secret for secret in secrets if secret.encode() in left] == []


async def test_an_authorization_server_that_repeats_secrets_in_its_errors_prints_none(
    kept: KeyringInMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-SEC-17: some put what they refuse into the description."""
    monkeypatch.setenv("CLIENT_SECRET", "the-secret-of-the-client")
    async with Protected() as server:
        server.token["error"] = "invalid_client"
        server.token["error_description"] = "the-secret-of-the-client is no secret of mine"
        client = ("--client-id", "me", "--client-secret-env", "CLIENT_SECRET")
        printed = await with_folder(tmp_path, "--json", *client, "login", server.stub.url)

    assert printed.code == UNAUTHORIZED
    assert "is no secret of mine" in printed.out
    assert "the-secret-of-the-client" not in printed.out + printed.err
    assert kept.kept == {}


async def test_a_logout_forgets_a_token_without_revoking_it_when_asked_to(
    kept: KeyringInMemory, tmp_path: Path
) -> None:
    """Ours."""
    async with Protected() as server:
        await with_folder(tmp_path, "login", server.stub.url)
        done = await with_folder(tmp_path, "logout", "--no-revoke", server.stub.url)
        assert server.count("POST /revoke") == 0

    assert (done.code, kept.kept) == (SUCCESS, {})
