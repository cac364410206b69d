"""A server as a child process, spoken to over its standard streams.

The child leads its own process group, and ending the connection ends the whole group, whatever the wrapper in front of the server
does. `Process.wait()` is avoided: on the Pythons we support it hangs while a grandchild holds stdout open
(https://github.com/python/cpython/issues/119710), so exits are taken from `process_exited`.

Source: basic/transports, "stdio"; basic/lifecycle, "Shutdown": close stdin, wait, SIGTERM, wait, SIGKILL.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from typing import TYPE_CHECKING

from inspector.errors import ConnectFailed, ConnectionLost, ProcessExited
from inspector.transport.process_group import ProcessGroup
from inspector.wire.frame import Channel
from inspector.wire.lines import DEFAULT_LINE_BUDGET, LineSplitter

if TYPE_CHECKING:
    from inspector.transport.base import Sink
    from inspector.transport.program import Launch

GRACE_SECONDS = 2.0
"""What a server gets to end by itself after its stdin was closed, and again after SIGTERM."""

DRAIN_SECONDS = 0.5
"""How long output is awaited after the exit while something else still holds the pipes open."""

RESUME_SECONDS = 0.005
"""How soon reading is tried again after a pause."""

STDERR_LINE_BUDGET = 1 << 20
"""Bytes kept of one line on stderr."""

_CHANNELS = {1: Channel.STDOUT, 2: Channel.STDERR}


class StdioTransport:
    """One child process."""

    name = "stdio"

    def __init__(
        self,
        launch: Launch,
        *,
        grace_seconds: float = GRACE_SECONDS,
        line_budget: int = DEFAULT_LINE_BUDGET,
    ) -> None:
        """Prepare to execute `launch`; nothing starts before `open`."""
        self._launch = launch
        self._grace = grace_seconds
        self._budget = line_budget
        self._child: _Child | None = None
        self._closing: asyncio.Task[None] | None = None

    async def open(self, sink: Sink) -> None:
        """Start the process."""
        launch = self._launch
        child = _Child(sink, self._budget)
        try:
            await asyncio.get_running_loop().subprocess_exec(
                lambda: child,
                launch.program,
                *launch.args,
                env=dict(launch.env),
                cwd=launch.cwd,
                start_new_session=os.name == "posix",
            )
        except (OSError, ValueError) as error:
            raise ConnectFailed(
                f"`{launch.program}` cannot be started: {error}", remedy=_remedy(error)
            ) from error
        self._child = child
        sink.noted(
            "started",
            f"started process {child.pid}",
            pid=child.pid,
            program=launch.program,
            args=list(launch.args),
        )

    async def send(self, raw: bytes) -> None:
        """Write a line."""
        if self._child is None:
            raise ConnectionLost("the process is not running")
        await self._child.write(raw + b"\n")

    async def aclose(self) -> None:
        """Close stdin, wait, SIGTERM, wait, SIGKILL; the whole process group is gone afterwards."""
        if self._child is None:
            return
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._child.end(self._grace))
        await asyncio.shield(self._closing)


def _remedy(error: Exception) -> str:
    if isinstance(error, PermissionError):
        return "Make the file executable, or start it with its interpreter."
    if isinstance(error, OSError) and error.errno == 8:
        return "The file is no program: a script needs a first line that names its interpreter."
    return "Check the command."


class _Child(asyncio.SubprocessProtocol):
    """The process as asyncio tells of it."""

    def __init__(self, sink: Sink, line_budget: int) -> None:
        self._sink = sink
        self._splitters = {1: LineSplitter(line_budget), 2: LineSplitter(STDERR_LINE_BUDGET)}
        self._open_pipes = {1, 2}
        self._started_at = time.monotonic()
        self._exited = asyncio.Event()
        self._over = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._ours = False
        self._drain: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        self.pid = transport.get_pid()
        stdin = transport.get_pipe_transport(0)
        assert isinstance(stdin, asyncio.WriteTransport)
        self._stdin = stdin
        self._group = ProcessGroup(self.pid)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        lines = self._splitters[fd].feed(data)
        if lines:
            self._sink.received(_CHANNELS[fd], lines)
        if self._sink.behind:
            self._pause(fd)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 0:
            self._writable.set()
            return
        rest = self._splitters[fd].finish()
        if rest:
            self._sink.received(_CHANNELS[fd], rest)
        self._open_pipes.discard(fd)
        self._end_if_done()

    def process_exited(self) -> None:
        self._exited.set()
        self._lived = time.monotonic() - self._started_at
        self._drain = asyncio.get_running_loop().call_later(DRAIN_SECONDS, self._finish)
        self._end_if_done()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    async def write(self, data: bytes) -> None:
        if self._exited.is_set() or self._stdin.is_closing():
            raise ConnectionLost("the process no longer reads its input")
        self._stdin.write(data)
        await self._writable.wait()

    async def end(self, grace: float) -> None:
        self._ours = True
        self._stdin.close()
        if not await self._gone_within(grace):
            self._sink.noted(
                "signal", "did not end after its stdin was closed; sent SIGTERM", signal="SIGTERM"
            )
            self._group.signal(signal.SIGTERM)
            if not await self._gone_within(grace):
                self._sink.noted(
                    "signal", "did not end after SIGTERM; sent SIGKILL", signal="SIGKILL"
                )
                self._group.kill()
        await self._exited.wait()
        self._finish()

    async def _gone_within(self, seconds: float) -> bool:
        """Whether the leader and its whole group ended in time."""
        deadline = time.monotonic() + seconds
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._exited.wait(), seconds)
        while self._exited.is_set() and self._group.alive():
            if time.monotonic() > deadline:
                return False
            await asyncio.sleep(0.01)
        return self._exited.is_set()

    def _pause(self, fd: int) -> None:
        pipe = self._transport.get_pipe_transport(fd)
        if not isinstance(pipe, asyncio.ReadTransport):
            return
        pipe.pause_reading()
        asyncio.get_running_loop().call_later(RESUME_SECONDS, self._resume, fd, pipe)

    def _resume(self, fd: int, pipe: asyncio.ReadTransport) -> None:
        if self._over.is_set():
            return
        if self._sink.behind:
            asyncio.get_running_loop().call_later(RESUME_SECONDS, self._resume, fd, pipe)
        else:
            pipe.resume_reading()

    def _end_if_done(self) -> None:
        if self._exited.is_set() and not self._open_pipes:
            self._finish()

    def _finish(self) -> None:
        """Tell the end, once; what still held the pipes is told to go as well."""
        if self._over.is_set():
            return
        self._over.set()
        if self._drain is not None:
            self._drain.cancel()
        for fd in sorted(self._open_pipes):
            rest = self._splitters[fd].finish()
            if rest:
                self._sink.received(_CHANNELS[fd], rest)
        if not self._ours:
            self._group.kill()
        self._transport.close()
        words = exit_words(self._transport.get_returncode(), self._lived)
        self._sink.noted(
            "exited",
            words,
            code=self._transport.get_returncode(),
            lived_seconds=round(self._lived, 3),
        )
        self._sink.ended(
            ConnectionLost("disconnected") if self._ours else ProcessExited(f"the process {words}")
        )


def exit_words(code: int | None, lived_seconds: float) -> str:
    """How a process ended, e.g. `exited with code 3 after 0.3 s` or `was ended by SIGKILL after 4.0 s`."""
    after = (
        f"after {lived_seconds * 1000:.0f} ms"
        if lived_seconds < 1
        else f"after {lived_seconds:.1f} s"
    )
    if code is not None and code < 0:
        try:
            return f"was ended by {signal.Signals(-code).name} {after}"
        except ValueError:
            return f"was ended by signal {-code} {after}"
    return f"exited with code {code} {after}"
