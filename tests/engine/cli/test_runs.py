"""The command line as people and scripts start it; each exit code once, in a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inspector.errors import StorageError
from inspector.transcript.recording_reader import RecordingReader
from tests.support.programs import lives
from tests.support.stored_raws import stored_raws
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).parents[3]
CLI = (sys.executable, "-m", "inspector")
DEMO = ("--", sys.executable, "-m", "inspector.demo")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*CLI, *arguments], capture_output=True, text=True, cwd=ROOT, timeout=30, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "code", "out", "err"),
    [
        (["--quiet", "info", *DEMO], 0, "Spyglass demo server", ""),
        (["info"], 1, "", "no server given"),
        (["--quiet", "info", *DEMO, "--exit", "3"], 2, "", "exited with code 3"),
        (["--quiet", "call", "fail_as_error", *DEMO], 3, "", "-32602"),
        (["call", "fail_as_result", *DEMO], 4, "The printer is out of paper", "tool error"),
    ],
)
def test_the_exit_code_says_how_it_went(
    arguments: Sequence[str], code: int, out: str, err: str
) -> None:
    """Ours."""
    done = run(*arguments)

    assert (done.returncode, out in done.stdout, err in done.stderr) == (code, True, True), done


def test_a_reader_that_has_enough_is_no_failure() -> None:
    """Ours: `spyglass-cli … | head -1`."""
    command = [*CLI, "--json", "--quiet", "info", *DEMO]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as cli:
        assert cli.stdout is not None
        assert cli.stderr is not None
        cli.stdout.close()
        assert cli.stderr.read() == b""

    assert cli.returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(
    ("number", "manners"), [(signal.SIGINT, ("--ignore-eof",)), (signal.SIGTERM, ())]
)
async def test_a_signal_ends_it_in_order_and_leaves_no_process(
    number: signal.Signals, manners: tuple[str, ...], tmp_path: Path
) -> None:
    """Ours: in the middle of a call that never ends."""
    record = tmp_path / "x.spyglass"
    task = ["--quiet", "--record", str(record), "call", "fault_never_answer", *DEMO, *manners]
    cli = await asyncio.create_subprocess_exec(*CLI, *task, cwd=ROOT, stderr=subprocess.DEVNULL)
    await wait_until(lambda: _called(record))
    pid = _called(record)
    cli.send_signal(number)
    cli.send_signal(number)

    assert await cli.wait() == 128 + number
    assert not lives(pid)


def _called(record: Path) -> int:
    """The process id of the server once the call is in the record; 0 before."""
    try:
        file = RecordingReader(record)
        raws = list(stored_raws(file))
    except StorageError:
        return 0
    file.close()
    is_called = any(b"fault_never_answer" in raw for raw in raws)
    return int(json.loads(raws[0])["pid"]) if is_called else 0
