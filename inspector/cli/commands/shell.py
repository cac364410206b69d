"""`shell`: many commands over one connection, from a user, a pipe or a file.

Each line is a command without its server: `call echo message=hello`, `tools --json`. What was found is printed after each. A script ends at the
first command that fails, with its exit code; `--keep-going` runs the others, and ends with that code.

Ctrl+C of a user cancels the command that runs and keeps the connection; twice without a line in between, it ends the shell, as Ctrl+D does.
"""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.command import (
    INTERRUPTED,
    NO_OUTPUT,
    OF_A_SESSION,
    SUCCESS,
    TOOL_ERROR,
    USAGE,
    CommandCode,
)
from inspector.cli.command_line import LineError, in_session_table, read_line
from inspector.cli.console import OutputError
from inspector.cli.options import add_session_options
from inspector.cli.output_file import redirected
from inspector.cli.runner import run_in_session, run_reporting
from inspector.errors import StorageError

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import AsyncIterator, Coroutine
    from typing import Any

    from inspector.cli.access import Credentials
    from inspector.cli.console import Console, Keyboard
    from inspector.cli.findings_report import SessionFindings
    from inspector.cli.options import Options
    from inspector.cli.session_setup import ServerSession
    from inspector.session.session import Session

PROMPT = "> "

ENDS = ("exit", "quit")

HELP = "help"


def _add_arguments(parser: ArgumentParser) -> None:
    text = "commands, a line each (default: standard input); # begins a comment"
    parser.add_argument("args", nargs="*", metavar="FILE", help=text)
    text = "go on after a command that failed; the exit code is the one of the earliest failure"
    parser.add_argument("--keep-going", action="store_true", help=text)
    add_session_options(parser)


async def _run(options: Options, console: Console, keyboard: Keyboard) -> int:
    """Connect, run every command, and return the exit code."""
    return await run_reporting(partial(Shell, keyboard), options, console, keyboard)


def _problem(options: Options) -> str:
    return "shell takes one file" if len(options.args) > 1 else ""


class Shell:
    """Runs lines over one connection."""

    def __init__(
        self,
        keyboard: Keyboard,
        server: ServerSession[Credentials | None],
        findings: SessionFindings,
    ) -> None:
        """Read from `keyboard`, and print `findings` after each line."""
        self._keyboard = keyboard
        self._server = server
        self._findings = findings
        self._console: Console | None = None
        self._running: asyncio.Task[int] | None = None
        self._is_interrupted = False

    async def __call__(self, session: Session, options: Options, console: Console) -> int:
        """Run every line, and return the exit code."""
        del session
        is_user = self._keyboard.is_terminal and not options.args
        self._console = console
        if is_user:
            self._keyboard.on_interrupt = self._interrupt
        code = SUCCESS
        async for line in self._lines(options, console, prompts=is_user):
            text, self._is_interrupted = line.strip(), False
            if text in ENDS:
                break
            if not text or text.startswith("#"):
                continue
            outcome = await self._run_interruptible(self._run(text, options, console), console)
            await self._findings.print()
            console.flush()
            code = code or (SUCCESS if is_user else outcome)
            if code and not options.keep_going:
                break
        return code

    async def _lines(
        self, options: Options, console: Console, *, prompts: bool
    ) -> AsyncIterator[str]:
        """Yield the lines of the file, or of standard input.

        Raises:
            StorageError: the file cannot be read.
        """
        if options.args:
            for line in await asyncio.to_thread(_read, Path(options.args[0])):
                yield line
            return
        if prompts:
            console.prompt(PROMPT)
        async for line in self._keyboard.lines():
            yield line
            if prompts:
                console.prompt(PROMPT)
        if prompts:
            console.err("")  # what comes next begins behind the prompt otherwise

    def _interrupt(self) -> bool:
        """Cancel the command that runs, or tell how the shell ends; False if that was done already."""
        if self._is_interrupted:
            return False
        self._is_interrupted = True
        if self._running is not None:
            self._running.cancel()
        elif self._console is not None:
            self._console.err("\nCtrl+C again, or Ctrl+D, ends the shell")
            self._console.prompt(PROMPT)
        return True

    async def _run_interruptible(self, work: Coroutine[Any, Any, int], console: Console) -> int:
        """Run a command, and return its exit code, also if Ctrl+C cancelled it alone."""
        self._running = asyncio.ensure_future(work)
        try:
            await asyncio.wait([self._running])
            if not self._running.cancelled():
                return self._running.result()
            console.err("\ncancelled")
            return INTERRUPTED
        finally:
            self._running.cancel()
            await asyncio.wait([self._running])
            self._running = None

    async def _run(self, text: str, options: Options, console: Console) -> int:
        """Run one command, and return its exit code."""
        if text == HELP:
            _print_help(console)
            return SUCCESS
        try:
            line = read_line(text, options)
        except LineError as error:
            console.err(str(error))
            return USAGE
        if line.output is None:
            return await run_in_session(self._server, line, console)
        try:
            return await self._run_into_file(line, console)
        except OutputError as error:  # the next line may have another file
            console.err(f"cannot write the output: {error}")
            return NO_OUTPUT

    async def _run_into_file(self, line: Options, console: Console) -> int:
        is_followed = line.command.prints_notifications
        with redirected(line.output, is_followed=is_followed) as output:
            assert output is not None
            printed = console.writing_to(output.out)
            code = await run_in_session(self._server, line, printed)
            printed.flush()
            if text := output.settle(code):
                console.err(text)
            return code


def _read(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(f"cannot read {file}: {error}") from error


def _print_help(console: Console) -> None:
    console.out_table([*in_session_table(), (" or ".join(ENDS), "end")])
    console.out("Add --help to a command for its options.")


shell = CommandCode(
    _add_arguments,
    _run,
    (
        "shell -- npx -y @modelcontextprotocol/server-everything",
        "shell commands.txt --json --strict -- python server.py",
        "shell --accept-all --record session.spyglass --server NAME",
    ),
    (*OF_A_SESSION, TOOL_ERROR),
    _problem,
)
