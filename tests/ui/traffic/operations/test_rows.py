"""Operations as rows: what folds, what unfolds, and what stays where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest

from inspector.compare.run_difference import ListDifference, RunDifference
from inspector.runs import RunCause, RunStart
from tests.support.talk import Talk
from tests.ui.traffic.hands import numbers, press
from tests.ui.traffic.operations.hands import column, mode, names
from ui.models.timeline import Timeline
from ui.navigator import Navigator
from ui.traffic.operations.row_painter import OperationPainter
from ui.traffic.panel import TrafficPanel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


def row_links(panel: TrafficPanel, row: int) -> dict[str, QRect]:
    table = mode(panel).table
    painter = table.findChild(OperationPainter)
    assert isinstance(painter, OperationPainter)
    size = table.viewport().width(), table.rowHeight(row)
    return painter.links(QRect(0, table.rowViewportPosition(row), *size))


START = ["initialize", "Lists · 2 operations  tools 2 · prompts 0"]


def test_a_row_is_an_operation(panel: TrafficPanel) -> None:
    """Ours."""
    assert names(panel) == [*START, "tools/call search", "tools/call export"]
    assert column(panel, "number") == ["1", "", "7", "14"]
    assert column(panel, "status") == ["OK", "OK", "OK", "Pending"]
    assert column(panel, "total")[2] == "8.0 s"
    assert column(panel, "split")[2] == "Server 2.0 s, Waiting for you 6.0 s"


def test_arrow_keys_unfold_and_fold_and_the_row_stays_current(panel: TrafficPanel) -> None:
    """Ours."""
    table = mode(panel).table
    table.go_to_row(2)
    press(table, Qt.Key.Key_Right)
    nested = ["notifications/progress · 3", 'sampling/createMessage  id "s1"', "response  id 4"]
    assert names(panel)[2:] == ["tools/call search", *nested, "tools/call export"]
    assert column(panel, "status")[4] == "By you"
    press(table, Qt.Key.Key_Right)
    assert table.currentIndex().row() == 3
    press(table, Qt.Key.Key_Right)
    assert len(names(panel)) == 4 + 3 + 3
    press(table, Qt.Key.Key_Left)
    press(table, Qt.Key.Key_Left)
    assert table.currentIndex().row() == 2
    press(table, Qt.Key.Key_Left)
    assert len(names(panel)) == 4
    assert table.currentIndex().row() == 2


def test_enter_goes_to_the_response(panel: TrafficPanel) -> None:
    """Ours: the row is unfolded for it."""
    table = mode(panel).table
    table.go_to_row(2)
    press(table, Qt.Key.Key_Return)
    assert table.current_number() == 13
    assert panel.detail.isVisible()
    assert panel.detail.number() == 13


def test_what_arrives_moves_neither_the_selection_nor_what_is_unfolded(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: a message beneath an unfolded row above it, a second one with which it folds, and a new operation."""
    table = mode(panel).table
    table.go_to_row(3)
    talk.log("one")
    panel.model.feed.pull()
    press(table, Qt.Key.Key_Right)
    table.go_to_row(4)
    assert names(panel)[4] == "notifications/message"
    talk.log("two")
    talk.text_result(5, "done")
    talk.call(6, "next")
    panel.model.feed.pull()
    assert names(panel)[3:] == [
        "tools/call export",
        "notifications/message · 2",
        "response  id 5",
        "tools/call next",
    ]
    assert table.currentIndex().row() == 4
    assert column(panel, "status")[3] == "OK"


def test_a_filter_selects_operations_with_a_matching_frame(panel: TrafficPanel) -> None:
    """Ours: in them or beneath them."""
    panel.set_filter("orders")
    assert names(panel) == ["tools/call search"]
    assert panel.bar.state.whole_text() == "1 of 4 rows"
    panel.set_filter("")
    assert len(names(panel)) == 4


