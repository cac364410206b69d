"""Answers that end too early, or late: what came of them is in the record, and the failure says what was missing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inspector.errors import ConnectionLost, TimedOut
from inspector.session.outgoing import Timeouts
from inspector.transport.http import event_stream
from inspector.wire.frame import Channel, Direction, FrameDefect
from tests.support.http_session import at, call, connected, talking, texts, words_of
from tests.support.http_stub import HttpStub, Reply, reply, stream
from tests.support.modern import modern_http
from tests.support.programs import Ear
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.transport.http.response import HttpResponse
    from tests.support.http_stub import Rule

JSON = ("Content-Type", "application/json")
BEGUN = b'{"jsonrpc":"2.0","id":2,"result":{"content":['
WHOLE = '{"jsonrpc":"2.0","id":{{id}},"result":{}}'


def rest_of(session: Session, raw: bytes) -> list[FrameDefect]:
    """How each frame that holds exactly `raw` is marked."""
    transcript = session.transcript
    numbers = range(1, transcript.count + 1)
    return [transcript.frame(n).flaw for n in numbers if transcript.raw(n) == raw]


def cut(raw: bytes, *, status: int = 200, end: str = "reset", length: int | None = 900) -> Reply:
    """A body that ends before it is whole."""
    return Reply(status, (JSON,), (raw, 0.02), end, lasting=False, length=length)


@pytest.mark.parametrize("end", ["reset", "close"])
@pytest.mark.parametrize("status", [200, 500])
async def test_what_came_of_a_body_that_was_cut_is_a_frame_and_its_size_is_told(
    end: str, status: int
) -> None:
    """Ours: of an answer and of a refusal."""
    rules: dict[str, Rule] = {"POST tools/call": [cut(BEGUN, status=status, end=end), None]}
    async with talking(rules) as (_, session):
        with pytest.raises(ConnectionLost) as caught:
            await call(session)

        assert f"{len(BEGUN)} of 900 bytes" in caught.value.reason
        assert ("HTTP 500" in caught.value.reason) == (status == 500)
        assert "complete message body" not in caught.value.reason
        (flaw,) = rest_of(session, BEGUN)
        assert flaw & FrameDefect.UNTERMINATED
        await call(session)


async def test_a_body_without_a_length_is_told_by_what_came_of_it() -> None:
    """Ours."""
    async with talking({"POST tools/call": [cut(BEGUN, length=None), None]}) as (_, session):
        with pytest.raises(ConnectionLost) as caught:
            await call(session)

        assert f"{len(BEGUN)} bytes of the body received" in caught.value.reason
        assert rest_of(session, BEGUN)


async def test_what_came_of_a_body_is_kept_when_nobody_waits_for_the_rest() -> None:
    """Ours: closing the connection in the middle of a slow answer loses nothing."""
    slow = Reply(200, (JSON,), (BEGUN,), "hang")
    async with HttpStub({"POST tools/call": slow}) as stub, connected(at(stub.url)) as session:
        calling = asyncio.create_task(call(session))
        await wait_until(
            lambda: any("200" in h for h in texts(session, Channel.HTTP, Direction.RECEIVED)[3:])
        )
        await wait_until(lambda: stub.said("POST tools/call"))
        await session.request("ping")
        await session.aclose()
        with pytest.raises(ConnectionLost):
            await calling

        assert rest_of(session, BEGUN)


@pytest.mark.parametrize("before", ["", "event: message\n", "id: 4\nevent: message\n"])
async def test_an_answer_whose_event_is_not_ended_is_named_and_pointed_to(before: str) -> None:
    """Ours, sse-11: it is no event, and everything of it is there."""
    raw = f"{before}data: {WHOLE}"
    rules: dict[str, Rule] = {"POST tools/call": [stream(raw), None], "GET": reply(405)}
    async with talking(rules) as (_, session):
        with pytest.raises(ConnectionLost, match="no blank line") as caught:
            await call(session)

        frame = caught.value.frame
        assert frame is not None
        assert session.transcript.raw(frame).startswith(raw[:20].encode())
        assert "blank line" in caught.value.hint
        await call(session)


async def test_the_same_is_told_where_every_request_stands_alone() -> None:
    """Ours."""
    rules: dict[str, Rule] = {"POST tools/call": stream(f"data: {WHOLE}\n")}
    async with modern_http(rules) as (_, session):
        with pytest.raises(ConnectionLost, match="no blank line") as caught:
            await call(session)

        assert "blank line" in caught.value.hint


async def test_a_stream_whose_rest_is_requested_later_is_named_by_the_time_out() -> None:
    """C-HTTP-12: it is not open, and the server set the delay."""
    rules: dict[str, Rule] = {"POST tools/call": stream("retry: 3600000\nid: a\ndata:\n\n")}
    async with talking(rules) as (_, session):
        with pytest.raises(TimedOut, match="resuming after event a in 3,600 s") as caught:
            await session.request("tools/call", {"name": "a"}, timeouts=Timeouts(0.3, 0.3))

        assert "ended the event stream" in caught.value.hint


async def test_a_comment_at_the_end_is_no_event_that_lacks_its_end() -> None:
    """Ours."""
    async with talking({"POST tools/call": stream(": bye")}) as (_, session):
        with pytest.raises(ConnectionLost) as caught:
            await call(session)

        assert "blank line" not in caught.value.reason


def answer_of(raw: bytes) -> HttpResponse:
    """A stream that holds just that."""
    from inspector.transport.http.response import HttpResponse

    async def chunks():
        yield raw

    return HttpResponse(200, "", {}, 1, chunks())


async def test_no_more_event_ids_are_remembered_than_the_record_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: of a stream that lasts for ever, the latest can be told apart."""
    monkeypatch.setattr(event_stream, "MAX_EVENT_IDS", 3)
    sink = Ear()
    read = event_stream.ResumableEventStream(sink)
    await read.read(answer_of(b"".join(b"id: %d\ndata: 1\n\n" % n for n in range(5))))
    assert sink.events == ["ids-forgotten"]
    await read.read(answer_of(b"id: 4\ndata: 1\n\nid: 0\ndata: 1\n\n"))

    assert sink.events == ["ids-forgotten", "repeated"]
    assert read.last_event_id == "0"


