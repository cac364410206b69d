"""Numbers for people."""

from __future__ import annotations

import pytest

from ui.widgets import units


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 ms"),
        (0.0004, "0.4 ms"),
        (0.00996, "10 ms"),
        (0.0123, "12 ms"),
        (0.9996, "1.0 s"),
        (3.24, "3.2 s"),
        (59.96, "1 min 0 s"),
        (125, "2 min 5 s"),
        (11_400, "3 h 10 min"),
        (-0.5, "-500 ms"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    """Ours: durations are in human units."""
    assert units.duration(seconds) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (999_949, "999.9 kB"),
        (999_960, "1.0 MB"),
        (52_428_800, "52.4 MB"),
        (3 * 10**15, "3000.0 TB"),
    ],
)
def test_sizes(count: int, text: str) -> None:
    """Ours: sizes are in human units."""
    assert units.size(count) == text


def test_amounts_agree_in_number() -> None:
    """Ours."""
    assert units.plural(1, "tool") == "1 tool"
    assert units.plural(1300, "entry", "entries") == "1,300 entries"
