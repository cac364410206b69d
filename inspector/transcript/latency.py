"""How long requests took, by method and tool: counts, errors, percentiles, and the course over time. Live and on recordings.

Up to `EXACT` durations of one kind of request are kept and its percentiles are exact. Beyond that a histogram takes their place, whose buckets
grow by 2%: its percentiles are off by 1% at most, and `LatencyRow.is_exact` is False. Percentiles are by nearest rank: a duration that occurred.
"""

from __future__ import annotations

from array import array
from itertools import accumulate, compress
from math import ceil, log
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from inspector.transcript.exchange import STATUSES, Status
from inspector.transcript.index import DIRECTIONS
from inspector.transcript.spans.ended import NOT_ENDED, OpenRequests
from inspector.transcript.spans.track import REQUESTS, RESPONSES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.transcript.transcript import Transcript
    from inspector.wire.frame import Direction

EXACT = 4_096
"""Durations of one kind of request that are kept one by one."""
GROWTH = 1.02
"""Each bucket of a histogram is so much wider than the one before."""
SMALLEST_S = 1e-6
"""The first bucket ends here."""
BUCKETS = 1_400
"""Enough for twelve days."""
MAX_ROWS = 1_000
"""Kinds of requests that are counted apart; those beyond are one row."""
SLOTS = 60
"""Parts of the time in the course of a row."""
FIRST_SLOT_S = 0.05
"""Seconds of one part at first; doubled whenever all are used."""
CHUNK = 2_048
"""Frames that are processed between two looks at the clock."""

NAMED = frozenset({"tools/call", "prompts/get"})
"""Methods whose requests are counted apart by what they name. URIs are too many."""
ERRORS = frozenset(
    {
        Status.ERROR,
        Status.TOOL_ERROR,
        Status.INVALID_RESULT,
        Status.TIMED_OUT,
        Status.NO_RESPONSE,
    }
)
"""States that count as errors. What was cancelled does not."""
_MEASURED = frozenset(
    {Status.OK, Status.ERROR, Status.TOOL_ERROR, Status.INVALID_RESULT, Status.TIMED_OUT}
)
"""States whose time is measured: to the response, or to the moment when the wait for it ended. Without the latter the slowest of all would be missing."""
_LOG_GROWTH = log(GROWTH)


class Durations:
    """Durations in seconds, one by one or as a histogram."""

    def __init__(self) -> None:
        """Start without any."""
        self.count = 0
        self.max_s = 0.0
        self._exact: array[float] | None = array("d")
        self._is_sorted = True
        self._buckets: array[int] | None = None

    @property
    def is_exact(self) -> bool:
        """Whether percentiles are exact."""
        return self._buckets is None

    def add(self, seconds: float) -> None:
        """Take one more."""
        self.count += 1
        self.max_s = max(self.max_s, seconds)
        if self._buckets is not None:
            self._buckets[_bucket(seconds)] += 1
            return
        assert self._exact is not None
        self._exact.append(seconds)
        self._is_sorted = False
        if self.count > EXACT:
            self._buckets = array("I", bytes(4 * BUCKETS))
            for each in self._exact:
                self._buckets[_bucket(each)] += 1
            self._exact = None

    def percentile(self, share: float) -> float:
        """Return the duration that `share` of all do not exceed; 0 without any."""
        return self._ranked(max(ceil(share * self.count), 1))

    def slowest(self, share: float) -> float:
        """Return the shortest duration of the slowest `share` of all; the longest for a share of 0, 0 without any."""
        return self._ranked(self.count - max(int(share * self.count), 1) + 1)

    def _ranked(self, rank: int) -> float:
        if self._exact is not None:
            if not self._is_sorted:
                self._exact, self._is_sorted = array("d", sorted(self._exact)), True
            return self._exact[rank - 1] if self._exact else 0.0
        assert self._buckets is not None
        if rank == self.count:
            return self.max_s
        totals = accumulate(self._buckets)
        at = next(at for at, total in enumerate(totals) if total >= rank)
        return min(SMALLEST_S * GROWTH**at * 2 / (1 + GROWTH), self.max_s)


def _bucket(seconds: float) -> int:
    if seconds <= SMALLEST_S:
        return 0
    return min(ceil(log(seconds / SMALLEST_S) / _LOG_GROWTH), BUCKETS - 1)


class LatencyKey(NamedTuple):
    """One kind of request."""

    direction: Direction
    method: str
    """Empty for all kinds beyond `MAX_ROWS`."""
    name: str
    """The tool or prompt; empty for other methods."""


class LatencyRow:
    """The requests of one kind that have ended."""

    def __init__(self, key: LatencyKey) -> None:
        """Start without any."""
        self.key = key
        self.count = 0
        self.errors = 0
        self.cancelled = 0
        self.durations = Durations()
        """Of those with a response, and of those that timed out."""
        self.course = array("d", bytes(8 * SLOTS))
        """The longest duration by part of the time; see `LatencyStatistics.slot_s`."""

    @property
    def is_exact(self) -> bool:
        """Whether percentiles are exact."""
        return self.durations.is_exact


