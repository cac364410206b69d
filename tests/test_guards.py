"""The guards of `support/guards.py` see what they are there to see; ours."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support import guards, processes
from tests.support.wait import MAX_SECONDS, patience, wait_until

if TYPE_CHECKING:
    from tests.support.processes import Processes


def test_a_warning_in_the_log_is_noticed(
    logged: list[logging.LogRecord], our_processes: Processes
) -> None:
    """Ours."""
    watch = guards.Watch(our_processes, None)

    logging.getLogger("somewhere").warning("odd")

    assert watch.problems() == ["WARNING log: odd"]
    logged.clear()


def test_a_log_record_that_was_expected_is_no_problem(logged: list[logging.LogRecord]) -> None:
    """Ours."""
    logging.getLogger("somewhere").warning("expected")

    assert logged.pop().getMessage() == "expected"


def test_a_running_thread_is_noticed(
    monkeypatch: pytest.MonkeyPatch, our_processes: Processes
) -> None:
    """Ours."""
    monkeypatch.setattr(guards, "GRACE_SECONDS", 0.01)
    watch = guards.Watch(our_processes, None)
    release = threading.Event()
    thread = threading.Thread(target=release.wait, name="forgotten")
    thread.start()

    problems = watch.problems()

    release.set()
    thread.join()
    assert problems == ["thread forgotten"]


def run_shell(text: str) -> str:
    """What a shell writes that runs `text`."""
    done = subprocess.run(["sh", "-c", text], check=True, capture_output=True, text=True)
    return done.stdout


async def test_a_child_of_a_child_is_noticed_and_ended(
    monkeypatch: pytest.MonkeyPatch, our_processes: Processes
) -> None:
    """Ours: a shell that starts something in a session of its own and leaves."""
    monkeypatch.setattr(processes, "GRACE_SECONDS", 0.01)
    watch = guards.Watch(our_processes, None)
    pid = run_shell("setsid sleep 60 >/dev/null 2>&1 & echo $!").strip()
    command = Path(f"/proc/{pid}/cmdline")
    await wait_until(lambda: command.read_bytes().startswith(b"sleep"))

    problems = watch.problems()

    assert len(problems) == 1
    assert problems[0].endswith(": sleep 60")
    monkeypatch.undo()
    assert not our_processes.started_since({})


async def test_a_task_that_nobody_ends_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours."""
    monkeypatch.setattr(guards, "SETTLE_SECONDS", 0.01)
    task = asyncio.create_task(asyncio.Event().wait(), name="forgotten")

    left = await guards.leftover_tasks()

    task.cancel()
    assert [text.partition(":")[0] for text in left] == ["forgotten"]


async def test_an_error_that_only_asyncio_saw_is_noticed(
    loop_errors: list[dict[str, object]],
) -> None:
    """Ours."""
    asyncio.get_running_loop().call_soon(lambda: 1 / 0)

    await wait_until(lambda: loop_errors)

    assert isinstance(loop_errors.pop()["exception"], ZeroDivisionError)


async def test_a_coroutine_test_that_never_ends_is_ended() -> None:
    """Ours."""

    async def never() -> None:
        await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await guards.bounded(never, seconds=0.01)()


@pytest.mark.parametrize(
    ("per_processor", "seconds", "stretched"),
    [
        (0.0, 2.0, 2.0),
        (1.0, 2.0, 2.0),
        (4.0, 2.0, 8.0),
        (100.0, 2.0, MAX_SECONDS),
        (4.0, 50.0, 50.0),
    ],
)
def test_a_limit_is_stretched_by_the_load_within_bounds(
    per_processor: float, seconds: float, stretched: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: so that a test that fails on a busy machine fails for another reason."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(os, "getloadavg", lambda: (2 * per_processor, 0.0, 0.0))

    assert patience(seconds) == stretched
