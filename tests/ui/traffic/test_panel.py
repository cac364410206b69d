"""Working with the traffic: filter, pause, clear, jump, select; ours throughout (ux "Traffic")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QToolButton

from inspector.errors import StorageError
from inspector.transcript.transcript import Transcript
from tests.support.wait import wait_until
from tests.ui.traffic.hands import button, choose, numbers, press
from ui.models.timeline import timeline_of
from ui.models.traffic_cells import TimeFormat
from ui.models.traffic_columns import position
from ui.traffic.frame_details import Tab

if TYPE_CHECKING:
    import pytest

    from tests.support.talk import Talk
    from ui.traffic.panel import TrafficPanel


def test_typing_a_filter_narrows_the_rows(panel: TrafficPanel) -> None:
    """Ours."""
    panel.focus_filter()
    QTest.keyClicks(panel.bar.filter.line, "kind:request")
    press(panel.bar.filter.line, Qt.Key.Key_Return)

    assert numbers(panel) == [1, 4]
    assert panel.filter_text() == "kind:request"
    assert "2 of 5 rows" in panel.bar.state.text()


def test_escape_goes_on_to_the_rows_and_loses_no_input(panel: TrafficPanel) -> None:
    """Ours: ux "Feel"."""
    panel.activateWindow()
    panel.set_filter("kind:request")
    panel.focus_filter()

    press(panel.bar.filter.line, Qt.Key.Key_Escape)

    assert panel.focusWidget() is panel.table
    assert panel.table.current_number() == 4
    assert panel.filter_text() == "kind:request"


def test_a_wrong_filter_is_explained_and_leaves_the_rows(panel: TrafficPanel) -> None:
    """Ours: wrong syntax is explained under the field and never discards the previous view."""
    panel.set_filter("kind:request")

    panel.set_filter("kind:reqest")

    assert "did you mean kind:request?" in panel.bar.filter.problem()
    assert numbers(panel) == [1, 4]
    panel.set_filter("kind:note")
    assert panel.bar.filter.problem() == ""


def test_a_pause_counts_what_comes_meanwhile(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    button(panel, "pause").click()
    talk.log("one")
    talk.log("two")
    panel.model.feed.pull()
    assert panel.bar.state.text() == "paused · 2 new"
    assert len(numbers(panel)) == 5

    button(panel, "pause").click()

    assert len(numbers(panel)) == 7


def test_the_number_of_every_frame_can_be_read(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    header = panel.table.horizontalHeader()
    before = header.sectionSize(position("number"))

    talk.flood(12_000)
    panel.model.feed.pull()
    panel.model.feed.pull()

    digits = panel.fontMetrics().horizontalAdvance(str(panel.model.feed.next - 1))
    assert header.sectionSize(position("number")) > digits
    assert header.sectionSize(position("number")) >= before


def test_after_clearing_the_count_is_that_of_the_rows(panel: TrafficPanel) -> None:
    """Ours."""
    button(panel, "clear").click()

    assert panel.bar.state.text() == "0 rows · 5 hidden"


def test_clearing_hides_earlier_rows_and_shows_them_again(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    button(panel, "clear").click()
    assert panel.empty.cover.isVisible()

    talk.log("new")
    panel.model.feed.pull()
    assert numbers(panel) == [6]
    assert panel.bar.state.text() == "1 row · 5 hidden"

    panel.bar.state.click()
    assert numbers(panel) == [1, 2, 3, 4, 5, 6]
    assert panel.bar.state.text() == "6 rows"
    assert not panel.bar.state.isEnabled()


def test_enter_jumps_between_request_and_response(panel: TrafficPanel) -> None:
    """Ours."""
    panel.select_frame(1)

    press(panel.table, Qt.Key.Key_Return)
    assert panel.table.current_number() == 2

    press(panel.table, Qt.Key.Key_Return)
    assert panel.table.current_number() == 1


def test_enter_on_a_pending_request_says_that_there_is_no_response(panel: TrafficPanel) -> None:
    """Ours."""
    panel.select_frame(4)

    press(panel.table, Qt.Key.Key_Return)

    assert panel.table.current_number() == 4
    assert panel.bar.state.text() == "no response yet"


def test_jumping_out_of_the_filter_shows_the_frame_and_offers_the_way(panel: TrafficPanel) -> None:
    """Ours."""
    panel.set_filter("kind:request")
    panel.select_frame(1)

    press(panel.table, Qt.Key.Key_Return)
    assert panel.detail.number() == 2
    assert panel.away_notice.text() == "Frame 2 does not match the filter."

    panel.away_notice.action_triggered.emit()
    assert panel.table.current_number() == 2
    assert panel.filter_text() == ""
    assert panel.away_notice.text() == ""


async def test_the_selection_survives_new_frames_and_filters(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours."""
    panel.select_frame(3)
    talk.flood(300)
    await wait_until(lambda: len(numbers(panel)) == 305)
    assert panel.table.current_number() == 3

    panel.set_filter("kind:notification")

    assert panel.table.current_number() == 3
    assert panel.table.selected_numbers(10) == [3]
    assert panel.detail.number() == 3


