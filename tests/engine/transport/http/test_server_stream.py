"""The stream for what the server sends of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.session.session_state import SessionState
from tests.support.http_session import call, talking, words_of
from tests.support.http_stub import HANGS, RESET, message_event, reply, stream
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject
    from inspector.wire.message import Message
    from tests.support.http_stub import Reply, Rule

CHANGED: JsonObject = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}


async def test_it_is_opened_after_the_handshake_and_heard() -> None:
    """C-HTTP-06, C-HTTP-41."""
    heard: list[Message] = []
    rules: dict[str, Rule] = {"GET": stream(0.05, message_event(CHANGED), end="hang")}
    async with talking(rules) as (stub, session):
        session.peer.listener("notifications/tools/list_changed").subscribe(
            lambda _, message: heard.append(message)
        )
        await wait_until(lambda: heard)

        (opened,) = stub.said("GET")
        assert opened.headers["accept"] == "text/event-stream"
        assert opened.headers["mcp-session-id"] == "s-1"
        assert opened.headers["mcp-protocol-version"] == str(session.revision)
        assert words_of(session, "server-stream") == ["server stream open"]


async def test_the_server_asks_on_it_and_is_answered_by_a_post() -> None:
    """C-HTTP-41, C-PNG-01."""
    ping: JsonObject = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    rules: dict[str, Rule] = {"GET": stream(message_event(ping), end="hang")}
    async with talking(rules) as (stub, _):
        await wait_until(lambda: any("result" in asked.message for asked in stub.asked))


@pytest.mark.parametrize(
    "how",
    [
        reply(405),
        reply(404, b"<h1>Cannot GET /mcp</h1>", "text/html"),
        reply(
            406,
            b'{"jsonrpc":"2.0","error":{"code":-32000,"message":"no"},"id":null}',
            "application/json",
        ),
        reply(400, b'{"error":"session id needed"}', "application/json"),
        reply(501),
        reply(500, b"oops", "text/html"),
        reply(200, b"{}", "application/json"),
    ],
    ids=lambda how: str(how.status),
)
async def test_a_server_that_has_none_is_used_without(how: Reply) -> None:
    """C-HTTP-07, http-05."""
    async with talking({"GET": how}) as (stub, session):
        await wait_until(lambda: words_of(session, "no-server-stream"))
        await call(session)

        (text,) = words_of(session, "no-server-stream")
        assert f"no server stream (status {how.status})" in text
        assert session.state is SessionState.READY
        assert len(stub.said("GET")) == 1


async def test_a_server_that_never_answers_it_is_used_without_waiting() -> None:
    """http-07."""
    async with talking({"GET": HANGS}) as (_, session):
        await call(session)


async def test_it_is_opened_again_where_it_ended() -> None:
    """C-HTTP-10, C-HTTP-12."""
    rules: dict[str, Rule] = {
        "GET": [
            stream("id: 4\nretry: 20\ndata:\n\n"),
            stream(message_event(CHANGED, before="id: 5\n"), end="reset"),
            stream(end="hang"),
        ]
    }
    async with talking(rules) as (stub, session):
        await wait_until(lambda: len(stub.said("GET")) == 3)

        cursors = [asked.headers.get("last-event-id") for asked in stub.said("GET")]
        assert cursors == [None, "4", "5"]
        assert words_of(session, "server-stream-lost")
        await call(session)


async def test_a_server_that_is_gone_is_told_until_it_is_back() -> None:
    """Ours: a connection that is not lasting has no end of its own."""
    async with talking({"GET": stream("retry: 20\ndata:\n\n", end="close")}) as (stub, session):
        await wait_until(lambda: words_of(session, "server-stream"))
        changes: list[bool] = []
        session.changed.subscribe(
            lambda: changes.append(session.transcript.unreachable is not None)
        )
        await stub.stop()
        await wait_until(lambda: session.transcript.unreachable)

        lost = session.transcript.unreachable
        assert lost is not None
        assert "refused the connection" in lost.reason
        assert lost.next_at is not None
        assert lost.next_at > lost.since
        assert session.state is SessionState.READY

        await stub.start()
        await call(session)
        assert session.transcript.unreachable is None
        assert changes[0] is True
        assert changes[-1] is False


async def test_a_cut_before_any_answer_is_tried_again_later() -> None:
    """Ours: with our own delay, so only the remark is awaited."""
    async with talking({"GET": RESET}) as (stub, session):
        await wait_until(lambda: words_of(session, "server-stream-lost"))
        await call(session)

        assert len(stub.said("GET")) == 1
