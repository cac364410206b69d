"""A server that asks in the middle of a call waits for a user, and so does the call."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.session.outgoing import Timeouts
from tests.support.http_session import result_text, talking
from tests.support.http_stub import STREAM_TYPE, Asked, Reply, message_event, reply, well_behaved
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.session.peer import InboundRequest
    from inspector.wire.json_codec import Json, JsonObject

LIMIT = 0.2
QUESTION: JsonObject = {"jsonrpc": "2.0", "id": "q", "method": "sampling/createMessage"}


async def test_a_call_waits_for_the_person_longer_than_for_the_server() -> None:
    """C-TMO-06."""
    feed: asyncio.Queue[bytes] = asyncio.Queue()
    feed.put_nowait(message_event(QUESTION).encode())
    calls: list[Json] = []

    def begin(asked: Asked) -> Reply:
        calls.append(asked.message["id"])
        return Reply(200, (("Content-Type", STREAM_TYPE),), feed=feed)

    def take(asked: Asked) -> Reply:
        if asked.message.get("id") != "q":
            return well_behaved(asked)
        done: JsonObject = {"jsonrpc": "2.0", "id": calls[0], "result": {"done": True}}
        feed.put_nowait(message_event(done).encode())
        feed.put_nowait(b"")
        return reply(202)

    async with talking({"POST tools/call": begin}, otherwise=take) as (_, session):
        clock = session.steps.clock

        async def think(_inbound: InboundRequest) -> Json:
            began = clock.monotonic()
            await wait_until(lambda: clock.monotonic() - began > 3 * LIMIT)
            return {"role": "assistant"}

        session.responders["sampling/createMessage"] = think
        made = await session.request("tools/call", {"name": "a"}, timeouts=Timeouts(LIMIT))

        assert result_text(made) == '{"done":true}'
