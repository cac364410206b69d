"""What the exit code tells of faults of Spyglass itself, in processes of their own; ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from inspector.cli.command import INTERNAL_ERROR

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
    assert ("L-JR-23" in done.stdout) is (place != "command")
