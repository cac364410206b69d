"""What is said about the runs of one server."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.session.run import Run


def place_words(number: int, total: int, run: Run, runs: int) -> str:
    """Where one of `total` things stands, and in which of several `runs` it was made."""
    place = f"{number} of {total}"
    return f"run {run.number} · {place}" if runs > 1 else place
