"""Which frames are rows, without a model; ours throughout."""

from __future__ import annotations

from array import array

import pytest

from ui.models.visible_frames import VisibleFrames


@pytest.fixture
def shown() -> VisibleFrames:
    """Five frames, of which the first two are out of view."""
    made = VisibleFrames()
    made.cleared_before = 4
    made.replace(array("I", [2, 4, 6, 8, 10]))
    return made


def in_view(shown: VisibleFrames) -> list[int]:
    return [shown.number_at(row) for row in range(len(shown))]


@pytest.mark.parametrize(
    ("number", "rows"),
    [(2, [6, 8, 10]), (4, [6, 8, 10]), (6, [8, 10]), (10, [6, 8])],
)
def test_removing_a_frame_at_the_floor_keeps_the_first_visible_row(
    shown: VisibleFrames, number: int, rows: list[int]
) -> None:
    """Ours."""
    shown.remove(number)

    assert in_view(shown) == rows
    assert [shown.row_of(each) for each in rows] == list(range(len(rows)))


@pytest.mark.parametrize(("number", "rows"), [(3, [6, 8, 10]), (4, [6, 8, 10]), (5, [5, 6, 8, 10])])
def test_adding_a_frame_at_the_floor_keeps_the_first_visible_row(
    shown: VisibleFrames, number: int, rows: list[int]
) -> None:
    """Ours."""
    if shown.holds(number):
        shown.remove(number)
    shown.add(number)

    assert in_view(shown) == rows


def test_a_frame_out_of_view_has_no_row_and_leads_to_the_nearest(shown: VisibleFrames) -> None:
    """Ours."""
    assert [shown.row_of(number) for number in (2, 4, 6, 7, 10, 11)] == [
        None,
        None,
        0,
        None,
        2,
        None,
    ]
    assert [shown.row_near(number) for number in (2, 4, 6, 7, 10, 11)] == [0, 0, 0, 1, 2, 3]
    assert [shown.above(row) for row in range(3)] == [0, 6, 8]
