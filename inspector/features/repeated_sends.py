"""Sending one message many times: several at once, with pauses or at a rate, and how long the responses took.

The messages are in the transcript; here are counts and durations alone. A run ends when all are sent and answered, when the user stops it, when the
connection ends, and at a limit in bytes. It owns its tasks: when `run` returns or is cancelled, none is left.
"""

from __future__ import annotations

import asyncio
import re
from array import array
from bisect import bisect_right, insort
from collections import Counter
from math import ceil, exp, floor, log
from typing import TYPE_CHECKING

from inspector.background_tasks import TurnQueue
from inspector.errors import InspectorError
from inspector.event import Event
from inspector.frozen import FrozenStruct
from inspector.transcript.exchange import Status
from inspector.transcript.filter.parser import quoted
from inspector.transcript.filter.quantities import run_number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.session.session import Session

MAX_COUNT = 10_000
"""Sends of one run."""

MAX_PARALLEL = 64
"""Requests of one run that are pending at once."""

MAX_DELAY_S = 600.0
"""The longest pause."""

MAX_RATE = 1_000.0
"""Sends per second."""

MAX_BYTES = 256_000_000
"""What one run may send and receive: all of it is recorded."""

BARS = 15
"""Bars of a histogram."""

SLOW_BARS = 2
"""Those of them that are for what took longer than 99%, if anything did."""

WIDE = 4.0
"""When the longest duration is so many times the shortest, each bar is wider than the one before by a factor, else by nothing."""

ROUNDING = 1e-4
"""Microseconds by which floating-point numbers may be wrong."""

WATCH_S = 0.5
"""Time between two looks for requests that had no response in time."""

_PACE = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|min|/\s*s|)")
_UNITS = {"": 0.001, "ms": 0.001, "s": 1.0, "min": 60.0}


class Pace(FrozenStruct, frozen=True):
    """How long is waited between two sends; nothing for neither."""

    delay_s: float = 0.0
    """The pause from a response to the next send in its place."""
    per_second: float = 0.0
    """The rate at which sends start; 0 for any."""


def read_count(text: str, highest: int) -> int | None:
    """Read a number from 1 to `highest`, such as `10,000`; None for anything else."""
    digits = text.strip().replace(",", "")
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= len(str(highest))
    return int(digits) if is_number and 1 <= int(digits) <= highest else None


def read_pace(text: str) -> Pace | None:
    """Read a pause such as `250 ms`, or a rate such as `20/s`; None for anything else."""
    found = _PACE.fullmatch(text.strip().lower())
    if found is None:
        return None
    amount, unit = float(found[1]), "".join(found[2].split())
    if unit == "/s":
        return Pace(per_second=amount) if 0 < amount <= MAX_RATE else None
    delay_s = amount * _UNITS[unit]
    return Pace(delay_s=delay_s) if delay_s <= MAX_DELAY_S else None


class Plan(FrozenStruct, frozen=True):
    """What is to be done."""

    count: int
    """From 1 to `MAX_COUNT`."""
    parallel: int = 1
    """From 1 to `MAX_PARALLEL`."""
    pace: Pace = Pace()


