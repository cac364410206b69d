"""The load server over HTTP as a process, and what is measured with it. Standard library alone: the peer imports it too."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.child import figures

if TYPE_CHECKING:
    from collections.abc import Generator

    from tests.bench.child.figures import Caller

SERVER = Path(__file__).parents[1] / "http_server.py"

FORMS = {"json": (), "events": ("--events",)}
"""Forms of the answers, and the options of the server for each."""


@contextmanager
def serving(form: str) -> Generator[str]:
    """The server, and its address."""
    command = (sys.executable, str(SERVER), *FORMS[form])
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield process.stdout.readline().decode().strip()
        process.stdin.close()


async def measure(client: Caller, form: str, seconds: float) -> dict[str, float]:
    """Calls one after the other and many at a time, each as a rate."""
    await client.call("echo", {"text": "warm"})
    return {
        f"{form}_sequential": await figures.sequential(client, seconds),
        f"{form}_concurrent": await figures.concurrent(client, seconds),
    }