async def test_large_event_ids_are_remembered_up_to_their_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: few of them may be much."""
    monkeypatch.setattr(event_stream, "MAX_EVENT_ID_CHARS", 1000)
    sink = Ear()
    read = event_stream.ResumableEventStream(sink)
    for number in (1, 2):
        await read.read(answer_of(b"id: %d%b\ndata: 1\n\n" % (number, b"x" * 800)))

    assert sink.events == ["ids-forgotten"]


@pytest.mark.parametrize("asked", [0, 1, 99])
async def test_a_delay_that_is_none_has_a_floor(asked: int) -> None:
    """C-HTTP-12, ours: a server is not asked without a pause."""
    sink = Ear()
    read = event_stream.ResumableEventStream(sink)
    for _ in range(2):
        await read.read(answer_of(b"retry: %d\nid: 1\ndata:\n\n" % asked))

    assert read.delay_seconds() == event_stream.MIN_DELAY_SECONDS


@pytest.mark.parametrize("asked", [100, 101, 90_000])
async def test_any_other_delay_is_kept(asked: int) -> None:
    """C-HTTP-12."""
    sink = Ear()
    read = event_stream.ResumableEventStream(sink)
    await read.read(answer_of(b"retry: %d\n\n" % asked))

    assert read.delay_seconds() == asked / 1000
    assert sink.events == []


async def test_the_delay_of_the_server_is_a_lower_limit_also_after_a_failed_attempt() -> None:
    """C-HTTP-12: delays of ours grow from there, and are no excuse to ask sooner."""
    read = event_stream.ResumableEventStream(Ear())
    await read.read(answer_of(b"retry: 3000\n\n"))
    delays: list[float] = []
    for _ in range(4):
        read.record_failure()
        delays.append(read.delay_seconds())

    assert delays == [3, 3, 4, 8]


async def test_what_follows_a_notification_is_read_before_the_connection_is_closed() -> None:
    """Ours: its answer has nothing to say, and yet it is recorded."""
    late = Reply(200, (JSON,), (0.05, b"null"))
    async with talking({"POST notifications/cancelled": late, "GET": reply(405)}) as (_, session):
        await session.peer.notify("notifications/cancelled", {"requestId": 99})
        await session.aclose()

        assert "null" in texts(session, Channel.HTTP, Direction.RECEIVED)


async def test_a_notification_that_is_never_answered_keeps_closing_for_a_moment_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours."""
    monkeypatch.setattr("inspector.transport.http.connection.LINGER_SECONDS", 0.01)
    slow = Reply(200, (JSON,), (b"nu",), "hang")
    async with talking({"POST notifications/cancelled": slow, "GET": reply(405)}) as (_, session):
        await session.peer.notify("notifications/cancelled", {"requestId": 99})
        async with asyncio.timeout(0.4):
            await session.aclose()

        assert words_of(session, "closed")
