"""Runs of stderr lines, HTTP header blocks and SSE events without a message are one row among the messages."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.talk import Talk
from tests.ui.traffic.hands import numbers, press
from ui.models.timeline import timeline_of
from ui.models.traffic_columns import position

if TYPE_CHECKING:
    from ui.traffic.panel import TrafficPanel

# The conversation of `talk` has five frames, the last of them a line on stderr.


def text(panel: TrafficPanel, row: int, key: str) -> str:
    return str(panel.model.index(row, position(key)).data())


def pull_all(panel: TrafficPanel) -> None:
    """Show all frames, in as many slices of time as the machine takes."""
    feed = panel.model.feed
    while (start := feed.next) <= feed.timeline.count:
        feed.pull()
        assert feed.next > start


def test_lines_that_arrive_fold_into_the_last_row_which_counts_them(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: no frame is uncounted, and the selection stays."""
    panel.table.go_to(4)
    talk.stderr(b"still")
    talk.stderr(b"warming")
    panel.model.feed.pull()
    assert numbers(panel) == [1, 2, 3, 4, 5]
    assert text(panel, 4, "method") == "stderr · 3 lines"
    assert text(panel, 4, "size") == "22 B"
    assert panel.bar.state.whole_text() == "7 rows"
    assert panel.table.current_number() == 4

    talk.text_result(2, "ready")
    talk.stderr(b"one")
    panel.model.feed.pull()
    assert numbers(panel) == [1, 2, 3, 4, 5, 8, 9]
    assert text(panel, 6, "method") == ""


