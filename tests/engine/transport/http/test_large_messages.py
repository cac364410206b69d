"""Responses over HTTP that are so large that a thread decodes them, or too large to be read."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import TYPE_CHECKING

import pytest

from inspector.errors import ConnectionLost, InvalidResult
from inspector.session.outgoing import Timeouts
from inspector.wire.batch import MAX_BATCH
from inspector.wire.frame import Channel, Direction
from tests.support.decoding_thread import holding_decoding
from tests.support.http_session import call, talking
from tests.support.http_stub import JSON_TYPE, reply, stream
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from tests.support.http_stub import Asked, Reply, Rule

CALL = "POST tools/call"
LIMIT = Timeouts(1.0, 1.0)
NOT_A_NUMBER = b'{"jsonrpc":"2.0","id":{{id}},"result":{"x":[' + b"1," * 50_000 + b"NaN]}}"


def as_body(asked: Asked, content: bytes = NOT_A_NUMBER) -> Reply:
    """Return JSON with the id of the request."""
    id_ = json.dumps(json.loads(asked.body)["id"]).encode()
    return reply(200, content.replace(b"{{id}}", id_), JSON_TYPE)


def as_event(_: Asked) -> Reply:
    """Return an event stream."""
    return stream(b"data: " + NOT_A_NUMBER + b"\n\n")


@pytest.mark.parametrize("response", [as_body, as_event])
async def test_a_response_that_came_in_time_is_in_time_however_long_decoding_takes(
    response: Rule, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: no limit runs while it is decoded, and its frame has the time at which it was received."""
    loop = asyncio.get_running_loop()
    async with talking({CALL: response}) as (_, session):
        with holding_decoding(monkeypatch) as thread:
            work = session.request("tools/call", {"name": "a"}, timeouts=LIMIT)
            pending = asyncio.ensure_future(work)
            await wait_until(lambda: thread.began)
            since = loop.time()
            await wait_until(lambda: loop.time() > since + LIMIT.total_seconds)
            thread.may_decode.set()
            result = await pending

        received_s = session.transcript.columns.monotonic_s[result.frame - 1]
        assert received_s - thread.began[0] < LIMIT.total_seconds


@pytest.mark.parametrize("response", [as_body, as_event])
async def test_disconnecting_does_not_wait_for_a_response_that_is_decoded(
    response: Rule, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: it is recorded as it was received."""
    async with talking({CALL: response}) as (_, session):
        with holding_decoding(monkeypatch) as thread:
            pending = asyncio.ensure_future(call(session))
            await wait_until(lambda: thread.began)
            async with asyncio.timeout(5):
                await session.aclose()
            assert not thread.may_decode.is_set()

        with pytest.raises(ConnectionLost):
            await pending
        rows = map(session.transcript.row, range(1, session.transcript.count + 1))
        sizes = [
            r.size for r in rows if (r.direction, r.channel) == (Direction.RECEIVED, Channel.HTTP)
        ]
        assert max(sizes) >= 100_000


async def test_a_response_in_a_batch_that_is_not_read_ends_its_request() -> None:
    """JSON-RPC 2.0, section 6: the server did respond."""
    batch = b"[" + b"{}," * MAX_BATCH + b'{"jsonrpc":"2.0","id":{{id}},"result":{}}]'
    async with talking({CALL: partial(as_body, content=batch)}) as (_, session):
        with pytest.raises(InvalidResult, match="does not read batches this large"):
            await call(session)
