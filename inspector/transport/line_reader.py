"""Cuts what one pipe or socket receives into lines for the sink: as many in a turn of the loop as time allows, none while the sink is congested."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING

from inspector.background_tasks import BackgroundTasks
from inspector.transport.large_messages import decode_aside, decode_at_once, undecoded
from inspector.wire.line_splitter import DEFAULT_LINE_BUDGET, LineSplitter

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.transport.base import Sink
    from inspector.wire.frame import Channel
    from inspector.wire.line_splitter import RawChunk

TURN_SECONDS = 0.008
"""How long lines are delivered in one turn of the loop: half a frame of a display."""

MAX_LINES_AT_ONCE = 250
"""Lines delivered before the clock is read again."""

MIN_LINES_AT_ONCE = 8
"""As many at the start, and where each line takes long: a line that is not JSON takes a hundred times as long as one that is."""

CHUNK_BYTES = 1 << 16
"""Bytes cut into lines at once."""

MAX_PIPE_BYTES = 1 << 20
"""What a pipe can hold: `/proc/sys/fs/pipe-max-size` on Linux, 64 KB elsewhere."""

LARGE_BYTES = 1 << 22
"""Size of a line whose joining and decoding fill a turn of the loop."""

VERY_LARGE_BYTES = 1 << 24
"""Size of a line that is joined in one turn and decoded in the next: each takes up to 1.5 ns a byte."""


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

        `on_endless` closes the connection, for the reason in its argument, when a line reaches twice the budget: up to there it may be a message that
        is only large, and the next one can be read. Without it a line that reaches the budget is split there, and nothing is lost.
        """
        self._sink = sink
        self._channel = channel
        self._budget = budget
        self._on_endless = on_endless
        # A line that is split may exceed the budget by one chunk, so that nothing is truncated.
        self._splitter = LineSplitter(budget if on_endless else budget + CHUNK_BYTES)
        self._pipe: asyncio.ReadTransport | None = None
        self._data: deque[bytes] = deque()
        self._lines: list[RawChunk] = []
        self._tasks = BackgroundTasks()
        self._next: asyncio.Handle | asyncio.Task[None] | asyncio.Future[RawChunk] | None = None
        """The next turn, the task that waits for the sink, or the line that is decoded; None when all data is delivered."""
        self._at_once = MIN_LINES_AT_ONCE
        self._on_finished: Callable[[], None] | None = None
        self._has_reported_rest = self._is_paused = self._is_decoding = self._has_joined = False
        """Joined: a very large line in the turn before, which is decoded in this one."""
        self._decodes_aside = True
        self._received = self._received_before = 0
        self._received_at_exit: int | None = None

    def is_drained(self) -> bool:
        """Return whether all data is delivered and none was received since the last call.

        First called when the process at the other end has exited: what is received after that is the rest that the pipe holds. More than a pipe can
        hold is the output of another process, and not waited for.
        """
        if self._received_at_exit is None:
            self._received_at_exit = self._received
        is_rest = self._received - self._received_at_exit < MAX_PIPE_BYTES
        has_more = self._received > self._received_before and is_rest
        self._received_before = self._received
        return self._next is None and not has_more

    def attach(self, pipe: asyncio.ReadTransport) -> None:
        """Read from `pipe` no faster than its lines are delivered."""
        self._pipe = pipe

    def feed(self, data: bytes) -> None:
        """Deliver the lines in `data`, now or in a later turn."""
        if self._on_finished is not None:
            return
        self._received += len(data)
        self._data.append(data)
        if self._next is None:
            self._deliver_for_a_turn()

    def finish(self, on_finished: Callable[[], None]) -> None:
        """Deliver all that is left, a part in each turn of the loop and even to a congested sink; then call `on_finished`.

        The stream has ended, and nothing more is read. Only the first call counts.
        """
        if self._on_finished is not None:
            return
        self._on_finished = on_finished
        if self._is_decoding:
            return  # what is decoded comes first
        if self._next is not None:
            self._next.cancel()
        self._deliver_for_a_turn()

    def stop_decoding(self) -> None:
        """Deliver large lines undecoded from now on, where decoding them takes long: the connection is closed, and its end does not wait."""
        self._decodes_aside = False
        if self._is_decoding and self._next is not None:
            self._next.cancel()

    def _deliver_for_a_turn(self) -> None:
        """Deliver for `TURN_SECONDS`; then let the loop run."""
        self._next = None
        if self._is_paused and self._is_held_up():
            self._wait_for_sink()
            return
        until = time.perf_counter() + TURN_SECONDS
        was_ready = False
        while self._cut():
            self._deliver_some()
            if self._is_held_up():
                self._wait_for_sink()
                return
            was_ready = True
            if not self._lines and not self._data:
                break
            if time.perf_counter() > until:
                self._continue_next_turn()
                return
        if self._next is None:
            self._on_all_delivered(was_ready=was_ready)

    def _on_all_delivered(self, *, was_ready: bool) -> None:
        """Read on; `was_ready`: the sink was not congested after the last line, and is not asked a second time."""
        if self._on_finished is not None:
            self._lines = self._splitter.finish()
            if self._decodes_first_line():
                return  # and come back, with nothing left in the splitter
            self._deliver(len(self._lines))
            self._report_rest()
            self._on_finished()
            return
        self._report_rest()
        if not was_ready and self._is_held_up():
            self._wait_for_sink()
        elif self._is_paused and self._pipe is not None:
            self._is_paused = False
            self._pipe.resume_reading()

    def _is_held_up(self) -> bool:
        return self._on_finished is None and self._sink.is_congested

    def _cut(self) -> bool:
        """Cut the next chunk that has lines; return whether there are lines to deliver in this turn."""
        if self._has_joined and self._decodes_first_line():
            return False
        while not self._lines and self._data:
            data = self._data.popleft()
            if len(data) > CHUNK_BYTES:
                self._data.appendleft(data[CHUNK_BYTES:])
                data = data[:CHUNK_BYTES]
            self._lines = self._splitter.feed(data)
            self._check_length()
            if self._decodes_first_line():
                return False
        return bool(self._lines)

    def _decodes_first_line(self) -> bool:
        """Decode the first line if it is large, as no other is; return whether it can be delivered in a later turn only."""
        if not self._lines:
            return False
        self._has_joined = not self._has_joined and len(self._lines[0].raw) > VERY_LARGE_BYTES
        if self._has_joined:
            self._continue_next_turn()
            return True
        decoded = decode_at_once(self._lines[0], self._channel)
        if decoded is None and self._decodes_aside:
            self._pause_reading()
            self._is_decoding = True
            self._next = decode_aside(self._lines[0], self._channel, self._sink)
            self._next.add_done_callback(self._on_decoded)
            return True
        decoded = decoded or undecoded(self._lines[0], self._channel)
        self._lines[0] = decoded
        if len(decoded.raw) > LARGE_BYTES:
            self._continue_next_turn()  # joining it took this turn
            return True
        return False

    def _on_decoded(self, line: asyncio.Future[RawChunk]) -> None:
        first = self._lines[0]
        self._lines[0] = undecoded(first, self._channel) if line.cancelled() else line.result()
        self._is_decoding = False
        self._deliver_for_a_turn()

    def _deliver_some(self) -> None:
        """Deliver as many lines as take about a quarter of the turn, estimated from the last ones."""
        if len(self._lines) <= MIN_LINES_AT_ONCE:
            # As with every single response: measuring would cost more than it tells about later lines.
            self._at_once = MIN_LINES_AT_ONCE
            self._deliver(len(self._lines))
            return
        count = min(self._at_once, len(self._lines))
        began = time.perf_counter()
        self._deliver(count)
        took = max(time.perf_counter() - began, 1e-9)
        fitting = int(count * TURN_SECONDS / 4 / took)
        self._at_once = max(MIN_LINES_AT_ONCE, min(fitting, 2 * self._at_once, MAX_LINES_AT_ONCE))

    def _deliver(self, count: int) -> None:
        lines, self._lines = self._lines, []
        if len(lines) > count:
            lines, self._lines = lines[:count], lines[count:]
        if lines:
            if self._has_reported_rest:
                self._has_reported_rest = False
                self._sink.unfinished(self._channel, 0)
            self._sink.received(self._channel, lines)

    def _check_length(self) -> None:
        held = self._splitter.held
        if held < self._budget:
            return
        if self._on_endless is None:
            self._lines += self._splitter.break_off()
        elif held >= 2 * self._budget:
            self._on_endless(f"the server sent a line of more than {_size_text(self._budget)}")

    def _report_rest(self) -> None:
        """Report what has no newline yet."""
        splitter = self._splitter
        if splitter.held:
            self._has_reported_rest = True
            self._sink.unfinished(self._channel, splitter.held, splitter.head, splitter.tail)
        elif self._has_reported_rest:
            self._has_reported_rest = False
            self._sink.unfinished(self._channel, 0)

    def _wait_for_sink(self) -> None:
        self._pause_reading()
        self._next = self._tasks.spawn(self._deliver_when_ready(), name="wait for the transcript")

    async def _deliver_when_ready(self) -> None:
        await self._sink.ready()
        self._deliver_for_a_turn()

    def _continue_next_turn(self) -> None:
        self._pause_reading()
        self._next = asyncio.get_running_loop().call_soon(self._deliver_for_a_turn)

    def _pause_reading(self) -> None:
        if self._pipe is not None and not self._is_paused and self._on_finished is None:
            self._is_paused = True
            self._pipe.pause_reading()


def _size_text(count: int) -> str:
    return f"{count >> 20} MB" if count >> 20 else f"{count:,} bytes"
