"""How many rules found something, for counts that are displayed while a session runs.

Apart from `report`, which knows the whole catalog: the window counts before it has imported that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from inspector.transcript.rule_findings import RuleFindings

SUM_OF = {Severity.ERROR: "errors", Severity.WARNING: "warnings", Severity.INFO: "notes"}
"""The sum that counts a rule, by the severity of its gravest finding."""


class Sums(FrozenStruct, frozen=True):
    """Numbers of rules."""

    rules: int = 0
    """All rules."""
    seen: int = 0
    """Those that saw something to check, muted ones included."""
    errors: int = 0
    """Those whose gravest finding is an error."""
    warnings: int = 0
    """Likewise for warnings."""
    notes: int = 0
    """Likewise for notes."""
    new: int = 0
    """Those that found something unlike in the run before."""
    fixed: int = 0
    """Those that found nothing unlike in the run before."""
    muted: int = 0
    """Those that found something and are muted; they count neither as errors, warnings and notes nor as new."""

    @property
    def not_seen(self) -> int:
        """Those that saw nothing to check."""
        return self.rules - self.seen

    @property
    def problems(self) -> int:
        """Errors and warnings."""
        return self.errors + self.warnings

    @property
    def tone(self) -> str:
        """The name of the gravest severity above notes; empty without errors and warnings."""
        return "error" if self.errors else "warning" if self.warnings else ""


def problem_sums(findings: Mapping[str, RuleFindings], muted: Collection[str] = ()) -> Sums:
    """Return the numbers of the rules that found something."""
    counts = dict.fromkeys(Sums.__struct_fields__, 0)
    for id_, found in findings.items():
        counts["muted" if id_ in muted else SUM_OF[found.severity]] += 1
    return Sums(**{**counts, "rules": len(findings), "seen": len(findings)})