def test_selecting_a_frame_opens_the_detail(panel: TrafficPanel) -> None:
    """Ours."""
    assert not panel.detail.isVisible()

    panel.select_frame(2)
    panel.select_frame(999)

    assert panel.detail.number() == 2
    assert panel.detail.isVisible()
    assert panel.detail.tree.tree.value() is not None


def test_a_detail_that_was_closed_stays_closed(panel: TrafficPanel) -> None:
    """Ours."""
    panel.select_frame(2)
    button(panel, "detail_close").click()

    press(panel.table, Qt.Key.Key_Up)

    assert panel.table.current_number() == 1
    assert not panel.detail.isVisible()


def test_frames_that_just_came_can_be_shown_at_once(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    talk.log("a")
    number = talk.log("b")

    panel.select_frame(number)

    assert panel.table.current_number() == number


def test_an_answer_arrives_in_the_open_detail(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    panel.select_frame(4)
    panel.detail.show_tab(Tab.TIMING)
    facts = {fact.name: fact.value for fact in panel.detail.timing.facts.facts()}
    assert facts["Status"] == "pending"

    talk.wait(2)
    talk.text_result(2, "done")
    panel.detail.refresh_if_changed()

    facts = {fact.name: fact.value for fact in panel.detail.timing.facts.facts()}
    assert (facts["Status"], facts["Duration"]) == ("ok", "2.0 s")
    assert panel.detail.timing.members.rowCount() == 2


def test_empty_panels_say_what_would_be_here(panel: TrafficPanel) -> None:
    """Ours: ux "Feel"."""
    said: list[str] = []
    for transcript, text in ((None, ""), (Transcript(), ""), (panel.model.transcript, "zzz")):
        panel.set_timeline(timeline_of(transcript))
        panel.set_filter(text)
        said.append(panel.empty.cover.accessibleName().split(".")[0])

    assert said == ["No session", "No traffic yet", "No matches"]


def test_the_arrangement_comes_back(panel: TrafficPanel) -> None:
    """Ours: ux "The main window"."""
    header, columns = panel.table.horizontalHeader(), panel.table.columns
    header.resizeSection(position("method"), 233)
    columns.set_visible("size", False)
    panel.model.set_time_format(TimeFormat.RELATIVE)
    saved = panel.save_state()
    header.resizeSection(position("method"), 100)
    columns.set_visible("size", True)
    panel.model.set_time_format(TimeFormat.CLOCK)

    assert panel.restore_state(saved)

    assert header.sectionSize(position("method")) == 233
    assert header.isSectionHidden(position("size"))
    assert panel.model.time_format is TimeFormat.RELATIVE


def test_a_broken_arrangement_changes_nothing(panel: TrafficPanel) -> None:
    """Ours."""
    assert not panel.restore_state(b"")
    assert not panel.restore_state(b'{"version":1}')
    assert not panel.restore_state(b"\xff\xfe")


def test_the_menu_of_the_panel_opens_without_blocking(panel: TrafficPanel) -> None:
    """Ours."""
    button(panel, "menu").click()

    menu = panel.findChild(QMenu, "traffic_menu")
    assert isinstance(menu, QMenu)
    choose(menu, "Time since")
    menu.close()

    assert panel.model.time_format is TimeFormat.RELATIVE


def test_suggestions_complete_the_term(panel: TrafficPanel) -> None:
    """Ours."""
    line = panel.bar.filter.line
    panel.activateWindow()
    line.setFocus()
    QTest.keyClicks(line, "tool:g")

    popup = panel.bar.hints.list.popup
    assert popup.isVisible()
    press(popup, Qt.Key.Key_Down)
    press(popup, Qt.Key.Key_Return)

    assert panel.filter_text() == "tool:get_sum"


def test_every_control_has_a_name(panel: TrafficPanel) -> None:
    """Ours: ux "Feel"."""
    panel.select_frame(1)
    nameless = [
        child.objectName()
        for child in panel.findChildren(QToolButton)
        if child.isVisible() and child.objectName() and not child.accessibleName()
    ]

    assert nameless == []


def test_a_frame_that_cannot_be_read_back_does_no_harm(
    panel: TrafficPanel, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours."""

    def fail(*_args: object) -> bytes:
        raise StorageError("the disk is gone")

    monkeypatch.setattr(talk.transcript, "raw", fail)

    panel.select_frame(3)
    panel.set_filter("words")

    assert panel.detail.number() == 3


def test_the_row_under_the_cursor_stays_in_view_when_there_is_less_room(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: what opens beside it makes the rows narrower, and their scroll bar covers the last of them."""
    for number in range(40):
        talk.log(str(number))
    panel.model.feed.pull()
    panel.table.set_following(False)
    row = panel.table.whole_rows()[1] - 1
    panel.table.setCurrentIndex(panel.model.index(row, 0))

    panel.resize(600, 200)

    rect = panel.table.visualRect(panel.table.currentIndex())
    assert panel.table.viewport().rect().contains(rect.topLeft())
    assert rect.bottom() <= panel.table.viewport().height()
