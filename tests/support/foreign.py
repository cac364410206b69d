"""Servers that nobody here wrote: processes that wait on a port of this machine for as long as a module of tests needs them."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from contextlib import contextmanager
from subprocess import DEVNULL, STDOUT
from typing import TYPE_CHECKING

from tests.support.ports import HERE

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from pathlib import Path

START_SECONDS = 40.0
"""Node and the SDKs take their time on a busy machine."""

LOOK_SECONDS = 0.05


@contextmanager
def serving(
    argv: Sequence[str | Path],
    port: int,
    output: Path,
    environment: Mapping[str, str] | None = None,
) -> Generator[None]:
    """The program `argv`, which listens on `port`; what it prints is in the file `output`."""
    with output.open("wb") as file:
        program = subprocess.Popen(
            argv,
            env={**os.environ, **(environment or {})},
            stdin=DEVNULL,
            stdout=file,
            stderr=STDOUT,
        )
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _listens(port):
            printed = output.read_text(errors="replace")
            assert program.poll() is None, printed
            assert time.monotonic() < deadline, f"nobody listens on {port}: {printed}"
            time.sleep(LOOK_SECONDS)
        yield
    finally:
        program.kill()
        program.wait()


def _listens(port: int) -> bool:
    try:
        with socket.create_connection((HERE, port), timeout=1):
            return True
    except OSError:
        return False
