"""Requests that are given up, by us and by the server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inspector.session.operation import CancelledBy, Operation, OperationState
from inspector.transcript.exchange import Status
from inspector.transcript.index import FrameFlags
from inspector.wire.frame import Direction
from tests.support.answering import AnsweringServer, connected, silence
from tests.support.dialogue import Dialogue, says, session_of
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.session.peer import InboundRequest
    from inspector.session.session import Session
    from inspector.wire.json_codec import Json, JsonObject


def server() -> AnsweringServer:
    return AnsweringServer({"slow": silence})


async def begin(session: Session, to: AnsweringServer) -> tuple[asyncio.Task[object], JsonObject]:
    """Ask something that will not be answered."""
    asked: asyncio.Task[object] = asyncio.create_task(session.request("slow"))
    await wait_until(lambda: to.methods()[-1:] == ["slow"])
    return asked, to.received[-1]


async def cancel(task: asyncio.Task[object]) -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_cancelling_the_waiting_task_cancels_the_request_on_the_wire() -> None:
    """C-CAN-01, C-CAN-05, C-CAN-12."""
    slow = server()
    async with connected(slow) as session:
        asked, request = await begin(session, slow)
        await cancel(asked)
        await wait_until(lambda: slow.methods()[-1] == "notifications/cancelled")

        params = slow.received[-1]["params"]
        assert params == {"requestId": request["id"], "reason": "cancelled by the user"}
        assert session.transcript.open_requests(Direction.SENT) == []


async def test_cancellation_is_told_once() -> None:
    """C-CAN-13."""
    slow = server()
    async with connected(slow) as session:
        asked, _ = await begin(session, slow)
        asked.cancel()
        await cancel(asked)
        await session.request("ping")

        assert slow.methods().count("notifications/cancelled") == 1


async def test_an_answer_that_wins_the_race_leaves_nothing_to_cancel() -> None:
    """C-CAN-04."""
    slow = server()
    async with connected(slow) as session:
        asked, request = await begin(session, slow)
        slow.reply(request, {})
        await cancel(asked)
        await session.request("ping")

        assert "notifications/cancelled" not in slow.methods()


async def test_an_answer_that_loses_the_race_is_kept_and_changes_nothing() -> None:
    """C-CAN-03, C-CAN-04."""
    slow = server()
    async with connected(slow) as session:
        asked, request = await begin(session, slow)
        await cancel(asked)
        slow.reply(request, {"late": True})

        transcript = session.transcript
        assert transcript.row(transcript.count).flags & FrameFlags.LATE
        exchange = transcript.exchange(transcript.count)
        assert exchange is not None
        assert exchange.status is Status.CANCELLED
        assert [f.rule for f in transcript.findings(transcript.count)] == ["late-response"]
        assert (await session.request("ping")).message.result == {}


async def test_initialize_is_never_cancelled_on_the_wire() -> None:
    """C-LC-08."""
    dialogue = Dialogue(says("initialize"))
    async with session_of(dialogue) as session:
        connecting = asyncio.create_task(session.connect())
        await wait_until(lambda: len(dialogue.sent) == 1)
        await cancel(connecting)
        await asyncio.sleep(0)


async def test_a_request_that_the_server_cancels_is_stopped_and_not_answered() -> None:
    """C-CAN-02."""
    stopped = asyncio.Event()

    async def think(_inbound: InboundRequest) -> Json:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return None

    asking = server()
    async with connected(asking) as session:
        session.responders["sampling/createMessage"] = think
        asking.send({"jsonrpc": "2.0", "id": "s1", "method": "sampling/createMessage"})
        number = session.transcript.count
        await asyncio.sleep(0)
        asking.notify("notifications/cancelled", {"requestId": "s1", "reason": "enough"})
        await stopped.wait()
        await session.request("ping")

        assert session.transcript.status(number) is Status.CANCELLED
        assert not any(message.get("id") == "s1" for message in asking.received)


@pytest.mark.parametrize(
    "params", [None, {}, {"requestId": 99}, {"requestId": None}, {"requestId": [1]}, [1]]
)
async def test_a_cancellation_of_nothing_is_noted_and_ignored(params: Json) -> None:
    """C-CAN-07; jsonrpc-14."""
    odd = server()
    async with connected(odd) as session:
        message: JsonObject = {"jsonrpc": "2.0", "method": "notifications/cancelled"}
        odd.send(message if params is None else {**message, "params": params})

        number = session.transcript.count
        assert [f.rule for f in session.transcript.findings(number)] == ["cancel-unknown"]
        assert (await session.request("ping")).message.result == {}


async def test_the_server_cannot_cancel_a_request_of_ours() -> None:
    """C-CAN-01: each side cancels its own."""
    slow = server()
    async with connected(slow) as session:
        asked, request = await begin(session, slow)
        slow.notify("notifications/cancelled", {"requestId": request["id"]})
        slow.reply(request, {"fine": True})

        await asked


async def test_an_operation_says_whether_the_user_or_the_end_of_the_session_cancelled_it() -> None:
    """Ours."""
    slow = server()
    async with connected(slow) as session:
        first, second = Operation(session, "slow", {}), Operation(session, "slow", {})
        for number, each in enumerate((first, second), 1):
            each.start()
            await wait_until(lambda n=number: slow.methods().count("slow") == n)

        first.cancel()
        await first.wait()
    await second.wait()

    assert (first.state, second.state) == (OperationState.CANCELLED, OperationState.CANCELLED)
    assert (first.cancelled_by, second.cancelled_by) == (CancelledBy.USER, CancelledBy.DISCONNECT)
