"""The program as a person starts it; ours."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.display import x_display
from tests.support.wait import wait_until

if TYPE_CHECKING:
    import pytest

SPYGLASS = Path(sys.executable).with_name("spyglass")
CLEAN = {"PYTHONWARNINGS": "error", "PYTHONFAULTHANDLER": "1"}


async def test_a_real_window_with_the_demo_server_opens_and_ends_when_it_is_told_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: what `make run` does, on an X display; SIGTERM closes everything and leaves no process."""
    monkeypatch.delenv("QT_QPA_PLATFORM")
    with x_display() as display:
        environment = {**os.environ, **CLEAN, "DISPLAY": display}
        program = await asyncio.create_subprocess_exec(
            SPYGLASS, "--demo", env=environment, stdout=PIPE, stderr=PIPE
        )
        await wait_until(lambda: has_child(program.pid) or program.returncode is not None, 15)

        if program.returncode is None:
            program.send_signal(signal.SIGTERM)
        async with asyncio.timeout(10):
            out, err = await program.communicate()

    assert (program.returncode, out.decode(), err.decode()) == (0, "", "")


def has_child(pid: int) -> bool:
    """Whether the demo server was started."""
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text() != ""
    except FileNotFoundError:
        return False
