"""What the page does again while a session goes on or another one begins, and what it does not. Ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QLabel

from inspector.transcript.spans.track import Track
from tests.support.talk import Talk
from tests.ui.qt_actions import find
from tests.ui.timeline.hands import press
from ui.models.timeline import timeline_of
from ui.timeline.selection import SpanKey

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.timeline.page import TimelinePage


def test_another_session_is_neither_measured_nor_compared_with_the_one_before(
    qtbot: QtBot, page: TimelinePage
) -> None:
    """Ours: without a selected span, too."""
    page.show_latency()
    assert page.latency is not None
    slow = page.latency.slow
    qtbot.waitUntil(lambda: slow.slow is not None and slow.slow.is_done)
    assert "slow" in find(slow, QLabel, "timeline_slow_title").text()
    page.selection.measure(1.0, 2.0)

    page.set_timeline(timeline_of(Talk().transcript))

    assert page.selection.measured is None
    assert slow.slow is None
    assert not find(slow, QLabel, "timeline_slow_title").text()


def test_a_screen_reader_hears_no_new_name_only_because_the_session_goes_on(
    qtbot: QtBot, page: TimelinePage, talk: Talk
) -> None:
    """Ours: the tracks are named again when something else is selected, or another range."""
    page.activateWindow()
    page.tracks.setFocus()
    qtbot.waitUntil(page.tracks.hasFocus)
    press(page, Qt.Key.Key_Right, control=True)
    name, text = page.tracks.accessibleName(), page.range_text()
    for _ in range(3):
        talk.wait(1)
        talk.log("still there")
    qtbot.waitUntil(lambda: page.range_text() in page.caption.text() and page.range_text() != text)
    qtbot.waitUntil(lambda: "13 frames" in page.caption.text())
    assert page.tracks.accessibleName() == name

    page.buttons[0].setFocus()
    page.tracks.setFocus()
    qtbot.waitUntil(lambda: page.range_text() in page.tracks.accessibleName())
    talk.log("still there")
    press(page, Qt.Key.Key_Plus)
    assert page.range_text() in page.tracks.accessibleName()


def test_the_message_of_the_selected_span_is_read_once(page: TimelinePage, talk: Talk) -> None:
    """Ours: it is said with each refresh; that of a pending request again when its clock has moved on, and when it ends."""
    selection = page.selection
    selection.select(SpanKey(page.feed.runs[0], Track.REQUESTS_OUT, 1))
    assert selection.sentence() is selection.sentence()
    selection.select(SpanKey(page.feed.runs[0], Track.REQUESTS_OUT, 2))
    pending = selection.sentence()
    assert "hangs" in pending
    talk.wait(5)
    assert selection.sentence() != pending
    talk.text_result(3, "at last")
    assert "ok" in selection.sentence().lower()


def test_latency_rests_while_there_is_nothing_new(
    qtbot: QtBot, page: TimelinePage, talk: Talk
) -> None:
    """Ours: a pending request may end without a frame, and is waited for; a new frame is counted at once."""
    page.show_latency()
    assert page.latency is not None
    rows = page.latency.rows
    qtbot.waitUntil(lambda: rows.is_complete and rows.rowCount() == 3)
    timer = rows.findChild(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert timer is not None
    assert timer.isActive()
    talk.text_result(3, "at last")
    qtbot.waitUntil(lambda: not timer.isActive())

    talk.call(4, "more")
    talk.text_result(4, "more")

    qtbot.waitUntil(lambda: rows.rowCount() == 5)
    qtbot.waitUntil(lambda: not timer.isActive())
