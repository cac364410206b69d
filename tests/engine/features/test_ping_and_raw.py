"""Pings, and frames of any content."""

from __future__ import annotations

import asyncio

import pytest

from inspector.errors import ConnectionLost, PeerError, TimedOut
from inspector.features.ping import HISTORY, Ping
from inspector.features.raw import Raw
from inspector.transcript.exchange import Status
from tests.support.answering import AnsweringServer, connected, silence
from tests.support.wait import wait_until


async def test_a_ping_tells_how_long_it_took() -> None:
    """C-PNG-02."""
    server = AnsweringServer()
    async with connected(server) as session:
        ping = Ping(session)
        pong = await ping.once()

        assert pong.error is None
        assert pong.took_seconds is not None
        assert 0 <= pong.took_seconds < 5
        assert session.transcript.row(pong.frame).method == "ping"
        assert ping.history == [pong]
        assert server.received[-1]["params"] == {}


async def test_a_ping_that_fails_is_kept_with_its_reason() -> None:
    """C-PNG-03."""

    def refuse(_params: object) -> None:
        raise PeerError(-32601, "no ping here")

    server = AnsweringServer({"ping": refuse})
    async with connected(server, timeout=0.05) as session:
        ping = Ping(session)
        refused = await ping.once()
        server.answers["ping"] = silence
        late = await ping.once()
        server.end()
        lost = await ping.once()

        assert isinstance(refused.error, PeerError)
        assert isinstance(late.error, TimedOut)
        assert isinstance(lost.error, ConnectionLost)
        assert late.frame > refused.frame > 0
        assert (lost.frame, lost.took_seconds) == (0, None)


async def test_old_pings_are_forgotten() -> None:
    """C-SEC-18."""
    async with connected(AnsweringServer()) as session:
        ping = Ping(session)
        for _ in range(HISTORY + 5):
            await ping.once()

        assert len(ping.history) == HISTORY


async def test_pings_are_repeated_until_told_otherwise() -> None:
    """C-PNG-02: with an interval of the user's choice, and not at first."""
    server = AnsweringServer()
    async with connected(server) as session:
        ping = Ping(session)
        assert ping.interval_seconds == 0
        ping.repeat(0.01)
        await wait_until(lambda: len(ping.history) >= 3)
        ping.repeat(60)
        await wait_until(lambda: ping.interval_seconds == 60)
        ping.repeat(0)
        count = len(server.methods())

        assert count >= 3
        answered, failed, least, mean, most = ping.figures()
        assert (answered, failed) == (len(ping.history), 0)
        assert 0 < least <= mean <= most


async def test_repeated_pings_show_their_failures_and_end_with_the_session() -> None:
    """C-PNG-03."""
    server = AnsweringServer({"ping": silence})
    async with connected(server, timeout=0.02) as session:
        ping = Ping(session)
        ping.repeat(0.01)
        await wait_until(lambda: len(ping.history) >= 2)
        assert ping.figures().failed >= 2
        assert ping.figures().answered == 0
        server.end()
        await wait_until(lambda: ping.interval_seconds == 0)
        kept = len(ping.history)
        ping.repeat(30)
        await wait_until(lambda: ping.interval_seconds == 0)

        assert len(ping.history) == kept


@pytest.mark.parametrize(
    "text",
    ['{"jsonrpc":"2.0","id":"x","method":"ping"}', '{ "id" : "x",\t"method": "ping" }'],
)
async def test_a_raw_request_is_answered_like_any_other(text: str) -> None:
    """Ours."""
    async with connected(AnsweringServer()) as session:
        frame = await Raw(session).send(text)
        await wait_until(lambda: session.transcript.status(frame) is Status.OK)

        assert session.transcript.raw(frame) == text.encode()


async def test_raw_text_leaves_byte_by_byte_valid_or_not() -> None:
    """Ours: the unguarded way to the wire."""
    server = AnsweringServer()
    async with connected(server) as session:
        for text in ("{", "", "☃ \ud800", "a\nb"):
            await Raw(session).send(text)

    assert server.raws[2:] == [b"{", b"", "☃ ".encode() + b"\xed\xa0\x80", b"a\nb"]


async def test_an_id_that_was_sent_raw_is_not_used_again() -> None:
    """C-JR-03."""
    server = AnsweringServer({"slow": silence})
    async with connected(server) as session:
        await Raw(session).send('{"jsonrpc":"2.0","id":2,"method":"slow"}')
        await Raw(session).send('{"jsonrpc":"2.0","id":3,"method":"slow"}')
        await session.request("ping")

        assert [m["id"] for m in server.received if "id" in m] == [1, 2, 3, 4]


async def test_an_id_is_not_used_again_while_a_large_request_with_it_is_decoded() -> None:
    """C-JR-03."""
    server = AnsweringServer({"slow": silence})
    text = '{"jsonrpc":"2.0","id":2,"method":"slow","params":{"n":NaN,"pad":"%s"}}' % ("x" * 70_000)
    async with connected(server) as session:
        await asyncio.gather(Raw(session).send(text), session.request("ping"))

        assert sorted(str(m["id"]) for m in server.received if "id" in m) == ["1", "2", "3"]
