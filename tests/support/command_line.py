"""The command line in this process, with a keyring of its own and a user who types."""

from __future__ import annotations

import io
import os
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inspector.cli.command_line import read
from inspector.cli.console import Console, Keyboard
from inspector.cli.runner import run

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path


@dataclass
class Printed:
    """What a command line printed, with its exit code."""

    code: int
    out: str
    err: str


async def cli(*arguments: str) -> Printed:
    """Run a command line without a user."""
    out, err = io.StringIO(), io.StringIO()
    code = await run(read(arguments), Console(out, err), Keyboard(None))
    return Printed(code, out.getvalue(), err.getvalue())


async def with_folder(folder: Path, *arguments: str) -> Printed:
    """Run a command line that looks for nothing in the folders of the user."""
    return await cli("--folder", str(folder), *arguments)


@dataclass
class Typing:
    """A command line whose user can type."""

    keyboard: Keyboard
    out: io.StringIO
    err: io.StringIO
    descriptor: int

    async def run(self, *arguments: str) -> Printed:
        """Run a command line."""
        code = await run(read(arguments), Console(self.out, self.err), self.keyboard)
        return Printed(code, self.out.getvalue(), self.err.getvalue())

    def types(self, line: str) -> None:
        """Type a line."""
        os.write(self.descriptor, f"{line}\n".encode())


@asynccontextmanager
async def typing(*, at_terminal: bool = False) -> AsyncGenerator[Typing]:
    """A user at a pipe, or at a terminal; its end ends the reading."""
    writing, reading = os.openpty() if at_terminal else os.pipe()[::-1]
    typed = Typing(Keyboard(reading), io.StringIO(), io.StringIO(), writing)
    try:
        yield typed
    finally:
        os.close(writing)
        async for _ in typed.keyboard.lines():
            pass
        os.close(reading)
