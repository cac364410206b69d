"""Marks, comments, the time reference, and going to the next row of some sort; ours throughout."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMenu, QPlainTextEdit, QPushButton

from inspector.finding import Finding, Severity
from tests.support.talk import Talk
from tests.support.wait import wait_until
from tests.ui.qt_actions import find
from tests.ui.traffic.hands import choose, numbers
from ui.models.timeline import timeline_of
from ui.models.traffic_columns import position
from ui.traffic.annotating import DESTINATIONS, Destination
from ui.traffic.comment_dialog import CommentDialog

if TYPE_CHECKING:
    from ui.traffic.panel import TrafficPanel

MARKS = position("marks")


def marks(panel: TrafficPanel) -> list[object]:
    """What the column of marks says to assistive technology."""
    role = Qt.ItemDataRole.AccessibleTextRole
    return [panel.model.index(row, MARKS).data(role) for row in range(panel.model.rowCount())]


def state(panel: TrafficPanel) -> str:
    return panel.bar.state.whole_text()


async def test_marks_of_the_selection_are_set_together_and_taken_away_again(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: the column of marks appears with the first one."""
    assert not panel.table.columns.is_visible("marks")
    annotating = panel.row_actions.annotating
    panel.select_frame(2)
    annotating.toggle_mark()
    panel.table.selectAll()

    annotating.toggle_mark()
    await wait_until(lambda: marks(panel) == ["marked"] * 5)
    assert panel.table.columns.is_visible("marks")
    assert state(panel) == "5 marks set"
    annotating.toggle_mark()

    await wait_until(lambda: marks(panel) == [""] * 5)
    assert not talk.transcript.annotations.marks


async def test_a_mark_that_is_set_keeps_a_row_in_a_filter_of_marks(panel: TrafficPanel) -> None:
    """Ours: without another change of the filter."""
    panel.set_filter("is:marked")
    assert numbers(panel) == []
    panel.model.transcript.annotations.set_marked([3], marked=True)  # pyright: ignore

    await wait_until(lambda: numbers(panel) == [3])


def test_a_comment_is_written_in_a_dialog_and_shown_with_the_row(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: as plain text, and the dialog says where it is kept."""
    panel.select_frame(2)
    panel.row_actions.comment_requested.emit()
    dialog = find(panel, CommentDialog, "comment_dialog")
    assert "memory only" in find(dialog, QLabel, "comment_where").text()

    find(dialog, QPlainTextEdit, "comment_text").setPlainText(" <b>slow</b>\nwhy? ")
    find(dialog, QPushButton, "comment_save").click()

    assert dict(talk.transcript.annotations.comments) == {2: "<b>slow</b>\nwhy?"}
    panel.model.feed.findings_changed.emit()
    index = panel.model.index(1, MARKS)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "comment"
    tip = str(index.data(Qt.ItemDataRole.ToolTipRole))
    assert "&lt;b&gt;slow" in tip
    panel.set_filter("comment:slow")
    assert numbers(panel) == [2]


def test_an_empty_comment_is_removed(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    talk.transcript.annotations.set_comment(2, "x")
    panel.select_frame(2)
    panel.row_actions.open_menu(panel.table.rect().center())
    menu = find(panel.table, QMenu, "traffic_row_menu")
    choose(menu, "Edit comment…")
    menu.close()
    dialog = find(panel, CommentDialog, "comment_dialog")
    edit = find(dialog, QPlainTextEdit, "comment_text")
    assert edit.toPlainText() == "x"

    edit.clear()
    dialog.accept()

    assert not talk.transcript.annotations.comments


async def test_times_count_from_the_time_reference(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: also those before it."""
    talk.wait(1.5)
    talk.log("late")
    panel.model.feed.pull()
    time = position("time")

    def times() -> list[object]:
        return [panel.model.index(row, time).data() for row in range(panel.model.rowCount())]

    panel.select_frame(2)
    panel.row_actions.annotating.toggle_time_reference()

    await wait_until(lambda: times() == ["-0.012 s", *["0.000 s"] * 4, "1.500 s"])
    assert "after frame 2" in str(panel.model.index(5, time).data(Qt.ItemDataRole.ToolTipRole))
    panel.row_actions.annotating.toggle_time_reference()
    await wait_until(lambda: times()[-1] == "1.512 s")


def visited(panel: TrafficPanel, key: str, start: int, *, forward: bool = True) -> list[int]:
    """The frames that are gone to, one after the other, from a frame."""
    panel.select_frame(start)
    destination = next(each for each in DESTINATIONS if each.key == key)
    found: list[int] = []
    while True:
        panel.row_actions.annotating.go(destination, forward=forward)
        if panel.table.current_number() == (found[-1] if found else start):
            return found
        found.append(panel.table.current_number())


@pytest.mark.parametrize(
    ("key", "start", "forward", "expected"),
    [
        ("mark", 1, True, [3, 5]),
        ("mark", 5, False, [3]),
        ("error", 1, True, [6, 7]),
        ("finding", 1, True, [6, 7]),
        ("finding", 7, False, [6]),
        ("run", 1, True, []),
        ("run", 5, False, [1]),
        ("method", 1, True, [2, 4, 6]),
        ("method", 5, True, []),
        ("exchange", 1, True, [2]),
        ("exchange", 2, False, [1]),
        ("exchange", 3, True, []),
    ],
)
def test_the_next_row_of_a_sort_is_the_next_one_in_view(
    panel: TrafficPanel, talk: Talk, key: str, start: int, *, forward: bool, expected: list[int]
) -> None:
    """Ours: at the end, that there is none is said."""
    talk.text_result(2, "no", is_error=True)  # 6
    talk.received(b"not JSON")  # 7
    talk.transcript.add_finding(6, Finding("x", Severity.ERROR, "y"))
    talk.transcript.annotations.set_marked([3], marked=True)
    talk.transcript.annotations.set_comment(5, "x")
    panel.model.feed.pull()

    assert visited(panel, key, start, forward=forward) == expected
    assert state(panel).startswith(("no ", "not part"))


async def test_a_search_over_many_rows_leaves_time_for_the_window(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: it goes on in slices, and only over rows in view."""
    talk.flood(30_000)
    talk.transcript.annotations.set_marked([1, 30_000], marked=True)
    talk.transcript.annotations.set_marked([200], marked=True)
    panel.model.feed.pull()
    await wait_until(lambda: panel.model.feed.next > 30_000)
    panel.set_filter('-"line 194" -kind:stderr')
    await wait_until(lambda: panel.model.feed.share is None)
    panel.select_frame(1)

    panel.row_actions.annotating.go(DESTINATIONS[0], forward=True)

    await wait_until(lambda: panel.table.current_number() == 30_000)


async def test_a_search_for_a_row_ends_with_the_timeline_it_is_in(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: another session neither moves its cursor nor is told that there is nothing."""
    talk.flood(30_000)
    panel.model.feed.pull()
    await wait_until(lambda: panel.model.feed.next > 30_000)
    panel.select_frame(1)
    other = Talk()
    other.log("alone")
    reports: list[str] = []
    absent = Destination("text", "text", ("", ""), '"in no frame at all"')
    panel.row_actions.annotating.go(absent, forward=True)
    panel.row_actions.reported.connect(reports.append)

    panel.set_timeline(timeline_of(other.transcript))
    for _ in range(5):
        await asyncio.sleep(0.002)

    assert not reports
