"""With a window, a refusal leads to the user only once they said so; until then it is found out what the server asks for."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.auth.grant import Access
from inspector.auth.settings import Settings, Way
from inspector.config.profile import Profile
from inspector.errors import HttpStatus
from inspector.spec.revision import NEWEST_STATEFUL
from inspector.workspace import Workspace
from tests.support.http_stub import HttpStub, reply
from tests.support.protected import Protected
from tests.support.redirected import Redirected

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


@asynccontextmanager
async def asking(server: Protected) -> AsyncGenerator[Workspace]:
    """A workspace as the window has it."""
    access = Access(Settings(way=Way.CODE), server.grants, Redirected, requires_consent=True)
    workspace = Workspace(None, access=lambda _: access)
    try:
        yield workspace
    finally:
        await workspace.aclose()


@pytest.mark.parametrize("date", ["", NEWEST_STATEFUL.date])
async def test_a_refusal_finds_out_what_is_asked_for_and_stops_before_the_user(date: str) -> None:
    """C-AUT-03; ours: nothing is registered, and no login page is fetched, before the user clicked."""
    async with Protected() as server, asking(server) as workspace:
        session = workspace.open(replace(server.profile, revision=date))
        with pytest.raises(HttpStatus) as failure:
            await session.connect()

        assert failure.value.needs_user
        assert session.authorizer is not None
        flow = session.authorizer.flow
        assert flow is not None
        assert flow.needs_user
        assert flow.state.server is not None
        assert flow.state.scopes == ("read",)
        assert server.count("POST /register") == server.count("GET /authorize") == 0
        assert server.count("POST /mcp") == 1


async def test_once_the_user_said_so_the_next_connection_logs_in_and_goes_on() -> None:
    """Ours."""
    async with Protected() as server, asking(server) as workspace:
        profile = server.profile
        session = workspace.open(profile)
        with pytest.raises(HttpStatus):
            await session.connect()
        assert session.authorizer is not None

        session.authorizer.allow_login()
        again = workspace.open(profile)
        await again.connect()

        assert again.authorizer is session.authorizer
        assert server.count("GET /authorize") == 1


async def test_one_permission_is_for_one_login() -> None:
    """Ours: a token that is over later opens no browser by surprise."""
    async with Protected() as server, asking(server) as workspace:
        session = workspace.open(server.profile)
        assert session.authorizer is not None
        session.authorizer.allow_login()
        await session.connect()
        server.valid, server.refresh = set(), "another"

        with pytest.raises(HttpStatus) as failure:
            await session.session.request("tools/call", {"name": "a", "arguments": {}})

        assert failure.value.needs_user
        assert server.count("GET /authorize") == 1


async def test_more_scopes_are_asked_for_as_often_as_the_user_says_so() -> None:
    """C-AUT-35; ours: a refusal that led to nobody does not count as an authorization."""
    async with Protected() as server, asking(server) as workspace:
        session = workspace.open(server.profile)
        assert session.authorizer is not None
        session.authorizer.allow_login()
        await session.connect()
        server.scope_of_calls = "write"

        for _ in range(4):
            with pytest.raises(HttpStatus) as failure:
                await session.session.request("tools/call", {"name": "a", "arguments": {}})
            assert failure.value.needs_user
        session.authorizer.allow_login()
        await session.session.request("tools/call", {"name": "a", "arguments": {}})

        assert server.count("GET /authorize") == 2


async def test_a_permission_can_be_taken_back() -> None:
    """Ours."""
    async with Protected() as server, asking(server) as workspace:
        session = workspace.open(server.profile)
        assert session.authorizer is not None
        session.authorizer.allow_login()
        session.authorizer.allow_login(is_allowed=False)
        with pytest.raises(HttpStatus):
            await session.connect()

        assert server.count("GET /authorize") == 0


async def test_a_server_that_asks_for_a_password_is_not_looked_at_for_oauth() -> None:
    """Ours: a challenge of another scheme asks for no access token."""
    basic = reply(401, www_authenticate='Basic realm="staging"')
    async with HttpStub(otherwise=lambda _: basic) as stub, asking(Protected()) as workspace:
        session = workspace.open(Profile(name="x", transport="http", url=stub.url))
        with pytest.raises(HttpStatus) as failure:
            await session.connect()

        assert not failure.value.needs_user
        assert {each.path for each in stub.asked} == {"/mcp"}
        assert session.authorizer is not None
        assert session.authorizer.flow is None
