"""One message is sent many times: within its bounds, until it is stopped or the connection ends; and how long the responses took."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError
from inspector.features import repeated_sends
from inspector.features.repeat import numbered
from inspector.features.repeated_sends import Pace, Plan, RepeatedSends, histogram, read_pace
from inspector.transcript.exchange import Status
from inspector.transcript.filter.query import parse
from tests.support.answering import AnsweringServer, silence
from tests.support.opened import opened
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.json_value import Json, JsonObject
    from inspector.open_session import OpenSession

PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'


def repeated(session: OpenSession, plan: Plan, text: str = PING) -> RepeatedSends:
    return RepeatedSends(session.session, plan, numbered(text, "rep"))


async def test_every_send_has_an_id_of_its_own_and_is_counted_by_its_state() -> None:
    """Ours."""
    calls = 0

    def answer(_: JsonObject) -> Json:
        nonlocal calls
        calls += 1
        if calls % 4 == 0:
            raise PeerError(-32000, "busy")
        return {}

    server = AnsweringServer({"ping": answer})
    async with opened(server) as session:
        run = repeated(session, Plan(20, 4))
        await run.run()

        ids = [message["id"] for message in server.received if message.get("method") == "ping"]
        assert ids == [f"rep-{number}" for number in range(20)]
        assert (run.sent, run.finished, run.reason) == (20, 20, "")
        assert run.statuses == {Status.OK: 15, Status.ERROR: 5}
        assert len(run.durations) == 20
        assert [*run.durations] == sorted(run.durations)


async def test_no_more_are_pending_than_were_agreed() -> None:
    """Ours."""
    server = AnsweringServer({"ping": silence})
    async with opened(server) as session:
        run = repeated(session, Plan(10, 3))
        task = asyncio.create_task(run.run())
        await wait_until(lambda: run.sent == 3)
        requests = [message for message in server.received if message.get("method") == "ping"]
        for request in requests:
            server.reply(request, {})
        await wait_until(lambda: run.sent == 6)
        assert run.finished == 3

        run.stop()
        await task

        assert (run.sent, run.finished, run.is_stopped) == (6, 3, True)
        assert not [each for each in asyncio.all_tasks() if "repeat" in each.get_name()]


async def test_a_connection_that_ends_ends_the_run_and_says_why() -> None:
    """Ours: what was pending is counted as lost."""
    server = AnsweringServer({"ping": silence})
    async with opened(server) as session:
        run = repeated(session, Plan(10, 2))
        task = asyncio.create_task(run.run())
        await wait_until(lambda: run.sent == 2)
        server.end()
        await task
        assert run.reason == "the server closed the connection"
        assert run.statuses == {Status.NO_RESPONSE: 2}
        assert not run.is_running


async def test_a_run_that_is_cancelled_leaves_no_task() -> None:
    """Ours: its owner is gone."""
    async with opened(AnsweringServer({"ping": silence})) as session:
        run = repeated(session, Plan(10, 2))
        task = asyncio.create_task(run.run())
        await wait_until(lambda: run.sent == 2)
        task.cancel()
        await asyncio.wait([task])
        assert not run.is_running
        assert not [each for each in asyncio.all_tasks() if "repeat" in each.get_name()]


async def test_a_request_without_a_response_in_time_does_not_hold_up_the_others() -> None:
    """Ours."""
    async with opened(AnsweringServer({"ping": silence}), timeout=0.02) as session:
        run = repeated(session, Plan(3))
        await run.run()
        assert run.statuses == {Status.PENDING: 3}
        assert not run.durations


async def test_notifications_and_broken_frames_are_sent_without_waiting() -> None:
    """Ours."""
    server = AnsweringServer()
    async with opened(server) as session:
        text = '{"jsonrpc":"2.0","method":"notifications/cancelled"}'
        run = repeated(session, Plan(5, 2), text)
        await run.run()
        assert run.statuses == {Status.NONE: 5}
        broken = repeated(session, Plan(2), "{")
        await broken.run()
        assert server.raws[-2:] == [b"{", b"{"]


async def test_a_run_ends_at_a_limit_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours."""
    monkeypatch.setattr(repeated_sends, "MAX_BYTES", 300)
    async with opened(AnsweringServer()) as session:
        run = repeated(session, Plan(100))
        await run.run()
        assert 0 < run.sent < 10
        assert run.reason.startswith("limit of")


async def test_sends_start_at_a_rate() -> None:
    """Ours."""
    async with opened(AnsweringServer()) as session:
        loop = asyncio.get_running_loop()
        before = loop.time()
        await repeated(session, Plan(5, 5, Pace(per_second=100))).run()
        assert loop.time() - before >= 0.04
        before = loop.time()
        await repeated(session, Plan(3, 1, Pace(delay_s=0.02))).run()
        assert loop.time() - before >= 0.04


async def test_the_filter_of_a_bar_finds_its_requests() -> None:
    """Ours: and their responses, and nothing of before."""
    async with opened(AnsweringServer()) as session:
        await session.ping.once()
        run = repeated(session, Plan(30))
        await run.run()
        transcript = session.session.transcript
        bars = histogram(run.durations).bars
        assert sum(bar.count for bar in bars) == 30
        for bar in bars:
            query = parse(run.terms(bar.first_s, bar.end_s))
            found = query.matches(transcript, 1, transcript.count + 1)
            assert len(found) == 2 * bar.count


@pytest.mark.parametrize(
    ("text", "pace"),
    [
        ("0", Pace()),
        ("250", Pace(delay_s=0.25)),
        (" 250 ms ", Pace(delay_s=0.25)),
        ("1.5 s", Pace(delay_s=1.5)),
        ("20/s", Pace(per_second=20)),
        ("20 / s", Pace(per_second=20)),
        ("0/s", None),
        ("2000/s", None),
        ("11 min", None),
        ("-1", None),
        ("fast", None),
        ("", None),
    ],
)
def test_a_pace_is_a_pause_or_a_rate(text: str, pace: Pace | None) -> None:
    """Ours: within bounds."""
    assert read_pace(text) == pace


def test_percentiles_are_durations_that_occurred_and_outliers_have_bars_of_their_own() -> None:
    """Ours."""
    made = histogram([0.1] * 60 + [0.12] * 39 + [1.4])
    assert made.percentiles == (("p50", 0.1), ("p95", 0.12), ("p99", 0.12))
    assert len(made.bars) == repeated_sends.BARS
    assert made.bars[-1].count == 1
    assert [bar.first_s > made.p99_s for bar in made.bars[-3:]] == [False, True, True]
    assert made.bars[-1].first_s > made.p99_s
    assert made.bars[0].first_s <= 0.1 < made.bars[0].end_s
    assert 0 <= made.position(0.1) < 1
    assert made.position(2.0) == repeated_sends.BARS
    assert histogram([]).bars == ()
    assert sum(bar.count for bar in histogram([0.0]).bars) == 1
    assert sum(bar.count for bar in histogram([1e-6, 1e-6]).bars) == 2
