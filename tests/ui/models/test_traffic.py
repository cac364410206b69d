"""The rows of the traffic as a Qt model; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, Qt

from inspector.finding import Finding, Severity
from inspector.transcript.filter.query import parse
from tests.support.talk import Talk
from tests.support.wait import wait_until
from ui.models.timeline import Timeline
from ui.models.traffic import TrafficModel
from ui.models.traffic_cells import TimeFormat
from ui.models.traffic_columns import position

if TYPE_CHECKING:
    from pytestqt.modeltest import ModelTester
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


def numbers(model: TrafficModel) -> list[int]:
    return [model.visible_frames.number_at(row) for row in range(model.rowCount())]


def cell(model: TrafficModel, row: int, column: int) -> str:
    return str(model.index(row, column).data())


def row(model: TrafficModel, at: int) -> list[str]:
    return [cell(model, at, column) for column in range(model.columnCount())]


def test_a_row_shows_the_frame(model: TrafficModel, talk: Talk) -> None:
    """Ours: ux "Traffic", the columns."""
    talk.call(7, "get_sum", a=3)
    talk.wait(0.012)
    talk.text_result(7, "The sum is 7.")
    model.feed.pull()

    assert row(model, 0)[position("delta") :] == [
        "", "→", "request", "tools/call", "7", "OK", "12 ms", "94 B", "", 'get_sum {"a":3}',
    ]  # fmt: skip
    assert row(model, 1)[position("delta") :] == [
        "+12 ms", "←", "response", "tools/call", "7", "OK", "", "86 B", "", "The sum is 7.",
    ]  # fmt: skip


def test_the_json_type_of_an_id_can_be_seen(model: TrafficModel, talk: Talk) -> None:
    """jsonrpc-01-string-id-for-int."""
    talk.call(1, "x")
    talk.text_result("1", "x")
    model.feed.pull()

    assert [cell(model, at, position("id")) for at in (0, 1)] == ["1", '"1"']
    assert cell(model, 1, position("kind")) == "response"


def test_what_is_no_message_says_why(model: TrafficModel, talk: Talk) -> None:
    """Ours."""
    talk.received(b"Server listening")
    model.feed.pull()

    assert cell(model, 0, position("kind")) == "malformed"
    assert cell(model, 0, position("method")) == "(not a message)"
    assert cell(model, 0, position("summary")).endswith("Server listening")


def test_times_count_from_the_first_frame_if_wanted(model: TrafficModel, talk: Talk) -> None:
    """Ours."""
    talk.log("a")
    talk.wait(1.5)
    talk.log("b")
    model.feed.pull()

    model.set_time_format(TimeFormat.RELATIVE)

    assert cell(model, 1, position("time")) == "1.500 s"


async def test_new_frames_become_rows_by_themselves(model: TrafficModel, talk: Talk) -> None:
    """Ours."""
    talk.flood(1000)

    await wait_until(lambda: model.rowCount() == 1000)


async def test_a_flood_is_taken_in_as_few_batches(model: TrafficModel, talk: Talk) -> None:
    """Ours: nothing per message touches Qt."""
    batches: list[int] = []

    def note(_parent: QModelIndex, first: int, last: int) -> None:
        batches.append(last - first + 1)

    model.rowsInserted.connect(note)

    talk.flood(6000)
    await wait_until(lambda: model.rowCount() == 6000)

    assert sum(batches) == 6000
    assert len(batches) < 12


def test_a_pending_request_shows_a_running_clock(model: TrafficModel, talk: Talk) -> None:
    """Ours: ux "Traffic", the running clock."""
    talk.call(1, "slow")
    model.feed.pull()

    assert cell(model, 0, position("status")) == "Pending"
    talk.wait(3.2)
    changed: list[int] = []

    def note(first: QModelIndex) -> None:
        changed.append(first.row())

    model.dataChanged.connect(note)
    model.tick(0, 0)

    assert changed == [0]
    assert cell(model, 0, position("duration")) == "3.2 s"


def test_an_answer_changes_the_row_of_its_request(model: TrafficModel, talk: Talk) -> None:
    """Ours."""
    talk.call(1, "slow")
    model.feed.pull()
    assert cell(model, 0, position("status")) == "Pending"

    talk.wait(2)
    talk.text_result(1, "no", is_error=True)
    model.feed.pull()

    assert cell(model, 0, position("status")) == "Tool error"
    assert cell(model, 0, position("duration")) == "2.0 s"


def test_a_late_answer_is_called_late(model: TrafficModel, talk: Talk) -> None:
    """jsonrpc-17-timeout-and-progress."""
    request = talk.call(1, "slow")
    talk.note("timed-out", "no answer in 60 s", request=request)
    model.feed.pull()
    assert cell(model, 0, position("status")) == "Timed out"

    talk.wait(1)
    talk.text_result(1, "sorry")
    model.feed.pull()

    assert cell(model, 0, position("duration")) == "1.0 s"
    assert cell(model, 2, position("status")) == "Late"


def test_a_query_leaves_the_frames_that_match(model: TrafficModel, talk: Talk) -> None:
    """Ours."""
    talk.call(1, "a")
    talk.log("x")
    talk.call(2, "b")
    model.feed.pull()

    model.feed.set_query(parse("kind:request"))
    talk.log("y")
    talk.call(3, "c")
    model.feed.pull()

    assert numbers(model) == [1, 3, 5]


def test_rows_come_and_go_with_the_state_that_the_query_asks_for(
    model: TrafficModel, talk: Talk
) -> None:
    """Ours."""
    talk.call(1, "a")
    talk.call(2, "b")
    model.feed.set_query(parse("status:pending"))
    assert numbers(model) == [1, 2]

    talk.text_result(1, "done")
    model.feed.pull()
    assert numbers(model) == [2]

    model.feed.set_query(parse("status:ok"))
    talk.text_result(2, "done")
    model.feed.pull()

    assert numbers(model) == [1, 2, 3, 4]


async def test_requests_that_end_together_are_judged_again(model: TrafficModel, talk: Talk) -> None:
    """Ours."""
    for id_ in range(3):
        talk.call(id_, "a")
    model.feed.set_query(parse("status:no-response"))

    talk.note("closed", "the process exited with code 1")
    model.feed.pull()

    await wait_until(lambda: numbers(model) == [1, 2, 3])


async def test_findings_that_come_later_are_judged_again(model: TrafficModel, talk: Talk) -> None:
    """Ours."""
    talk.log("a")
    model.feed.set_query(parse("problem:"))
    assert numbers(model) == []

    talk.transcript.add_finding(1, Finding("odd", Severity.ERROR, "odd"))
    talk.transcript.findings_changed.fire()

    await wait_until(lambda: numbers(model) == [1])
    assert cell(model, 0, position("kind")) == "notification"


def test_clearing_hides_and_never_deletes(model: TrafficModel, talk: Talk) -> None:
    """Ours."""
    talk.log("a")
    talk.log("b")
    model.feed.pull()

    model.hide_earlier()
    talk.log("c")
    model.feed.pull()
    assert (numbers(model), model.visible_frames.first) == ([3], 2)

    model.show_earlier()
    assert (numbers(model), model.visible_frames.first) == ([1, 2, 3], 0)


def test_what_is_hidden_stays_hidden_when_the_query_changes(
    model: TrafficModel, talk: Talk
) -> None:
    """Ours."""
    talk.call(1, "a")
    talk.log("b")
    model.feed.pull()
    model.hide_earlier()
    talk.call(2, "a")

    model.feed.set_query(parse("kind:request"))

    assert (numbers(model), model.visible_frames.first) == ([3], 1)


def test_a_pause_leaves_new_frames_waiting(model: TrafficModel, talk: Talk) -> None:
    """Ours."""
    talk.log("a")
    model.feed.pull()

    model.feed.set_paused(True)
    talk.log("b")
    talk.log("c")
    model.feed.pull()
    assert (numbers(model), model.feed.pending_count) == ([1], 2)

    model.feed.set_query(parse("kind:notification"))
    assert numbers(model) == [1]

    model.feed.set_paused(False)
    assert (numbers(model), model.feed.pending_count) == ([1, 2, 3], 0)


def test_another_transcript_replaces_the_rows_and_keeps_the_query(
    model: TrafficModel, talk: Talk
) -> None:
    """Ours."""
    talk.log("a")
    model.feed.set_query(parse("kind:request"))
    other = Talk()
    other.log("b")
    other.call(1, "c")

    model.set_timeline(Timeline((other.transcript,)))
    talk.call(1, "of the first, which is no longer listened to")

    assert numbers(model) == [2]


def test_without_a_transcript_there_are_no_rows(model: TrafficModel, talk: Talk) -> None:
    """Ours."""
    talk.log("a")

    model.set_timeline(Timeline())

    assert model.rowCount() == 0


def test_nothing_is_said_in_colour_alone(model: TrafficModel, talk: Talk) -> None:
    """Ours: ux "Visual language"."""
    talk.call(1, "a")
    talk.error(1, -1, "no")
    model.feed.pull()
    said = model.index(0, position("direction")).data(Qt.ItemDataRole.AccessibleTextRole)

    assert said == "sent"
    assert cell(model, 1, position("kind")) == "error"
    assert cell(model, 1, position("status")) == "Error"


def test_tool_tips_hold_the_exact_value(model: TrafficModel, talk: Talk) -> None:
    """Ours: ux "Visual language"."""
    talk.call(1, "a")
    talk.wait(0.0123456)
    talk.text_result(1, "b")
    model.feed.pull()

    tips = {
        c: str(model.index(0, c).data(Qt.ItemDataRole.ToolTipRole))
        for c in range(model.columnCount())
    }

    assert "12.346 ms" in tips[position("duration")]
    assert "bytes" in tips[position("size")]
    assert "sent on stdin" in tips[position("direction")]


def test_the_model_behaves_as_qt_wants(
    model: TrafficModel, talk: Talk, qtmodeltester: ModelTester
) -> None:
    """Ours."""
    talk.call(1, "a")
    talk.received(b"x")
    model.feed.pull()

    qtmodeltester.check(model)  # pyright: ignore[reportUnknownMemberType] - untyped package