class LatencyStatistics:
    """All kinds of requests of one or several transcripts."""

    def __init__(self) -> None:
        """Start without any."""
        self.rows: dict[LatencyKey, LatencyRow] = {}
        self.slot_s = FIRST_SLOT_S
        """Seconds of one part of the course of each row."""
        self.started_s: float | None = None
        """When the first part begins, in seconds since 1970-01-01 UTC."""

    def row(self, key: LatencyKey) -> LatencyRow:
        """Return the row of a kind of request."""
        row = self.rows.get(key)
        if row is None:
            if len(self.rows) >= MAX_ROWS:
                key = LatencyKey(key.direction, "", "")
            row = self.rows.setdefault(key, LatencyRow(key))
        return row

    def add(self, row: LatencyRow, seconds: float | None, status: Status, at_s: float) -> None:
        """Count a request that began at `at_s` and took `seconds`; None without a response."""
        row.count += 1
        row.errors += status in ERRORS
        row.cancelled += status is Status.CANCELLED
        if seconds is None:
            return
        row.durations.add(seconds)
        if self.started_s is None:
            self.started_s = at_s
        slot = max(int((at_s - self.started_s) / self.slot_s), 0)
        while slot >= SLOTS:
            self._widen()
            slot //= 2
        row.course[slot] = max(row.course[slot], seconds)

    def _widen(self) -> None:
        self.slot_s *= 2
        for row in self.rows.values():
            pairs = zip(row.course[::2], row.course[1::2], strict=True)
            row.course = array("d", [*map(max, pairs), *[0.0] * (SLOTS - SLOTS // 2)])

    def by_slowness(self) -> list[LatencyRow]:
        """Return the rows, those with the highest p99 first."""
        return sorted(
            self.rows.values(), key=lambda row: row.durations.percentile(0.99), reverse=True
        )


class LatencyFeed:
    """Counts the requests of one transcript that have ended, in slices while frames are added."""

    def __init__(self, transcript: Transcript, statistics: LatencyStatistics) -> None:
        """Count into `statistics`; `advance` takes the frames."""
        self.transcript = transcript
        self.taken = 0
        """Frames that have been taken."""
        self._statistics = statistics
        self._open = OpenRequests(transcript)
        self._rows: dict[tuple[int, int, int], LatencyRow] = {}

    @property
    def is_complete(self) -> bool:
        """Whether all frames so far have been taken."""
        return self.taken >= self.transcript.count

    @property
    def is_waiting(self) -> bool:
        """Whether a request may end without a further frame."""
        return self.transcript.live and self._open.is_waiting

    def advance(self, until: float) -> bool:
        """Take frames until `time.perf_counter()` is past `until`; returns whether any request has ended."""
        counted = 0
        while not self.is_complete:
            counted += self._take(min(self.transcript.count, self.taken + CHUNK))
            if perf_counter() >= until:
                break
        return bool(counted + self._count(self._open.ended(())))

    def _take(self, stop: int) -> int:
        """Take the frames up to `stop`; returns how many requests have ended."""
        columns = self.transcript.columns
        first, self.taken = self.taken, stop
        kinds = columns.kind[first:stop].tobytes()
        numbers = range(first + 1, stop + 1)
        requests = list(compress(numbers, kinds.translate(REQUESTS)))
        status = columns.status
        open_now = {number for number in requests if status[number - 1] in NOT_ENDED}
        counted = self._count(number for number in requests if number not in open_now)
        counted += self._count(self._open.ended(compress(numbers, kinds.translate(RESPONSES))))
        self._open.add(number for number in requests if number in open_now)
        return counted

    def _count(self, requests: Iterable[int]) -> int:
        columns, counted = self.transcript.columns, 0
        for request in requests:
            at = request - 1
            if columns.request[at] != request:  # a later round: its exchange is counted as a whole
                continue
            key = (columns.direction[at], columns.method[at], columns.label[at])
            row = self._rows.get(key) or self._new_row(key)
            status = STATUSES[columns.status[at]]
            took = self.transcript.took_seconds(request) if status in _MEASURED else None
            self._statistics.add(row, took, status, columns.wall_s[at])
            counted += 1
        return counted

    def _new_row(self, key: tuple[int, int, int]) -> LatencyRow:
        columns = self.transcript.columns
        method = columns.methods.texts[key[1]]
        name = columns.labels.texts[key[2]] if method in NAMED else ""
        row = self._statistics.row(LatencyKey(DIRECTIONS[key[0]], method, name))
        if len(self._rows) < 2 * MAX_ROWS:
            self._rows[key] = row
        return row
