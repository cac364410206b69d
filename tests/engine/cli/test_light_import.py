"""A command that starts a server pays nothing for authorization."""

from __future__ import annotations

import subprocess
import sys


def test_authorization_is_imported_for_servers_over_http_alone() -> None:
    """Ours: it takes a tenth of a second."""
    script = (
        "import sys, inspector.cli.runner; print({'inspector.auth.flow', 'httpx'} & {*sys.modules})"
    )

    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=15, check=True
    )

    assert run.stdout.strip() == "set()"
