"""Runs a program for so long and no longer, in a process group of its own, which nothing outlives."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import DEVNULL, STDOUT, Process
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence
    from pathlib import Path


async def run(
    command: Sequence[str], log: Path, *, seconds: float, environment: Mapping[str, str], cwd: Path
) -> int | None:
    """Run `command`, what it says going to the file `log`; its exit status, or None when it had to be stopped."""
    async with running(command, log, environment=environment, cwd=cwd) as process:
        try:
            return await asyncio.wait_for(process.wait(), seconds)
        except TimeoutError:
            return None


@contextlib.asynccontextmanager
async def running(
    command: Sequence[str], log: Path, *, environment: Mapping[str, str], cwd: Path
) -> AsyncGenerator[Process]:
    """A program while it is needed; whatever is left of its group is killed afterwards."""
    with log.open("wb") as out:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=DEVNULL,
            stdout=out,
            stderr=STDOUT,
            env=environment,
            cwd=cwd,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        # The number stays taken while anything of the group lives, so it cannot be another's.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
