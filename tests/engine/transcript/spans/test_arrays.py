"""What a view of a track shows, against a plain search through all of its spans. Ours throughout."""

from __future__ import annotations

import random
from array import array
from math import inf

from inspector.transcript.spans.arrays import MAX_ROWS, MAX_SINGLE, Points, RangeMax, Spans


def test_the_largest_of_any_range_is_found_while_values_are_added_and_changed() -> None:
    """Ours."""
    chance, found = random.Random(1), RangeMax(array("d"))
    for _ in range(40):
        found.extend([chance.random() for _ in range(chance.randrange(1, 900))])
        for _ in range(5):
            found.set(chance.randrange(len(found)), chance.random() * 2)
        for _ in range(20):
            start = chance.randrange(len(found))
            stop = chance.randrange(start + 1, len(found) + 1)
            assert found.maximum(start, stop) == max(found.values[start:stop])
            value = found.values[start]
            assert list(found.reaching(value, stop)) == [
                at for at in range(stop) if found.values[at] >= value
            ]


def crowd(count: int) -> Spans:
    """So many spans of a tenth of a second, a hundred in a second; every thousandth takes ten minutes."""
    spans = Spans()
    starts = [at / 100 for at in range(count)]
    ends = [start + (600 if at % 1000 == 500 else 0.1) for at, start in enumerate(starts)]
    spans.add_spans(range(1, count + 1), starts, ends, bytes(count))
    return spans


def test_a_crowded_view_counts_every_span_once_and_shows_the_long_ones_alone() -> None:
    """Ours: the slow call among ten thousand is in sight at any zoom."""
    spans = crowd(10_000)
    view = spans.visible(0.0, 100.0, 200)

    in_columns = {at for each in view.columns for at in range(each.first, each.first + each.size)}
    assert len(in_columns | set(view.singles)) == view.total == 10_000
    assert sum(each.size for each in view.columns) == len(in_columns)
    assert {at for at in view.singles if spans.end(at) - spans.starts[at] > 1} == {
        at for at in range(10_000) if at % 1000 == 500
    }
    assert len(view.columns) + len(view.singles) < 450


def test_a_view_of_few_spans_shows_each_alone_and_those_that_began_before_it() -> None:
    """Ours."""
    spans = crowd(10_000)
    view = spans.visible(50.0, 51.0, 1000)

    starts_before = [at for at in view.singles if spans.starts[at] < 50.0]
    assert not view.columns
    assert {at for at in starts_before if at % 1000 == 500} == {500, 1500, 2500, 3500, 4500}
    assert set(range(5000, 5101)) <= set(view.singles)
    assert len(view.singles) < MAX_SINGLE


def test_spans_that_overlap_are_in_rows_of_their_own_and_those_beyond_have_none() -> None:
    """Ours."""
    spans = Spans()
    starts = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 11.0]
    spans.add_spans(range(1, 8), starts, [10.0, 9.0, inf, 8.0, 7.0, inf, 12.0], bytes(7))

    assert [spans.row(at) for at in range(7)] == [0, 1, 2, 3, MAX_ROWS, MAX_ROWS, 0]
    assert spans.row_count == MAX_ROWS + 1
    spans.finish(2, 20.0, 3)
    assert (spans.end(2), spans.tone(2)) == (20.0, 3)
    spans.add_spans((8,), (15.0,), (16.0,), (0,))
    assert spans.row(7) == 0


def test_moments_are_found_by_their_frame_and_by_time() -> None:
    """Ours."""
    points = Points()
    points.add_all([3, 5, 9], [1.0, 2.0, 2.0])

    assert (points.position_of(5), points.position_of(4)) == (1, -1)
    assert points.count_between(1.5, 2.0) == 2
    assert points.visible(0.0, 1.5, 10).singles == [0]
