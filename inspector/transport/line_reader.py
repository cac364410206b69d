"""From what one pipe or socket brings to lines for the sink: as many a turn of the loop as time allows, and none while the record is behind."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING

from inspector.wire.lines import DEFAULT_LINE_BUDGET, LineSplitter

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.transport.base import Sink
    from inspector.wire.frame import Channel
    from inspector.wire.lines import Line

TURN_SECONDS = 0.008
"""How long lines are handed on in one turn of the loop."""

MAX_LINES_AT_ONCE = 250
"""Most lines handed on between two looks at the clock."""

MIN_LINES_AT_ONCE = 8
"""As many to begin with, and where each takes long: what is no JSON takes a hundred times as long as what is."""

CHUNK_BYTES = 1 << 16
"""Bytes cut into lines at once."""

RESUME_SECONDS = 0.005
"""How soon reading is tried again while the record is behind."""

MAX_PIPE_BYTES = 1 << 20
"""What a pipe can hold at most, on the systems we know."""

LARGE_BYTES = 1 << 22
"""Bytes of a line whose putting together fills a turn of the loop."""


class LineReader:
    """Reads the lines of one channel."""

    def __init__(
        self,
        sink: Sink,
        channel: Channel,
        budget: int = DEFAULT_LINE_BUDGET,
        *,
        on_endless: Callable[[str], None] | None = None,
    ) -> None:
        """Keep at most `budget` bytes of a line.

        `on_endless` ends the connection, for the reason in its argument, when a line goes on to twice the budget: up to there it may be a message that
        is only large, and the next one can be read. Without it a line that reaches the budget is broken off there, and nothing is lost.
        """
        self._sink = sink
        self._channel = channel
        self._budget = budget
        self._on_endless = on_endless
        # What is broken off goes over the budget by one chunk at most; nothing of it is cut.
        self._splitter = LineSplitter(budget if on_endless else budget + CHUNK_BYTES)
        self._pipe: asyncio.ReadTransport | None = None
        self._data: deque[bytes] = deque()
        self._lines: list[Line] = []
        self._again: asyncio.Handle | None = None
        self._at_once = MIN_LINES_AT_ONCE
        self._then: Callable[[], None] | None = None
        self._told = self._paused = False
        self._taken = self._seen = 0
        self._first_seen: int | None = None

    def is_quiet(self) -> bool:
        """Whether all that came is handed on, and nothing came since this was asked last.

        First asked when the process at the other end is gone: what comes after that is the rest that the pipe holds. More than a pipe can hold is the
        output of another process, and not waited for.
        """
        first = self._first_seen = self._taken if self._first_seen is None else self._first_seen
        comes = self._taken > self._seen and self._taken - first < MAX_PIPE_BYTES
        self._seen = self._taken
        return self._again is None and not comes

    def attach(self, pipe: asyncio.ReadTransport) -> None:
        """Read from `pipe` no faster than its lines can be taken."""
        self._pipe = pipe

    def feed(self, data: bytes) -> None:
        """Take what came."""
        if self._then is not None:
            return
        self._taken += len(data)
        self._data.append(data)
        if self._again is None:
            self._hand_on()

    def finish(self, then: Callable[[], None]) -> None:
        """Hand on all that is left, as much a turn of the loop as time allows and even while the record is behind; then call `then`.

        The stream is over, and nothing more is taken. May be called again: only the first call counts.
        """
        if self._then is not None:
            return
        self._then = then
        if self._again is not None:
            self._again.cancel()
        self._hand_on()

    def _hand_on(self) -> None:
        """Hand on for a while; then let the loop do something else."""
        self._again = None
        if self._paused and self._is_held_up():
            self._pause(RESUME_SECONDS)
            return
        until = time.perf_counter() + TURN_SECONDS
        while self._cut():
            self._deliver_some()
            if self._is_held_up():
                self._pause(RESUME_SECONDS)
                return
            if not self._lines and not self._data:
                break
            if time.perf_counter() > until:
                self._pause(0)
                return
        if self._again is None:
            self._on_all_handed_on()

    def _on_all_handed_on(self) -> None:
        if self._then is not None:
            self._lines = self._splitter.finish()
            self._deliver(len(self._lines))
            self._tell_rest()
            self._then()
            return
        self._tell_rest()
        if self._is_held_up():
            self._pause(RESUME_SECONDS)
        elif self._paused and self._pipe is not None:
            self._paused = False
            self._pipe.resume_reading()

    def _is_held_up(self) -> bool:
        return self._then is None and self._sink.is_congested

    def _cut(self) -> bool:
        """Whether there are lines to hand on, after cutting the next chunk that holds some."""
        while not self._lines and self._data:
            data = self._data.popleft()
            if len(data) > CHUNK_BYTES:
                self._data.appendleft(data[CHUNK_BYTES:])
                data = data[:CHUNK_BYTES]
            self._lines = self._splitter.feed(data)
            self._look_at_length()
            if self._lines and len(self._lines[0].raw) > LARGE_BYTES:
                self._pause(0)  # putting it together took this turn
                return False
        return bool(self._lines)

    def _deliver_some(self) -> None:
        """Hand on as many as take about a quarter of the turn, as far as the last ones tell."""
        count = min(self._at_once, len(self._lines))
        began = time.perf_counter()
        self._deliver(count)
        took = max(time.perf_counter() - began, 1e-9)
        fitting = int(count * TURN_SECONDS / 4 / took)
        self._at_once = max(MIN_LINES_AT_ONCE, min(fitting, 2 * self._at_once, MAX_LINES_AT_ONCE))

    def _deliver(self, most: int) -> None:
        lines, self._lines = self._lines, []
        if len(lines) > most:
            lines, self._lines = lines[:most], lines[most:]
        if lines:
            if self._told:
                self._told = False
                self._sink.unfinished(self._channel, 0)
            self._sink.received(self._channel, lines)

    def _look_at_length(self) -> None:
        held = self._splitter.held
        if held < self._budget:
            return
        if self._on_endless is None:
            self._lines += self._splitter.break_off()
        elif held >= 2 * self._budget:
            self._on_endless(f"the server sent a line of more than {_size(self._budget)}")

    def _tell_rest(self) -> None:
        """Let it be known what waits for its newline."""
        splitter = self._splitter
        if splitter.held:
            self._told = True
            self._sink.unfinished(self._channel, splitter.held, splitter.head, splitter.tail)
        elif self._told:
            self._told = False
            self._sink.unfinished(self._channel, 0)

    def _pause(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        if self._pipe is not None and not self._paused and self._then is None:
            self._paused = True
            self._pipe.pause_reading()
        self._again = (
            loop.call_later(seconds, self._hand_on) if seconds else loop.call_soon(self._hand_on)
        )


def _size(count: int) -> str:
    return f"{count >> 20} MB" if count >> 20 else f"{count:,} bytes"
