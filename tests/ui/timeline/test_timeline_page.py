"""The page of the timeline over a real transcript: what is where, by mouse and by keyboard. Ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inspector.transcript.filter.query import parse
from inspector.transcript.spans.track import SpanTone, Track
from tests.support.spoken import faults, interface_of, read_out, spoken
from tests.support.talk import Talk
from tests.ui.qt_actions import MOUSE_PRESS, MOUSE_RELEASE, click, find
from tests.ui.timeline.hands import converse, marks, press
from ui.models.timeline import Timeline, timeline_of
from ui.timeline.latency_model import KEYS
from ui.timeline.page import TimelinePage
from ui.timeline.time_splits import TimeSplits
from ui.timeline.track_painter import NAMES_WIDTH
from ui.widgets.empty_state import EmptyState

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme
    from ui.timeline.scene import Mark


def center(mark: Mark) -> QPoint:
    return mark.rect.center()


def test_spans_are_as_long_as_their_requests_and_pending_ones_stay_open(page: TimelinePage) -> None:
    """Ours: 61 seconds of which 1200 pixels are the width, with a margin of a hundredth on each side."""
    quick, slow, hangs = marks(page, Track.REQUESTS_OUT)

    pixels = 1200 / (60 * 1.02)
    assert quick.rect.width() == pytest.approx(1 * pixels, abs=2)
    assert slow.rect.width() == pytest.approx(30 * pixels, abs=2)
    assert hangs.rect.right() == pytest.approx(NAMES_WIDTH + 60.6 * pixels, abs=3)
    assert [mark.is_open for mark in (quick, slow, hangs)] == [False, False, True]
    assert slow.tone == SpanTone.ERROR
    (question,) = marks(page, Track.REQUESTS_IN)
    assert slow.rect.left() < question.rect.left() < question.rect.right() < slow.rect.right()


def test_the_clock_of_a_pending_request_runs(qtbot: QtBot, page: TimelinePage, talk: Talk) -> None:
    """Ours: time passes without a frame, and the session with it."""
    before = page.visible_time.length_s
    talk.wait(30)
    qtbot.waitUntil(lambda: page.visible_time.length_s > before + 29)
    talk.text_result(3, "at last")
    qtbot.waitUntil(lambda: not marks(page, Track.REQUESTS_OUT)[2].is_open)


def test_a_click_selects_the_frame_and_a_double_click_opens_it(
    page: TimelinePage, talk: Talk
) -> None:
    """Ours."""
    slow = marks(page, Track.REQUESTS_OUT)[1]
    selected: list[tuple[int, object]] = []

    def select(number: int, of: object) -> None:
        selected.append((number, of))

    page.frame_selected.connect(select)
    page.tracks.frame_opened.disconnect()
    page.tracks.frame_opened.connect(lambda: select(0, None))
    QTest.mouseClick(page.tracks, Qt.MouseButton.LeftButton, pos=center(slow))
    assert selected == [(4, talk.transcript)]
    assert page.caption.text().count("#4 ") == 1
    QTest.mouseDClick(page.tracks, Qt.MouseButton.LeftButton, pos=center(slow))
    assert selected[-1] == (0, None)
    nothing = QPoint(NAMES_WIDTH + 1190, page.tracks.height() - 1)
    QTest.mouseClick(page.tracks, Qt.MouseButton.LeftButton, pos=nothing)
    assert page.selection.key is None


def test_a_range_is_zoomed_to_by_dragging_and_escape_shows_the_whole_again(
    page: TimelinePage,
) -> None:
    """Ours."""
    whole = page.visible_time.bounds
    slow = marks(page, Track.REQUESTS_OUT)[1].rect
    drag(page, slow.topLeft() - QPoint(3, 0), slow.topRight() + QPoint(3, 0))
    assert page.visible_time.length_s == pytest.approx(30, abs=0.5)
    assert "6 of 10 frames" in page.caption.text()
    press(page, Qt.Key.Key_Escape)
    assert (page.visible_time.first_s, page.visible_time.last_s) == whole


def drag(page: TimelinePage, start: QPoint, end: QPoint, *, shift: bool = False) -> None:
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    keys = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    steps = (
        (MOUSE_PRESS, start, left, left),
        (QEvent.Type.MouseMove, (start + end) / 2, none, left),
        (QEvent.Type.MouseMove, end, none, left),
        (MOUSE_RELEASE, end, left, none),
    )
    for kind, at, button, held in steps:
        spot = QPointF(at)
        whole = page.tracks.mapToGlobal(spot)
        QApplication.sendEvent(page.tracks, QMouseEvent(kind, spot, whole, button, held, keys))


def turn(page: TimelinePage, x: int, steps: int, *, control: bool = False) -> None:
    """Turn the wheel over the tracks."""
    keys = Qt.KeyboardModifier.ControlModifier if control else Qt.KeyboardModifier.NoModifier
    spot = QPointF(x, 10)
    event = QWheelEvent(
        spot,
        page.tracks.mapToGlobal(spot),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(page.tracks, event)


def test_the_wheel_zooms_at_the_pointer_and_moves_without_leaving_the_session(
    page: TimelinePage,
) -> None:
    """Ours."""
    visible, x = page.visible_time, NAMES_WIDTH + 300
    before = page.tracks.scene.time(x)
    turn(page, x, 4, control=True)
    assert page.tracks.scene.time(x) == pytest.approx(before, abs=0.02)
    assert visible.length_s == pytest.approx(61.2 * 0.7**4, rel=0.01)
    length, first_s = visible.length_s, visible.first_s
    turn(page, x, -1)
    assert visible.first_s > first_s
    turn(page, x, 50)
    assert visible.first_s == visible.bounds[0]
    assert visible.length_s == pytest.approx(length)
    turn(page, x, -60, control=True)
    assert visible.is_whole


def test_dragging_with_shift_measures_and_the_view_stays(page: TimelinePage) -> None:
    """Ours."""
    slow = marks(page, Track.REQUESTS_OUT)[1].rect
    drag(page, slow.topLeft(), slow.topRight(), shift=True)
    first_s, last_s = page.selection.measured or (0, 0)
    assert last_s - first_s == pytest.approx(30, abs=0.2)
    assert page.visible_time.is_whole
    press(page, Qt.Key.Key_Escape)
    assert page.selection.measured is None


def test_everything_can_be_done_by_keyboard(page: TimelinePage, talk: Talk) -> None:
    """Ours: tracks, spans, zoom, moving, measuring and opening."""
    visible = page.visible_time
    page.tracks.setFocus()
    press(page, Qt.Key.Key_Right, control=True)
    press(page, Qt.Key.Key_Right, control=True)
    assert page.selection.key is not None
    assert page.selection.key.frame == (4, talk.transcript)
    press(page, Qt.Key.Key_Z)
    assert visible.length_s == pytest.approx(30 * 1.25, rel=0.01)
    press(page, Qt.Key.Key_M)
    press(page, Qt.Key.Key_Left, control=True)
    assert page.selection.measured is not None
    assert page.selection.measured[1] - page.selection.measured[0] == pytest.approx(-10)
    press(page, Qt.Key.Key_Escape, Qt.Key.Key_Escape)
    assert visible.is_whole
    press(page, Qt.Key.Key_Plus, Qt.Key.Key_Plus)
    length = visible.length_s
    press(page, Qt.Key.Key_End)
    assert visible.last_s == pytest.approx(visible.bounds[1])
    press(page, Qt.Key.Key_Home)
    assert visible.first_s == pytest.approx(visible.bounds[0])
    press(page, Qt.Key.Key_Minus)
    assert visible.length_s > length
    press(page, Qt.Key.Key_Down)
    press(page, Qt.Key.Key_Right, control=True)
    assert page.selection.key is not None
    assert page.selection.key.track is Track.REQUESTS_IN


def test_a_screen_reader_is_given_the_selected_span_and_the_visible_time(
    page: TimelinePage,
) -> None:
    """Ours; WCAG 2.2, 4.1.2 Name, Role, Value."""
    press(page, Qt.Key.Key_Right, control=True)
    press(page, Qt.Key.Key_Right, control=True)
    name = spoken(interface_of(page.tracks)).name

    for part in ("Timeline", page.range_text(), "Requests out", "#4", "tools/call", "slow"):
        assert part in name
    assert [fault for part in read_out(page) for fault in faults(part)] == []


def test_tracks_without_anything_in_the_session_are_folded(page: TimelinePage) -> None:
    """Ours: and those with something take a row for each span that overlaps."""
    rows = {row.track: row for row in page.tracks.scene.rows}
    assert {track for track, row in rows.items() if row.is_folded} == {Track.TASKS, Track.HTTP}
    assert rows[Track.TASKS].height < rows[Track.REQUESTS_IN].height
    assert rows[Track.PROCESS].bottom <= page.tracks.minimumHeight()


def test_another_run_continues_the_view_and_another_server_begins_a_new_one(
    qtbot: QtBot, page: TimelinePage, talk: Talk
) -> None:
    """Ours: spans of a run that stays are not built again."""
    press(page, Qt.Key.Key_Plus)
    press(page, Qt.Key.Key_Right, control=True)
    kept, length = page.feed.runs[0], page.visible_time.length_s
    second = Talk()
    second.clock.now = talk.clock.now + 5
    second.call(1, "again")
    page.set_timeline(Timeline((talk.transcript, second.transcript), runs=(1, 2)))
    qtbot.waitUntil(lambda: len(page.feed.runs) == 2 and page.feed.runs[1].taken == 1)
    assert page.feed.runs[0] is kept
    assert page.visible_time.length_s == pytest.approx(length)
    assert page.selection.key is not None

    page.set_timeline(timeline_of(converse(Talk()).transcript))
    assert page.selection.key is None
    assert page.visible_time.is_whole


def test_nothing_is_built_while_the_page_is_hidden(qtbot: QtBot, theme: Theme, talk: Talk) -> None:
    """Ours."""
    page = TimelinePage(theme=theme, clock=talk.clock)
    qtbot.addWidget(page)
    page.set_timeline(timeline_of(talk.transcript))
    QApplication.sendPostedEvents()
    assert page.feed.runs[0].taken == 0
    page.show()
    qtbot.waitUntil(lambda: page.feed.is_complete)
    page.hide()
    talk.log("later")
    QApplication.sendPostedEvents()
    assert not page.feed.is_complete


def test_the_overview_counts_every_frame_and_its_brush_moves_the_view(page: TimelinePage) -> None:
    """Ours."""
    overview, visible = page.overview, page.visible_time
    assert any(bar.is_error for bar in overview.bars())
    middle = QPoint(NAMES_WIDTH + 600, 10)
    QTest.mousePress(overview, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(overview, middle + QPoint(120, 0))
    QTest.mouseRelease(overview, Qt.MouseButton.LeftButton, pos=middle + QPoint(120, 0))
    assert visible.length_s == pytest.approx(6.1, abs=0.2)
    first_s = visible.first_s
    inside = overview.brush().center()
    QTest.mousePress(overview, Qt.MouseButton.LeftButton, pos=inside)
    QTest.mouseMove(overview, inside - QPoint(100, 0))
    QTest.mouseRelease(overview, Qt.MouseButton.LeftButton, pos=inside - QPoint(100, 0))
    assert visible.first_s == pytest.approx(first_s - 5.1, abs=0.2)
    assert visible.length_s == pytest.approx(6.1, abs=0.2)


def test_a_session_without_frames_says_so(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    page = TimelinePage(theme=theme)
    qtbot.addWidget(page)
    page.show()
    assert page.range_text() == ""
    assert find(page, EmptyState, "timeline_empty").isVisible()


def test_the_visible_range_is_a_filter_that_selects_its_frames(
    page: TimelinePage, talk: Talk
) -> None:
    """Ours: with both ends, and nothing beside."""
    requested: list[str] = []
    page.range_requested.connect(requested.append)
    slow = marks(page, Track.REQUESTS_OUT)[1].rect
    drag(page, slow.topLeft() - QPoint(3, 0), slow.topRight() + QPoint(3, 0))
    click(page, "timeline_range")

    assert list(parse(requested[0]).matches(talk.transcript, 1, 11)) == [4, 5, 6, 7, 8, 9]


def test_latency_is_a_row_for_each_tool_and_each_cell_leads_to_its_requests(
    qtbot: QtBot, page: TimelinePage, talk: Talk
) -> None:
    """Ours: the slowest first; a percentile leads to what took as long or longer."""
    page.show_latency()
    assert page.latency is not None
    table = page.latency.table
    qtbot.waitUntil(lambda: table.rows.is_complete and table.rows.rowCount() == 3)
    names = [table.rows.row_at(row).key.name for row in range(3)]
    assert names == ["slow", "", "quick"]
    requested: list[str] = []
    table.filter_requested.connect(requested.append)
    table.setFocus()
    for column in ("p99", "errors", "count"):
        table.setCurrentIndex(table.rows.index(0, KEYS.index(column)))
        QTest.keyClick(table, Qt.Key.Key_Return)

    for text in requested:
        assert list(parse(text).matches(talk.transcript, 1, 11)) == [4, 9]
    assert len(set(requested)) == 3
    cell = table.rows.index(0, KEYS.index("p99"))
    assert cell.data(Qt.ItemDataRole.AccessibleTextRole) == "p99: 30.0 s"
    click(page, "timeline_views_tracks")
    assert not table.isVisible()


def test_times_count_from_the_time_reference_where_one_is_set(
    qtbot: QtBot, page: TimelinePage, talk: Talk
) -> None:
    """Ours: on the axis, and in the selected range."""
    assert ":" in page.axis.ticks()[0].text
    talk.transcript.annotations.set_time_reference(4)
    qtbot.waitUntil(lambda: page.axis.reference_s is not None)
    texts = [tick.text for tick in page.axis.ticks()]
    assert "+0 s" in texts
    assert texts[0].startswith("−")
    talk.transcript.annotations.set_time_reference(0)
    qtbot.waitUntil(lambda: page.axis.reference_s is None)


def test_the_parts_of_the_time_of_a_call_are_known_once_it_has_ended(
    qtbot: QtBot, page: TimelinePage
) -> None:
    """Ours: a sixth of the slow call waited for the user, the rest is the server's."""
    run = page.feed.runs[0]
    qtbot.waitUntil(lambda: run.transcript.operations.next == 11)
    splits = TimeSplits()

    assert splits.shares(run, 4) == pytest.approx((0, 0, 5 / 6, 1 / 6))
    assert splits.shares(run, 10) == ()


def test_times_are_above_their_lines_beside_a_scroll_bar(page: TimelinePage, qtbot: QtBot) -> None:
    """Ours: where the dock is too low for all tracks."""
    page.resize(page.width(), 150)
    qtbot.waitUntil(lambda: page.tracks.width() < page.width())
    assert page.axis.edge == page.width() - page.tracks.width()
    assert page.overview.brush().right() < page.tracks.width()
