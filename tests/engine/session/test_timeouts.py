"""How long requests are waited for."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from inspector.errors import TimedOut
from inspector.session.outgoing import ENDLESS, Deadlines, Timeouts, Watched
from inspector.transcript.exchange import Status
from inspector.transcript.index import FrameFlags
from inspector.wire.message import MessageKind
from tests.support.answering import AnsweringServer, connected, silence
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.session.inbound import InboundRequest
    from inspector.wire.json_codec import Json, JsonObject

SHORT = Timeouts(idle_seconds=0.05)


def server() -> AnsweringServer:
    return AnsweringServer({"slow": silence})


def repeat(every: float, what: Callable[[], None]) -> asyncio.Task[None]:
    async def run() -> None:
        while True:
            await asyncio.sleep(every)
            what()

    return asyncio.create_task(run())


def progress(to: AnsweringServer) -> Callable[[], None]:
    """Report progress for the latest request, with the token that it carries."""

    def report() -> None:
        params = to.received[-1]["params"]
        assert isinstance(params, dict)
        meta = params["_meta"]
        assert isinstance(meta, dict)
        told: JsonObject = {"progressToken": meta["progressToken"], "progress": 1}
        to.notify("notifications/progress", told)

    return report


async def test_a_request_that_is_not_answered_in_time_is_given_up_and_cancelled() -> None:
    """C-TMO-01, C-TMO-02, C-CAN-12."""
    slow = server()
    async with connected(slow) as session:
        with pytest.raises(TimedOut, match="no response to slow, and nothing else") as failure:
            await session.request("slow", timeouts=SHORT)

        await wait_until(lambda: slow.methods()[-1] == "notifications/cancelled")
        request, cancelled = slow.received[-2:]
        assert isinstance(cancelled["params"], dict)
        assert cancelled["params"]["requestId"] == request["id"]
        assert failure.value.hint
        assert failure.value.frame is not None
        assert session.transcript.status(failure.value.frame) is Status.TIMED_OUT


async def test_each_request_may_have_limits_of_its_own() -> None:
    """C-TMO-03."""
    async with connected(server(), timeout=60) as session:
        long = asyncio.create_task(session.request("slow"))
        limits = [Timeouts(idle) for idle in (0.15, 0.05, 0.1)]

        await asyncio.gather(
            *(expect_timeout(session.request("slow", timeouts=each)) for each in limits)
        )

        assert not long.done()
        long.cancel()


async def expect_timeout(request: object) -> None:
    assert asyncio.iscoroutine(request)
    with pytest.raises(TimedOut):
        await request


async def test_progress_keeps_a_slow_request_alive() -> None:
    """C-TMO-04; jsonrpc-17."""
    slow = server()
    async with connected(slow) as session:
        seen: list[JsonObject] = []
        asked = asyncio.create_task(
            session.request("slow", timeouts=Timeouts(0.3), on_progress=seen.append)
        )
        await wait_until(lambda: slow.methods() == ["slow"])
        request, ticking = slow.received[-1], repeat(0.05, progress(slow))

        await wait_until(lambda: len(seen) >= 10)
        ticking.cancel()
        slow.reply(request, {"done": True})

        assert (await asked).message.result == {"done": True}


async def test_progress_does_not_help_when_it_is_told_not_to() -> None:
    """C-TMO-04; jsonrpc-17."""
    slow = server()
    async with connected(slow) as session:
        limits = Timeouts(0.2, progress_resets=False)
        seen: list[JsonObject] = []
        asked = asyncio.create_task(
            session.request("slow", timeouts=limits, on_progress=seen.append)
        )
        await wait_until(lambda: slow.methods() == ["slow"])
        ticking = repeat(0.03, progress(slow))

        with pytest.raises(
            TimedOut, match=r"other messages? came, the latest one notifications/progress"
        ):
            await asked
        ticking.cancel()
        assert seen


async def test_the_total_limit_holds_whatever_progress_there_is() -> None:
    """C-TMO-05; jsonrpc-17."""
    slow = server()
    async with connected(slow) as session:
        limits = Timeouts(idle_seconds=5, total_seconds=0.2)
        asked = asyncio.create_task(
            session.request("slow", timeouts=limits, on_progress=lambda _: None)
        )
        await wait_until(lambda: slow.methods() == ["slow"])
        ticking = repeat(0.03, progress(slow))

        with pytest.raises(TimedOut, match=r"total limit of 0\.2 s"):
            await asked
        ticking.cancel()


async def test_an_answer_after_the_timeout_is_kept_and_marked_late() -> None:
    """C-CAN-03; jsonrpc-17."""
    slow = server()
    async with connected(slow) as session:
        with pytest.raises(TimedOut) as failure:
            await session.request("slow", timeouts=SHORT)
        slow.reply(next(m for m in slow.received if m.get("method") == "slow"), {"late": 1})

        assert failure.value.frame is not None
        exchange = session.transcript.exchange(failure.value.frame)
        assert exchange is not None
        assert exchange.response is not None
        assert exchange.late
        assert exchange.status is Status.TIMED_OUT
        assert session.transcript.row(exchange.response).flags & FrameFlags.LATE


async def test_the_record_says_when_and_why_waiting_ended() -> None:
    """C-CAN-05."""
    async with connected(server()) as session:
        with pytest.raises(TimedOut):
            await session.request("slow", timeouts=SHORT)

        kinds = session.transcript.columns.kind
        note = next(
            n for n in range(1, session.transcript.count + 1) if kinds[n - 1] == MessageKind.NOTE
        )
        value = session.transcript.message(note).value
        assert isinstance(value, dict)
        assert value["event"] == "timed-out"
        assert "no response to slow" in str(value["words"])


@dataclass
class Item:
    deadline: float
    timeouts: Timeouts = ENDLESS


async def test_one_timer_watches_everything_and_tells_in_the_order_of_the_deadlines() -> None:
    """Ours: a cancelled timer stays alive under some event loops, so there must not be many."""
    now = asyncio.get_running_loop().time()
    items = [Item(now + delay) for delay in (0.06, 0.02, 0.04, 60)]
    expired: list[Item] = []
    watched = list(items)

    def expire(item: Watched) -> None:
        assert isinstance(item, Item)
        watched.remove(item)
        expired.append(item)

    deadlines = Deadlines(lambda: watched, expire)
    for item in items:
        deadlines.watch(item)
    await wait_until(lambda: len(expired) == 3)
    deadlines.close()
    deadlines.close()

    assert expired == [items[1], items[2], items[0]]


@pytest.mark.parametrize("limits", [Timeouts(0.2, 0.4), Timeouts(5, 0.4)])
async def test_time_in_which_the_user_answers_counts_for_no_limit(limits: Timeouts) -> None:
    """C-TMO-06: the total limit is about the server, and it waits for the client meanwhile."""
    slow, answered = server(), asyncio.Event()

    async def respond(_: InboundRequest) -> Json:
        await answered.wait()
        return {"roots": []}

    async with connected(slow) as session:
        session.responders["roots/list"] = respond
        asked = asyncio.create_task(session.request("slow", timeouts=limits))
        await wait_until(lambda: slow.methods() == ["slow"])
        slow.send({"jsonrpc": "2.0", "id": "r", "method": "roots/list"})
        await asyncio.wait({asked}, timeout=0.8)
        assert not asked.done()
        answered.set()

        with pytest.raises(TimedOut):
            await asked


async def test_time_spent_responding_to_the_server_is_no_silence_of_the_server() -> None:
    """C-TMO-06: the idle limit goes on where it was, once the server has what it waited for."""
    slow, loop, limits = server(), asyncio.get_running_loop(), Timeouts(idle_seconds=0.3)
    asked_at, answered = loop.create_future(), asyncio.Event()

    async def respond(_: InboundRequest) -> Json:
        asked_at.set_result(loop.time())
        await answered.wait()
        return {"roots": []}

    async with connected(slow) as session:
        session.responders["roots/list"] = respond
        started = loop.time()
        asked = asyncio.create_task(session.request("slow", timeouts=limits))
        await wait_until(lambda: slow.methods() == ["slow"])
        slow.send({"jsonrpc": "2.0", "id": "r", "method": "roots/list"})
        began = await asked_at
        await wait_until(lambda: loop.time() - began > 0.2)
        served = loop.time() - began
        answered.set()
        with pytest.raises(TimedOut):
            await asked

        assert loop.time() - started >= limits.idle_seconds + served
