"""Findings by frame, within a budget that is admitted, and what they make of the marks and the counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.finding import Severity
from inspector.transcript.index import FrameFlags

if TYPE_CHECKING:
    from inspector.finding import Finding
    from inspector.transcript.counts import Counts
    from inspector.transcript.index import Columns

DEFAULT_BUDGET = 50_000
"""Findings kept; those beyond are counted in `dropped`, their frames stay marked."""


class Findings:
    """What was found about each frame, in the order found."""

    def __init__(self, columns: Columns, counts: Counts, budget: int = DEFAULT_BUDGET) -> None:
        """Keep at most `budget` findings; mark their frames in `columns` and count those in `counts`."""
        self.dropped = 0
        self._columns = columns
        self._counts = counts
        self._budget = budget
        self._kept = 0
        self._by_frame: dict[int, list[Finding]] = {}

    def add(self, number: int, finding: Finding) -> None:
        """Keep one finding, unless the frame has it already. What belongs to a probe is no problem of the server: `INFO`."""
        mark = self._columns.flags[number - 1]
        if mark & FrameFlags.PROBE:
            finding = _lowered(finding)
        if finding.severity is not Severity.INFO and not mark & FrameFlags.PROBLEM:
            mark |= FrameFlags.PROBLEM
            self._counts.problems += 1
        if finding.severity is Severity.ERROR and not mark & FrameFlags.ERROR:
            mark |= FrameFlags.ERROR
            self._counts.errors += 1
        self._columns.flags[number - 1] = mark | FrameFlags.FINDING
        self._keep(number, finding)

    def set_aside(self, number: int) -> None:
        """Note that a frame belongs to a probe: what was found about it counts as a problem no longer."""
        mark = self._columns.flags[number - 1]
        self._counts.problems -= mark & FrameFlags.PROBLEM > 0
        self._counts.errors -= mark & FrameFlags.ERROR > 0
        self._columns.flags[number - 1] = (
            mark & ~(FrameFlags.PROBLEM | FrameFlags.ERROR) | FrameFlags.PROBE
        )
        known = self._by_frame.get(number)
        if known is not None:
            known[:] = map(_lowered, known)

    def of(self, number: int) -> tuple[Finding, ...]:
        """What was found about a frame."""
        return tuple(self._by_frame.get(number, ()))

    def _keep(self, number: int, finding: Finding) -> None:
        if self._kept >= self._budget:
            self.dropped += 1
            return
        known = self._by_frame.setdefault(number, [])
        if finding not in known:
            known.append(finding)
            self._kept += 1


def _lowered(finding: Finding) -> Finding:
    return replace(finding, severity=Severity.INFO)
