"""Faults of Spyglass while it checks: each ends one check of one frame alone, and is reported as any internal error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.event import report_failure
from inspector.spec.findings import make_finding

if TYPE_CHECKING:
    from inspector.finding import Finding


def fault(name: str, error: Exception) -> Finding:
    """Report that a rule, or what else is called `name`, could not be checked; return the finding that says so."""
    report_failure(f"{name} could not be checked", error)
    text = f"{name} could not be checked, by a fault of Spyglass: {type(error).__name__}: {str(error)[:100]}"
    return make_finding("not-judged", text)
