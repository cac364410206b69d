"""The findings of one rule in one session: how many there are and how grave, and those that are kept, in the order of adding."""

from __future__ import annotations

from array import array
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from inspector.finding import Severity

if TYPE_CHECKING:
    from inspector.finding import Finding


class RuleFindings:
    """Grows while frames are checked. A reader keeps how far it has read, and starts again after a change of `generation`."""

    __slots__ = ("_by_severity", "_latest", "count", "findings", "generation", "numbers", "rule")

    def __init__(self, rule: str) -> None:
        """Start without findings of `rule`."""
        self.rule = rule
        """Its id."""
        self.count = 0
        """All findings, also those beyond the budget, which are not kept."""
        self.numbers = array("I")
        """The frames of the findings that are kept."""
        self.findings: list[Finding] = []
        """The findings that are kept, one for each number."""
        self.generation = 0
        """Changes when findings that were kept before have another severity, or are forgotten."""
        self._by_severity = [0] * len(Severity)
        self._latest = 0
        """The position of the finding that was replaced last."""

    @property
    def severity(self) -> Severity:
        """The severity of the gravest finding."""
        grave = (each for each in reversed(Severity) if self._by_severity[each])
        return next(grave, Severity.INFO)

    def add(self, number: int, finding: Finding) -> None:
        """Keep a finding about frame `number`."""
        self.count_only(finding)
        self.numbers.append(number)
        self.findings.append(finding)

    def restore(self, numbers: array[int], findings: list[Finding]) -> None:
        """Know these findings, which were kept before, and no others."""
        self.numbers, self.findings, self.count = numbers, findings, len(findings)
        self._by_severity = [0] * len(Severity)
        for severity, count in Counter(finding.severity for finding in findings).items():
            self._by_severity[severity] = count

    def close(self) -> None:
        """Tell readers that what they have read is no longer known."""
        self.generation += 1

    def count_only(self, finding: Finding) -> None:
        """Count a finding that is not kept."""
        self.count += 1
        self._by_severity[finding.severity] += 1

    def replace(self, number: int, before: Finding, after: Finding) -> None:
        """Keep `after` in the place of `before`, which is about frame `number`."""
        at = self._position(number, before)
        if at is not None:
            self._latest = at
            self.findings[at] = after
            self._by_severity[before.severity] -= 1
            self._by_severity[after.severity] += 1
            self.generation += 1

    def _position(self, number: int, finding: Finding) -> int | None:
        """Return where a finding is; those that are replaced follow each other, so what is behind the latest one is searched first."""
        for start in (self._latest, 0):
            at = start - 1
            with suppress(ValueError):  # not in the rest
                while True:
                    at = self.numbers.index(number, at + 1)
                    if self.findings[at] is finding:
                        return at
        return None