class RepeatedSends:
    """One run."""

    def __init__(self, session: Session, plan: Plan, text_of: Callable[[int], str]) -> None:
        """Send over the connection of `session` what `text_of` returns for the numbers from 0."""
        self.plan = plan
        self.changed: Event[()] = Event()
        self.sent = 0
        self.statuses: Counter[Status] = Counter()
        """The states of the requests that have ended; `Status.NONE` for messages that get no response."""
        self.durations = array("d")
        """Seconds to the responses, in ascending order."""
        self.is_running = True
        """Whether it has not ended yet."""
        self.is_stopped = False
        """Whether the user ended it."""
        self.reason = ""
        """Why it ended early; empty if all were sent, and if the user ended it."""
        self.frames = (0, 0)
        """The first frame, and the last one when the run ended."""
        self.transcript = session.transcript
        self._session = session
        self._text_of = text_of
        self._started = 0
        self._bytes = 0
        self._next_at = 0.0
        self._turns = TurnQueue()
        self._tasks: list[asyncio.Task[None]] = []
        self._pending: dict[int, tuple[asyncio.Future[None], float]] = {}
        """By frame: completed with the response, and when it was sent on the loop's clock."""

    @property
    def finished(self) -> int:
        """How many have ended."""
        return self.statuses.total()

    def stop(self) -> None:
        """Send nothing more, and wait for no response; `run` returns soon."""
        self.is_stopped = True
        self._cancel()

    async def run(self) -> None:
        """Send until all is done. Called once."""
        transcript, session = self.transcript, self._session
        self.frames = (transcript.count + 1, 0)
        unsubscribe = (
            transcript.appended.subscribe(self._on_appended),
            session.peer.ended_event.subscribe(self._on_ended),
        )
        try:
            async with asyncio.TaskGroup() as group:
                places = range(min(self.plan.parallel, self.plan.count))
                self._tasks = [
                    group.create_task(self._send_in_turn(), name=f"repeat {at}") for at in places
                ]
                watch = group.create_task(self._watch(), name="watch repeated requests")
                if self.is_stopped:
                    self._cancel()
                await asyncio.wait(self._tasks)
                watch.cancel()
        finally:
            for each in unsubscribe:
                each()
            self._tasks.clear()
            for frame in self._pending:
                if transcript.status(frame) is not Status.PENDING:
                    self._count(frame)
            self._pending.clear()
            self.is_running, self.frames = False, (self.frames[0], transcript.count)
            self.changed.fire()

    async def _send_in_turn(self) -> None:
        while self._started < self.plan.count:
            number = self._started
            self._started += 1
            await self._wait_for_rate()
            await self._turns.turn()
            raw = self._text_of(number).encode("utf-8", "surrogatepass")
            self._bytes += len(raw)
            try:
                frame = await self._session.peer.send_raw(raw)
            except InspectorError as error:
                self._end(error.reason)
                return
            self.sent += 1
            self.changed.fire()
            await self._wait_for_response(frame)
            if self._bytes > MAX_BYTES:
                self._end(f"limit of {MAX_BYTES // 1_000_000} MB reached")
                return
            if self.plan.pace.delay_s and self._started < self.plan.count:
                await asyncio.sleep(self.plan.pace.delay_s)

    async def _wait_for_rate(self) -> None:
        """Wait until the rate allows another send."""
        if not self.plan.pace.per_second:
            return
        now = asyncio.get_running_loop().time()
        at = max(self._next_at, now)
        self._next_at = at + 1 / self.plan.pace.per_second
        if at > now:
            await asyncio.sleep(at - now)

    async def _wait_for_response(self, frame: int) -> None:
        if self.transcript.status(frame) is Status.PENDING:
            loop = asyncio.get_running_loop()
            future = loop.create_future()
            self._pending[frame] = (future, loop.time())
            await future
            del self._pending[frame]
        self._count(frame)

    def _count(self, frame: int) -> None:
        columns, status = self.transcript.columns, self.transcript.status(frame)
        self.statuses[status] += 1
        response = columns.response[frame - 1] if status is not Status.NONE else 0
        if response and status is not Status.PENDING:
            self._bytes += columns.size[response - 1]
            insort(self.durations, self.transcript.took_seconds(frame) or 0.0)
        self.changed.fire()

    def _on_appended(self) -> None:
        for frame, (future, _) in tuple(self._pending.items()):
            if not future.done() and self.transcript.status(frame) is not Status.PENDING:
                future.set_result(None)

    async def _watch(self) -> None:
        """Go on without responses that are not received in time. One timer for all: those that are cancelled last until their time."""
        limit, loop = self._session.timeouts.idle_seconds, asyncio.get_running_loop()
        while True:
            await asyncio.sleep(min(WATCH_S, limit))
            for future, sent_at in tuple(self._pending.values()):
                if not future.done() and loop.time() - sent_at >= limit:
                    future.set_result(None)

    def _on_ended(self) -> None:
        error = self._session.peer.ended_with
        self._end(error.reason if error is not None else "disconnected")

    def _end(self, reason: str) -> None:
        self.reason = self.reason or reason
        self._cancel()

    def _cancel(self) -> None:
        for task in self._tasks:
            task.cancel()

    def slow_count(self, seconds: float) -> int:
        """Return how many responses took longer."""
        return len(self.durations) - bisect_right(self.durations, seconds)

    def terms(self, min_s: float | None = None, below_s: float | None = None) -> str:
        """Return the filter for the requests of this run and their responses; those that took at least so long, and less than so long."""
        columns, (first, last) = self.transcript.columns, self.frames
        method = columns.methods.texts[columns.method[first - 1]] if last >= first > 0 else ""
        found = [f"method:{quoted(method)}"] if method else []
        found += [f"number:>={first}", f"number:<={last or self.transcript.count}"]
        if (run := run_number(self.transcript)) > 1:
            found.append(f"run:{run}")
        if min_s is not None:
            found.append(f"duration:>={_milliseconds(min_s)}")
        if below_s is not None:
            found.append(f"duration:<{_milliseconds(below_s)}")
        return " ".join(found)


