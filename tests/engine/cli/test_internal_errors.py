"""What the exit code tells of faults of Spyglass itself, in processes of their own; ours."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inspector.__main__ import main
from inspector.cli import runner
from inspector.cli.command import INTERNAL_ERROR
from inspector.cli.console import Console, OutputError
from inspector.cli.internal_errors import InternalErrors
from inspector.event import report_failure

if TYPE_CHECKING:
    from inspector.cli.console import Keyboard
    from inspector.cli.options import Options

ROOT = Path(__file__).parents[3]

FAULTY = """
import asyncio, sys, threading
from inspector import __main__
from inspector.cli import runner

run = runner.run

def fail():
    raise RuntimeError("Bearer 0123456789abcdef")

async def fail_later():
    fail()

def fail_in_thread():
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()

async def faulty(options, console, keyboard):
    loop = asyncio.get_running_loop()
    faults = {
        "callback": lambda: loop.call_soon(fail),
        "task": lambda: loop.create_task(fail_later()) and None,
        "thread": fail_in_thread,
        "command": fail,
    }
    faults[sys.argv[1]]()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return await run(options, console, keyboard)

runner.run = faulty
sys.exit(__main__.main(["rules", "L-JR-23"]))
"""
"""A command that succeeds, with a fault in a place of its process."""


@pytest.mark.parametrize("place", ["callback", "task", "thread", "command"])
def test_the_exit_code_tells_of_an_internal_error_wherever_it_is(place: str) -> None:
    """Ours: an error beside the command was only logged, and one of the command had the code of a usage error."""
    line = [sys.executable, "-c", FAULTY, place]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == INTERNAL_ERROR
    assert "internal error: " in done.stderr
    assert "in fail\n" in done.stderr
    assert "0123456789abcdef" not in done.stderr
    assert ("L-JR-23" in done.stdout) is (place != "command")


def test_the_exit_code_tells_of_an_internal_error_when_the_reader_has_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: as with `| head`, whose end alone is a success."""
    run = runner.run

    async def faulty(options: Options, console: Console, keyboard: Keyboard | None = None) -> int:
        report_failure("checking", ValueError("x"))
        return await run(options, console, keyboard)

    monkeypatch.setattr(runner, "run", faulty)
    read, written = os.pipe()
    os.close(read)
    with os.fdopen(written, "w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        code = main(["rules", "L-JR-23"])

    assert code == INTERNAL_ERROR


class Closed(io.StringIO):
    """A pipe that nothing reads any more."""

    def write(self, s: str, /) -> int:
        """Fail, as a pipe does."""
        raise BrokenPipeError


async def failing(error: Exception) -> int:
    raise error


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (BrokenPipeError(), BrokenPipeError),
        (ExceptionGroup("tasks", [BrokenPipeError()]), BrokenPipeError),
        (ExceptionGroup("tasks", [ExceptionGroup("tasks", [OutputError("full")])]), OutputError),
        (ExceptionGroup("tasks", [BrokenPipeError(), RuntimeError()]), None),
        (TimeoutError(), None),
    ],
    ids=["a pipe", "a pipe in a task", "a file in tasks", "more than a pipe", "a time-out"],
)
async def test_output_that_cannot_be_written_is_no_internal_error(
    error: Exception, raised: type[Exception] | None
) -> None:
    """Ours: commands write in groups of tasks, too; nothing has to read of an internal error."""
    console = Console(io.StringIO(), Closed())
    errors = InternalErrors(console)
    if raised is not None:
        with pytest.raises(raised):
            await errors.watched(failing(error))
    else:
        assert await errors.watched(failing(error)) == INTERNAL_ERROR
    assert console.internal_errors == (raised is None)


def test_a_thread_that_ends_itself_has_not_failed() -> None:
    """Ours: Python ignores `sys.exit` there."""
    console = Console(io.StringIO(), io.StringIO())
    with InternalErrors(console).of_threads():
        thread = threading.Thread(target=sys.exit)
        thread.start()
        thread.join()

    assert console.internal_errors == 0
