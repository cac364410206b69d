"""What is equal in two sequences is found in order, and the work is bounded; ours."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.background_tasks import at_once
from inspector.compare import sequence_diff
from inspector.compare.sequence_diff import increasing, matches
from tests.support.json_texts import quick

LETTERS = st.text("abc", max_size=30)


@quick
@given(LETTERS, LETTERS)
def test_matches_are_equal_in_order_and_apart(old: str, new: str) -> None:
    """Ours."""
    old_end = new_end = 0
    for match in at_once(matches(old, new)):
        part = old[match.old : match.old + match.length]
        assert part == new[match.new : match.new + match.length]
        assert match.length
        assert old_end <= match.old
        assert new_end <= match.new
        old_end, new_end = match.old + match.length, match.new + match.length


@pytest.mark.parametrize(
    ("old", "new", "common"),
    [
        ("abcabba", "cbabac", 4),
        ("aab", "ab", 2),
        ("abc", "xyz", 0),
        ("axbxc", "abc", 3),
        ("", "a", 0),
    ],
)
def test_as_much_is_matched_as_there_is_in_common(old: str, new: str, common: int) -> None:
    """Ours."""
    assert sum(match.length for match in at_once(matches(old, new))) == common


def test_work_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours: what would take too long counts as different, and equal ends are found nevertheless."""
    monkeypatch.setattr(sequence_diff, "MAX_WORK", 20_000)
    chance = random.Random(1)
    middle = [[chance.randrange(3) for _ in range(5000)] for _ in range(2)]
    old, new = ([9, 8, 7, *part, 7, 8] for part in middle)

    found = at_once(matches(old, new))

    assert (found[0].old, found[0].length) == (0, 3)
    assert found[-1].old + found[-1].length == len(old)


def test_the_positions_that_increase_are_as_many_as_possible() -> None:
    """Ours."""
    positions = [3, 0, 1, 4, 2]

    assert [positions[at] for at in at_once(increasing(positions))] == [0, 1, 2]