def _milliseconds(seconds: float) -> str:
    return f"{round(seconds * 1e6) / 1000:.3f}".rstrip("0").rstrip(".") + "ms"


class Bar(FrozenStruct, frozen=True):
    """One bar of a histogram."""

    first_s: float
    """The shortest duration that belongs to it."""
    end_s: float
    """All of them are below."""
    count: int


class Histogram(FrozenStruct, frozen=True):
    """Durations by length."""

    bars: tuple[Bar, ...] = ()
    percentiles: tuple[tuple[str, float], ...] = ()
    """p50, p95 and p99 in seconds, by nearest rank: durations that occurred."""

    @property
    def p99_s(self) -> float:
        """The duration that 99% do not exceed."""
        return dict(self.percentiles).get("p99", 0.0)

    def position(self, seconds: float) -> float:
        """Return where a duration is from the left edge, in bars."""
        for at, bar in enumerate(self.bars):
            if seconds < bar.end_s:
                return at + max(seconds - bar.first_s, 0.0) / (bar.end_s - bar.first_s)
        return float(len(self.bars))


def histogram(durations: Sequence[float], bars: int = BARS) -> Histogram:
    """Return the histogram of durations in ascending order; without any, one without bars."""
    if not durations:
        return Histogram()
    ranks = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    percentiles = tuple(
        (name, durations[max(ceil(share * len(durations)), 1) - 1]) for name, share in ranks.items()
    )
    p99_s = percentiles[-1][1]
    if durations[-1] > p99_s:
        usual = _edges(durations[0], p99_s, bars - SLOW_BARS)
        edges = [*usual[:-1], *_edges(usual[-1], durations[-1], SLOW_BARS)]
    else:
        edges = _edges(durations[0], p99_s, bars)
    counts = [0] * bars
    for each in durations:
        counts[min(max(bisect_right(edges, each) - 1, 0), bars - 1)] += 1
    found = zip(edges, edges[1:], counts, strict=False)
    return Histogram(tuple(Bar(*each) for each in found), percentiles)


def _edges(min_s: float, max_s: float, bars: int) -> list[float]:
    """Return where bars begin, and the end of the last one, in whole microseconds."""
    low, high = (floor(each * 1e6 + ROUNDING) for each in (min_s, max_s))
    high = max(high + 1, low + bars)
    if low > 0 and high / low >= WIDE:
        step = log(high / low) / bars
        edges = [round(low * exp(at * step)) for at in range(bars + 1)]
    else:
        edges = [low + round(at * (high - low) / bars) for at in range(bars + 1)]
    for at in range(1, bars + 1):
        edges[at] = max(edges[at], edges[at - 1] + 1)
    return [each / 1e6 for each in edges]
