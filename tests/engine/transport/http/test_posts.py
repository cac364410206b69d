"""Each message is a POST of its own, answered with JSON or an event stream."""

from __future__ import annotations

import asyncio
import gzip
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from inspector.errors import ConnectionLost, HttpStatus, PeerError, TimedOut
from inspector.session.outgoing import Timeouts
from inspector.spec.revision import STATEFUL
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import MessageKind
from tests.support.http_session import call, notes, result_text, talking, texts
from tests.support.http_stub import (
    HANGS,
    RESET,
    STREAM_TYPE,
    Reply,
    answer,
    message_event,
    reply,
    result_event,
    stream,
    well_behaved,
)
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject
    from tests.support.http_stub import Asked

PROGRESS: JsonObject = {
    "jsonrpc": "2.0",
    "method": "notifications/progress",
    "params": {"progressToken": "p-1", "progress": 1},
}


async def test_every_message_is_a_post_that_accepts_json_and_streams() -> None:
    """C-HTTP-01, C-HTTP-02, C-HTTP-04."""
    async with talking() as (stub, session):
        await call(session)

        posts = [asked for asked in stub.asked if asked.verb == "POST"]
        assert [post.rpc for post in posts] == [
            "initialize",
            "notifications/initialized",
            "tools/call",
        ]
        for post in posts:
            assert post.headers["accept"] == "application/json, text/event-stream"
            assert post.headers["content-type"] == "application/json"
            assert post.headers["accept-encoding"] == "identity"
            assert "origin" not in post.headers


async def test_requests_after_the_handshake_carry_session_and_revision() -> None:
    """C-HTTP-14, C-HTTP-18, C-HTTP-19."""
    async with talking() as (stub, session):
        await call(session)

        first, *later = [asked for asked in stub.asked if asked.verb == "POST"]
        assert "mcp-session-id" not in first.headers
        assert "mcp-protocol-version" not in first.headers
        for post in later:
            assert post.headers["mcp-session-id"] == "s-1"
            assert post.headers["mcp-protocol-version"] == str(session.revision)


@pytest.mark.parametrize("date", [r.date for r in STATEFUL if not r.has_version_header])
async def test_older_revisions_have_no_version_header(date: str) -> None:
    """C-LC-09; decision 9: it is undefined there."""
    async with talking(revision=date) as (stub, session):
        await call(session)

        assert all("mcp-protocol-version" not in asked.headers for asked in stub.asked)


