"""Connections that are let in while they are opened: by which transport, how long that may take, and what is declared."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.auth.grant import Access, Grant, MemoryGrants
from inspector.auth.settings import Settings, Way
from inspector.auth.user_agent import do_nothing
from inspector.config.client_settings import ClientSettings
from inspector.config.profile import Profile
from inspector.errors import InspectorError, StorageError
from inspector.spec.revision import NEWEST, NEWEST_STATEFUL
from inspector.workspace import Workspace
from tests.support.demo_server import demo
from tests.support.protected import Protected
from tests.support.redirected import Redirected

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT_SECONDS = 0.2
"""What a server may take to respond."""


class Slow(Redirected):
    """A user who takes longer to log in than a server may take to respond."""

    async def visit(self, url: str, on_page_ready: Callable[[], object] = do_nothing) -> str:
        """Wait, then go on."""
        back = asyncio.Event()
        asyncio.get_running_loop().call_later(5 * LIMIT_SECONDS, back.set)
        await back.wait()
        return await super().visit(url, on_page_ready)


@pytest.mark.parametrize("date", ["", NEWEST_STATEFUL.date])
async def test_the_time_in_which_a_user_logs_in_is_not_the_server_s(date: str) -> None:
    """C-AUT-03; ours."""
    async with Protected() as server:
        profile = replace(server.profile, revision=date, timeout_seconds=LIMIT_SECONDS)
        access = Access(Settings(way=Way.CODE), server.grants, Slow)
        workspace = Workspace(None, access=lambda _: access)
        session = workspace.open(profile)
        await session.connect()
        await workspace.aclose()

        without = [
            each for each in server.asked("POST /mcp") if "authorization" not in each.headers
        ]
        assert len(without) == 1  # no other request was sent because the first one took so long
        assert server.count("GET /authorize") == 1


async def test_a_connection_over_the_older_transport_is_let_in_too() -> None:
    """C-AUT-28."""
    async with demo("--sse", "0", "--auth", "--auth-consent", "auto") as url:
        access = Access(Settings(way=Way.CODE), MemoryGrants(), Redirected)
        workspace = Workspace(None, access=lambda _: access)
        session = workspace.open(Profile(name="demo", transport="sse", url=url))
        await session.connect()
        await session.session.request("tools/call", {"name": "about_this_session"})
        await workspace.aclose()


async def test_a_way_that_is_an_extension_is_declared_where_there_are_extensions() -> None:
    """C-AUT-47: declared, and off unless it is chosen."""
    settings = Settings(way=Way.CLIENT_CREDENTIALS, client_id="me", client_secret="secret")
    declared: list[str] = []
    for chosen in (settings, Settings(way=Way.CODE)):
        async with Protected() as server:
            access = Access(chosen, server.grants, Redirected)
            workspace = Workspace(None, ClientSettings(None), access=lambda _, given=access: given)
            session = workspace.open(replace(server.profile, revision=NEWEST.date))
            with pytest.raises(InspectorError):  # the server knows another revision only
                await session.connect()
            await workspace.aclose()
            declared.append(repr(server.stub.said("POST server/discover")[0].message))

    assert ["oauth-client-credentials" in each for each in declared] == [True, False]


class Locked(MemoryGrants):
    """A keyring that the user does not unlock."""

    def find(self, server_url: str) -> Grant | None:
        """Fail."""
        raise StorageError("the keyring is locked", hint="Unlock it.")


async def test_a_place_that_cannot_be_read_is_told() -> None:
    """C-AUT-42; ours."""
    async with Protected() as server:
        access = Access(Settings(way=Way.CODE), Locked(), Redirected)
        workspace = Workspace(None, access=lambda _: access)
        session = workspace.open(server.profile)
        with pytest.raises(InspectorError, match="the keyring is locked") as failure:
            await session.connect()
        await workspace.aclose()

        assert failure.value.hint == "Unlock it."
