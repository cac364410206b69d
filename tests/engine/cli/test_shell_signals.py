"""A shell as users end it and interrupt it, in a process of its own; ours."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inspector.cli.command import INTERRUPTED, SUCCESS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

ROOT = Path(__file__).parents[3]
SHELL = (sys.executable, "-m", "inspector", "shell")
DEMO = ("--", sys.executable, "-m", "inspector.demo")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and terminals")


class Terminal:
    """A shell at a terminal."""

    def __init__(self, process: asyncio.subprocess.Process, keys: int) -> None:
        self.process = process
        self._keys = keys

    def types(self, text: str) -> None:
        """Type some keys."""
        os.write(self._keys, text.encode())

    def interrupts(self) -> None:
        """Press Ctrl+C."""
        self.process.send_signal(signal.SIGINT)

    async def reads(self, text: str) -> str:
        """Wait until a text is printed, and return what was printed up to it."""
        assert self.process.stdout is not None
        async with asyncio.timeout(30):
            return (await self.process.stdout.readuntil(text.encode())).decode()


@asynccontextmanager
async def shell() -> AsyncGenerator[Terminal]:
    """A shell whose user sits at a terminal, and sees both streams in one place."""
    keys, stdin = os.openpty()
    process = await asyncio.create_subprocess_exec(
        *SHELL, *DEMO, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=ROOT
    )
    os.close(stdin)
    try:
        yield Terminal(process, keys)
    finally:
        os.close(keys)
        await process.wait()


async def test_ctrl_c_cancels_the_command_and_keeps_the_connection() -> None:
    """Ours: the next command runs over it; twice in a row it ends the shell."""
    async with shell() as user:
        await user.reads("> ")
        user.types("call countdown steps:=500 seconds:=0.1\n")
        await user.reads("progress 1 ")
        user.interrupts()
        await user.reads("cancelled\n")
        await user.reads("\n> ")
        user.types("call echo message=alive\n")
        await user.reads("alive\n")
        await user.reads("> ")
        user.interrupts()
        printed = await user.reads("> ")
        user.interrupts()
        code = await user.process.wait()

    assert "Ctrl+D" in printed
    assert code == INTERRUPTED


@pytest.mark.parametrize(
    ("end", "code"), [("\x04", SUCCESS), ("exit\n", SUCCESS), ("", 128 + signal.SIGTERM)]
)
async def test_the_end_of_a_shell_has_its_exit_code(end: str, code: int) -> None:
    """Ours: Ctrl+D, a word, and a signal."""
    async with shell() as user:
        await user.reads("> ")
        if end:
            user.types(end)
        else:
            user.process.terminate()
        ended = await user.process.wait()

    assert ended == code


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("{shell} <&-", ""),
        ("printf 'call echo message=x\\n' | {shell}", "x\n"),
        ("yes 'call echo message=x' | {shell} | head -1", "x\n"),
    ],
)
def test_a_pipe_that_ends_is_no_failure(line: str, printed: str) -> None:
    """Ours: neither an input that is closed, nor a reader that has enough."""
    command = " ".join((*SHELL, "--quiet", *DEMO))
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line.format(shell=command)],
        capture_output=True, text=True, cwd=ROOT, timeout=50, check=False,
    )  # fmt: skip

    assert done.stdout == printed
    assert "Traceback" not in done.stderr
    assert done.returncode in {SUCCESS, 128 + signal.SIGPIPE}  # which `yes` ends with
