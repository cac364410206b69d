"""Many requests at once, and how sessions end."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

import pytest

from inspector.errors import ConnectionLost, InspectorError, PeerError
from inspector.session.session_state import SessionState
from inspector.transcript.exchange import Status
from tests.support.answering import AnsweringServer, connected, silence
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.wire.json_codec import JsonObject


async def test_forty_requests_at_once_each_get_their_own_answer() -> None:
    """C-JR-03; jsonrpc-15."""
    server = AnsweringServer({"tools/call": silence})
    async with connected(server) as session:
        asked = [
            asyncio.create_task(session.request("tools/call", {"arguments": {"index": index}}))
            for index in range(40)
        ]
        await wait_until(lambda: len(server.methods()) == 40)
        requests = server.received[2:]
        random.Random(7).shuffle(requests)
        for request in requests:
            server.reply(request, request["params"])

        results = [(await task).message.result for task in asked]

        assert results == [{"arguments": {"index": index}} for index in range(40)]
        ids = [message["id"] for message in server.received if "id" in message]
        assert len({repr(id_) for id_ in ids}) == 41
        assert all(type(id_) is int for id_ in ids)
        assert session.transcript.counts.pending == 0


async def test_ids_are_never_used_again() -> None:
    """C-JR-03."""
    server = AnsweringServer()
    async with connected(server) as session:
        for _ in range(5):
            await session.request("ping")
        with pytest.raises(PeerError):
            await session.request("no/such")

        ids = [message["id"] for message in server.received if "id" in message]
        assert ids == list(range(1, 8))


async def test_every_message_we_send_is_json_rpc_in_one_line() -> None:
    """C-JR-01, C-JR-08, C-STD-03."""
    server = AnsweringServer()
    async with connected(server) as session:
        await session.request("ping", {"text": "two\nlines\r\u2028"})

        assert all(message["jsonrpc"] == "2.0" for message in server.received)
        assert [("id" in m) for m in server.received] == [True, False, True]
        sent = [session.transcript.raw(n) for n in range(1, session.transcript.count + 1)]
        assert not any(b"\n" in raw for raw in sent)


async def test_a_connection_that_ends_fails_what_is_waited_for() -> None:
    """C-STD-14."""
    server = AnsweringServer({"slow": silence})
    async with connected(server) as session:
        asked = [asyncio.create_task(session.request("slow")) for _ in range(3)]
        await wait_until(lambda: len(server.methods()) == 3)
        server.end()

        outcomes = await asyncio.gather(*asked, return_exceptions=True)

        assert [type(outcome) for outcome in outcomes] == [ConnectionLost] * 3
        assert session.state is SessionState.CLOSED
        assert session.closed_reason == "the server closed the connection"
        statuses = {session.transcript.status(n) for n in range(4, 7)}
        assert statuses == {Status.NO_RESPONSE}
        assert session.transcript.counts.pending == 0


async def test_after_the_end_requests_fail_at_once_and_the_record_stays() -> None:
    """Ours."""
    server = AnsweringServer()
    async with connected(server) as session:
        await session.aclose()

        with pytest.raises(ConnectionLost):
            await session.request("ping")
        assert session.transcript.message(1).method == "initialize"


async def test_a_session_may_be_closed_at_any_time_and_more_than_once() -> None:
    """Ours."""
    server = AnsweringServer({"slow": silence})
    async with connected(server) as session:
        asked = asyncio.create_task(session.request("slow"))
        await wait_until(lambda: server.methods() == ["slow"])

        await asyncio.gather(session.aclose(), session.aclose())

        assert session.state is SessionState.CLOSED
        with pytest.raises(InspectorError):
            await asked


async def test_a_session_that_never_connected_can_be_closed() -> None:
    """Ours."""
    server = AnsweringServer()
    async with connected(server) as session:
        unused = type(session)(session.profile, type(session.transcript)(), server.connect)
        await unused.aclose()

        assert unused.state is SessionState.CLOSED


@pytest.mark.parametrize(
    "error",
    [None, [], "no", 7, {}, {"code": "E", "message": 7}, {"code": 1.5, "message": "m", "data": 0}],
)
async def test_an_error_of_any_shape_reaches_whoever_asked(error: JsonObject) -> None:
    """C-JR-26: the display survives whatever fails the judge."""
    server = AnsweringServer({"odd": silence})
    async with connected(server) as session:
        asked = asyncio.create_task(session.request("odd"))
        await wait_until(lambda: server.methods() == ["odd"])
        server.send({"jsonrpc": "2.0", "id": server.received[-1]["id"], "error": error})

        with pytest.raises(PeerError) as failure:
            await asked
        assert failure.value.reason
        assert failure.value.frame == session.transcript.count


async def test_the_progress_token_is_sent_only_when_somebody_listens() -> None:
    """C-PRG-01, C-PRG-02."""
    server = AnsweringServer()
    async with connected(server) as session:
        await session.request("ping")
        tokens = [await _token(session, server) for _ in range(2)]

        assert server.received[2]["params"] == {}
        assert len(set(tokens)) == 2


async def _token(session: Session, server: AnsweringServer) -> str:
    await session.request("ping", {"_meta": {"x": 1}}, on_progress=lambda _: None)
    params = server.received[-1]["params"]
    assert isinstance(params, dict)
    meta = params["_meta"]
    assert isinstance(meta, dict)
    assert meta["x"] == 1
    assert isinstance(meta["progressToken"], str)
    return meta["progressToken"]
