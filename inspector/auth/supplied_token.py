"""Access tokens that do not come from an authorization server: from an environment variable, or from a command that prints one.

A token is read before the first request that needs it, and kept in memory only. It is sent to the origin of the server alone, in a header. A source
that can change is read once more after a 401; a second 401 in a row is an error. A command runs without a shell, without input and for a limited
time; its error shows its exit code and the first line of its standard error, and of the command only the program: its arguments may hold secrets.

Source: RFC 6750, section 2.1; C-AUT-28 to C-AUT-30.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeAlias

from inspector.auth import document, tokens, urls
from inspector.auth.messages import token_in
from inspector.auth.settings import Settings, Way
from inspector.errors import AuthError, ConnectFailed
from inspector.event import Event
from inspector.transport.command import not_started, resolve
from inspector.transport.http.credentials import Outcome
from inspector.transport.process_group import group_of, spawn_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.auth.messages import Pairs
    from inspector.transport.base import Sink
    from inspector.transport.command import ProcessSpec
    from inspector.transport.http.config import HttpConfig
    from inspector.transport.http.credentials import Refusal

MAX_RUN_SECONDS = 60.0
"""How long a command may run: long enough for a user who has to confirm with a fingerprint."""

DRAIN_SECONDS = 0.5
"""How long output is read after the command ended, while a process that it started keeps the pipes open."""

MAX_OUTPUT_BYTES = 65_536
"""Bytes of output that are read; a token is far shorter, because servers limit their headers."""

UNAUTHORIZED = 401

_RUN_IT = "Run the command in a terminal, and log in to its service if it requires that."


class SuppliedToken:
    """Sends a token from outside with the requests to one server."""

    def __init__(self, address: HttpConfig, settings: Settings, source: TokenSource) -> None:
        """Send the token of `source`, which `settings` name, to the server at `address`."""
        self.secrets_found: Event[tuple[str, ...]] = Event()
        """Fired with the token before it is sent or recorded."""
        self.address = address
        """The server."""
        self.settings = settings
        """What the user chose."""
        self._source = source
        self._token = ""
        self._is_renewed = False  # since the server accepted a token
        self._sink: Sink | None = None
        self._lock = asyncio.Lock()

    def attach(self, sink: Sink) -> None:
        """Report the token to a new connection, so that its recording masks it."""
        self._sink = sink
        if self._token:
            self.secrets_found.fire((self._token,))

    async def headers(self, verb: str, url: str) -> Pairs:
        """Return the header with the token for a request to the server; nothing for any other host.

        Raises:
            AuthError: there is no token.
        """
        del verb
        if urls.origin(url) != urls.origin(self.address.url):
            return ()
        async with self._lock:
            if not self._token:
                await self._read()
        return (("Authorization", f"Bearer {self._token}"),)

    def accepted(self, sent: Pairs, headers: Pairs) -> None:
        """Note that the server accepts the token: a later 401 means that it expired."""
        del headers
        if self._token and token_in(sent) == self._token:
            self._is_renewed = False

    async def refused(self, refusal: Refusal) -> Outcome:
        """Read the source once more if the server rejects the token."""
        if refusal.status != UNAUTHORIZED:
            return Outcome()
        used = token_in(refusal.sent)
        async with self._lock:
            if self._token != used:
                return Outcome(sends_again=True)
            rejected = f"the server rejects the token of {self._source.label}"
            if self._is_renewed or not self._source.can_change:
                return Outcome(reason=rejected, hint=self._source.hint)
            self._is_renewed = True
            try:
                await self._read()
            except AuthError as error:
                return Outcome(reason=f"{rejected}; {error.reason}", hint=error.hint)
            if self._token == used:
                text = f"{rejected}, which gives the same one again"
                return Outcome(reason=text, hint=self._source.hint)
            return Outcome(sends_again=True)

    async def _read(self) -> None:
        """Read the source; the server is not to blame for the time that takes."""
        release = self._sink.pause_timeouts() if self._sink is not None else None
        try:
            self._token = await self._source.read()
        finally:
            if release is not None:
                release()
        self.secrets_found.fire((self._token,))


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
        """Run a program to its end; a timeout or a cancellation kills it with all processes that it started."""
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


TokenSource: TypeAlias = VariableSource | CommandSource
"""A source has a `label` for errors, a `hint` for a token that the server rejects, and `can_change`: reading again may return another token."""


def source_of(settings: Settings) -> TokenSource | None:
    """Return the source of the settings; None if tokens come from an authorization server, or there are none."""
    if settings.way is Way.VARIABLE:
        return VariableSource(settings.token_variable)
    return CommandSource(settings.token_command) if settings.way is Way.COMMAND else None


class _Run(asyncio.SubprocessProtocol):
    """The output of a program. The system reports its exit, not the end of its pipes: a service that it started may keep those open."""

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
    """Wait for an event, at most `DRAIN_SECONDS`."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            await event.wait()


def _token(text: str, label: str, hint: str) -> str:
    """Return the token in a text.

    Raises:
        AuthError: the text cannot be a token.
    """
    token = text.strip()
    if len(token.splitlines()) > 1:
        message = f"{label} holds {len(token.splitlines())} lines; a token is one line"
        raise AuthError(message, hint=hint)
    if not tokens.is_sendable(token):
        raise AuthError(f"{label} holds characters that no token has", hint=hint)
    return token
