"""The program as a user starts it; ours."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from tests.e2e.waits import patience
from tests.support.display import x_display
from tests.support.wait import wait_until

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


@pytest.mark.timeout(180, method="thread")
async def test_the_window_looks_the_same_at_every_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: on an X display the servers keep their width and the bottom dock its height, in the empty frame and in the full window.

    At the first start, the frame does not know yet that there will be a server and traffic to show; Qt fits the window to the screen only
    from the second start on.
    """
    monkeypatch.delenv("QT_QPA_PLATFORM")
    with x_display() as display:
        environment = {**os.environ, "DISPLAY": display}
        starts = [await places(tmp_path, environment) for _ in range(3)]

    full = [sizes for start in starts for sizes in start]
    assert {sizes["bottom"][1] for sizes in full[2:]} == {full[2]["bottom"][1]}
    assert {sizes["servers"][0] for sizes in full[1:]} == {full[1]["servers"][0]}
    assert full[1]["centre"][0] > full[1]["window"][0] / 2
    assert full[3] == full[5]


async def places(folder: Path, environment: dict[str, str]) -> list[dict[str, list[int]]]:
    """One start: the sizes of the parts in the frame, and in the full window."""
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.e2e.locations", folder, env=environment, stdout=PIPE
    )
    async with asyncio.timeout(patience(30)):
        out, _ = await program.communicate()
    assert program.returncode == 0
    return [json.loads(line) for line in out.splitlines()]


def has_child(pid: int) -> bool:
    """Whether the demo server was started."""
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text() != ""
    except FileNotFoundError:
        return False