def test_the_row_of_folded_lines_has_the_first_of_them_that_is_not_empty(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: many programs begin their output with empty lines."""
    talk.text_result(2, "ready")
    for line in (b"", b"  ", b"Server started", b"Listening"):
        talk.stderr(line)
    panel.model.feed.pull()

    assert text(panel, 6, "method") == "stderr · 4 lines"
    assert text(panel, 6, "summary") == "Server started"


def test_arrow_keys_unfold_and_fold_a_row(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: going to a folded frame unfolds it, too."""
    talk.stderr(b"still")
    talk.text_result(2, "ready")
    panel.model.feed.pull()
    panel.table.go_to(5)
    press(panel.table, Qt.Key.Key_Right)
    assert numbers(panel) == [1, 2, 3, 4, 5, 6, 7]
    press(panel.table, Qt.Key.Key_Left)
    assert numbers(panel) == [1, 2, 3, 4, 5, 7]
    panel.select_frame(6)
    assert panel.table.current_number() == 6
    assert not panel.away_notice.text()
    press(panel.table, Qt.Key.Key_Left)
    assert numbers(panel) == [1, 2, 3, 4, 5, 7]
    assert panel.table.current_number() == 5
    press(panel.table, Qt.Key.Key_Return)
    assert numbers(panel) == [1, 2, 3, 4, 5, 6, 7]


def test_a_filter_folds_what_it_leaves_side_by_side(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: also frames between which others were; a copy has all of them."""
    talk.text_result(2, "ready")
    talk.stderr(b"still")
    panel.set_filter("number:>4 -kind:response")
    assert numbers(panel) == [5]
    assert panel.bar.state.whole_text().startswith("2 of 7 rows")
    panel.table.selectRow(0)
    assert panel.table.selected_numbers(10) == [5, 7]
    assert list(panel.model.visible_frames.all_numbers()) == [5, 7]
    panel.set_filter("")
    assert numbers(panel) == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    "text", ["kind:stderr", "kind:stderr,http", "(kind:request | KIND:STDERR)"]
)
def test_lines_that_the_filter_requests_do_not_fold(
    panel: TrafficPanel, talk: Talk, text: str
) -> None:
    """Ours: live too; who filters by their kind wants to read them."""
    talk.stderr(b"still")
    panel.set_filter(text)
    assert numbers(panel)[-2:] == [5, 6]
    talk.stderr(b"warming")
    panel.model.feed.pull()
    assert numbers(panel)[-3:] == [5, 6, 7]
    panel.set_filter("")
    assert numbers(panel) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("text", ["-kind:request", "-(kind:request | -kind:*)", "kind:std*"])
def test_lines_that_a_filter_only_happens_to_match_fold(
    panel: TrafficPanel, talk: Talk, text: str
) -> None:
    """Ours: what is excluded, and what a wildcard matches, is not requested."""
    talk.stderr(b"still")
    panel.set_filter(text)
    assert numbers(panel)[-1] == 5
    assert list(panel.model.visible_frames.all_numbers())[-2:] == [5, 6]


def test_lines_fold_again_where_they_are_all_there_is(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: a filter that leaves the same rows changes how they fold."""
    panel.set_timeline(timeline_of((other := Talk()).transcript))
    other.stderr(b"one")
    other.stderr(b"two")
    panel.set_filter("kind:stderr")
    assert numbers(panel) == [1, 2]
    panel.set_filter("")
    assert numbers(panel) == [1]


def test_what_is_unfolded_under_one_filter_folds_nothing_else_under_another(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: ← folds only rows of one kind."""
    talk.text_result(2, "ready")
    talk.stderr(b"still")
    panel.set_filter("number:>4 -kind:response")
    assert panel.model.set_unfolded(0, True)
    panel.set_filter("")
    assert not panel.model.set_unfolded(5, False)
    assert numbers(panel) == [1, 2, 3, 4, 5, 6, 7]
    panel.set_filter("number:>4 -kind:response")
    assert numbers(panel) == [5, 7]


def test_header_blocks_fold_once_they_are_displayed(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    for direction in (Direction.SENT, Direction.RECEIVED):
        talk.transcript.append(direction, Channel.HTTP, [RawChunk(b"HTTP/1.1 200 OK\r\n\r\n")])
    panel.filtering.show_http(True)
    panel.model.feed.pull()
    assert numbers(panel)[-1] == 6
    assert text(panel, 5, "method") == "HTTP headers · 2"


def test_folding_can_be_switched_off_for_good(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    talk.stderr(b"still")
    panel.model.feed.pull()
    panel.model.set_folds(False)
    assert numbers(panel) == [1, 2, 3, 4, 5, 6]
    saved = panel.save_state()
    panel.model.set_folds(True)
    assert numbers(panel) == [1, 2, 3, 4, 5]
    assert panel.restore_state(saved)
    assert not panel.model.folds
    talk.stderr(b"again")
    panel.model.feed.pull()
    assert numbers(panel) == [1, 2, 3, 4, 5, 6, 7]


def test_cleared_rows_take_no_new_frames(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: what comes after is a row."""
    talk.stderr(b"still")
    panel.model.feed.pull()
    panel.model.hide_earlier()
    talk.stderr(b"new")
    panel.model.feed.pull()
    assert numbers(panel) == [7]
    panel.model.show_earlier()
    assert numbers(panel) == [1, 2, 3, 4, 5, 7]


def test_a_folded_row_is_painted_without_reading_its_frames_again(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: a server may write a million lines; what comes is added to the bytes of the row."""
    added = 20_000
    for _ in range(added):
        talk.stderr(b"0123456789")
    pull_all(panel)
    row = panel.model.rowCount() - 1
    assert panel.model.visible_frames.count_at(row) == added + 1
    assert panel.model.visible_frames.bytes_at(row) == 10 * (added + 1)
    talk.stderr(b"01234")
    panel.model.feed.pull()
    assert panel.model.visible_frames.bytes_at(row) == 10 * (added + 1) + 5

    tracemalloc.start()
    try:
        painted = panel.model.painted_row(row)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert painted.texts[position("size")] == "200.0 kB"
    assert peak < added


def test_bytes_of_a_folded_row_follow_its_frames(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: unfolded, filtered and folded again."""
    talk.text_result(2, "ready")
    talk.stderr(b"still")
    talk.stderr(b"warming")
    panel.model.feed.pull()
    panel.set_filter("number:>4 -kind:response")
    assert text(panel, 0, "size") == "22 B"
    panel.set_filter("")
    assert text(panel, 6, "size") == "12 B"
    assert panel.model.set_unfolded(6, True)
    assert text(panel, 6, "size") == "5 B"
    assert panel.model.set_unfolded(6, False)
    assert text(panel, 6, "size") == "12 B"


def test_a_frame_that_comes_to_match_between_folded_ones_unfolds_them(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: frames stay in order, in copies and exports too."""
    talk.call(3, "late")  # 6
    talk.stderr(b"one")  # 7
    panel.set_filter("kind:std* | (status:ok method:tools/call)")
    assert numbers(panel) == [1, 2, 5]
    assert list(panel.model.visible_frames.numbers_in_view()) == [1, 2, 5, 7]

    talk.text_result(3, "at last")
    panel.model.feed.pull()

    assert list(panel.model.visible_frames.numbers_in_view()) == [1, 2, 5, 6, 7, 8]
    assert numbers(panel) == [1, 2, 5, 6, 7, 8]
