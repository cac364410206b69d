"""Who connects to no address pays nothing for HTTP."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "module", ["httpx", "jsonschema_rs", "joserfc", "inspector.auth.authorizer", "email"]
)
def test_what_few_connections_need_is_not_imported_before(module: str) -> None:
    """Ours: each takes a part of the time until the window is there."""
    script = f"import sys, inspector.workspace; print({module!r} in sys.modules)"

    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=15, check=True
    )

    assert run.stdout.split() == ["False"]
