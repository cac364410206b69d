"""How the time of an operation divides, as far as the frames show it.

total     from the click, which is the time of the request's frame, to the response, or to the moment when the request was given up; of an
          operation that created a task, to the response with the end of the task.
queue     before the request that got the response was written: waiting for a connection and making it, an authorization, attempts that were
          refused or redirected, pauses before a retry. Over HTTP alone; a pipe takes a request at once.
network   receiving the response: from its header block to its end. Known for HTTP responses with a JSON body; in an event stream and in a
          pipe it cannot be told from the time of the server.
user      while a request of the server (sampling, elicitation), or a result that required input, had no response; counted once where several
          waited. Responses by a rule of Spyglass count too: the server waited just as long.
server    the rest. Over a network the way to the server and back is in it: one clock alone cannot tell them apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.frozen import FrozenStruct
from inspector.transcript.exchange import Status, response_in
from inspector.wire.frame import HTTP_CHANNELS, Channel, Direction

if TYPE_CHECKING:
    from inspector.transcript.exchange import Exchange, Round
    from inspector.transcript.index import Columns
    from inspector.transcript.operation_rows import OperationRows
    from inspector.transcript.transcript import Transcript

_TASK_ENDED = frozenset({"completed", "failed", "cancelled"})
_HTTP_CHANNELS = frozenset({*HTTP_CHANNELS, Channel.BODY, Channel.SSE})
_GOING_ON = frozenset({Status.PENDING, Status.OPEN, Status.INPUT_REQUIRED})
MAX_HTTP_FRAMES = 2000
"""Frames of an HTTP exchange that are searched for the header block of its response."""


class TimeSplit(FrozenStruct, frozen=True):
    """The time of one operation, in seconds."""

    total: float
    """To its end, or until now."""
    server: float
    user: float
    queue: float | None
    """None if it is not measured."""
    network: float | None
    """None if it is not measured."""
    is_running: bool
    """Whether it has not ended."""
    waits_for_user: bool
    """Whether it waits for the user now."""

    @property
    def parts(self) -> tuple[float, float, float, float]:
        """Queue, network, server, user; what is not measured is 0."""
        return self.queue or 0.0, self.network or 0.0, self.server, self.user


class Outcome(FrozenStruct, frozen=True):
    """How an operation ended, or that it has not."""

    status: Status
    """Of the request; of one that created a task, of that."""
    end: int
    """The frame with which it ended; 0 while it goes on, or when that is not known."""
    response: int
    """The frame that has its result; 0 without one."""


def outcome_of(rows: OperationRows, request: int) -> Outcome:
    """Return the outcome of the operation `request`.

    A request without a response in a transcript that is over is unanswered (`Status.NO_RESPONSE`).
    """
    transcript = rows.transcript
    columns, status = transcript.columns, transcript.status(request)
    response = columns.response[request - 1]
    if polls := rows.polls.get(request):
        return _task_outcome(rows, polls, response)
    if status in _GOING_ON:
        is_over = not transcript.live
        return Outcome(Status.NO_RESPONSE if is_over and status is Status.PENDING else status, 0, 0)
    given_up = 0
    if not response or status in {Status.CANCELLED, Status.TIMED_OUT, Status.NO_RESPONSE}:
        exchange = _exchange(transcript, request)
        given_up = exchange.given_up_at if exchange is not None else 0
    return Outcome(status, given_up or response, response)


def _task_outcome(rows: OperationRows, polls: list[int], created: int) -> Outcome:
    """Return the outcome of a task; `created` is the response that created it."""
    transcript = rows.transcript
    columns = transcript.columns
    for poll in reversed(polls):
        response = columns.response[poll - 1]
        if not response:
            continue
        method = columns.methods.texts[columns.method[poll - 1]]
        if method == "tasks/result":
            return Outcome(transcript.status(poll), response, response)
        state = _task_state(transcript, response)
        if state in _TASK_ENDED:
            status = {"failed": Status.ERROR, "cancelled": Status.CANCELLED}.get(state, Status.OK)
            return Outcome(status, response, response)
        break
    is_over = not transcript.live or transcript.status(polls[-1]) is Status.NO_RESPONSE
    return Outcome(Status.NO_RESPONSE if is_over else Status.PENDING, 0, created)


def _task_state(transcript: Transcript, response: int) -> str:
    try:
        result = response_in(transcript, response).result
    except StorageError:
        return ""
    status = result.get("status") if isinstance(result, dict) else None
    return status if isinstance(status, str) else ""


def _exchange(transcript: Transcript, request: int) -> Exchange | None:
    try:
        return transcript.exchange(request)
    except StorageError:
        return None


def time_split(rows: OperationRows, request: int, now: float) -> TimeSplit | None:
    """Return how the time of the operation `request` divides; None if its end is not known, or for an open subscription.

    `now` is in monotonic seconds of the transcript's clock.
    """
    transcript = rows.transcript
    columns, outcome = transcript.columns, outcome_of(rows, request)
    exchange = _exchange(transcript, request)
    is_running = not outcome.end and transcript.live and outcome.status is not Status.NO_RESPONSE
    if outcome.status is Status.OPEN or exchange is None or not (outcome.end or is_running):
        return None
    start = columns.monotonic_s[request - 1]
    end = columns.monotonic_s[outcome.end - 1] if outcome.end else now
    total = max(end - start, 0.0)
    waits = _user_waits(rows, exchange, end)
    user = min(_union(waits, start, end), total)
    is_http = columns.channel[request - 1] in _HTTP_CHANNELS
    queue = _queue(rows, exchange) if is_http else None
    network = _receiving(columns, exchange.rounds) if is_http else None
    server = max(total - user - (queue or 0.0) - (network or 0.0), 0.0)
    waits_for_user = is_running and any(stop is None for _start, stop in waits)
    return TimeSplit(total, server, user, queue, network, is_running, waits_for_user)


def _user_waits(
    rows: OperationRows, exchange: Exchange, end: float
) -> list[tuple[float, float | None]]:
    """Return from when to when the operation waited for the user; None for one that has not ended."""
    columns = rows.transcript.columns
    waits: list[tuple[float, float | None]] = []
    for request in rows.user_requests.get(exchange.request, ()):
        seconds = rows.transcript.took_seconds(request)
        start = columns.monotonic_s[request - 1]
        waits.append((start, None if seconds is None else start + seconds))
    for at, each in enumerate(exchange.rounds):
        if each.ended_at is None or each.request in rows.pauses:
            continue
        if at + 1 < len(exchange.rounds):
            waits.append((each.ended_at, exchange.rounds[at + 1].started_at))
        elif exchange.status is Status.INPUT_REQUIRED:
            waits.append((each.ended_at, None))
        elif exchange.given_up_at and each.ended_at < end:
            waits.append((each.ended_at, end))
    return waits


def _union(waits: list[tuple[float, float | None]], start: float, end: float) -> float:
    """Return the seconds from `start` to `end` that are in any of the spans; one without an end goes on."""
    total, reached = 0.0, start
    for since, until in sorted(waits, key=lambda wait: wait[0]):
        stop = end if until is None else min(until, end)
        total += max(stop - max(since, reached), 0.0)
        reached = max(reached, stop)
    return total


def _queue(rows: OperationRows, exchange: Exchange) -> float:
    columns, seconds = rows.transcript.columns, 0.0
    for at, each in enumerate(exchange.rounds):
        first = columns.monotonic_s[each.request - 1]
        sent = _header_blocks(columns, each, Direction.SENT)
        seconds += max(max(sent, default=each.started_at) - first, 0.0)
        if each.request in rows.pauses and each.ended_at is not None:
            following = exchange.rounds[at + 1 : at + 2]
            seconds += sum(
                columns.monotonic_s[later.request - 1] - each.ended_at for later in following
            )
    return seconds


def _receiving(columns: Columns, rounds: tuple[Round, ...]) -> float | None:
    """Return how long the responses took from their header blocks on; None if that cannot be seen."""
    measured = [
        each.ended_at
        - max(_header_blocks(columns, each, Direction.RECEIVED), default=each.ended_at)
        for each in rounds
        if each.response and each.ended_at is not None and _is_body(columns, each.response)
    ]
    return sum(measured) if measured else None


def _is_body(columns: Columns, response: int) -> bool:
    return columns.channel[response - 1] == Channel.BODY


def _header_blocks(columns: Columns, each: Round, direction: Direction) -> list[float]:
    """Return when HTTP frames of a round were sent or received, before its response."""
    stop = (each.response or len(columns) + 1) - 1
    at, times = each.request, list[float]()
    try:
        for _ in range(MAX_HTTP_FRAMES):
            at = columns.stream.index(each.request, at, stop) + 1
            if columns.channel[at - 1] in HTTP_CHANNELS and columns.direction[at - 1] == direction:
                times.append(columns.monotonic_s[at - 1])
    except ValueError:
        pass
    return times
