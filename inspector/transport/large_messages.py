"""Large messages, decoded before they are recorded: what is JSON only with a tolerance takes up to 700 ns a byte, so a thread decodes it.

A number that JSON has not, or one byte that is not UTF-8, is enough for that. The event loop runs in between (`wire.tolerant_json`), except while one
call looks at all of the text, at some nanoseconds a byte. There is one thread for all connections: two messages at a time would take twice the
memory, and no less time. Nothing waits for what it still works on: a transport that closes cancels the future and records the bytes as they are,
not decoded. While a message is decoded, the server waits for Spyglass, so no limit of a request runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from threading import Lock, Thread
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from inspector.wire.frame import Channel, FrameDefect
from inspector.wire.message import (
    NO_MESSAGE_CHANNELS,
    Message,
    MessageKind,
    decode_frame,
    plain_data,
    read_plain,
    read_undecoded,
)

if TYPE_CHECKING:
    from inspector.transport.base import Sink
    from inspector.wire.line_splitter import RawChunk

LARGE_BYTES = 1 << 16
"""Size from which a message is decoded so: the loop takes 20 ms for it at most."""


def decode_at_once(chunk: RawChunk, channel: Channel) -> RawChunk | None:
    """Return a chunk, with its message if it is large; None if only `decode_aside` may decode it."""
    raw, flaw = chunk.raw, chunk.flaw
    is_small = len(raw) < LARGE_BYTES or bool(flaw & FrameDefect.TRUNCATED)
    if is_small or chunk.message is not None or channel in NO_MESSAGE_CHANNELS:
        return chunk
    message = read_plain(plain_data(raw) if channel is Channel.SSE else raw)
    return None if message is None else replace(chunk, message=message)


def decode_aside(chunk: RawChunk, channel: Channel, sink: Sink) -> asyncio.Future[RawChunk]:
    """Return the future chunk with its message, which the thread decodes; it is `undecoded` if that fails."""
    done: asyncio.Future[RawChunk] = asyncio.get_running_loop().create_future()
    resume = sink.pause_timeouts()
    done.add_done_callback(lambda _: resume())
    _THREAD.add(_Job(chunk, channel, done, time.monotonic()))
    return done


async def decode(chunk: RawChunk, channel: Channel, sink: Sink) -> RawChunk:
    """Return a chunk, with its message if it is large."""
    return decode_at_once(chunk, channel) or await decode_aside(chunk, channel, sink)


def undecoded(chunk: RawChunk, channel: Channel) -> RawChunk:
    """Return a chunk that is not decoded, neither now nor when it is shown."""
    message = read_undecoded(chunk.raw, channel)
    return replace(chunk, flaw=chunk.flaw | FrameDefect.UNDECODED, message=message)


class _Job(NamedTuple):
    """One message for the thread."""

    chunk: RawChunk
    channel: Channel
    done: asyncio.Future[RawChunk]
    since: float
    """When its bytes were complete, in monotonic seconds."""


class _Thread:
    """Decodes one message after the other; no end of a loop or of the program waits for it."""

    def __init__(self) -> None:
        self._jobs: deque[_Job] = deque()
        self._lock = Lock()
        self._is_running = False

    def add(self, job: _Job) -> None:
        with self._lock:
            self._jobs.append(job)
            if self._is_running:
                return
            self._is_running = True
        Thread(target=self._run, name="decode large messages", daemon=True).start()

    def _run(self) -> None:
        while (job := self._next()) is not None:
            _do(job)
            del job  # with its message, before the next one is decoded

    def _next(self) -> _Job | None:
        with self._lock:
            self._is_running = bool(self._jobs)
            return self._jobs.popleft() if self._jobs else None


_THREAD = _Thread()


def _do(job: _Job) -> None:
    if job.done.done():
        return
    try:
        message = _decode(job.chunk, job.channel)
    except Exception:  # noqa: BLE001 - also `MemoryError`: the bytes are shown, and reading goes on
        message = None
    with contextlib.suppress(RuntimeError):  # the loop was closed
        job.done.get_loop().call_soon_threadsafe(_finish, job, message)


def _finish(job: _Job, message: Message | None) -> None:
    if job.done.done():
        return
    chunk = replace(job.chunk, held_s=time.monotonic() - job.since)
    is_decoded = message is not None
    job.done.set_result(
        replace(chunk, message=message) if is_decoded else undecoded(chunk, job.channel)
    )


def _decode(chunk: RawChunk, channel: Channel) -> Message:
    message = decode_frame(channel, chunk.raw, chunk.flaw)
    if message.kind is MessageKind.BATCH:
        message.within = tuple(message.members)
    return message
