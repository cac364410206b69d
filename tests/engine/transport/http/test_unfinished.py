"""Bodies and events that come in slowly: what came and is no frame yet is told like a line without its newline."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inspector.errors import TimedOut
from inspector.session.outgoing import Timeouts
from inspector.wire.frame import Channel, Direction
from tests.support.http_session import call, talking, texts
from tests.support.http_stub import Reply, stream
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from tests.support.http_stub import Rule

JSON = (("Content-Type", "application/json"),)
BEGUN = b'{"jsonrpc":"2.0","id":{{id}},"result":{"content":[]'
EVENT = b'data: {"jsonrpc":"2.0","id":{{id}},"result":{}}\n'
SHORT = Timeouts(0.15, 0.5)


def cases() -> dict[str, tuple[Reply, Channel]]:
    return {
        "a body": (Reply(200, JSON, (BEGUN,), "hang"), Channel.BODY),
        "a body in pieces": (Reply(200, JSON, (b'{"jsonrpc"', b':"2.0"'), "hang"), Channel.BODY),
        "an event without its blank line": (stream(EVENT, end="hang"), Channel.SSE),
        "an event after another": (stream(": hello\n\n", EVENT, end="hang"), Channel.SSE),
    }


@pytest.mark.parametrize("how", cases())
async def test_what_came_of_an_answer_is_told_and_named_when_time_is_over(how: str) -> None:
    """Ours: the server did answer, and not to the end."""
    answer, channel = cases()[how]
    rules: dict[str, Rule] = {"POST tools/call": answer}
    async with talking(rules) as (_, session):
        asked = asyncio.ensure_future(session.request("tools/call", {"name": "a"}, timeouts=SHORT))
        await wait_until(lambda: session.transcript.unfinished.of(channel))
        rest = session.transcript.unfinished.of(channel)
        assert rest is not None
        assert b"jsonrpc" in rest.head
        with pytest.raises(TimedOut) as failed:
            await asked

        assert "bytes without" in failed.value.reason or "does not end" in failed.value.reason
        assert "jsonrpc" in failed.value.reason


async def test_what_another_request_waits_for_is_no_sign_of_its_own() -> None:
    """Ours: the answer to each request has an exchange of its own."""
    rules: dict[str, Rule] = {
        "POST tools/call": Reply(200, JSON, (BEGUN,), "hang"),
        "POST prompts/get": stream(end="hang"),
    }
    async with talking(rules) as (_, session):
        slow = asyncio.ensure_future(call(session))
        await wait_until(lambda: session.transcript.unfinished)
        with pytest.raises(TimedOut) as failed:
            await session.request("prompts/get", {"name": "a"}, timeouts=SHORT)

        assert "bytes without" not in failed.value.reason
        assert session.transcript.unfinished
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow


async def test_what_came_to_its_end_is_unfinished_no_more() -> None:
    """Ours."""
    feed: asyncio.Queue[bytes] = asyncio.Queue()
    head = (("Content-Type", "text/event-stream"),)
    rules: dict[str, Rule] = {"POST tools/call": Reply(200, head, (EVENT,), "hang", feed=feed)}
    async with talking(rules) as (_, session):
        asked = asyncio.ensure_future(call(session))
        await wait_until(lambda: session.transcript.unfinished)
        feed.put_nowait(b"\n")
        done = await asked

        assert not session.transcript.unfinished
        assert done.frame
        assert any('"result"' in text for text in texts(session, Channel.SSE, Direction.RECEIVED))
