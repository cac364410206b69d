"""What answers a request and is no response: it is connected with the request, and nobody waits for what is there already."""

from __future__ import annotations

import asyncio
import time

import pytest

from inspector.errors import InspectorError, InvalidResult, PeerError, TimedOut
from inspector.session import outgoing
from inspector.session.diagnostics import server_output
from inspector.session.diagnostics.unusable_responses import find_reason
from inspector.session.error_responses import LESS_AT_ONCE
from inspector.session.outgoing import Timeouts
from inspector.transcript.exchange import Status
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction, FrameDefect
from inspector.wire.line_splitter import RawChunk
from tests.support.answering import AnsweringServer, connected, silence
from tests.support.wait import wait_until

SHORT = Timeouts(idle_seconds=0.1)


async def failure_after(raw: bytes, timeouts: Timeouts = SHORT) -> tuple[InspectorError, int, str]:
    """How a request fails when this comes in its stead (`ID` is its id), the frame of that, and how the request stands."""
    server = AnsweringServer({"slow": silence})
    async with connected(server) as session:
        asking = asyncio.create_task(session.request("slow", timeouts=timeouts))
        await wait_until(lambda: "slow" in server.methods())
        server.send(raw.replace(b"ID", b"%d" % server.received[-1]["id"]))
        with pytest.raises(InspectorError) as failure:
            await asking
        transcript = session.transcript
        number = next(
            n for n in range(1, transcript.count + 1) if transcript.row(n).method == "slow"
        )
        return failure.value, number, transcript.status(number)


@pytest.mark.parametrize(
    "raw",
    [
        b'{"jsonrpc":"2.0","id":ID,"content":[{"type":"text","text":"done"}]}',
        b'{"jsonrpc":"2.0","id":"ID","content":[]}',
        b'{"jsonrpc":"2.0","id":ID}',
        b'{"jsonrpc":"2.0","id":ID,"results":{},"method":null,"x":"\xff"}'.replace(
            b',"method":null', b""
        ),
    ],
)
async def test_an_object_with_the_id_and_neither_result_nor_error_ends_the_request(
    raw: bytes,
) -> None:
    """Ours: nothing better will come."""
    error, number, status = await failure_after(raw, Timeouts())

    assert isinstance(error, InvalidResult)
    assert "neither `result` nor `error`" in error.reason
    assert error.hint
    assert error.frame is not None
    assert error.frame > number
    assert status == Status.INVALID_RESULT


@pytest.mark.parametrize("raw", [b'{"id":ID,"level":"info"}', b'{"jsonrpc":"2.0","id":77}', b"{}"])
async def test_an_object_that_answers_no_request_ends_none(raw: bytes) -> None:
    """Ours: a line of a log may have an id of its own."""
    error, _, status = await failure_after(raw)

    assert isinstance(error, TimedOut)
    assert "malformed" in error.reason or "JSON-RPC" in error.reason
    assert status == Status.TIMED_OUT


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b'{"jsonrpc":"2.0","id":"call-ID","result":{}}', 'unknown id "call-'),
        (b'{"jsonrpc":"2.0","id":77,"error":{"code":1,"message":"no"}}', "unknown id 77"),
        (b"plain words", "(“plain words”)"),
        (b'{"jsonrpc":"2.0","id":77,"result":{}}', "the request has the id"),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', "a second response with the id 1"),
        (b'{"jsonrpc":"2.0","result":{}}', "a response without an id"),
        (
            b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
            "names no request: -32700 Parse error",
        ),
    ],
)
async def test_a_timeout_names_what_came_meanwhile(raw: bytes, text: str) -> None:
    """Ours: and shows where."""
    error, number, _ = await failure_after(raw)

    assert isinstance(error, TimedOut)
    assert text in error.reason
    assert error.is_explained
    assert error.frame == number + 1


@pytest.mark.parametrize(
    ("raw", "hint"),
    [
        (b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}', "could not parse"),
        (b'{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}', "the id of the request"),
        (b'{"jsonrpc":"2.0","id":ID,"result":{}}{"jsonrpc":"2.0","id":9,"result":{}}', "newline"),
        (b'done: {"jsonrpc":"2.0","id":ID,"result":{}}', "messages on stderr"),
    ],
)
async def test_the_hint_after_a_timeout_fits_what_came(
    monkeypatch: pytest.MonkeyPatch, raw: bytes, hint: str
) -> None:
    """Ours."""
    monkeypatch.setattr(outgoing, "AMONG_TEXT_SECONDS", 0.05)
    error, _, _ = await failure_after(raw)

    assert hint in error.hint


@pytest.mark.parametrize(
    "raw",
    [
        b'INFO sending {"jsonrpc":"2.0","id":ID,"result":{}}',
        b'{"jsonrpc":"2.0","id":ID,"error":{"code":1,"message":"no"}}  <- sent',
        b'{"jsonrpc":"2.0","method":"notifications/x"}{"jsonrpc":"2.0","id":ID,"result":{}}',
    ],
)
async def test_a_response_among_other_text_is_named_soon(
    monkeypatch: pytest.MonkeyPatch, raw: bytes
) -> None:
    """C-STD-05: long before the limit of the request."""
    monkeypatch.setattr(outgoing, "AMONG_TEXT_SECONDS", 0.05)
    error, number, status = await failure_after(raw, Timeouts(idle_seconds=60))

    assert isinstance(error, TimedOut)
    assert "its line" in error.reason or "on one line" in error.reason
    assert error.frame == number + 1
    assert status == Status.TIMED_OUT


