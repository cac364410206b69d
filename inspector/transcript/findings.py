"""Findings by frame, within a budget that is admitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.finding import Finding

DEFAULT_BUDGET = 50_000
"""Findings kept; those beyond are counted in `dropped`, their frames stay marked."""


class Findings:
    """What was found about each frame, in the order found."""

    def __init__(self, budget: int = DEFAULT_BUDGET) -> None:
        """Keep at most `budget` findings."""
        self.dropped = 0
        self._budget = budget
        self._kept = 0
        self._by_frame: dict[int, list[Finding]] = {}

    def add(self, number: int, finding: Finding) -> None:
        """Keep one finding, unless the frame has it already."""
        if self._kept >= self._budget:
            self.dropped += 1
            return
        known = self._by_frame.setdefault(number, [])
        if finding not in known:
            known.append(finding)
            self._kept += 1

    def of(self, number: int) -> tuple[Finding, ...]:
        """What was found about a frame."""
        return tuple(self._by_frame.get(number, ()))
