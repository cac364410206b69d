"""A server as a child process, spoken to over its standard streams.

The child leads its own group, and ending the connection ends the whole group, whatever the wrapper in front of the server
does. `Process.wait()` is avoided: on the Pythons we support it hangs while a grandchild holds stdout open
(https://github.com/python/cpython/issues/119710), so exits are taken from `process_exited`.

Source: basic/transports, "stdio"; basic/lifecycle, "Shutdown": close stdin, wait, SIGTERM, wait, SIGKILL. Where there is no SIGTERM, what did
not end by itself is ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from functools import partial
from typing import TYPE_CHECKING

from inspector.errors import ConnectionLost, ProcessExited
from inspector.transport.base import NO_CONTEXT, RESPONSE_KINDS, TransportDefaults
from inspector.transport.command import not_started
from inspector.transport.descendants import detached, is_running
from inspector.transport.line_reader import LineReader
from inspector.transport.process_group import group_of, spawn_options
from inspector.wire.frame import Channel
from inspector.wire.lines import DEFAULT_LINE_BUDGET

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.transport.base import SendContext, Sink
    from inspector.transport.command import ProcessSpec
    from inspector.transport.descendants import Running

GRACE_SECONDS = 2.0
"""What a server gets to end by itself after its stdin was closed, and again after SIGTERM."""

DRAIN_SECONDS = 0.5
"""How long output is awaited after the exit while something else still holds the pipes open, and again after the latest that came."""

KILLED_SECONDS = 0.5
"""How long the members of a group that was killed are waited for."""

LEFT_BEHIND_SECONDS = 0.1
"""What processes outside the group get to end by themselves after the group is gone, before they are named."""

MAX_NAMED = 10
"""Processes that are named."""

STDERR_LINE_BUDGET = 1 << 20
"""Bytes of a line on stderr after which it is broken off."""

KEEP_STDOUT = "Let the server keep stdout open as long as it runs: a start script or a daemon may have closed or redirected it."
STDIN_CLOSED = "the server closed its standard input and went on running"
KEEP_STDIN = "Let the server keep standard input open and read it as long as it runs: a start script or a background process in between may have closed it."

NO_NEWLINE = "A server ends every message with a newline. Let it write one, or less in one message."


class StdioTransport(TransportDefaults):
    """One child process."""

    name = "stdio"
    channel = Channel.STDIN

    def __init__(
        self,
        launch: ProcessSpec,
        *,
        grace_seconds: float = GRACE_SECONDS,
        start_grace_seconds: float = 0.0,
        line_budget: int = DEFAULT_LINE_BUDGET,
    ) -> None:
        """Prepare to execute `launch`; nothing starts before `open`.

        A process that has written nothing to stdout yet gets at least `start_grace_seconds` between SIGTERM and SIGKILL.
        """
        self._launch = launch
        self._grace = grace_seconds
        self._start_grace = max(start_grace_seconds, grace_seconds)
        self._budget = line_budget
        self._child: _Child | None = None
        self._closing: asyncio.Task[None] | None = None
        self._starting: asyncio.Task[None] | None = None

    async def open(self, sink: Sink) -> None:
        """Start the process; when that is cancelled, the process is ended in order first."""
        child = _Child(sink, self._launch, self._budget, self._end)
        self._starting = starting = asyncio.ensure_future(self._start(child))
        try:
            await asyncio.shield(starting)
        except asyncio.CancelledError:
            await asyncio.wait([starting])
            if starting.exception() is None:
                self._child = child
                await self.aclose()
            raise
        self._child = child

    async def _start(self, child: _Child) -> None:
        launch, how = self._launch, spawn_options()
        try:
            await asyncio.get_running_loop().subprocess_exec(
                lambda: child,
                launch.program,
                *launch.args,
                env=dict(launch.env),
                cwd=launch.cwd,
                start_new_session=how.new_session,
                creationflags=how.flags,
            )
        except (OSError, ValueError) as error:
            raise not_started(launch.program, error) from error

    async def send(self, raw: bytes, context: SendContext = NO_CONTEXT) -> None:
        """Write a line."""
        if self._child is None:
            raise ConnectionLost("not connected")
        await self._child.write(raw + b"\n", waits=context.kind not in RESPONSE_KINDS)

    async def aclose(self) -> None:
        """Close stdin, wait, SIGTERM, wait, SIGKILL; the whole process group is gone afterwards."""
        if self._child is None:
            return
        await asyncio.shield(self._ending(self._child, "disconnected"))

    def _end(self, words: str, remedy: str) -> None:
        """End a process that goes on running and can say nothing any more (C-STD-14)."""
        if self._child is not None:
            self._ending(self._child, words, remedy)

    def _ending(self, child: _Child, words: str, remedy: str = "") -> asyncio.Task[None]:
        """The task that ends the process, for whatever reason it was begun first."""
        if self._closing is None or self._closing.cancelled():
            ending = child.end(self._grace, self._start_grace, words, remedy)
            self._closing = asyncio.ensure_future(ending)
            self._closing.add_done_callback(lambda done: child.kill() if done.cancelled() else None)
        return self._closing


class _Child(asyncio.SubprocessProtocol):
    """The process as asyncio tells of it."""

    def __init__(
        self, sink: Sink, launch: ProcessSpec, line_budget: int, give_up: Callable[[str, str], None]
    ) -> None:
        self._sink = sink
        self._launch = launch
        self._give_up = give_up
        self._readers = {
            1: LineReader(sink, Channel.STDOUT, line_budget, on_endless=self._on_endless),
            2: LineReader(sink, Channel.STDERR, STDERR_LINE_BUDGET),
        }
        self._open_pipes = {1, 2}
        self._started_at = time.monotonic()
        self._exited = asyncio.Event()
        self._over = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._ending_words = self._ending_remedy = ""
        self._error: ConnectionLost | None = None
        self._has_written = self._is_ending = False
        self._drain: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        self.pid = transport.get_pid()
        stdin = transport.get_pipe_transport(0)
        assert isinstance(stdin, asyncio.WriteTransport)
        self._stdin = stdin
        self._group = group_of(self.pid)
        launch = self._launch
        self._sink.on_event(
            "started",
            f"started process {self.pid}",
            pid=self.pid,
            program=launch.program,
            args=list(launch.args),
        )
        for fd, reader in self._readers.items():
            pipe = transport.get_pipe_transport(fd)
            if isinstance(pipe, asyncio.ReadTransport):
                reader.attach(pipe)
                pipe.set_protocol(_Pipe(fd, pipe.get_protocol(), self.pipe_data_received))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._has_written |= fd == 1
        self._readers[fd].feed(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 0:
            self._writable.set()
            asyncio.get_running_loop().call_later(DRAIN_SECONDS, self._on_deaf)
            return
        if fd == 1 and not self._exited.is_set():
            # Usually the exit follows at once, and tells more.
            self._drain = asyncio.get_running_loop().call_later(DRAIN_SECONDS, self._on_mute)
        self._readers[fd].finish(partial(self._on_read, fd))

    def _on_read(self, fd: int) -> None:
        """All that came on a pipe was handed on."""
        self._open_pipes.discard(fd)
        if self._is_ending:
            self._tell_end_if_read()
        else:
            self._end_if_done()

    def process_exited(self) -> None:
        self._exited.set()
        self._lived = time.monotonic() - self._started_at
        self._is_quiet()
        self._finish_soon()
        self._end_if_done()

    def _on_mute(self) -> None:
        if not self._exited.is_set() and not self._ending_words:
            self._sink.on_event("stdout-closed", "the server closed stdout but is still running")
            self._give_up("the server closed stdout but is still running", KEEP_STDOUT)

    def _on_deaf(self) -> None:
        """What was sent before may still be responded to, so this is no end."""
        if not self._exited.is_set() and not self._ending_words:
            self._sink.on_event("stdin-closed", STDIN_CLOSED)

    def _on_endless(self, words: str) -> None:
        self._give_up(words, NO_NEWLINE)

    def _finish_soon(self) -> None:
        """Wait for the rest of the output, but not for ever: a grandchild may hold the pipes open."""
        if self._drain is not None:
            self._drain.cancel()
        self._drain = asyncio.get_running_loop().call_later(DRAIN_SECONDS, self._on_drained)

    def _on_drained(self) -> None:
        if self._is_quiet():
            self._finish()
        else:
            self._finish_soon()

    def _is_quiet(self) -> bool:
        return sum(not reader.is_drained() for reader in self._readers.values()) == 0

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    async def write(self, data: bytes, *, waits: bool) -> None:
        if self._exited.is_set() or self._stdin.is_closing():
            await self._raise_why()
        self._stdin.write(data)
        if waits:
            await self._writable.wait()

    async def _raise_why(self) -> None:
        """Fail with the reason, for which the exit may have to be awaited: a broken pipe comes first."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._over.wait(), 2 * DRAIN_SECONDS)
        raise self._error or ConnectionLost(STDIN_CLOSED, remedy=KEEP_STDIN)

    async def end(self, grace: float, start_grace: float, words: str, remedy: str) -> None:
        self._ending_words, self._ending_remedy = words, remedy
        apart = [] if self._exited.is_set() else await asyncio.to_thread(detached, self.pid)
        if not await self._end_gently(grace, start_grace):
            self.kill()
            await self._gone_within(KILLED_SECONDS)
        await self._exited.wait()
        await self._note_left_behind(apart)
        self._finish()
        await self._over.wait()

    async def _note_left_behind(self, apart: list[Running]) -> None:
        """Name the processes that left the group and run on: the server may have meant them to."""
        until = time.monotonic() + LEFT_BEHIND_SECONDS
        while (left := list(filter(is_running, apart))) and time.monotonic() < until:  # noqa: ASYNC110 - nobody tells that they ended
            await asyncio.sleep(0.01)
        if left:
            named = ", ".join(f"{each.pid} ({each.name})" for each in left[:MAX_NAMED])
            more = f" and {len(left) - MAX_NAMED:,} more" if len(left) > MAX_NAMED else ""
            words = f"still running, because the server started them outside its process group: {named}{more}"
            self._sink.on_event("left-behind", words, pids=[each.pid for each in left[:MAX_NAMED]])

    def kill(self) -> None:
        """End the whole group at once: there is no time left, or all else has failed."""
        self._group.kill()

    async def _end_gently(self, grace: float, start_grace: float) -> bool:
        self._stdin.close()
        if await self._gone_within(grace):
            return True
        group, after = self._group, "stdin closed"
        if group.terminate_signal:
            words = f"still running after {after}; sent {group.terminate_signal}"
            self._sink.on_event("signal", words, signal=group.terminate_signal)
            group.terminate()
            if await self._gone_within(grace if self._has_written else start_grace):
                return True
            after = group.terminate_signal
        words = f"still running after {after}; sent {group.kill_signal}"
        self._sink.on_event("signal", words, signal=group.kill_signal)
        return False

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

    def _end_if_done(self) -> None:
        if self._exited.is_set() and not self._open_pipes:
            self._finish()

    def _finish(self) -> None:
        """Take nothing more, and tell the end when all that came is handed on; what still holds the pipes is told to go as well."""
        if self._is_ending:
            return
        self._is_ending = True
        if self._drain is not None:
            self._drain.cancel()
        if not self._ending_words:
            self._group.kill()
        self._group.close()
        self._transport.close()
        for fd in sorted(self._open_pipes):
            self._readers[fd].finish(partial(self._on_read, fd))
        self._tell_end_if_read()

    def _tell_end_if_read(self) -> None:
        """Tell the end, once."""
        if self._open_pipes or self._over.is_set():
            return
        self._over.set()
        words = exit_text(self._transport.get_returncode(), self._lived)
        self._sink.on_event(
            "exited",
            words,
            code=self._transport.get_returncode(),
            lived_seconds=round(self._lived, 3),
        )
        ours, remedy = self._ending_words, self._ending_remedy
        self._error = (
            ConnectionLost(ours, remedy=remedy) if ours else ProcessExited(f"the process {words}")
        )
        self._sink.ended(self._error)


class _Pipe(asyncio.Protocol):
    """Hands on what comes in the turn in which it was read; asyncio's own protocol, which does all else, takes another one."""

    def __init__(
        self, fd: int, own: asyncio.BaseProtocol, receive: Callable[[int, bytes], None]
    ) -> None:
        self._fd = fd
        self._own = own
        self._receive = receive

    def data_received(self, data: bytes) -> None:
        self._receive(self._fd, data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._own.connection_lost(exc)


def exit_text(code: int | None, lived_seconds: float) -> str:
    """How a process ended, e.g. `exited with code 3 after 0.3 s` or `was ended by SIGKILL after 4.0 s`."""
    after = (
        f"after {lived_seconds * 1000:.0f} ms"
        if lived_seconds < 1
        else f"after {lived_seconds:.1f} s"
    )
    if code is not None and code < 0:
        try:
            return f"killed by {signal.Signals(-code).name} {after}"
        except ValueError:
            return f"killed by signal {-code} {after}"
    return f"exited with code {code} {after}"