async def test_the_record_holds_what_crossed_the_wire() -> None:
    """Ours: heads, bodies and events, each in the exchange it belongs to."""
    event = result_event(before="event: message\r\n: inside\r\n")
    rules = {"POST tools/call": stream(": hi\n\n", event)}
    async with talking(rules) as (stub, session):
        reply_ = await call(session)

        transcript = session.transcript
        frames = [transcript.frame(n) for n in range(reply_.request_frame, reply_.frame + 1)]
        first = reply_.request_frame
        frames = [frame for frame in frames if first in {frame.stream, frame.number}]
        assert [(frame.direction, frame.channel) for frame in frames] == [
            (Direction.SENT, Channel.BODY),
            (Direction.SENT, Channel.HTTP),
            (Direction.RECEIVED, Channel.HTTP),
            (Direction.RECEIVED, Channel.SSE),
            (Direction.RECEIVED, Channel.SSE),
        ]
        assert frames[0].raw == stub.said("POST tools/call")[0].body
        assert frames[1].raw.startswith(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1")
        assert b"Content-Type: text/event-stream" in frames[2].raw
        assert frames[3].raw == b": hi\n\n"
        assert frames[4].raw == event.replace("{{id}}", "2").encode()
        kinds = [transcript.row(frame.number).kind for frame in frames]
        assert kinds == [
            MessageKind.REQUEST,
            MessageKind.HTTP,
            MessageKind.HTTP,
            MessageKind.SSE_OTHER,
            MessageKind.RESPONSE,
        ]


async def test_messages_on_the_stream_come_before_the_answer() -> None:
    """C-HTTP-03."""
    rules = {"POST tools/call": stream(message_event(PROGRESS), result_event('{"content":[]}'))}
    heard: list[JsonObject] = []
    async with talking(rules) as (_, session):
        done = await session.request("tools/call", {"name": "a"}, on_progress=heard.append)

        assert heard == [PROGRESS["params"]]
        assert result_text(done) == '{"content":[]}'


async def test_a_stream_cut_into_single_bytes_reads_the_same() -> None:
    """Ours, C-HTTP-03: characters and line ends are cut in the middle. The carriage return ends the event; the line feed is kept."""
    text = 'event: message\r\ndata: {"jsonrpc":"2.0","id":2,"result":{"x":"ä🎉"}}\r\n\r\n'.encode()
    rules = {"POST tools/call": stream(*(bytes([byte]) for byte in text))}
    async with talking(rules) as (_, session):
        done = await call(session)

        assert result_text(done) == '{"x":"ä🎉"}'
        assert session.transcript.raw(done.frame) == text.removesuffix(b"\n")
        await wait_until(lambda: texts(session, Channel.SSE, Direction.RECEIVED)[1:] == ["\n"])


async def test_the_server_asks_on_the_stream_and_is_answered_by_a_post() -> None:
    """C-HTTP-01, C-PNG-01, C-HTTP-04."""
    ping: JsonObject = {"jsonrpc": "2.0", "id": "q", "method": "ping"}
    rules = {"POST tools/call": stream(message_event(ping), 0.05, result_event())}
    async with talking(rules) as (stub, session):
        await call(session)
        await wait_until(lambda: any(a.message.get("id") == "q" for a in stub.asked))

        answered = [asked.message for asked in stub.asked if asked.message.get("id") == "q"]
        assert answered == [{"jsonrpc": "2.0", "id": "q", "result": {}}]


async def test_several_streams_are_open_at_once() -> None:
    """C-HTTP-08: 20 calls wait for each other's end; none waits for a connection."""
    async with talking({"POST tools/call": stream(0.1, result_event())}) as (_, session):
        await asyncio.gather(*(call(session) for _ in range(20)))


async def test_a_cancelled_call_is_called_off_by_a_message_and_its_stream_left_open() -> None:
    """C-HTTP-09, C-CAN-08."""
    rules = {"POST tools/call": stream(": begun\n\n", 0.3, result_event())}
    async with talking(rules) as (stub, session):
        waiting = asyncio.ensure_future(call(session))
        await wait_until(lambda: ": begun\n\n" in texts(session, Channel.SSE, Direction.RECEIVED))
        waiting.cancel()
        await asyncio.wait([waiting])
        await wait_until(lambda: stub.said("POST notifications/cancelled"))
        await wait_until(lambda: len(texts(session, Channel.SSE, Direction.RECEIVED)) == 2)


async def test_a_call_that_takes_too_long_ends_in_time() -> None:
    """C-HTTP-09, C-TMO-01."""
    async with talking({"POST tools/call": HANGS}) as (stub, session):
        with pytest.raises(TimedOut):
            await session.request("tools/call", {"name": "a"}, timeouts=Timeouts(0.1))
        await wait_until(lambda: stub.said("POST notifications/cancelled"))


@pytest.mark.parametrize(
    ("reply_", "said"),
    [
        (reply(202), "HTTP 202 Reason; the server accepted the request but sent no response"),
        (reply(204), "HTTP 204 Reason; the server accepted the request but sent no response"),
        (reply(200), "HTTP 200 Reason; the body is empty"),
        (reply(200, gzip.compress(b"{}"), "application/json"), "the body is compressed (gzip)"),
        (
            reply(200, b"<html>login</html>", "text/html"),
            "neither JSON nor an event stream; text/html: <html>login</html>",
        ),
        (reply(200, b"{}", "application/json"), "the body is not a response to this request"),
        (reply(200, b"{oops", "application/json"), "the body is not JSON"),
        (
            answer({"jsonrpc": "2.0", "id": 77, "result": {}}),
            "the body is a response with the id 77",
        ),
    ],
)
async def test_an_answer_that_is_none_fails_the_call_at_once(reply_: Reply, said: str) -> None:
    """Ours, http-22."""
    async with talking({"POST tools/call": [reply_, None]}) as (_, session):
        with pytest.raises(HttpStatus) as failure:
            await call(session)

        assert said in failure.value.reason
        await call(session)


async def test_a_body_of_one_array_is_several_messages() -> None:
    """http-14."""
    body: list[JsonObject] = [
        {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info"}},
        {"jsonrpc": "2.0", "id": 2, "result": {"tools": []}},
    ]
    async with talking({"POST tools/list": answer([*body])}) as (_, session):
        done = await session.request("tools/list")

        assert result_text(done) == '{"tools":[]}'


@pytest.mark.parametrize("status", [400, 404, 422, 500])
async def test_an_error_in_json_rpc_answers_the_call_whatever_the_status(status: int) -> None:
    """C-HTTP-43, http-23."""
    error = answer({"error": {"code": -32602, "message": "Unknown tool"}}, status=status)
    async with talking({"POST tools/call": error}) as (_, session):
        with pytest.raises(PeerError, match="Unknown tool"):
            await call(session)


@pytest.mark.parametrize("id_", ['"id":null,', ""])
async def test_an_error_without_an_id_is_about_the_message_that_was_posted(id_: str) -> None:
    """C-HTTP-48, even while another request waits."""
    text = f'{{"jsonrpc":"2.0",{id_}"error":{{"code":-32700,"message":"what?"}}}}'
    rules = {
        "POST tools/call": reply(400, text.encode(), "application/json"),
        "POST tools/list": stream(0.2, result_event()),
    }
    async with talking(rules) as (stub, session):
        other = asyncio.ensure_future(session.request("tools/list"))
        await wait_until(lambda: stub.said("POST tools/list"))
        with pytest.raises(PeerError, match="what"):
            await call(session)
        await other


@pytest.mark.parametrize(
    ("reply_", "said"),
    [
        (reply(502, b"<html>bad gateway</html>", "text/html"), "text/html: <html>bad gateway"),
        (reply(413), "HTTP 413"),
        (reply(429, b"slow down", retry_after="7"), "Retry-After: 7 s"),
        (reply(503, retry_after="Wed, 21 Oct 2026 07:28:00 GMT"), "Retry-After: Wed, 21 Oct 2026"),
        (reply(401, www_authenticate='Bearer realm="x"'), 'WWW-Authenticate: Bearer realm="x"'),
        (reply(500, b'{"fault":"boom"}', "application/json"), '{"fault":"boom"}'),
    ],
)
async def test_a_bad_status_fails_one_call_and_says_why(reply_: Reply, said: str) -> None:
    """http-22, http-31."""
    async with talking({"POST tools/call": [reply_, None]}) as (_, session):
        with pytest.raises(HttpStatus) as failure:
            await call(session)

        assert said in failure.value.reason
        assert failure.value.status == reply_.status
        await call(session)


async def test_a_connection_that_is_cut_fails_one_call_and_repeats_nothing() -> None:
    """C-HTTP-42, http-32."""
    cut = Reply(
        headers=(("Content-Type", "application/json"),), pieces=(b'{"jsonrpc"',), end="reset"
    )
    for how in (RESET, cut):
        async with talking({"POST tools/call": [how, None]}) as (stub, session):
            with pytest.raises((ConnectionLost, HttpStatus)):
                await call(session)
            assert len(stub.said("POST tools/call")) == 1
            await call(session)


async def test_a_server_that_closes_each_connection_is_served_all_the_same() -> None:
    """http-32."""

    def closing(asked: Asked) -> Reply:
        return replace(well_behaved(asked), lasting=False)

    async with talking(otherwise=closing) as (_, session):
        for _ in range(3):
            await call(session)


@pytest.mark.parametrize(
    "reply_",
    [
        reply(200),
        reply(200, media_type="text/html"),
        reply(202, b"Accepted", "text/plain"),
        reply(202, b"{}", "application/json"),
        stream(": ok\n\n"),
    ],
)
async def test_a_notification_may_be_taken_in_many_ways(reply_: Reply) -> None:
    """http-01, http-03."""
    async with talking({"POST notifications/initialized": reply_}) as (_, session):
        await call(session)

        kinds = {session.transcript.row(n).kind for n in range(1, session.transcript.count + 1)}
        assert MessageKind.MALFORMED not in kinds
        assert "failed" not in [event for event, _ in notes(session)]


async def test_a_notification_that_is_refused_is_told_and_costs_nothing_else() -> None:
    """Ours."""
    refused = reply(400, b"no", "text/plain")
    async with talking({"POST notifications/initialized": refused}) as (_, session):
        await call(session)

        assert ("failed", "HTTP 400 Reason; text/plain: no") in notes(session)


@pytest.mark.parametrize(
    "media_type",
    ["application/json; charset=utf-8", "Application/JSON;charset=UTF-8", " application/json "],
)
async def test_media_types_have_no_case_and_may_have_parameters(media_type: str) -> None:
    """http-20."""
    body = json.dumps({"jsonrpc": "2.0", "id": 2, "result": {}}).encode()
    rules = {"POST tools/call": reply(200, body, media_type)}
    async with talking(rules) as (_, session):
        await call(session)


async def test_a_stream_may_name_its_charset() -> None:
    """sse-14."""
    made = stream(result_event())
    named = Reply(200, (("Content-Type", f"{STREAM_TYPE}; charset=utf-8"),), made.pieces)
    async with talking({"POST tools/call": named}) as (_, session):
        await call(session)