def test_lines_that_the_filter_requests_are_unfolded_until_the_user_folds_them(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: those at the top at once, also those that come; another filter folds them again."""
    talk.text_result(5, "done")
    for line in (b"one", b"two"):
        talk.stderr(line)
    panel.model.feed.pull()
    folded = "stderr · 2 lines"
    assert names(panel)[-1] == folded
    panel.set_filter("kind:stderr")
    assert len(names(panel)) == 3
    assert names(panel)[0] == folded
    talk.stderr(b"three")
    talk.call(6, "next")
    talk.text_result(6, "done")
    for line in (b"four", b"five"):
        talk.stderr(line)
    panel.model.feed.pull()
    assert len(names(panel)) == 1 + 3 + 1 + 2
    mode(panel).model.set_unfolded(0, False)
    talk.stderr(b"six")
    panel.model.feed.pull()
    assert len(names(panel)) == 1 + 1 + 3
    panel.set_filter("")
    assert names(panel)[-1] == "stderr · 3 lines"


def test_a_closed_connection_leaves_requests_unanswered(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: nothing is pending any more."""
    talk.note("closed", "process exited")
    panel.model.feed.pull()
    assert column(panel, "status")[3] == "No response"


def test_runs_are_divided(qtbot: QtBot, theme: Theme, talk: Talk) -> None:
    """Ours: the rows of both runs, and between them one that says what began."""
    panel = TrafficPanel(theme=theme, clock=talk.clock)
    qtbot.addWidget(panel)
    later = Talk()
    later.request(1, "initialize")
    timeline = Timeline((talk.transcript, later.transcript), lambda _: "Run 2 · now", (1, 2))
    panel.set_timeline(timeline)
    panel.modes.set_mode("operations")
    assert names(panel)[4:] == ["Run 2 · now", "initialize"]
    panel.set_filter("method:initialize")
    assert names(panel) == ["initialize", "Run 2 · now", "initialize"]


def test_the_row_of_a_run_says_what_changed_and_leads_to_its_rows(
    qtbot: QtBot, theme: Theme, talk: Talk
) -> None:
    """Ours: two lines, of which the second has a badge for each kind of change; at every size of text."""
    panel = TrafficPanel(theme=theme, clock=talk.clock)
    qtbot.addWidget(panel)
    panel.resize(1300, 500)
    panel.show()
    later = Talk()
    later.request(1, "initialize")
    tools = ListDifference("tools", "tool", added=("refund",), removed=("pay",))
    difference = RunDifference(version=("1.0", "1.1"), lists=(tools,))
    start = RunStart(2, 0, RunCause.USER, "reconnected", "2025-11-25", "1.1", 1, difference)
    timeline = Timeline(
        (talk.transcript, later.transcript), lambda _: "Run 2", (1, 2), lambda _: start
    )
    panel.set_timeline(timeline)
    panel.modes.set_mode("operations")
    table = mode(panel).table
    assert table.rowHeight(4) == 2 * table.rowHeight(3)
    text = names(panel)[4]
    assert "reconnected · 2025-11-25 · version 1.0 → 1.1" in text
    assert "+1 tool  refund, −1 tool  pay" in text
    links = row_links(panel, 4)
    assert list(links) == ["Show this run only", "Show differences"]
    compared: list[object] = []
    Navigator(panel).run_comparison_requested.connect(compared.append)
    middle = links["Show differences"].center()
    QTest.mouseClick(
        table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle
    )
    assert compared == [later.transcript]
    table.go_to_row(4)
    press(table, Qt.Key.Key_Return)
    assert panel.filter_text() == "run:2"


def test_the_same_row_is_current_in_both_modes(panel: TrafficPanel) -> None:
    """Ours: also one that was folded."""
    panel.modes.set_mode("messages")
    panel.select_frame(9)
    panel.modes.set_mode("operations")
    assert mode(panel).table.current_number() == 9
    panel.modes.set_mode("messages")
    assert panel.table.current_number() == 9


def test_an_operation_is_displayed_whole(panel: TrafficPanel) -> None:
    """Ours: its time, its request and its frames."""
    operations = mode(panel)
    operations.table.go_to_row(2)
    details = operations.details
    assert details.isVisible()
    assert [value.text() for value in details.split.values] == ["–", "–", "2.0 s", "6.0 s"]
    assert details.sequence.rowCount() == 3
    operations.table.go_to_row(1)
    assert not details.isVisible()


def test_following_an_operation_shows_its_frames_alone_in_order(panel: TrafficPanel) -> None:
    """Ours: a filter of the messages, which can be cleared."""
    table = mode(panel).table
    table.go_to_row(2)
    press(table, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert panel.filter_text() == "operation:7"
    assert numbers(panel) == [7, 8, 9, 10, 11, 12, 13]
    assert panel.bar.mode.current() == "messages"
    assert panel.table.isVisible()


def test_the_mode_is_there_again_after_a_restart(
    panel: TrafficPanel, qtbot: QtBot, theme: Theme, talk: Talk
) -> None:
    """Ours: with its columns."""
    mode(panel).table.columns.set_visible("size", False)
    saved = panel.save_state()
    other = TrafficPanel(theme=theme, clock=talk.clock)
    qtbot.addWidget(other)
    assert other.restore_state(saved)
    assert other.modes.is_operations
    assert other.bar.mode.current() == "operations"
    assert mode(other).table.columns.save()["size"].hidden


def test_clocks_run_only_while_a_row_on_screen_has_one(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: also of an operation that waits for the user, which is not pending on the wire."""
    table = mode(panel).table
    panel.grab()
    assert table.has_running_clock
    before = column(panel, "total")[3]
    talk.wait(5)
    talk.result(5, resultType="input_required", inputRequests={})
    talk.note("input-required", "name", request=14)
    panel.model.feed.pull()
    assert column(panel, "status")[3] == "Waiting for you"
    assert column(panel, "total")[3] != before
    talk.note("cancelled", "by the user", request=14)
    panel.model.feed.pull()
    panel.grab()
    assert not table.has_running_clock
