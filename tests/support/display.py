"""A real X display for tests that open a real window. Needs Xvfb, which `make test` installs."""

from __future__ import annotations

import os
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

SCREEN = "1360x860x24"


@contextmanager
def x_display() -> Generator[str]:
    """The name of a display that lives as long as the context."""
    readable, writable = os.pipe()
    command = ["Xvfb", "-displayfd", str(writable), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writable], stderr=subprocess.DEVNULL) as server:
        os.close(writable)
        try:
            with os.fdopen(readable) as answer:
                yield f":{answer.readline().strip()}"
        finally:
            server.terminate()
