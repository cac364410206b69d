"""Small programs for the transports to start, and an ear that hears what they say."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.transport.command import ProcessSpec
from inspector.wire.frame import Channel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.errors import ConnectionLost, HttpStatus, InspectorError
    from inspector.wire.json_codec import Json
    from inspector.wire.line_splitter import RawChunk

ECHO = """
import sys
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
"""
"""Gives back every line."""

DEAF = """
import time
print("deaf", flush=True)
time.sleep(3600)
"""
"""Never reads its stdin, and ends when told to terminate."""

STUBBORN = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("stubborn", os.getpid(), flush=True)
time.sleep(3600)
"""
"""Says its process id; ends neither with its stdin nor when told to terminate."""

WRAPPER = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, "-I", "-S", "-c", {STUBBORN!r}], stdin=subprocess.DEVNULL)
sys.stdin.read()
child.wait()
"""
"""Starts a stubborn grandchild and waits for it."""


def python(code: str, *args: str, env: dict[str, str] | None = None) -> ProcessSpec:
    """How to start a program written in Python, quickly."""
    return ProcessSpec(
        sys.executable, ("-I", "-S", "-c", code, *args), {**os.environ, **(env or {})}, None
    )


def lives(pid: int) -> bool:
    """Whether a process runs; one that ended and was not waited for does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


class Ear:
    """A sink that keeps what it is told."""

    def __init__(self) -> None:
        self.waits = 0
        """How many times a transport waited until the sink was ready."""
        self._ready = asyncio.Event()
        self._ready.set()
        self.lines: list[tuple[Channel, RawChunk]] = []
        """Lines in the order in which they came."""
        self.notes: list[tuple[str, str]] = []
        """Events and words of the transport's remarks."""
        self.facts: list[dict[str, Json]] = []
        """What the remarks say besides."""
        self.ends: list[ConnectionLost] = []
        """Each end that was told; there must be one."""

        self.failures: list[tuple[int, InspectorError]] = []
        """Frames that could not be sent or answered, and why."""
        self.rests: dict[Channel, tuple[int, bytes, bytes]] = {}
        """Size, beginning and end of what is no line yet."""

    @property
    def is_congested(self) -> bool:
        """What was set last."""
        return not self._ready.is_set()

    @is_congested.setter
    def is_congested(self, value: bool) -> None:
        (self._ready.clear if value else self._ready.set)()

    async def ready(self) -> None:
        """Return when `is_congested` is False."""
        self.waits += self.is_congested
        await self._ready.wait()

    def sent(self, channel: Channel, lines: Sequence[RawChunk], stream: int) -> int:
        """Keep nothing."""
        return 0

    def is_pending(self, frame: int) -> bool:
        """Every request waits for ever."""
        return True

    def pause_timeouts(self) -> Callable[[], None]:
        """Blame nobody anyway."""
        return lambda: None

    def failed(self, frame: int, error: InspectorError) -> None:
        """Keep the failure."""
        self.failures.append((frame, error))

    def received(
        self,
        channel: Channel,
        lines: Sequence[RawChunk],
        stream: int = 0,
        http: HttpStatus | None = None,
    ) -> int:
        """Keep the lines."""
        self.lines += [(channel, line) for line in lines]
        return len(self.lines)

    def unfinished(
        self, channel: Channel, size: int, head: bytes = b"", tail: bytes = b"", stream: int = 0
    ) -> None:
        """Keep the latest of each channel."""
        self.rests[channel] = (size, head, tail)

    def on_event(self, event: str, text: str, **facts: Json) -> None:
        """Keep the remark."""
        self.notes.append((event, text))
        self.facts.append(facts)

    def ended(self, error: ConnectionLost) -> None:
        """Keep the end."""
        self.ends.append(error)

    def heard(self, channel: Channel = Channel.STDOUT) -> list[bytes]:
        """What came on one channel."""
        return [line.raw for where, line in self.lines if where is channel]

    @property
    def events(self) -> list[str]:
        """The remarks without their words."""
        return [event for event, _ in self.notes]


class Batches(Ear):
    """A sink that keeps how many lines came together, too."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []

    def received(
        self,
        channel: Channel,
        lines: Sequence[RawChunk],
        stream: int = 0,
        http: HttpStatus | None = None,
    ) -> int:
        """Keep the lines."""
        self.sizes.append(len(lines))
        return super().received(channel, lines, stream, http)
