"""A server as a child process, over its standard streams.

The child leads its own process group, and closing the connection ends the whole group, also behind a wrapper script. Not `Process.wait()`:
in Python 3.11 it hangs while a grandchild holds stdout open (https://github.com/python/cpython/issues/119710), so exits are taken from
`process_exited`.

Source: basic/transports, "stdio"; basic/lifecycle, "Shutdown": close stdin, wait, SIGTERM, wait, SIGKILL. Without SIGTERM (Windows), what
still runs after the first wait is killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from functools import partial
from typing import TYPE_CHECKING

from inspector.errors import ConnectionLost, ProcessExited
from inspector.transport.base import NO_CONTEXT, RESPONSE_KINDS, Transport
from inspector.transport.command import not_started
from inspector.transport.line_reader import LineReader
from inspector.transport.process_end import End, exit_text, wait_for_end
from inspector.transport.process_group import (
    detached,
    group_of,
    has_exited,
    is_running,
    spawn_options,
)
from inspector.wire.frame import Channel
from inspector.wire.line_splitter import DEFAULT_LINE_BUDGET

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.transport.base import SendContext, Sink
    from inspector.transport.command import ProcessSpec
    from inspector.transport.process_group import Running

GRACE_SECONDS = 2.0
"""How long the server may run after its stdin was closed, and again after SIGTERM."""

DRAIN_SECONDS = 0.5
"""How long output is read after the exit while another process holds the pipes open, counted from the latest output."""

KILLED_SECONDS = 0.5
"""How long closing waits for the members of a killed group."""

SURVIVOR_SECONDS = 0.1
"""How long processes outside the group may run after the group has ended before they are reported."""

MAX_NAMED = 10
"""Processes named in that report."""

STDERR_LINE_BUDGET = 1 << 20
"""Bytes at which a line on stderr is split."""

KEEP_STDOUT = "Let the server keep stdout open as long as it runs: a start script or a daemon may have closed or redirected it."
STDIN_CLOSED = "the server closed stdin but is still running"
KEEP_STDIN = "Let the server keep standard input open and read it as long as it runs: a start script or a background process in between may have closed it."

NO_NEWLINE = "A server ends every message with a newline. Let it write one, or less in one message."


class StdioTransport(Transport):
    """One child process."""

    name = "stdio"
    channel = Channel.STDIN

    def __init__(
        self,
        spec: ProcessSpec,
        *,
        grace_seconds: float = GRACE_SECONDS,
        start_grace_seconds: float = 0.0,
        line_budget: int = DEFAULT_LINE_BUDGET,
    ) -> None:
        """Prepare to run `spec`; nothing starts before `open`.

        A process that has written nothing to stdout gets at least `start_grace_seconds` between SIGTERM and SIGKILL.
        """
        self._spec = spec
        self._grace = grace_seconds
        self._start_grace = max(start_grace_seconds, grace_seconds)
        self._budget = line_budget
        self._child: _Child | None = None
        self._closing: asyncio.Task[None] | None = None
        self._starting: asyncio.Task[None] | None = None

    async def open(self, sink: Sink) -> None:
        """Start the process; cancelling ends the process in order first."""
        child = _Child(sink, self._spec, self._budget, self._on_start, self._end)
        self._starting = starting = asyncio.ensure_future(self._start(child))
        try:
            await asyncio.shield(starting)
        except asyncio.CancelledError:
            await asyncio.wait([starting])
            if starting.exception() is None:
                await self.aclose()
            raise

    def _on_start(self, child: _Child) -> None:
        """Write from now on: what the process sends at once is read, and gets its response, before `open` returns."""
        self._child = child

    async def _start(self, child: _Child) -> None:
        spec, options = self._spec, spawn_options()
        try:
            await asyncio.get_running_loop().subprocess_exec(
                lambda: child,
                spec.program,
                *spec.args,
                env=dict(spec.env),
                cwd=spec.cwd,
                start_new_session=options.new_session,
                creationflags=options.flags,
            )
        except (OSError, ValueError) as error:
            raise not_started(spec.program, error) from error

    async def send(self, raw: bytes, context: SendContext = NO_CONTEXT) -> None:
        """Write a line."""
        if self._child is None:
            raise ConnectionLost("not connected")
        await self._child.write(raw + b"\n", awaits_drain=context.kind not in RESPONSE_KINDS)

    async def aclose(self) -> None:
        """Close stdin, wait, SIGTERM, wait, SIGKILL; the whole process group has ended afterwards."""
        if self._child is None:
            return
        await asyncio.shield(self._ending(self._child, "disconnected"))

    def _end(self, reason: str, hint: str) -> None:
        """End a process that still runs and can send nothing any more (C-STD-14)."""
        if self._child is not None:
            self._ending(self._child, reason, hint)

    def _ending(self, child: _Child, reason: str, hint: str = "") -> asyncio.Task[None]:
        """Return the task that ends the process; the first reason counts."""
        if self._closing is None or self._closing.cancelled():
            ending = child.end(self._grace, self._start_grace, reason, hint)
            self._closing = asyncio.ensure_future(ending)
            self._closing.add_done_callback(lambda done: child.kill() if done.cancelled() else None)
        return self._closing


class _Child(asyncio.SubprocessProtocol):
    """The process, as the protocol of asyncio."""

    def __init__(
        self,
        sink: Sink,
        spec: ProcessSpec,
        line_budget: int,
        on_start: Callable[[_Child], None],
        end: Callable[[str, str], None],
    ) -> None:
        self._sink = sink
        self._spec = spec
        self._on_start = on_start
        self._end = end
        self._readers = {
            1: LineReader(sink, Channel.STDOUT, line_budget, on_endless=self._on_endless),
            2: LineReader(sink, Channel.STDERR, STDERR_LINE_BUDGET),
        }
        self._open_pipes = {1, 2}
        self._started_at = time.monotonic()
        self._exited = asyncio.Event()
        self._has_ended = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._end_reason = self._end_hint = ""
        self._error: ConnectionLost | None = None
        self._has_written = self._is_ending = self._had_time = False
        self._drain: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        self.pid = transport.get_pid()
        stdin = transport.get_pipe_transport(0)
        assert isinstance(stdin, asyncio.WriteTransport)
        self._stdin = stdin
        self._group = group_of(self.pid)
        self._on_start(self)
        spec = self._spec
        self._sink.on_event(
            "started",
            f"started process {self.pid}",
            pid=self.pid,
            program=spec.program,
            args=list(spec.args),
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
            asyncio.get_running_loop().call_later(DRAIN_SECONDS, self._on_stdin_closed)
            return
        if fd == 1 and not self._exited.is_set():
            # Usually the exit follows at once, and its code is the better reason.
            self._drain = asyncio.get_running_loop().call_later(
                DRAIN_SECONDS, self._on_stdout_closed
            )
        self._readers[fd].finish(partial(self._on_read, fd))

    def _on_read(self, fd: int) -> None:
        """All output of one pipe is delivered."""
        self._open_pipes.discard(fd)
        if self._is_ending:
            self._report_end_if_read()
        else:
            self._end_if_done()

    def process_exited(self) -> None:
        self._exited.set()
        self._lived = time.monotonic() - self._started_at
        self._are_drained()
        self._finish_soon()
        self._end_if_done()

    def _on_stdout_closed(self) -> None:
        has_ended = self._exited.is_set() or has_exited(self.pid)
        if not has_ended and not self._end_reason:
            self._sink.on_event("stdout-closed", "the server closed stdout but is still running")
            self._end("the server closed stdout but is still running", KEEP_STDOUT)

    def _on_stdin_closed(self) -> None:
        """Only note it: requests that were sent before may still get a response."""
        if not self._exited.is_set() and not self._end_reason:
            self._sink.on_event("stdin-closed", STDIN_CLOSED)

    def _on_endless(self, reason: str) -> None:
        self._end(reason, NO_NEWLINE)

    def _finish_soon(self) -> None:
        """Wait for the rest of the output for a limited time: a grandchild may hold the pipes open."""
        if self._drain is not None:
            self._drain.cancel()
        self._drain = asyncio.get_running_loop().call_later(DRAIN_SECONDS, self._on_drained)

    def _on_drained(self) -> None:
        if self._are_drained():
            self._finish()
        else:
            self._finish_soon()

    def _are_drained(self) -> bool:
        return sum(not reader.is_drained() for reader in self._readers.values()) == 0

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    async def write(self, data: bytes, *, awaits_drain: bool) -> None:
        if self._exited.is_set() or self._stdin.is_closing():
            await self._raise_why()
        self._stdin.write(data)
        if awaits_drain:
            await self._writable.wait()

    async def _raise_why(self) -> None:
        """Raise the reason. A broken pipe is noticed before the exit, so wait for that."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._has_ended.wait(), 2 * DRAIN_SECONDS)
        if self._error is None and self._end_reason:  # it is being ended, and does not stop yet
            raise ConnectionLost(self._end_reason, hint=self._end_hint)
        raise self._error or ConnectionLost(STDIN_CLOSED, hint=KEEP_STDIN)

    async def end(self, grace: float, start_grace: float, reason: str, hint: str) -> None:
        self._end_reason, self._end_hint = reason, hint
        outside = [] if self._exited.is_set() else await asyncio.to_thread(detached, self.pid)
        if not await self._terminate(grace, start_grace):
            self.kill()
            await self._ended_within(KILLED_SECONDS)
        await self._exited.wait()
        await self._note_survivors(outside)
        for reader in self._readers.values():
            reader.stop_decoding()
        self._finish()
        await self._has_ended.wait()

    async def _note_survivors(self, processes: list[Running]) -> None:
        """Report the processes that left the group and still run: they may be meant to."""
        until = time.monotonic() + SURVIVOR_SECONDS
        while (left := list(filter(is_running, processes))) and time.monotonic() < until:  # noqa: ASYNC110 - the system does not report the end of processes that are not children
            await asyncio.sleep(0.01)
        if left:
            named = ", ".join(f"{each.pid} ({each.name})" for each in left[:MAX_NAMED])
            more = f" and {len(left) - MAX_NAMED:,} more" if len(left) > MAX_NAMED else ""
            text = f"still running, because the server started them outside its process group: {named}{more}"
            self._sink.on_event("left-behind", text, pids=[each.pid for each in left[:MAX_NAMED]])

    def kill(self) -> None:
        """Kill the whole group."""
        self._group.kill()

    async def _terminate(self, grace: float, start_grace: float) -> bool:
        self._stdin.close()
        if await self._ended_within(grace):
            return True
        group, after = self._group, "stdin closed"
        if group.terminate_signal:
            self._note_signal(after, group.terminate_signal)
            group.terminate()
            if await self._ended_within(grace if self._has_written else start_grace):
                return True
            after = group.terminate_signal
        self._note_signal(after, group.kill_signal)
        return False

    def _note_signal(self, after: str, sent: str) -> None:
        """Note a signal; `busy` tells that the server never had the processor for long enough to end."""
        busy = "" if self._had_time else " on a busy machine"
        text = f"still running after {after}{busy}; sent {sent}"
        self._sink.on_event("signal", text, signal=sent, busy=not self._had_time)

    async def _ended_within(self, seconds: float) -> bool:
        """Return whether the leader and its whole group ended in time."""
        end = await wait_for_end(self._exited, self._group, seconds)
        self._had_time |= end is End.HAD_TIME
        return end is End.ENDED

    def _end_if_done(self) -> None:
        if self._exited.is_set() and not self._open_pipes:
            self._finish()

    def _finish(self) -> None:
        """Read nothing more, kill what still holds the pipes, and report the end when all output is delivered."""
        if self._is_ending:
            return
        self._is_ending = True
        if self._drain is not None:
            self._drain.cancel()
        if not self._end_reason:
            self._group.kill()
        self._group.close()
        self._transport.close()
        for fd in sorted(self._open_pipes):
            self._readers[fd].finish(partial(self._on_read, fd))
        self._report_end_if_read()

    def _report_end_if_read(self) -> None:
        """Report the end, once."""
        if self._open_pipes or self._has_ended.is_set():
            return
        self._has_ended.set()
        text = exit_text(self._transport.get_returncode(), self._lived)
        self._sink.on_event(
            "exited",
            text,
            code=self._transport.get_returncode(),
            lived_seconds=round(self._lived, 3),
        )
        reason, hint = self._end_reason, self._end_hint
        self._error = (
            ConnectionLost(reason, hint=hint) if reason else ProcessExited(f"the process {text}")
        )
        self._sink.ended(self._error)


class _Pipe(asyncio.Protocol):
    """Delivers data in the turn in which it was read; the protocol of asyncio, which does everything else, needs another turn."""

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
