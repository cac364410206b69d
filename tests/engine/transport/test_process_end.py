"""How long a process may take to end: time in which it only waits for a processor does not count; ours."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from inspector.transport import process_end
from inspector.transport.process_end import End, wait_for_end
from inspector.transport.process_group import PosixGroup, ProcessorUse, has_exited
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator


class Group:
    """A group that does not end, and uses the processor so."""

    terminate_signal = kill_signal = "SIGTERM"

    def __init__(self, uses: Iterator[ProcessorUse | None]) -> None:
        self._uses = uses

    def alive(self) -> bool:
        return True

    def processor_use(self) -> ProcessorUse | None:
        return next(self._uses)

    def terminate(self) -> None:
        """Never called."""

    kill = close = terminate


def uses(per_look: float, *, is_wanting: bool) -> Iterator[ProcessorUse]:
    """Use this much between two looks."""
    seconds = 0.0
    while True:
        yield ProcessorUse(seconds := seconds + per_look, is_wanting)


def unknown() -> Iterator[None]:
    """As a system that does not say."""
    while True:
        yield None


@pytest.mark.parametrize(
    ("use", "end"),
    [
        (uses(0.0, is_wanting=False), End.HAD_TIME),
        (uses(1.0, is_wanting=True), End.HAD_TIME),
        (uses(0.0, is_wanting=True), End.BUSY),
        (unknown(), End.HAD_TIME),
    ],
    ids=["sleeps", "runs", "waits to run", "unknown"],
)
async def test_a_process_that_only_waits_to_run_gets_more_time(
    use: Iterator[ProcessorUse | None], end: End, monkeypatch: pytest.MonkeyPatch
) -> None:
    """L-STD-07: else a busy machine is taken for a server that does not exit."""
    if end is End.HAD_TIME:  # however busy the machine of the test is
        monkeypatch.setattr(process_end, "MAX_STRETCH", 1_000)
    assert await wait_for_end(asyncio.Event(), Group(use), 0.02) is end


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_runs_wants_the_processor() -> None:
    """The group of this test."""
    use = PosixGroup(os.getpgrp()).processor_use()

    assert use is not None
    assert (use.seconds > 0, use.is_wanting) == (True, True)


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="the system does not say")
async def test_the_end_of_a_child_is_known_before_anybody_waits_for_it() -> None:
    """Ours: a server that was killed is not one that only closed stdout."""
    child = subprocess.Popen([sys.executable, "-I", "-c", "input()"], stdin=subprocess.PIPE)  # noqa: ASYNC220 - asyncio would wait for it
    assert not has_exited(child.pid)

    child.kill()

    await wait_until(lambda: has_exited(child.pid))
    assert child.returncode is None
    child.communicate()
    assert has_exited(child.pid)
