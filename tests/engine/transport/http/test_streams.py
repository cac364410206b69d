"""Streams that end before the answer: asked for again where that is possible, lost where it is not."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest

from inspector.errors import ConnectFailed, ConnectionLost, HttpStatus
from inspector.transport.http.event_stream import ResumableEventStream
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import MessageKind
from tests.support.http_session import call, result_text, talking, texts, words_of
from tests.support.http_stub import RESET, message_event, reply, result_event, stream
from tests.support.programs import Ear
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject
    from tests.support.http_stub import Rule

PRIMING = "id: 7\nretry: 50\ndata:\n\n"
LOG: JsonObject = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info"}}
DONE = 'id: 9\ndata: {"jsonrpc":"2.0","id":2,"result":{}}\n\n'


async def test_a_priming_event_is_no_message() -> None:
    """sse-05."""
    rules = {
        "POST tools/call": stream("id: 0\nretry: 3000\ndata:\n\n", result_event(before="id: 1\n"))
    }
    async with talking(rules) as (_, session):
        done = await call(session)

        assert session.transcript.row(done.frame - 1).kind is MessageKind.SSE_OTHER
        assert session.transcript.counts.problems == 0


async def test_a_call_whose_server_is_gone_is_said_to_wait_for_it() -> None:
    """Ours: it can still be answered, so it goes on."""
    rules: dict[str, Rule] = {"POST tools/call": stream(PRIMING, end="hang"), "GET": reply(405)}
    async with talking(rules) as (stub, session):
        calling = asyncio.create_task(call(session))
        await wait_until(lambda: stub.said("POST tools/call"))
        await stub.stop()
        await wait_until(lambda: session.transcript.unreachable)

        (request,) = session.transcript.open_requests(Direction.SENT)
        exchange = session.transcript.exchange(request)
        assert exchange is not None
        assert exchange.is_out_of_reach
        (first, *_) = words_of(session, "unreachable")
        assert "refused the connection" in first
        assert "resuming after event 7" in first

        await stub.start()
        stub.play("GET", stream(DONE))
        await calling
        assert session.transcript.unreachable is None


async def test_a_request_that_reaches_nobody_tells_that_too() -> None:
    """Ours."""
    async with talking({"GET": reply(405)}) as (stub, session):
        await stub.stop()
        with pytest.raises(ConnectFailed):
            await call(session)

        lost = session.transcript.unreachable
        assert lost is not None
        assert lost.next_at is None


@pytest.mark.parametrize("end", ["close", "reset"])
async def test_a_stream_that_ends_without_the_answer_is_asked_for_again(end: str) -> None:
    """C-HTTP-10, C-HTTP-11, C-HTTP-13, sse-12: a clean end and a cut are the same."""
    rules: dict[str, Rule] = {
        "POST tools/call": stream(PRIMING, end=end),
        "GET": [reply(405), stream(DONE)],
    }
    async with talking(rules) as (stub, session):
        await wait_until(lambda: stub.said("GET"))
        started = time.monotonic()
        done = await call(session)

        assert time.monotonic() - started >= 0.05
        (_, resumed) = stub.said("GET")
        assert resumed.headers["last-event-id"] == "7"
        assert resumed.headers["mcp-session-id"] == "s-1"
        assert resumed.headers["accept"] == "text/event-stream"
        assert session.transcript.frame(done.frame).stream == done.request_frame
        assert words_of(session, "resuming")
        assert len(stub.said("POST tools/call")) == 1


async def test_it_is_asked_for_again_as_often_as_it_ends() -> None:
    """C-HTTP-11: polling."""
    rules: dict[str, Rule] = {
        "POST tools/call": stream(PRIMING, "id: 9\0\ndata:\n\n"),
        "GET": [
            reply(405),
            stream("id: 8\ndata:\n\n"),
            RESET,
            stream(message_event(LOG, before="id: 8.5\n")),
            stream(DONE),
        ],
    }
    async with talking(rules) as (stub, session):
        await wait_until(lambda: stub.said("GET"))
        await call(session)

        cursors = [asked.headers.get("last-event-id") for asked in stub.said("GET")]
        assert cursors == [None, "7", "8", "8", "8.5"]


async def test_what_a_resumed_stream_repeats_is_recorded_and_not_read_again() -> None:
    """Decision: events are known by their id."""
    log = message_event(LOG, before="id: 8\n")
    rules: dict[str, Rule] = {
        "POST tools/call": stream("retry: 20\n\n", log, end="reset"),
        "GET": [reply(405), stream(log, DONE)],
    }
    async with talking(rules) as (stub, session):
        await wait_until(lambda: stub.said("GET"))
        await call(session)

        heard = texts(session, Channel.SSE, Direction.RECEIVED)
        assert heard.count(log) == 1
        assert log in texts(session, Channel.HTTP, Direction.RECEIVED)


async def test_one_id_for_all_events_loses_none_of_them() -> None:
    """Ours: only what an earlier response had is a repetition."""
    log = message_event(LOG, before="id: 1\n")
    rules = {"POST tools/call": stream(log, log, result_event(before="id: 1\n"))}
    async with talking(rules) as (_, session):
        await call(session)

        assert texts(session, Channel.SSE, Direction.RECEIVED).count(log) == 2


@pytest.mark.parametrize(
    ("start", "end"),
    [(": hello\n\n", "close"), (": hello\n\n", "reset"), (f"{PRIMING}id:\n\n", "close")],
)
async def test_without_an_event_id_the_request_is_lost(start: str, end: str) -> None:
    """Decision 24: it is never sent again by itself. WHATWG HTML: an empty id resets the one before."""
    rules = {"POST tools/call": [stream(start, end=end), None]}
    async with talking(rules) as (stub, session):
        with pytest.raises(ConnectionLost, match=r"cannot be resumed|closed the connection"):
            await call(session)

        assert len(stub.said("POST tools/call")) == 1
        await call(session)


async def test_events_that_reset_the_id_are_not_taken_for_each_other() -> None:
    """Ours: an empty id says nothing of what was sent before."""
    log = message_event(LOG, before="id:\n")
    rules: dict[str, Rule] = {
        "POST tools/call": stream(log, PRIMING),
        "GET": [reply(405), stream(log, DONE)],
    }
    async with talking(rules) as (stub, session):
        await wait_until(lambda: stub.said("GET"))
        await call(session)

        assert texts(session, Channel.SSE, Direction.RECEIVED).count(log) == 2


async def test_an_event_that_is_cut_off_is_none() -> None:
    """sse-11 and WHATWG: a block without its blank line is discarded, even within a character."""
    cut = 'data: {"jsonrpc":"2.0","id":2,"result":{"x":"🎉"}}'.encode()[:-4]
    rules = {"POST tools/call": stream(cut)}
    async with talking(rules) as (_, session):
        with pytest.raises(ConnectionLost):
            await call(session)

        assert cut.decode("utf-8", "replace") in texts(session, Channel.SSE, Direction.RECEIVED)
        assert session.transcript.counts.problems == 0


@pytest.mark.parametrize("status", [400, 404, 405])
async def test_a_server_that_does_not_resume_is_asked_once(status: int) -> None:
    """C-HTTP-10: the request is lost then."""
    rules: dict[str, Rule] = {"POST tools/call": stream(PRIMING), "GET": reply(status)}
    async with talking(rules) as (stub, session):
        await wait_until(lambda: stub.said("GET"))
        with pytest.raises(HttpStatus, match="did not resume"):
            await call(session)

        assert len(stub.said("GET")) == 2


async def test_a_call_that_nobody_waits_for_is_not_asked_for_again() -> None:
    """C-HTTP-09, C-CAN-01."""
    rules = {"POST tools/call": stream("id: 7\nretry: 30\ndata:\n\n", 0.2)}
    async with talking(rules) as (stub, session):
        waiting = asyncio.ensure_future(call(session))
        await wait_until(lambda: texts(session, Channel.SSE, Direction.RECEIVED))
        waiting.cancel()
        await asyncio.wait([waiting])
        await wait_until(lambda: "tools/call" in [asked.rpc for asked in stub.answered])
        await session.request("ping")

        assert len(stub.said("GET")) == 1


async def test_keep_alives_are_kept_and_mean_nothing() -> None:
    """C-HTTP-37, sse-06."""
    rules = {
        "POST tools/call": stream(
            ": hi\n\n:\r\n\r\n", result_event("{}", before=": in\n"), ": p\n\n"
        )
    }
    async with talking(rules) as (_, session):
        await call(session)
        await wait_until(lambda: len(texts(session, Channel.SSE, Direction.RECEIVED)) == 3)

        assert session.transcript.counts.problems == 0


async def test_delays_of_ours_grow() -> None:
    """Decision: from 1 s doubling to 30 s."""
    place = ResumableEventStream(Ear())
    delays = [place.delay_seconds() for _ in range(7)]

    assert delays == [1, 2, 4, 8, 16, 30, 30]


async def test_a_result_may_be_spread_over_lines_of_data() -> None:
    """sse-07."""
    rules = {
        "POST tools/call": stream('data: {"jsonrpc":"2.0",\ndata:\ndata:"id":2,"result":{}}\n\n')
    }
    async with talking(rules) as (_, session):
        assert result_text(await call(session)) == "{}"
