"""The specification must not slow the start: pydantic waits until something is judged."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import inspector.spec

HEAVY = {"inspector.spec.validation", "inspector.spec.mcp_types_validator"}


def test_everything_but_the_judge_is_imported_without_pydantic() -> None:
    """Ours: the official models take about a second to import."""
    found = pkgutil.walk_packages(inspector.spec.__path__, "inspector.spec.")
    names = sorted({each.name for each in found} - HEAVY)
    script = f"import sys, {', '.join(names)}; print('pydantic' in sys.modules, 'mcp_types' in sys.modules)"

    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=True
    )

    assert run.stdout.split() == ["False", "False"]
