"""The process of a named connection: it holds one session, and runs commands that other processes send it.

Each command has a console of its own, whose output is sent to the process that asked for it; several run at once. What belongs to no single
command (log messages, responses to requests of the server, findings) goes to every process that waits for a command, and is kept for the next one
if none does. A process that ends cancels its command, and nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import math
import os
import time
from collections import deque
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from inspector.cli.command import (
    COMMANDS,
    ERROR_RESPONSE,
    INTERNAL_ERROR,
    INTERRUPTED,
    NO_OUTPUT,
    PROBLEMS,
    SUCCESS,
    USAGE,
)
from inspector.cli.connection_files import (
    CODE,
    DATA,
    ERROR,
    MAX_REQUEST_BYTES,
    PIECE,
    TEXT,
    is_own,
)
from inspector.cli.console import OutputError
from inspector.cli.internal_errors import raise_lost_output
from inspector.cli.runner import run_in_session
from inspector.config.atomic_file import write_text
from inspector.event import report_failure
from inspector.session.session_state import SessionState
from inspector.version import VERSION
from inspector.wire import json_codec
from inspector.wire.redaction import mask_urls

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any, BinaryIO

    from typing_extensions import Buffer

    from inspector.cli.access import Credentials
    from inspector.cli.connection_files import ConnectionFiles
    from inspector.cli.console import Console
    from inspector.cli.findings_report import SessionFindings
    from inspector.cli.options import Options
    from inspector.cli.session_setup import ServerSession
    from inspector.json_value import JsonObject
    from inspector.session.session import Session

DEFAULT_IDLE_S = 1800.0
"""How long a connection without commands is held."""

FINISH_SECONDS = 5.0
"""How long commands have to end with the connection."""

MAX_KEPT_TEXTS, MAX_KEPT_CHARACTERS = 200, 1 << 20
"""Texts that are kept while no process reads them, and how many characters they have; older ones are dropped and counted."""

MAX_UNREAD_BYTES, UNREAD_SECONDS = 64 << 20, 10.0
"""A process that leaves more than that unread for so long loses its command: one that was suspended reads nothing."""

MAX_REASON_CHARACTERS = 2_000
"""Of the reason why a connection ended."""


class Pieces:
    """The response to one request, in pieces."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        """Send over `writer`."""
        self._writer = writer
        self._unread_since_s = math.inf

    def send(self, kind: bytes, data: bytes) -> None:
        """Send one piece.

        Raises:
            BrokenPipeError: the other process has ended, or reads too slowly.
        """
        if self._is_unread():
            self._writer.transport.abort()
        if self._writer.is_closing():
            raise BrokenPipeError
        self._writer.write(PIECE.pack(kind, len(data)) + data)

    def _is_unread(self) -> bool:
        now = time.monotonic()
        if self._writer.transport.get_write_buffer_size() <= MAX_UNREAD_BYTES:
            self._unread_since_s = math.inf
        elif math.isinf(self._unread_since_s):
            self._unread_since_s = now
        return now - self._unread_since_s >= UNREAD_SECONDS

    def send_text(self, kind: bytes, text: str) -> None:
        """Send a text."""
        self.send(kind, text.encode("utf-8", "backslashreplace"))


class _Bytes(io.BufferedIOBase):
    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces

    def write(self, data: Buffer, /) -> int:
        sent = bytes(data)
        self._pieces.send(DATA, sent)
        return len(sent)


class _Stream(io.StringIO):
    """A stream of the process that sent a request."""

    def __init__(self, pieces: Pieces, kind: bytes, *, is_terminal: bool = False) -> None:
        super().__init__()
        self._bytes = _Bytes(pieces)
        self._pieces, self._kind, self._is_terminal = pieces, kind, is_terminal

    @property
    def buffer(self) -> BinaryIO:
        return cast("BinaryIO", self._bytes)

    def isatty(self) -> bool:
        return self._is_terminal

    def write(self, text: str, /) -> int:
        self._pieces.send_text(self._kind, text)
        return len(text)


class SharedErrors(io.StringIO):
    """Standard error of everything that belongs to no single command."""

    def __init__(self) -> None:
        """Keep what is written until a process reads."""
        super().__init__()
        self._readers: list[Pieces] = []
        self._kept: deque[str] = deque()
        self._kept_characters = self._dropped = 0

    def write(self, text: str, /) -> int:
        """Send a text to every process that reads, or keep it."""
        if not self._readers:
            self._keep(text)
        for each in self._readers:
            with contextlib.suppress(BrokenPipeError):  # its command is being cancelled
                each.send_text(ERROR, text)
        return len(text)

    def _keep(self, text: str) -> None:
        self._kept.append(text)
        self._kept_characters += len(text)
        while len(self._kept) > MAX_KEPT_TEXTS or self._kept_characters > MAX_KEPT_CHARACTERS:
            self._kept_characters -= len(self._kept.popleft())
            self._dropped += 1

    @contextlib.contextmanager
    def read_by(self, pieces: Pieces) -> Generator[None]:
        """Send everything to `pieces`, too, and what was kept so far."""
        self._readers.append(pieces)
        try:
            if self._dropped:
                pieces.send_text(ERROR, f"{self._dropped:,} earlier texts were not kept\n")
            while self._kept:
                pieces.send_text(ERROR, self._kept.popleft())
            self._kept_characters = self._dropped = 0
            yield
        finally:
            self._readers.remove(pieces)


async def _ended(reader: asyncio.StreamReader) -> None:
    """Return when the other process has ended, also with output that it has not read."""
    with contextlib.suppress(ConnectionError):
        await reader.read(1)


class ConnectionHost:
    """Holds one session, and runs the commands of other processes in it."""

    def __init__(
        self,
        files: ConnectionFiles,
        on_ready: Callable[[JsonObject, Console], None],
        server: ServerSession[Credentials | None],
        findings: SessionFindings,
    ) -> None:
        """Listen at `files`; `on_ready` is called with the facts once commands are taken."""
        self._files, self._on_ready = files, on_ready
        self._server, self._findings = server, findings
        self._errors = SharedErrors()
        self._commands: dict[asyncio.Task[int], str] = {}
        self._more = asyncio.Event()
        self._is_stopped = False
        self._last_used_s = time.monotonic()
        self._problems = 0

    async def __call__(self, session: Session, options: Options, console: Console) -> int:
        """Hold the session until it ends, is ended, or was idle for too long."""
        self._options, self._console = replace(options, json=False), console
        self._files.forget()
        listener = await asyncio.start_unix_server(
            self._serve, self._files.socket, limit=MAX_REQUEST_BYTES
        )
        self._files.socket.chmod(0o600)
        unsubscribe = session.changed.subscribe(self._more.set)
        reason = "its process was ended"
        try:
            self._on_ready(self._facts(), self._console)
            self._console.redirect_errors(self._errors)
            reason = await self._wait(session)
        finally:
            unsubscribe()
            listener.close()
            self._files.unclaim()
            await self._end_commands()
            self._files.forget()
            if reason:
                text = self._console.mask(mask_urls(reason))
                write_text(self._files.ended, f"{text[:MAX_REASON_CHARACTERS]}\n")
        return SUCCESS if session.state is SessionState.READY else ERROR_RESPONSE

    async def _wait(self, session: Session) -> str:
        """Return why the connection ends; empty if it was ended."""
        idle_s = self._options.idle_s or DEFAULT_IDLE_S
        while not self._is_stopped:
            if session.state is not SessionState.READY:
                return session.closed_reason or session.state.value
            left_s = idle_s if self._commands else self._last_used_s + idle_s - time.monotonic()
            if left_s <= 0:
                return f"it was idle for {idle_s:g} s"
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left_s):
                    await self._more.wait()
            self._more.clear()
        return ""

    async def _end_commands(self) -> None:
        """End the commands that run: those of a lost connection fail by themselves, with the reason."""
        if self._is_stopped:
            for each in self._commands:
                each.cancel()
        if self._commands:
            await asyncio.wait([*self._commands], timeout=FINISH_SECONDS)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Respond to one request."""
        pieces = Pieces(writer)
        try:
            if not is_own(writer.get_extra_info("socket")):
                return
            request: dict[str, Any] = json.loads(await reader.readline())
            code = await self._respond(request, pieces, reader)
            pieces.send_text(CODE, str(code))
            await writer.drain()
        except (OSError, ValueError, KeyError):  # it has ended, or sends something else
            pass
        finally:
            writer.close()

    async def _respond(
        self, request: dict[str, Any], pieces: Pieces, reader: asyncio.StreamReader
    ) -> int:
        if request["version"] != VERSION:
            text = f"the connection was made by Spyglass {VERSION}: connect again\n"
            pieces.send_text(ERROR, text)
            return USAGE
        if request["action"] == "run":
            return await self._run(request, pieces, reader)
        if request["action"] == "stop":
            self._is_stopped = True
            self._more.set()
        pieces.send_text(TEXT, json.dumps(self._facts()))
        return SUCCESS

    async def _run(
        self, request: dict[str, Any], pieces: Pieces, reader: asyncio.StreamReader
    ) -> int:
        """Run a command until it ends, or the process that waits for it does."""
        async with asyncio.TaskGroup() as group:
            work = group.create_task(self._run_line(request, pieces))
            closed = group.create_task(_ended(reader))
            self._commands[work] = str(request["command"])
            try:
                await asyncio.wait([work, closed], return_when=asyncio.FIRST_COMPLETED)
                if not work.done():
                    work.cancel()
                    await asyncio.wait([work])
            finally:
                closed.cancel()
                self._commands.pop(work, None)
                self._last_used_s = time.monotonic()
                self._more.set()
        return INTERRUPTED if work.cancelled() else work.result()

    async def _run_line(self, request: dict[str, Any], pieces: Pieces) -> int:
        command = next(each for each in COMMANDS if each.name == request["command"])
        fields = request["fields"] | {"args": tuple(request["fields"]["args"])}
        if "meta" in fields:
            fields["meta"] = json_codec.read(fields["meta"].encode()).value
        line = replace(self._options, command=command, **fields)
        columns: int = request["columns"]
        out = _Stream(pieces, TEXT, is_terminal=bool(columns))
        console = self._console.writing_to(out, _Stream(pieces, ERROR))
        console.columns = columns or console.columns
        failed = self._console.internal_errors
        try:
            with self._errors.read_by(pieces):
                code = await self._code_of(line, console)
        except (BrokenPipeError, OutputError):  # nothing reads it any more
            return NO_OUTPUT
        return INTERNAL_ERROR if self._console.internal_errors > failed else code

    async def _code_of(self, line: Options, console: Console) -> int:
        """Run a command, and print what was found; an internal error ends it alone, and not the connection."""
        try:
            code = await run_in_session(self._server, line, console)
            before, self._problems = self._problems, await self._findings.print()
        except Exception as error:  # noqa: BLE001 - reported, and counted by the console of this process
            raise_lost_output(error)
            report_failure(f"the command {line.command.name} failed", error)
            return INTERNAL_ERROR
        is_problem = self._options.strict and self._problems > before and code == SUCCESS
        return PROBLEMS if is_problem else code

    def _facts(self) -> JsonObject:
        """Return what is printed of the connection."""
        greeting, options = self._server.session.greeting, self._options
        assert greeting is not None
        target = " ".join(options.target) or options.server or str(options.config)
        return {
            "name": self._files.name,
            "process": os.getpid(),
            "server": greeting.server.server.label,
            "target": self._console.mask(mask_urls(target)),
            "revision": greeting.revision.date,
            "running": [*self._commands.values()],
            "idle_s": 0.0 if self._commands else round(time.monotonic() - self._last_used_s, 1),
        }
