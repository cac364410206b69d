"""Processes that a server starts outside its process group: they are no part of what ends with it, and are named."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.programs import Ear, lives, python
from tests.support.started import started
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.transport.command import ProcessSpec

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="read from /proc")

APART = """
import subprocess, sys
code = "import time; time.sleep(60)"
quiet = subprocess.DEVNULL
child = subprocess.Popen([sys.executable, "-c", code], start_new_session=%s, stdin=quiet, stdout=quiet, stderr=quiet)
print(child.pid, flush=True)
sys.stdin.read()
"""
BELOW = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]])
child.wait()
"""


async def pid_of(ear: Ear) -> int:
    await wait_until(ear.heard)
    return int(ear.heard()[0])


def left(ear: Ear) -> list[object]:
    """The process ids that were named."""
    return [facts["pids"] for facts in ear.facts if "pids" in facts]


@pytest.mark.parametrize("launch", [python(APART % True), python(BELOW, APART % True)])
async def test_a_process_in_a_session_of_its_own_is_named_when_it_outlives_the_server(
    launch: ProcessSpec,
) -> None:
    """Ours: it may be meant to, like a browser; who disconnects is to know of it. Also one that a wrapper's child started."""
    async with started(launch) as (transport, ear):
        pid = await pid_of(ear)
        try:
            await transport.aclose()

            assert lives(pid)
            assert left(ear) == [[pid]]
        finally:
            os.kill(pid, signal.SIGKILL)


async def test_a_process_of_the_group_ends_with_it_and_is_not_named() -> None:
    """C-STD-09."""
    async with started(python(APART % False)) as (transport, ear):
        pid = await pid_of(ear)
        await transport.aclose()

        assert not lives(pid)
        assert left(ear) == []


async def test_a_process_that_ends_with_the_server_is_not_named() -> None:
    """Ours: only what runs on is of interest."""
    code = APART.replace("time.sleep(60)", "import sys; sys.stdin.read()") % True
    code = code.replace("stdin=quiet", "stdin=subprocess.PIPE")
    async with started(python(code)) as (transport, ear):
        pid = await pid_of(ear)
        await transport.aclose()

        await wait_until(lambda: not lives(pid))
        assert left(ear) == []
