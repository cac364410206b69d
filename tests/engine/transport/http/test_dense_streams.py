"""A few bytes on the wire that hold a great many events, or very large ones: the loop turns all the while, and limits and ends are kept."""

from __future__ import annotations

import asyncio
import json
import math
import zlib
from typing import TYPE_CHECKING

import pytest

from inspector.errors import ConnectionLost, TimedOut
from inspector.session.outgoing import Timeouts
from inspector.session.session_state import SessionState
from inspector.session.transport_factory import make_transport
from inspector.transport.http import response
from inspector.transport.http.event_stream import MAX_BYTES, ResumableEventStream, read_blocks
from inspector.transport.http.response import HttpResponse
from inspector.wire.frame import Channel
from tests.support.http_session import at, call, connected, talking
from tests.support.http_stub import HttpStub, Reply, reply, result_event, stream
from tests.support.http_stub import answer as body
from tests.support.programs import Ear
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from inspector.wire.line_splitter import RawChunk

EVENTS = 400_000
IMPATIENT = Timeouts(0.2, 0.2)


def packed(raw: bytes, *, members: int = 1) -> bytes:
    """`raw` as gzip, which may have several members."""
    packer = zlib.compressobj(9, wbits=31)
    return (packer.compress(raw) + packer.flush()) * members


def packed_events(raw: bytes) -> Reply:
    """A stream of compressed events that stays open behind them."""
    return stream(packed(raw), end="hang", content_encoding="gzip")


DENSE = {
    "messages": packed_events(b"data: {}\n\n" * EVENTS),
    "comments": packed_events(b":\n\n" * EVENTS),
    "blank lines": packed_events(b"\n" * 2 * EVENTS),
    "events with ids": packed_events(b"id: 1\ndata:\n\n" * EVENTS),
    "not compressed": stream(b"data: {}\n\n" * EVENTS, end="hang"),
}


@pytest.mark.parametrize("what", DENSE)
async def test_a_limit_is_kept_while_a_dense_stream_is_read(what: str) -> None:
    """Ours: what is small on the wire may be much to read."""
    async with talking({"POST tools/call": DENSE[what]}) as (_, session):
        with pytest.raises(TimedOut):
            await session.request("tools/call", {"name": "a"}, timeouts=IMPATIENT)

        assert session.transcript.count < EVENTS


NUMBERS = json.dumps({"content": [], "numbers": [1.5] * 20_000 + [math.nan]})


@pytest.mark.parametrize(
    "response_with_it",
    [body({"result": json.loads(NUMBERS)}), stream(result_event(NUMBERS))],
    ids=["body", "event"],
)
async def test_a_large_result_with_a_number_that_json_has_not_is_read_as_the_response(
    response_with_it: Reply,
) -> None:
    """Ours: a thread decodes it before it is recorded."""
    async with talking({"POST tools/call": response_with_it}) as (_, session):
        result = (await call(session)).message.result

    assert isinstance(result, dict)
    assert isinstance(result["numbers"], list)
    assert result["numbers"][:-1] == [1.5] * 20_000


async def test_a_session_can_be_ended_while_a_dense_stream_is_read() -> None:
    """Ours: and what was recorded until then is kept."""
    async with (
        HttpStub({"POST tools/call": DENSE["messages"]}) as stub,
        connected(at(stub.url)) as session,
    ):
        calling = asyncio.create_task(call(session))
        await wait_until(lambda: session.transcript.count > 100)
        await session.aclose()

        assert session.state is SessionState.CLOSED
        assert session.transcript.count < EVENTS
        with pytest.raises(ConnectionLost):
            await calling


async def test_a_dense_stream_of_an_older_server_can_be_ended_too() -> None:
    """Ours: HTTP+SSE has one stream for everything."""
    dense = packed_events(b"event: endpoint\ndata: /post\n\n" + b"data: {}\n\n" * EVENTS)
    async with HttpStub({"GET": dense}) as stub:
        sink, transport = Ear(), make_transport(at(stub.url, "sse"))
        await transport.open(sink)
        await wait_until(lambda: len(sink.lines) > 100)
        await transport.aclose()

        assert [str(end) for end in sink.ends] == ["disconnected"]
        assert len(sink.lines) < EVENTS


async def answer_of(*chunks: bytes) -> AsyncIterator[bytes]:
    """A body."""
    for chunk in chunks:
        yield chunk


def answer(*chunks: bytes) -> HttpResponse:
    """An answer with that body, all of which is there."""
    return HttpResponse(200, "", {"content-type": "text/event-stream"}, 7, answer_of(*chunks))


async def test_what_came_and_was_not_read_when_reading_stopped_is_recorded_as_one_frame() -> None:
    """Ours: it is not read as events, and no byte is lost."""
    raw = b"data: {}\n\n" * 20_000
    sink, blocks = Ear(), list[bytes]()

    def process(some: list[RawChunk]) -> None:
        blocks.extend(block.raw for block in some)
        reading.cancel()

    reading = asyncio.create_task(read_blocks(answer(raw), sink, process))
    await asyncio.wait([reading])

    assert reading.cancelled()
    (rest,) = sink.heard(Channel.HTTP)
    assert b"".join(blocks) + rest == raw
    assert len(rest) > len(raw) / 2


async def test_reading_pauses_between_the_blocks_of_one_chunk_while_the_sink_is_congested() -> None:
    """Ours: one chunk may be more than there is room for."""
    sink = Ear()
    place = ResumableEventStream(sink)
    sink.is_congested = True
    reading = asyncio.create_task(place.read(answer(b"data: {}\n\n" * 1000)))
    await wait_until(lambda: sink.lines)

    assert len(sink.lines) < 1000
    sink.is_congested = False
    await reading
    assert len(sink.lines) == 1000


@pytest.mark.parametrize("media_type", ["text/event-stream", "application/json"])
async def test_a_body_that_unpacks_to_far_more_than_its_size_is_not_read_to_its_end(
    media_type: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: the call fails with the reason, and the connection goes on."""
    monkeypatch.setattr(response, "MAX_UNPACKED_BYTES", 1 << 20)
    bomb = reply(200, packed(b"d" * (4 << 20)), media_type, content_encoding="gzip")
    async with talking({"POST tools/call": [bomb, None]}) as (_, session):
        with pytest.raises(ConnectionLost, match="100 times its size") as caught:
            await call(session)

        assert "Content-Encoding" in caught.value.hint
        await call(session)


def test_a_body_that_is_compressed_well_is_read_to_its_end() -> None:
    """Ours: below a size nobody minds, and a usual ratio is no reason at any size."""
    raw = b'{"name": "value"}, ' * 50_000
    inflater = response.Decompressor("gzip")

    assert b"".join(inflater.feed(packed(raw))) == raw


def test_many_empty_parts_of_a_body_come_one_by_one() -> None:
    """Ours: each is a chance to do something else."""
    pieces: Iterator[bytes] = response.Decompressor("gzip").feed(packed(b"", members=500))

    assert list(pieces) == [b""] * 500


async def test_large_events_are_processed_one_at_a_time() -> None:
    """Ours: each of their lines costs time, and 64 of them would take all of a turn and more."""
    sizes: list[int] = []
    event = b"data: x\n" * (MAX_BYTES // 8) + b"\n"
    small = b"data: x\n\n" * 3

    await read_blocks(answer(event * 3 + small), Ear(), lambda blocks: sizes.append(len(blocks)))

    assert sizes == [1, 1, 1, 3]
