"""Streams that are cut in the worst places, and streams that hang: over real sockets, byte by byte."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from inspector.errors import ConnectionLost
from inspector.session.session_state import SessionState
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import MessageKind
from tests.support.http_session import at, call, connected, session_of, talking, texts, words_of
from tests.support.http_stub import HANGS, HttpStub, Reply, reply, stream
from tests.support.wait import patience, wait_until

if TYPE_CHECKING:
    from tests.support.http_stub import Rule

PRIMING = b"id: 7\nretry: 20\ndata:\n\n"
DONE = (
    'id: 8\ndata: {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"🎉"}]}}\n\n'
)
BYTES = DONE.encode()
CUTS = {
    "in a character": BYTES[: BYTES.index("🎉".encode()) + 2],
    "in a field": BYTES[:3],
    "in the data": BYTES[:30],
    "before the blank line": BYTES[:-1],
}


@pytest.mark.parametrize("end", ["close", "reset"])
@pytest.mark.parametrize("place", CUTS)
async def test_a_stream_that_is_cut_anywhere_goes_on_from_its_last_whole_event(
    place: str, end: str
) -> None:
    """C-HTTP-10, sse-11: the piece is recorded, is no event, and sets no id."""
    rules: dict[str, Rule] = {
        "POST tools/call": stream(PRIMING, CUTS[place], end=end),
        "GET": [reply(405), stream(DONE)],
    }
    async with talking(rules) as (stub, session):
        await wait_until(lambda: stub.said("GET"))
        done = await call(session)

        assert stub.said("GET")[-1].headers["last-event-id"] == "7"
        assert len(stub.said("POST tools/call")) == 1
        assert session.transcript.raw(done.frame) == BYTES
        pieces = [
            number
            for number in range(1, session.transcript.count + 1)
            if session.transcript.raw(number) == CUTS[place]
        ]
        assert [session.transcript.row(number).kind for number in pieces] == [MessageKind.SSE_OTHER]
        assert session.transcript.counts.problems == 0


@pytest.mark.parametrize("end", ["close", "reset"])
@pytest.mark.parametrize("place", CUTS)
async def test_without_an_id_a_cut_anywhere_fails_the_call_in_words(place: str, end: str) -> None:
    """Decision 24: it may have been carried out, and is not sent again."""
    rules: dict[str, Rule] = {
        "POST tools/call": [stream(CUTS[place].replace(b"id: 8\n", b""), end=end), None]
    }
    async with talking(rules) as (stub, session):
        with pytest.raises(
            ConnectionLost, match=r"incomplete|closed the connection|cannot be resumed"
        ):
            await call(session)

        assert len(stub.said("POST tools/call")) == 1
        await call(session)
        assert session.state is SessionState.READY


async def test_a_body_of_json_that_is_cut_fails_the_call_in_words() -> None:
    """Ours."""
    cut = Reply(200, (("Content-Type", "application/json"),), (b'{"jsonrpc":"2.0",',), "reset")
    async with talking({"POST tools/call": [cut, None]}) as (_, session):
        with pytest.raises(ConnectionLost, match="closed the connection"):
            await call(session)
        await call(session)


HANGING = {
    "no answer": HANGS,
    "an open stream": stream(": hello\n\n", end="hang"),
    "a head alone": stream(end="hang"),
    "a page that never ends": Reply(200, (("Content-Type", "text/html"),), (b"<",), "hang"),
}


@pytest.mark.parametrize("how", HANGING)
async def test_a_server_stream_that_hangs_delays_neither_connecting_nor_leaving(how: str) -> None:
    """C-HTTP-07, C-HTTP-16, http-07-get-hangs."""
    async with HttpStub({"GET": HANGING[how]}) as stub:
        async with session_of(at(stub.url)) as session:
            started = time.monotonic()
            await session.connect()
            await call(session)
            assert time.monotonic() - started < patience(2)
            await wait_until(lambda: stub.said("GET"))

            started = time.monotonic()
            await session.aclose()
            assert time.monotonic() - started < patience(2)
        await wait_until(lambda: not stub.open_connections)
        assert len(stub.said("DELETE")) == 1


@pytest.mark.alone
async def test_leaving_waits_for_no_call_that_hangs() -> None:
    """C-HTTP-16: nor for a server that does not answer that we leave."""
    async with (
        HttpStub({"GET": HANGS, "DELETE": HANGS}) as stub,
        connected(at(stub.url)) as session,
    ):
        started = time.monotonic()
        await session.aclose()

        assert time.monotonic() - started < patience(2)
        assert words_of(session, "not-left")


async def test_a_character_that_comes_in_two_pieces_is_one() -> None:
    """sse-11: a pause is no cut."""
    cut = len(CUTS["in a character"])
    rules = {"POST tools/call": stream(BYTES[:cut], 0.05, BYTES[cut:])}
    async with talking(rules) as (_, session):
        done = await call(session)

        assert session.transcript.raw(done.frame) == BYTES
        assert DONE in texts(session, Channel.SSE, Direction.RECEIVED)
