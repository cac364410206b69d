"""The texts of rows that are kept; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.talk import Talk
from ui.models import traffic_roles
from ui.models.fold_texts import MAX_EMPTY
from ui.models.timeline import Timeline
from ui.models.traffic_roles import RowCache

if TYPE_CHECKING:
    import pytest

MAX_ROWS = 8


def test_the_row_cache_evicts_the_oldest_half(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours: rows in sight are the latest that were asked for."""
    monkeypatch.setattr(traffic_roles, "CACHED_ROWS", MAX_ROWS)
    talk = Talk()
    talk.flood(MAX_ROWS + 1)
    timeline, cache = Timeline((talk.transcript,)), RowCache()
    for row in range(MAX_ROWS):
        cache.make(row, timeline, row + 1, row)
    assert None not in [cache.get(row) for row in range(MAX_ROWS)]

    cache.make(MAX_ROWS, timeline, MAX_ROWS + 1, MAX_ROWS)

    kept = [row for row in range(MAX_ROWS + 1) if cache.get(row) is not None]
    assert kept == list(range(MAX_ROWS // 2, MAX_ROWS + 1))


def test_frames_of_a_folded_row_are_searched_for_a_text_only_where_there_are_more_of_them() -> None:
    """Ours: a row is painted often, and its frames may have to be read from the disk."""
    talk = Talk()
    lines = [talk.stderr(line) for line in (b"", b"", b"ready")]
    cache = RowCache()

    def first_text(numbers: list[int], count: int) -> str:
        return cache.first_text(0, talk.transcript, numbers, count)

    assert first_text(lines[:2], 2) == ""
    assert first_text(lines, 2) == ""
    assert first_text(lines, 3) == "ready"
    assert first_text([], 3) == "ready"
    assert first_text(lines, MAX_EMPTY) == "ready"
    assert first_text([], MAX_EMPTY + 1) == "ready"
    cache.drop(0)
    assert first_text([], MAX_EMPTY) == ""
