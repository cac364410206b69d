"""Access tokens that come from outside: an environment variable, or a command that prints one.

A command runs without a shell, without input and for a limited time. What it prints is used as the token and stored nowhere; an error
shows its exit code and the first line of its standard error, and of the command itself only the program: its arguments may hold secrets.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import PurePath
from typing import TYPE_CHECKING, Protocol

from inspector.auth import document, tokens
from inspector.auth.settings import Settings, Way
from inspector.errors import AuthError, ConnectFailed
from inspector.transport.command import not_started, resolve
from inspector.transport.process_group import group_of, spawn_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.transport.command import ProcessSpec

MAX_RUN_SECONDS = 60.0
"""How long a command may run: long enough for a user who has to confirm with a fingerprint."""

DRAIN_SECONDS = 0.5
"""How long output is read after the command ended, while a process that it started keeps the pipes open."""

MAX_OUTPUT_BYTES = 65_536
"""Bytes of output that are read; a token is far shorter, because servers limit their headers."""

_RUN_IT = "Run the command in a terminal, and log in to its service if it requires that."


class TokenSource(Protocol):
    """Where an access token comes from."""

    @property
    def label(self) -> str:
        """The source in words, for errors: `the environment variable X`."""
        ...

    @property
    def can_change(self) -> bool:
        """Whether reading again may give another token."""
        ...

    @property
    def hint(self) -> str:
        """What the user does about a token that the server rejects."""
        ...

    async def read(self) -> str:
        """Return the token.

        Raises:
            AuthError: there is no token, or what is there cannot be one.
        """
        ...


def source_of(settings: Settings) -> TokenSource | None:
    """Return the source that the user chose; None where tokens come from an authorization server or not at all."""
    if settings.way is Way.VARIABLE:
        return VariableSource(settings.token_variable)
    return CommandSource(settings.token_command) if settings.way is Way.COMMAND else None


class VariableSource:
    """An environment variable of this process."""

    can_change = False

    def __init__(self, name: str, environ: Mapping[str, str] = os.environ) -> None:
        """Read the variable `name` of `environ`."""
        self.label = f"the environment variable {name or '(without a name)'}"
        self.hint = f"Set {self.label} to a token that is valid."
        self._name = name
        self._environ = environ

    async def read(self) -> str:
        """Return the value of the variable, without blanks around it.

        Raises:
            AuthError: it is not set, or no token.
        """
        value = self._environ.get(self._name, "")
        if not value.strip():
            what = "is empty" if self._name in self._environ else "is not set"
            raise AuthError(f"{self.label} {what}", hint=f"Set {self.label} to an access token.")
        return _token(value, self.label, self.hint)


class CommandSource:
    """A command that prints a token, such as `gcloud auth print-access-token`."""

    can_change = True
    hint = _RUN_IT

    def __init__(
        self, command: tuple[str, ...], *, max_run_seconds: float = MAX_RUN_SECONDS
    ) -> None:
        """Run the program `command[0]` with the arguments after it; each reaches the program unchanged."""
        program = PurePath(command[0]).name if command else ""
        self.label = f"the token command `{program}`"
        self._command = command
        self._max_run_seconds = max_run_seconds

    async def read(self) -> str:
        """Run the command and return the line that it prints, without blanks around it.

        Raises:
            AuthError: it cannot be run, fails, takes too long, or prints no token.
        """
        try:
            program, *arguments = self._command or ("",)
            launch = await asyncio.to_thread(resolve, program, arguments, {}, "")
            run = await self._run(launch)
        except ConnectFailed as error:
            raise AuthError(
                f"{self.label} cannot be run: {error.reason}", hint=error.hint
            ) from error
        if run.exit_code:
            reason = document.excerpt(bytes(run.errors).strip().split(b"\n", 1)[0])
            message = f"{self.label} exited with code {run.exit_code}"
            raise AuthError(f"{message}: {reason}" if reason else message, hint=_RUN_IT)
        text = run.output.decode("utf-8", "replace")
        if not text.strip():
            raise AuthError(f"{self.label} printed nothing", hint=_RUN_IT)
        return _token(text, self.label, _RUN_IT)

    async def _run(self, launch: ProcessSpec) -> _Run:
        """Run a program to its end; whatever ends the wait ends the program with all it started."""
        how, run = spawn_options(), _Run()
        try:
            transport, _ = await asyncio.get_running_loop().subprocess_exec(
                lambda: run,
                launch.program,
                *launch.args,
                stdin=asyncio.subprocess.DEVNULL,
                env=dict(launch.env),
                start_new_session=how.new_session,
                creationflags=how.flags,
            )
        except (OSError, ValueError) as error:
            raise not_started(launch.program, error) from error
        group = group_of(transport.get_pid())
        is_finished = False
        try:
            async with asyncio.timeout(self._max_run_seconds):
                await run.is_enough.wait()
            if run.is_too_long:
                raise AuthError(f"{self.label} printed more than a token", hint=_RUN_IT)
            await _wait(run.closed)
            run.exit_code = transport.get_returncode() or 0
            is_finished = True
        except TimeoutError:
            text = f"{self.label} printed no token within {self._max_run_seconds:g} s"
            raise AuthError(text, hint=_RUN_IT) from None
        finally:
            if not is_finished:
                group.kill()
                await _wait(run.exited)  # else its exit is never collected
            group.close()
            transport.close()
        return run


class _Run(asyncio.SubprocessProtocol):
    """What a program printed. Its exit is told by the system, not by the end of its pipes: a service that it started may keep those open."""

    def __init__(self) -> None:
        self.output, self.errors = bytearray(), bytearray()
        self.is_too_long = False
        self.exit_code = 0
        self.is_enough, self.exited, self.closed = (asyncio.Event() for _ in range(3))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        kept = self.output if fd == 1 else self.errors
        kept += data[: MAX_OUTPUT_BYTES - len(kept)]
        if len(self.output) >= MAX_OUTPUT_BYTES:
            self.is_too_long = True
            self.is_enough.set()

    def process_exited(self) -> None:
        self.exited.set()
        self.is_enough.set()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self.closed.set()


async def _wait(event: asyncio.Event) -> None:
    """Wait for what comes in a moment, if it comes at all."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            await event.wait()


def _token(text: str, label: str, hint: str) -> str:
    """The token in a text.

    Raises:
        AuthError: it is none.
    """
    token = text.strip()
    if len(token.splitlines()) > 1:
        message = f"{label} holds {len(token.splitlines())} lines; a token is one line"
        raise AuthError(message, hint=hint)
    if not tokens.is_sendable(token):
        raise AuthError(f"{label} holds characters that no token has", hint=hint)
    return token
