"""What is not done with a server of the stateless era, although it could be."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError, RequestAborted
from inspector.session.operation import OperationState
from inspector.session.session_state import SessionState
from inspector.spec.error_codes import explain
from inspector.spec.revision import V2026_07_28
from tests.support.answering import silence, tool
from tests.support.http_stub import answer
from tests.support.modern import always, complete, discovered, modern, modern_http, said
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

LIST, CALL = "tools/list", "tools/call"
FREE = sorted({*range(-32019, -31999)} - {-32002})
"""Codes that mean nothing to anybody but the server that uses them."""


async def test_annotations_for_headers_mean_nothing_where_there_are_no_headers() -> None:
    """C-HTTP-28: over a line, a tool is not excluded for a wrong one, and the call is as any other."""
    schema: JsonObject = {
        "type": "object",
        "properties": {"a": {"type": "string", "x-mcp-header": "no name"}},
    }
    listed = complete(tools=[{**tool("t"), "inputSchema": schema}], ttlMs=0, cacheScope="private")
    async with modern(always({LIST: listed, CALL: said()})) as (server, opened):
        (listed_tool,) = opened.tools.items
        assert opened.tools.excluded(listed_tool) == ""
        made = opened.tools.call(listed_tool, '{"a":"x"}')
        await made.wait()

        assert made.state is OperationState.DONE
        assert not opened.session.mirrors_headers
        assert len(server.of(CALL)) == 1


async def test_no_ping_is_sent_even_when_one_is_asked_for() -> None:
    """C-PNG-05: neither once nor every so often."""
    async with modern() as (server, opened):
        pong = await opened.ping.once()
        opened.ping.repeat(0.001)
        await opened.session.request(LIST)

        assert isinstance(pong.error, RequestAborted)
        assert server.of("ping") == []


@pytest.mark.parametrize("code", FREE)
async def test_a_code_that_is_the_servers_own_means_nothing_to_us(code: int) -> None:
    """C-JR-20: whatever others mean by it, it is an error of one call; it is explained like its neighbours."""
    error: JsonObject = {"error": {"code": code, "message": "Session not found"}}
    async with modern_http({"POST tools/call": answer(error, status=404)}) as (stub, session):
        with pytest.raises(PeerError) as failure:
            await session.request(CALL, {"name": "a"})

        assert failure.value.code == code
        assert session.state is SessionState.READY
        assert [asked.rpc for asked in stub.asked] == ["server/discover", CALL]
    assert (
        explain(code, V2026_07_28).name
        == explain(-32000, V2026_07_28).name
        == "Server-defined error"
    )


async def test_everything_that_waits_has_an_id_of_its_own() -> None:
    """C-JR-04: of our requests at the same time, and of one that a user wrote."""
    async with modern({CALL: silence}, discover=discovered()) as (server, opened):
        session = opened.session
        taken = max(int(str(message["id"])) for message in server.received) + 3
        await opened.raw.send(f'{{"jsonrpc":"2.0","id":{taken},"method":"{CALL}"}}')
        asked = [
            asyncio.ensure_future(session.request(CALL, {"name": str(number)}))
            for number in range(20)
        ]
        await wait_until(lambda: len(server.of(CALL)) == 21)
        ids: list[Json] = [message["id"] for message in server.of(CALL)]
        for each in asked:
            each.cancel()
        await asyncio.gather(*asked, return_exceptions=True)

        assert taken in ids
        assert len(set(map(str, ids))) == len(ids) == 21
