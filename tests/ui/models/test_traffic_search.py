"""Searching long traffic: rows while it goes on, pauses, and what comes meanwhile; ours throughout."""

from __future__ import annotations

from array import array
from math import inf
from typing import TYPE_CHECKING

import pytest

from inspector.transcript.filter.query import parse
from tests.support.talk import Talk
from tests.support.wait import wait_until
from ui.models import traffic_feed
from ui.models.row_rules import ROW_COLORS, RowRule, rule_of
from ui.models.timeline import Timeline
from ui.models.traffic import TrafficModel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


@pytest.fixture
def talk() -> Talk:
    """An empty conversation."""
    return Talk()


@pytest.fixture
def model(qtbot: QtBot, theme: Theme, talk: Talk) -> TrafficModel:
    """A model of it."""
    model = TrafficModel(clock=talk.clock, parent=theme)
    model.set_timeline(Timeline((talk.transcript,)))
    return model


async def test_the_rows_stay_until_a_long_search_is_done(model: TrafficModel, talk: Talk) -> None:
    """Ours: filtering in slices."""
    talk.flood(60_000)
    await wait_until(lambda: model.rowCount() == 60_000)

    model.feed.set_query(parse("line*7*7*7"))

    assert model.feed.share is not None
    assert model.rowCount() == 60_000
    await wait_until(lambda: model.feed.share is None)
    assert 0 < model.rowCount() < 1000


async def test_matches_are_shown_while_a_long_search_goes_on(
    model: TrafficModel, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: the first of them soon, the others as they are found."""
    monkeypatch.setattr(traffic_feed, "EARLY_MS", 0)
    talk.flood(60_000)
    await wait_until(lambda: model.rowCount() == 60_000)
    query = parse("line*7*7*7")
    expected = query.matches(talk.transcript, 1, talk.transcript.count + 1)

    model.feed.set_query(query)
    await wait_until(lambda: model.rowCount() < 60_000)

    early = model.visible_frames.numbers[:]
    assert model.feed.share is not None
    assert early
    assert early == expected[: len(early)]
    await wait_until(lambda: model.feed.share is None)
    assert model.visible_frames.numbers == expected
    assert len(early) < len(expected)


async def test_a_pause_stops_a_search_and_its_end_goes_on_with_it(
    model: TrafficModel, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours."""
    monkeypatch.setattr(traffic_feed, "EARLY_MS", 0)
    talk.flood(60_000)
    await wait_until(lambda: model.rowCount() == 60_000)
    query = parse("line*7*7*7")
    model.feed.set_query(query)

    model.feed.set_paused(True)

    left = model.feed.pending_count
    assert (model.feed.share, model.feed.is_stopped) == (None, True)
    assert 0 < left < 60_000
    assert model.visible_frames.numbers == query.matches(talk.transcript, 1, 60_001 - left)
    model.feed.set_paused(False)
    await wait_until(lambda: not model.feed.pending_count)
    assert model.visible_frames.numbers == query.matches(talk.transcript, 1, 60_001)


async def test_another_search_while_stopped_covers_all_frames(
    model: TrafficModel, talk: Talk
) -> None:
    """Ours."""
    talk.flood(60_000)
    await wait_until(lambda: model.rowCount() == 60_000)
    model.feed.set_query(parse("line*7*7*7"))
    model.feed.set_paused(True)

    model.feed.set_query(parse("line*8*8*8"))

    await wait_until(lambda: model.feed.share is None)
    expected = parse("line*8*8*8").matches(talk.transcript, 1, 60_001)
    assert model.visible_frames.numbers == expected
    assert not model.feed.is_stopped


async def test_frames_that_come_during_a_search_are_not_lost(
    model: TrafficModel, talk: Talk
) -> None:
    """Ours."""
    talk.flood(30_000)
    model.feed.set_query(parse("99"))
    talk.flood(5000)

    await wait_until(lambda: model.feed.share is None and not model.feed.pending_count)

    expected = parse("99").matches(talk.transcript, 1, talk.transcript.count + 1)
    assert model.visible_frames.numbers == expected


def test_a_filter_by_operation_does_not_process_the_whole_traffic_in_one_go(talk: Talk) -> None:
    """Ours: which operations there are is found in slices too, for the filter, a search and the color of a row."""
    call = talk.call(1, "slow")
    talk.flood(20_000)
    last = talk.text_result(1, "done")
    query, rows = parse(f"operation:{call}"), talk.transcript.operations
    rule = RowRule("calls", query, next(iter(ROW_COLORS.values())))

    assert rule_of([rule], talk.transcript, last) is None
    assert rows.next < 1000
    assert traffic_feed.matches_for(query, Timeline((talk.transcript,)), last, last + 1, 0) == (
        array("I"),
        last,
    )
    assert rows.next < 1000

    assert query.prepare(talk.transcript, last + 1, inf)
    assert rule_of([rule], talk.transcript, last) is rule
