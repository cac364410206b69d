"""Who connects to no address pays nothing for HTTP."""

from __future__ import annotations

import subprocess
import sys


def test_httpx_is_imported_when_a_connection_is_opened_and_not_before() -> None:
    """Ours: it takes a fifth of a second."""
    script = "import sys, inspector.workspace; print('httpx' in sys.modules)"

    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=15, check=True
    )

    assert run.stdout.split() == ["False"]
