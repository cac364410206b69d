"""How the era of a server is found out over HTTP, where statuses speak too."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.errors import ConnectFailed, HttpStatus, InspectorError, PeerError
from inspector.spec.revision import NEWEST, NEWEST_STATEFUL
from tests.support.http_session import at, session_of
from tests.support.http_stub import HANGS, HttpStub, Reply, answer, reply, result_event, stream
from tests.support.modern import discovered, modern_http, proper

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

DISCOVER = "POST server/discover"
UNKNOWN: JsonObject = {"error": {"code": -32601, "message": "Method not found"}}
OLD: JsonObject = {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": "no session"}}


def refused(*supported: str) -> Reply:
    data: JsonObject = {"supported": [*supported], "requested": NEWEST.date}
    return answer({"error": {"code": -32022, "message": "Unsupported", "data": data}}, status=400)


async def test_a_server_of_the_stateless_era_needs_one_request() -> None:
    """C-VER-02, C-VER-18: no session, no stream of its own, nothing to leave."""
    async with modern_http() as (stub, session):
        assert session.revision == NEWEST
        await session.aclose()

        assert [asked.verb for asked in stub.asked] == ["POST"]


async def test_its_answer_may_come_as_a_stream() -> None:
    """C-HTTP-37."""
    import json

    event = result_event(json.dumps(discovered()), before=": ping\n\n")
    async with modern_http({DISCOVER: stream(event)}) as (_, session):
        assert session.revision == NEWEST


@pytest.mark.parametrize(
    "how",
    [
        answer(UNKNOWN, status=404),
        answer(UNKNOWN),
        answer(OLD, status=400),
        reply(400, b"Bad Request: No valid session ID provided", "text/plain"),
        reply(405),
        reply(406),
        reply(415),
        reply(202),
        reply(200, b"<html>", "text/html"),
        reply(500, b"oops", "text/plain"),
        stream(": nothing\n\n"),
        answer({"result": {}}),
    ],
    ids=lambda how: str(how.status),
)
async def test_everything_else_leads_to_a_handshake_at_the_same_address(how: Reply) -> None:
    """C-VER-06, C-VER-07, C-VER-13: an answer in JSON-RPC proves that something is there."""
    async with (
        HttpStub({DISCOVER: how}) as stub,
        session_of(replace(at(stub.url), revision="")) as session,
    ):
        await session.connect()

        assert session.revision == NEWEST_STATEFUL
        assert [asked.rpc for asked in stub.asked[:2]] == ["server/discover", "initialize"]
        assert "mcp-protocol-version" not in stub.said("POST initialize")[0].headers
        assert "mcp-method" not in stub.said("POST initialize")[0].headers
        await session.request("tools/list")
        later = stub.said("POST tools/list")[0].headers
        assert "mcp-method" not in later
        assert later["mcp-protocol-version"] == NEWEST_STATEFUL.date


async def test_a_server_that_leaves_the_question_hanging_is_greeted() -> None:
    """C-VER-06: the hanging exchange is closed."""
    async with (
        HttpStub({DISCOVER: HANGS}) as stub,
        session_of(replace(at(stub.url), revision="", timeout_seconds=0.3)) as session,
    ):
        await session.connect()

        assert session.revision == NEWEST_STATEFUL
        await asyncio.sleep(0)


@pytest.mark.parametrize("status", [401, 403, 407, 429, 502, 503, 504])
async def test_statuses_that_say_nothing_of_the_era_are_told_as_they_are(status: int) -> None:
    """C-VER-07: authorization, proxies and servers that are down."""
    async with (
        HttpStub({"POST": reply(status, b"<html>", "text/html")}) as stub,
        session_of(replace(at(stub.url), revision="")) as session,
    ):
        with pytest.raises(HttpStatus, match=str(status)):
            await session.connect()

        assert len(stub.asked) == 1


async def test_a_server_that_cannot_be_reached_has_no_era() -> None:
    """C-VER-07."""
    async with HttpStub() as stub:
        url = stub.url
    async with session_of(replace(at(url), revision="")) as session:
        with pytest.raises(ConnectFailed, match="refused the connection"):
            await session.connect()

        assert len(session.steps) == 2


async def test_an_error_that_only_one_era_sends_is_no_reason_for_a_handshake() -> None:
    """C-VER-05, C-VER-07: the body is read before the status is judged."""
    async with (
        HttpStub({DISCOVER: refused("2027-01-01")}, otherwise=proper) as stub,
        session_of(replace(at(stub.url), revision="")) as session,
    ):
        with pytest.raises(InspectorError, match="2027-01-01"):
            await session.connect()

        assert [asked.rpc for asked in stub.asked] == ["server/discover"]


async def test_a_refusal_that_names_our_revision_is_followed_by_asking_again() -> None:
    """C-VER-01."""
    async with modern_http({DISCOVER: [refused(NEWEST.date), None]}) as (stub, session):
        assert session.revision == NEWEST
        assert len(stub.said(DISCOVER)) == 2


async def test_a_pinned_revision_tries_no_other() -> None:
    """C-VER-10."""
    async with (
        HttpStub({DISCOVER: answer(OLD, status=400)}) as stub,
        session_of(replace(at(stub.url), revision=NEWEST.date)) as session,
    ):
        with pytest.raises(PeerError, match="no session"):
            await session.connect()

        assert len(stub.asked) == 1
