"""Rows of requests that are not over yet, and how they end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from tests.support.talk import Talk
from ui.models.timeline import Timeline
from ui.models.traffic import TrafficModel
from ui.models.traffic_columns import position

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


@pytest.fixture
def talk() -> Talk:
    return Talk()


@pytest.fixture
def model(qtbot: QtBot, theme: Theme, talk: Talk) -> TrafficModel:
    model = TrafficModel(clock=talk.clock, parent=theme)
    model.set_timeline(Timeline((talk.transcript,)))
    return model


def cell(model: TrafficModel, row: int, column: int) -> str:
    return str(model.index(row, column).data())


def test_a_request_that_asked_for_input_shows_at_once_how_it_ended(
    model: TrafficModel, talk: Talk
) -> None:
    """Ours: a row is not settled for as long as its exchange can change."""
    first = talk.call(1, "ask")
    talk.wait(0.03)
    talk.result(1, resultType="input_required", inputRequests={})
    talk.note("input-required", "asked", request=first)
    model.feed.pull()
    assert cell(model, 0, position("duration")) == "30 ms"

    talk.wait(2)
    retry = talk.call(2, "ask")
    talk.note("input-given", "sent again", request=first, retry=retry)
    model.feed.pull()
    assert cell(model, 0, position("status")) == "Pending"
    assert cell(model, 1, position("duration")) == ""
    talk.text_result(2, "done")
    model.feed.pull()

    assert [cell(model, row, position("status")) for row in (0, 1)] == ["OK", "OK"]
    assert cell(model, 0, position("duration")) == "2.0 s"


def test_a_request_that_is_given_up_shows_how_long_was_waited(
    model: TrafficModel, talk: Talk
) -> None:
    """Ours."""
    request = talk.call(1, "slow")
    talk.wait(6)
    talk.note("timed-out", "no answer in 6 s", request=request)
    model.feed.pull()

    assert cell(model, 0, position("status")) == "Timed out"
    assert cell(model, 0, position("duration")) == "6.0 s"
    tip = str(model.index(0, position("duration")).data(Qt.ItemDataRole.ToolTipRole))
    assert "6,000.000 ms, no response" in tip


def test_the_time_of_a_request_does_not_count_how_long_it_waited_to_be_sent(
    model: TrafficModel, talk: Talk
) -> None:
    """Ours: the connection was made in that time; the tool tip names both."""
    request = talk.call(1, "slow")
    talk.wait(0.079)
    talk.transcript.columns.note_left(request, talk.clock.now)
    talk.wait(0.029)
    talk.text_result(1, "b")
    model.feed.pull()

    assert cell(model, 0, position("duration")) == "29 ms"
    tip = str(model.index(0, position("duration")).data(Qt.ItemDataRole.ToolTipRole))
    assert "79.000 ms" in tip
