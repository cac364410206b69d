"""A server that wants more scopes: which are asked for, and how often."""

from __future__ import annotations

import itertools

import pytest

from inspector.errors import InspectorError
from tests.support.http_stub import reply
from tests.support.protected import Protected, call, opened


async def test_missing_scopes_are_asked_for_beside_the_earlier_ones_and_the_call_is_repeated() -> (
    None
):
    """C-AUT-33, C-AUT-34."""
    async with Protected(scope_of_calls="write") as server, opened(server) as session:
        await session.connect()
        await call(session)

        scopes = [
            each.path.partition("scope=")[2].partition("&")[0]
            for each in server.asked("GET /authorize")
        ]
        assert scopes == ["read", "read+write"]
        assert server.count("POST /register") == 1


async def test_scopes_are_asked_for_a_few_times_only() -> None:
    """C-AUT-35."""
    async with Protected() as server, opened(server) as session:
        await session.connect()
        numbers = itertools.count(1)
        text = 'Bearer error="insufficient_scope", scope="never{}"'
        server.stub.play(
            "POST tools/call",
            lambda _: reply(403, www_authenticate=text.format(next(numbers))),
        )
        with pytest.raises(InspectorError) as failure:
            await call(session)

        assert "403" in failure.value.reason
        assert server.count("GET /authorize") == 3


async def test_a_scope_that_was_asked_for_is_not_asked_for_again() -> None:
    """C-AUT-35; ours: another login would end the same way."""
    async with Protected() as server, opened(server) as session:
        await session.connect()
        text = 'Bearer error="insufficient_scope", scope="never"'
        server.stub.play("POST tools/call", reply(403, www_authenticate=text))
        with pytest.raises(InspectorError) as failure:
            await call(session)

        assert "requested were read never" in failure.value.reason
        assert server.count("GET /authorize") == 2
