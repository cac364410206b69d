"""Servers that wait on a port of this machine, started as groups of processes of their own and ended as such."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import asynccontextmanager, suppress
from subprocess import DEVNULL, STDOUT
from typing import TYPE_CHECKING

from tests.e2e.waits import patience
from tests.support.ports import HERE

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import AsyncGenerator, Sequence
    from pathlib import Path

START_SECONDS = 15.0
"""Node and the SDKs take their time on a busy machine."""

LOOK_SECONDS = 0.05


@asynccontextmanager
async def listening(argv: Sequence[str], port: int, said: Path) -> AsyncGenerator[None]:
    """The program `argv` for as long as it takes; it listens on `port`, and what it says is in the file `said`."""
    with said.open("wb") as output:
        program = await asyncio.create_subprocess_exec(
            *argv,
            env={**os.environ, "PORT": str(port)},
            stdin=DEVNULL,
            stdout=output,
            stderr=STDOUT,
            start_new_session=True,
        )
    try:
        await _comes_up(program, port, said)
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
        await program.wait()


async def _comes_up(program: Process, port: int, said: Path) -> None:
    try:
        async with asyncio.timeout(patience(START_SECONDS)):
            while not await _listens(port):
                assert program.returncode is None, _words(said)
                await asyncio.sleep(LOOK_SECONDS)
    except TimeoutError:
        raise AssertionError(f"nobody listens on {port}: {_words(said)}") from None


def _words(said: Path) -> str:
    return said.read_text(errors="replace")


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(HERE, port)
    except OSError:
        return False
    writer.close()
    await writer.wait_closed()
    return True
