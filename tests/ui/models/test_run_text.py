"""What is said about a run of an operation."""

from __future__ import annotations

import pytest

from ui.models.run_text import attempts_text


@pytest.mark.parametrize(
    ("earlier", "text"),
    [
        ((12,), "2nd attempt, #20; before: #12"),
        ((7, 12), "3rd attempt, #20; before: #7, #12"),
        ((3, 7, 12), "4th attempt, #20; before: #3, #7, #12"),
    ],
)
def test_an_automatic_attempt_names_its_frame_and_those_before(
    earlier: tuple[int, ...], text: str
) -> None:
    """C-HTTP-34: a result that took several attempts says so."""
    assert attempts_text(earlier, 20) == text
