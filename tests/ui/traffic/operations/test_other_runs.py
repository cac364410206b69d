"""Operations when the panel shows other runs, and when rows were cleared or wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from inspector.wire.message import MessageKind
from tests.support.talk import Talk
from tests.ui.traffic.hands import press
from tests.ui.traffic.operations.hands import mode, names
from ui.models.timeline import Timeline, timeline_of
from ui.timeline.feed import TimelineFeed

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.traffic.panel import TrafficPanel


@pytest.fixture
def other() -> Talk:
    """A short conversation with another server."""
    talk = Talk()
    talk.request(1, "initialize")
    talk.result(1)
    return talk


def two_runs(talk: Talk, later: Talk) -> Timeline:
    return Timeline((talk.transcript, later.transcript), lambda _: "Run 2", (1, 2))


@pytest.mark.parametrize("filter_text", ["", "orders"])
def test_another_server_replaces_rows_and_details(
    panel: TrafficPanel, other: Talk, filter_text: str
) -> None:
    """Ours: also with a row unfolded and one current, and while a filter selects rows."""
    operations = mode(panel)
    panel.set_filter(filter_text)
    row = names(panel).index("tools/call search")
    operations.table.go_to_row(row)
    press(operations.table, Qt.Key.Key_Right)
    assert operations.details.isVisible()

    panel.set_timeline(timeline_of(other.transcript))

    assert names(panel) == ([] if filter_text else ["initialize"])
    assert not operations.details.isVisible()
    assert not panel.split.is_open
    assert not operations.operation


def test_rows_of_a_server_before_do_not_wait_for_the_filter_of_the_next(
    panel: TrafficPanel, other: Talk
) -> None:
    """Ours: while many frames are filtered there are no rows, not those of other frames."""
    panel.set_filter("orders")
    for _ in range(20):
        other.flood(3000)

    panel.set_timeline(timeline_of(other.transcript))

    assert names(panel) == []


def test_no_server_has_no_operations(panel: TrafficPanel) -> None:
    """Ours."""
    mode(panel).table.go_to_row(2)
    panel.set_timeline(Timeline())
    assert names(panel) == []
    assert not mode(panel).go_to(3)


def test_other_runs_while_messages_are_rows_leave_nothing_for_later(
    panel: TrafficPanel, other: Talk
) -> None:
    """Ours: the mode begins with the rows of those runs."""
    table = mode(panel).table
    table.go_to_row(2)
    press(table, Qt.Key.Key_Right)
    panel.modes.set_mode("messages")
    panel.set_timeline(timeline_of(other.transcript))
    panel.modes.set_mode("operations")
    assert names(panel) == ["initialize"]
    assert not mode(panel).model.visible.unfolded


def test_what_is_unfolded_stays_when_another_run_begins(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: and the same operation stays current, with its details."""
    operations = mode(panel)
    operations.table.go_to_row(2)
    press(operations.table, Qt.Key.Key_Right)
    before = names(panel)
    later = Talk()
    later.request(1, "initialize")

    panel.set_timeline(two_runs(talk, later))

    assert names(panel) == [*before, "Run 2", "initialize"]
    assert operations.table.current_number() == 7
    assert operations.operation == 7
    assert operations.details.isVisible()


def test_cleared_rows_stay_away_in_all_runs(panel: TrafficPanel, talk: Talk, other: Talk) -> None:
    """Ours: what is cleared is counted without the rows with which runs begin."""
    panel.set_timeline(two_runs(talk, other))
    panel.bar.clear_requested.emit()
    assert names(panel) == []
    assert panel.bar.state.whole_text() == "5 rows · 5 hidden"
    other.call(2, "later")
    panel.model.feed.pull()
    assert names(panel) == ["tools/call later"]
    panel.set_filter("later")
    assert names(panel) == ["tools/call later"]
    assert panel.bar.state.whole_text() == "1 of 6 rows"


def test_rows_that_were_not_made_yet_are_cleared_too(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: the traffic had them when it was cleared."""
    feed = mode(panel).model.feed
    for number in range(6000):
        talk.call(100 + number, "many")
    panel.model.feed.pull()
    assert feed.pending_count
    panel.bar.clear_requested.emit()
    talk.call(9000, "later")
    panel.model.feed.pull()
    while feed.pending_count:
        feed.pull()
    assert names(panel) == ["tools/call later"]


def test_only_rows_with_which_runs_begin_are_high(
    panel: TrafficPanel, talk: Talk, other: Talk
) -> None:
    """Ours: after a filter too."""
    panel.set_timeline(two_runs(talk, other))
    table = mode(panel).table
    for text in ("method:initialize", "", "orders", ""):
        panel.set_filter(text)
        high = [
            row for row in range(len(names(panel))) if table.rowHeight(row) > table.rowHeight(0)
        ]
        assert high == mode(panel).model.visible.divider_rows


def test_paused_rows_wait_though_the_timeline_went_on(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: they are there when the pause ends."""
    panel.model.feed.set_paused(True)
    talk.call(6, "next")
    talk.transcript.operations.advance(talk.transcript.count + 1)
    mode(panel).model.feed.restart()
    talk.call(7, "last")
    talk.transcript.operations.advance(talk.transcript.count + 1)
    panel.model.feed.pull()
    assert names(panel)[-1] == "tools/call export"
    panel.model.feed.set_paused(False)
    assert names(panel)[-2:] == ["tools/call next", "tools/call last"]


def test_a_filter_finds_the_operation_of_a_match_that_folds_among_messages(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: live, where the match joins a row that is there already."""
    talk.text_result(5, "done")
    panel.set_filter("kind:std*")
    talk.stderr(b"alone")
    panel.model.feed.pull()
    assert panel.model.rowCount() == 1
    talk.call(6, "next")
    talk.stderr(b"of the call")
    panel.model.feed.pull()
    assert panel.model.rowCount() == 1
    assert talk.transcript.columns.kind[talk.transcript.count - 1] == MessageKind.STDERR
    assert names(panel) == ["stderr", "tools/call next"]


def test_the_timeline_takes_no_more_than_its_frames(qtbot: QtBot, talk: Talk, other: Talk) -> None:
    """Ours: what was written to a run after the next one began has no number."""
    feed = TimelineFeed(talk.clock)
    timeline = two_runs(talk, other)
    talk.note("closed", "by the user")
    feed.set_timeline(timeline)
    feed.set_active(True)
    qtbot.waitUntil(lambda: other.transcript.operations.next > other.transcript.count)
    assert talk.transcript.operations.next == timeline.length(talk.transcript) + 1


def test_the_operation_with_which_a_run_begins_is_filtered_like_others(
    panel: TrafficPanel, talk: Talk, other: Talk
) -> None:
    """Ours: its messages are rows in any case, to divide the runs."""
    panel.set_timeline(two_runs(talk, other))
    panel.set_filter("orders")
    assert names(panel) == ["tools/call search", "Run 2"]
    assert panel.bar.state.whole_text() == "1 of 5 rows"
