"""Faults of Spyglass while it checks: each ends one check of one frame alone, and is reported as any internal error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.event import report_failure
from inspector.spec.findings import make_finding
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from inspector.finding import Finding


def fault(name: str, error: Exception) -> Finding:
    """Report that a rule, or what else is called `name`, could not be checked; return the finding that says so.

    That a frame cannot be read is no fault of Spyglass, and is not reported as one.
    """
    if isinstance(error, StorageError):
        return make_finding(
            "not-judged", f"{name} could not be checked: {one_line(str(error), 200)}"
        )
    report_failure(f"{name} could not be checked", error)
    return make_finding("not-judged", f"{name} could not be checked, {fault_text(error)}")


def fault_text(error: Exception) -> str:
    """Return the text about an unexpected exception."""
    return f"by a fault of Spyglass: {type(error).__name__}: {one_line(str(error), 100)}"
