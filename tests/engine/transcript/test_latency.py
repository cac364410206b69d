"""How long requests took: percentiles against a sorted list, exact and by histogram, live and whole. Ours throughout."""

from __future__ import annotations

import random
from math import ceil, inf
from typing import TYPE_CHECKING

import pytest

from inspector.transcript.latency import EXACT, SLOTS, Durations, LatencyFeed, LatencyStatistics
from tests.support.talk import Talk

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript


@pytest.mark.parametrize("count", [1, 100, EXACT, EXACT * 3])
def test_percentiles_are_exact_up_to_a_bound_and_then_within_one_percent(count: int) -> None:
    """Ours: and it is known which."""
    chance, durations = random.Random(2), Durations()
    values = [chance.lognormvariate(-3, 2) for _ in range(count)]
    for value in values:
        durations.add(value)

    assert durations.is_exact is (count <= EXACT)
    for share in (0.5, 0.95, 0.99, 1.0):
        true = sorted(values)[ceil(share * count) - 1]
        if durations.is_exact:
            assert durations.percentile(share) == true
        assert durations.percentile(share) == pytest.approx(true, rel=0.011)
    assert durations.max_s == max(values) == durations.slowest(0)
    slow = sorted(values)[-max(count // 100, 1) :]
    assert durations.slowest(0.01) == pytest.approx(slow[0], rel=0.011)


def test_there_are_bounds_for_any_duration() -> None:
    """Ours: hostile recordings have times that nobody waited for."""
    durations = Durations()
    for value in (*[0.0] * EXACT, 1e12):
        durations.add(value)
    assert not durations.is_exact
    assert durations.percentile(0.5) <= 1e-6
    assert durations.percentile(1.0) == 1e12
    assert Durations().percentile(0.99) == 0.0


def counted(transcript: Transcript) -> LatencyStatistics:
    statistics = LatencyStatistics()
    LatencyFeed(transcript, statistics).advance(inf)
    return statistics


def converse(talk: Talk) -> None:
    for id_ in range(10):
        talk.call(id_, "quick" if id_ % 5 else "slow")
        talk.wait(0.1 if id_ % 5 else 3)
        talk.text_result(id_, "fine", is_error=id_ == 3)
    number = talk.call(20, "quick")
    talk.wait(9)
    talk.note("cancelled", "cancelled", request=number)
    talk.request(21, "tools/list")
    talk.call(22, "never")


def test_requests_are_counted_by_method_and_tool_once_they_have_ended() -> None:
    """Ours: the slowest first; what was cancelled has no duration, and what is pending does not count."""
    talk = Talk()
    converse(talk)
    rows = counted(talk.transcript).by_slowness()

    facts = [(row.key.method, row.key.name, row.count, row.errors, row.cancelled) for row in rows]
    assert facts == [
        ("tools/call", "slow", 2, 0, 0),
        ("tools/call", "quick", 9, 1, 1),
    ]
    assert rows[0].durations.percentile(0.99) == pytest.approx(3)
    assert rows[1].durations.max_s == pytest.approx(0.1)


def test_counting_while_frames_arrive_gives_the_same() -> None:
    """Ours."""
    talk, live = Talk(), LatencyStatistics()
    feed = LatencyFeed(talk.transcript, live)
    talk.transcript.appended.subscribe(lambda: feed.advance(0))
    converse(talk)
    feed.advance(0)

    whole = counted(talk.transcript)
    assert live.rows.keys() == whole.rows.keys()
    for key, row in live.rows.items():
        assert (row.count, row.errors) == (whole.rows[key].count, whole.rows[key].errors)
        assert row.durations.max_s == whole.rows[key].durations.max_s


def test_the_course_of_a_row_spans_the_whole_session_whatever_its_length() -> None:
    """Ours: the parts get wider, the highest stays."""
    talk = Talk()
    talk.call(0, "peak")
    talk.wait(2)
    talk.text_result(0, "fine")
    for id_ in range(1, 500):
        talk.call(id_, "peak")
        talk.wait(1)
        talk.text_result(id_, "fine")
    statistics = counted(talk.transcript)

    (row,) = statistics.rows.values()
    assert row.course[0] == pytest.approx(2)
    assert statistics.slot_s * SLOTS >= 500 > statistics.slot_s * SLOTS / 2
    assert sum(value > 0 for value in row.course) > SLOTS // 2
