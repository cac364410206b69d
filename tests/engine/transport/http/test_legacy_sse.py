"""HTTP+SSE: one stream for what the server says, POSTs for what we say."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from inspector.errors import ConnectFailed, ConnectionLost, HttpStatus, PeerError
from inspector.session.session_state import SessionState
from inspector.transport.http.config import check
from inspector.transport.legacy_sse import LegacySseTransport
from inspector.wire.frame import Channel
from inspector.wire.message import MessageKind
from tests.support.http_session import at, call, connected
from tests.support.http_stub import HttpStub, Reply, reply, stream
from tests.support.old_server import OldServer
from tests.support.programs import Ear
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.session.session import Session
    from tests.support.http_stub import Rule


@asynccontextmanager
async def connected_to(server: OldServer) -> AsyncGenerator[Session]:
    async with connected(at(server.url, "sse")) as session:
        yield session


async def test_messages_go_to_the_endpoint_and_answers_come_on_the_stream() -> None:
    """C-SSE-01, C-SSE-02, C-SSE-03."""
    async with OldServer() as server, connected(at(server.url, "sse")) as session:
        done = await call(session)

        posts = [asked for asked in server.stub.asked if asked.verb == "POST"]
        assert [post.rpc for post in posts] == [
            "initialize",
            "notifications/initialized",
            "tools/call",
        ]
        assert {post.path for post in posts} == {"/messages?sessionId=1"}
        frame = session.transcript.frame(done.frame)
        assert frame.channel is Channel.SSE
        assert session.transcript.row(frame.stream).kind is MessageKind.HTTP
        assert session.transcript.frame(frame.stream).raw.startswith(b"GET /sse")


@pytest.mark.parametrize(
    ("named", "post"),
    [
        ("/ctx/messages?sessionId=1", "/ctx/messages?sessionId=1"),
        ("messages?sessionId=1", "/ctx/messages?sessionId=1"),
        ("?sessionId=1", "/ctx/sse?sessionId=1"),
        ("{{origin}}/m", "/m"),
        ("  /ctx/m \r", "/ctx/m"),
    ],
)
async def test_the_endpoint_is_resolved_against_the_address(named: str, post: str) -> None:
    """C-SSE-01, sse-15."""
    server = OldServer(endpoint=named, path="/ctx/sse?k=v")
    async with server, connected_to(server) as session:
        await call(session)

        assert {asked.path for asked in server.stub.asked if asked.verb == "POST"} == {post}


async def test_an_endpoint_of_another_origin_is_refused() -> None:
    """C-SSE-05."""
    async with HttpStub() as other, OldServer(endpoint=f"{other.origin}/m") as server:
        transport = LegacySseTransport(check(server.url, ()))
        with pytest.raises(ConnectFailed, match="nothing was sent"):
            await transport.open(Ear())
        await transport.aclose()

        assert other.asked == []


@pytest.mark.parametrize(
    ("pieces", "heard"),
    [
        (("event: hello\ndata: x\n\n",), "other event"),
        (("data: /messages?a=1\n\n",), "has the type `message`"),
        ((f"data: /{'a' * 9_000}\n\n",), "aaa… has the type `message`"),
        ((": hi\n\n",), "only comments received"),
        ((), "no events received"),
        (("event: endpoint\ndata:\n\n",), "other event"),
    ],
)
async def test_a_stream_that_names_no_endpoint_is_given_up(
    pieces: tuple[str, ...], heard: str
) -> None:
    """sse-17."""
    rules: dict[str, Rule] = {"GET": stream(*pieces, end="hang")}
    async with HttpStub(rules) as stub:
        transport, ear = LegacySseTransport(check(stub.url, ()), endpoint_seconds=0.2), Ear()
        with pytest.raises(ConnectFailed, match="no endpoint event") as failure:
            await transport.open(ear)
        await transport.aclose()

        assert heard in failure.value.reason
        assert ear.ends == []
        assert stub.said("POST") == []


@pytest.mark.parametrize(
    ("reply_", "text"),
    [
        (reply(404, b"nothing here", "text/plain"), "HTTP 404 Reason; text/plain: nothing here"),
        (reply(200, b"<html>", "text/html"), "no event stream"),
        (stream(": hi\n\n"), "before the endpoint event"),
    ],
)
async def test_what_is_no_stream_is_told(reply_: Reply, text: str) -> None:
    """Ours."""
    async with HttpStub({"GET": reply_}) as stub:
        transport = LegacySseTransport(check(stub.url, ()))
        with pytest.raises((ConnectFailed, HttpStatus)) as failure:
            await transport.open(Ear())
        await transport.aclose()

        assert text in failure.value.reason


async def test_the_end_of_the_stream_is_the_end_of_the_connection() -> None:
    """Decision 25."""
    async with OldServer() as server, connected(at(server.url, "sse")) as session:
        waiting = asyncio.ensure_future(session.request("hang"))
        await wait_until(lambda: server.stub.said("POST hang"))
        server.close_stream()

        with pytest.raises(ConnectionLost, match="closed its event stream") as failure:
            await waiting
        assert "stay open" in failure.value.hint
        assert session.state is SessionState.CLOSED


async def test_a_post_that_is_refused_fails_that_message_alone() -> None:
    """D.4: 400 and above is the failure of the message."""
    async with OldServer() as server, connected(at(server.url, "sse")) as session:
        server.stub.play("POST tools/call", reply(500, b"oops", "text/plain"))
        with pytest.raises(HttpStatus, match="oops"):
            await call(session)
        error = json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "no"}})
        server.stub.play("POST tools/call", reply(400, error.encode(), "application/json"))
        with pytest.raises(PeerError, match="no"):
            await call(session)
        await session.request("ping")


async def test_leaving_closes_the_stream_and_nothing_more() -> None:
    """C-SSE-04."""
    async with OldServer() as server:
        async with connected(at(server.url, "sse")) as session:
            await call(session)
        await wait_until(lambda: not server.stub.open_connections)

        assert server.stub.said("DELETE") == []