async def test_a_response_that_is_logged_first_counts_when_it_comes() -> None:
    """Ours: it may be printed for people before it is sent."""
    server = AnsweringServer({"slow": silence})
    async with connected(server) as session:
        asking = asyncio.create_task(session.request("slow"))
        await wait_until(lambda: "slow" in server.methods())
        request = server.received[-1]
        server.send(b'DEBUG {"jsonrpc":"2.0","id":%d,"result":{}}' % request["id"])
        server.reply(request, {"fine": True})

        assert (await asking).message.result == {"fine": True}


async def test_a_response_above_the_budget_is_told_to_be_cut_by_us() -> None:
    """C-SEC-18: at once, and the session lives on."""
    server = AnsweringServer({"slow": silence})
    async with connected(server) as session:
        asking = asyncio.create_task(session.request("slow"))
        await wait_until(lambda: "slow" in server.methods())
        id_ = server.received[-1]["id"]
        raw = b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"text":"xxxx' % id_
        session.peer.received(Channel.STDOUT, [RawChunk(raw, FrameDefect.TRUNCATED, 1000)])

        with pytest.raises(InvalidResult, match="cut by Spyglass"):
            await asking
        assert "no JSON-RPC" not in server_output.detail(session.transcript)
        await session.request("ping")


async def test_a_cut_frame_without_an_id_is_named_as_what_may_be_the_response() -> None:
    """C-SEC-18: the id may stand behind what was cut; it is no text printed by mistake."""
    server = AnsweringServer({"slow": silence})
    async with connected(server) as session:
        asking = asyncio.create_task(session.request("slow", timeouts=SHORT))
        await wait_until(lambda: "slow" in server.methods())
        raw = b'{"jsonrpc":"2.0","result":{"content":[{"text":"xxxx'
        session.peer.received(Channel.STDOUT, [RawChunk(raw, FrameDefect.TRUNCATED, 1000)])
        number = session.transcript.count

        with pytest.raises(TimedOut, match="cut") as failure:
            await asking

        assert failure.value.frame == number
        assert failure.value.hint == LESS_AT_ONCE


async def test_bytes_without_a_newline_are_a_sign_of_life_and_then_the_reason() -> None:
    """Ours: neither silence, nor nothing to look at."""
    server = AnsweringServer({"slow": silence})
    async with connected(server) as session:
        patient = Timeouts(idle_seconds=0.5)
        asking = asyncio.create_task(session.request("slow", timeouts=patient))
        for size in range(1, 9):
            session.peer.unfinished(Channel.STDOUT, size, b"{" * size, b"{" * size)
            await asyncio.wait({asking}, timeout=0.1)
        assert not asking.done()

        with pytest.raises(TimedOut, match="8 bytes without the newline") as failure:
            await asking
        assert "{{{{" in failure.value.reason
        assert "in the middle of a message" in failure.value.hint


@pytest.mark.parametrize(
    "error", [{"message": "no such row"}, {"code": None, "message": "no such row"}]
)
async def test_an_error_without_a_code_says_so(error: dict[str, str | None]) -> None:
    """Ours: no word of a programming language."""
    server = AnsweringServer({"slow": silence})
    async with connected(server) as session:
        asking = asyncio.create_task(session.request("slow"))
        await wait_until(lambda: "slow" in server.methods())
        server.send({"jsonrpc": "2.0", "id": server.received[-1]["id"], "error": {**error}})

        with pytest.raises(PeerError) as failure:
            await asking
        assert "without a code" in failure.value.reason
        assert "None" not in failure.value.reason


def test_the_reason_is_found_in_time_that_grows_with_what_came() -> None:
    """Ours: not with its square, while the loop waits."""

    def seconds(count: int) -> float:
        transcript = Transcript()
        asked = RawChunk(b'{"jsonrpc":"2.0","id":1,"method":"slow"}')
        transcript.append(Direction.SENT, Channel.STDIN, [asked])
        transcript.append(Direction.RECEIVED, Channel.STDOUT, [RawChunk(b"{}")] * count)
        before = time.thread_time()
        assert find_reason(transcript, 1) is not None
        return time.thread_time() - before

    few, many = (min(seconds(count) for _ in range(3)) for count in (400, 4000))
    assert many < 30 * few


@pytest.mark.parametrize(
    ("error", "hint"),
    [
        (b'"it broke"', "as an object"),
        (b'{"code":"E_FAIL","message":"no"}', "as an integer"),
        (b'{"message":"no"}', "as an integer"),
    ],
)
async def test_an_error_of_the_wrong_type_tells_the_right_one(error: bytes, hint: str) -> None:
    """L-JR-07: the server cannot know what a client makes of it."""
    failure, _, _ = await failure_after(b'{"jsonrpc":"2.0","id":ID,"error":%b}' % error, Timeouts())

    assert isinstance(failure, PeerError)
    assert hint in failure.hint
