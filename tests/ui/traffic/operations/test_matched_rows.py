"""Which operations a filter selects; ours throughout."""

from __future__ import annotations

from array import array
from time import perf_counter

from ui.models.visible_frames import VisibleFrames
from ui.traffic.operations.matched_rows import FRAMES_PER_LOOK, MatchedRows
from ui.traffic.operations.visible_rows import top_key


def test_frames_that_folded_into_one_row_are_matched_in_slices() -> None:
    """Ours: half a million of them may be one row of the messages."""
    visible = VisibleFrames()
    visible.numbers = array("I", [1])
    visible.members = {1: array("I", range(2, 1002))}
    found = MatchedRows(lambda number: number, lambda _: True)
    found.start(visible)
    slices = 0
    while not found.advance(perf_counter()):
        assert len(found.keys) <= (slices + 1) * FRAMES_PER_LOOK
        slices += 1
    assert slices > 1000 // FRAMES_PER_LOOK
    assert found.keys == {top_key(number) for number in range(1, 1002)}


def test_a_match_waits_until_its_frame_has_a_row() -> None:
    """Ours: none is forgotten because it came early."""
    tops: dict[int, int] = {}
    found = MatchedRows(lambda number: tops.get(number, 0), lambda _: True)
    found.extend(array("I", [3, 4]))
    assert not found.advance(perf_counter() + 60)
    tops |= {3: 1, 4: 1}
    assert found.advance(perf_counter() + 60)
    assert found.take_new() == [top_key(1)]
    assert found.take_new() == []
