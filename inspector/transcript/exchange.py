"""One request and everything that belongs to it: its state, its rounds, and what else was received meanwhile.

A request that is sent again because its result asked for input is a round of one exchange, named by the first request. Notes say which requests
belong together (`event_effects.py`), so that a recording gives the same exchanges.

Source: basic/patterns/mrtr.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from inspector.frozen import FrozenStruct
from inspector.wire.frame import Direction
from inspector.wire.message import ABSENT, MessageKind

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript
    from inspector.wire.message import MaybeJson, Message


class Status(StrEnum):
    """The state of a request."""

    NONE = ""
    """Not a request."""
    PENDING = "pending"
    OK = "ok"
    ERROR = "error"
    """The response is a JSON-RPC error."""
    TOOL_ERROR = "tool error"
    """The response is a result with `isError`."""
    CANCELLED = "cancelled"
    TIMED_OUT = "timed out"
    NO_RESPONSE = "no response"
    """The connection ended first, or another request took its id."""
    INPUT_REQUIRED = "input required"
    """The response is a result that asks for input; the request was not sent again yet."""
    OPEN = "open"
    """A subscription that the server acknowledged: it stays open until one side ends it."""
    INVALID_RESULT = "invalid result"
    """The response is a result that the revision does not know, or has neither result nor error."""


STATUSES = tuple(Status)
"""In the order of their numbers in the index."""

STATUS_NUMBER = {status: number for number, status in enumerate(STATUSES)}
"""Positions in `STATUSES`."""


class Round(FrozenStruct, frozen=True):
    """One of the requests of an exchange."""

    request: int
    """Frame number of the request."""
    response: int | None
    """Frame number of its response."""
    started_at: float
    """Monotonic seconds."""
    ended_at: float | None
    """Monotonic seconds of the response."""


class Retry(FrozenStruct, frozen=True):
    """A request that is sent again automatically, because its response asked for another try and for no input."""

    at: float
    """Monotonic seconds of the next try."""
    number: int
    """Number of that try, from 1."""
    max_tries: int
    """Tries in a row, at most."""


class Exchange(FrozenStruct, frozen=True):
    """A request and its outcome, as known at the moment."""

    request: int
    """Frame number of the request."""
    response: int | None
    """Frame number of the first response, even a late one; with several rounds, of the latest round that has a response."""
    method: str
    """The request's method."""
    label: str
    """The tool, prompt or URI it names; empty when it names none."""
    id: MaybeJson
    """Its id with its JSON type."""
    direction: Direction
    """Who asked."""
    status: Status
    """How it ended; a late response does not change it."""
    started_at: float
    """Monotonic seconds."""
    ended_at: float | None
    """Monotonic seconds of the response."""
    rounds: tuple[Round, ...] = ()
    """The requests it took, oldest first: several where a result asked for input."""
    is_out_of_reach: bool = False
    """It is pending, and the server cannot be reached at the moment."""
    retry: Retry | None = None
    """The next try, when the latest response asked for that alone; else None."""
    retry_count: int = 0
    """Responses that asked for another try and for no input."""
    given_up_at: int = 0
    """The frame that ended the wait for a response, or the latest frame at that moment; 0 for a request that was not given up."""

    @property
    def took_seconds(self) -> float | None:
        """From the request to its first response; None without a response."""
        return None if self.ended_at is None else self.ended_at - self.started_at

    @property
    def server_seconds(self) -> float | None:
        """The time that the server took, without the pauses between the rounds; None without a response."""
        took = [
            each.ended_at - each.started_at for each in self.rounds if each.ended_at is not None
        ]
        return sum(took) if took else None

    @property
    def waited_seconds(self) -> float:
        """The time between the rounds, in which the server waited for the user, or for the next try."""
        pairs = zip(self.rounds, self.rounds[1:], strict=False)
        return sum(b.started_at - a.ended_at for a, b in pairs if a.ended_at is not None)

    @property
    def late(self) -> bool:
        """True when the response was received after the request was given up; a response that asked for input in time is not late."""
        return self.response is not None and 0 < self.given_up_at < self.response


class RoundsState(Struct, frozen=True):
    """What `RequestRounds` holds, in plain values."""

    first: dict[int, int]
    rounds: dict[int, list[int]]
    responses: dict[int, int]
    retries: dict[int, Retry]
    retry_counts: dict[int, int]


class CorrelatorState(Struct, frozen=True):
    """What a finished recording needs of a `Correlator`, in plain values."""

    rounds: RoundsState
    pending: list[list[int]]
    given_up: dict[int, int]
    streams: list[int]


class RequestRounds:
    """The rounds of each exchange. `first` is the first request of an exchange."""

    def __init__(self) -> None:
        self.joined: dict[int, int] = {}
        """A later round of an exchange → its first request."""
        self._rounds: dict[int, list[int]] = {}
        self._responses: dict[int, int] = {}
        self._retries: dict[int, Retry] = {}
        self._retry_counts: dict[int, int] = {}

    def state(self) -> RoundsState:
        """Return what is known, for `restore`."""
        return RoundsState(
            self.joined, self._rounds, self._responses, self._retries, self._retry_counts
        )

    def restore(self, state: RoundsState) -> None:
        """Know what `state` returned."""
        self.joined.update(state.first)
        self._rounds, self._responses = state.rounds, state.responses
        self._retries, self._retry_counts = state.retries, state.retry_counts

    def first(self, request: int) -> int:
        """Return the first request of the exchange of `request`."""
        return self.joined.get(request, request)

    def join(self, first: int, request: int, response: int) -> None:
        """Add `request` as the next round of `first`, sent because of the response `response`."""
        rounds = self._rounds.setdefault(first, [first])
        self._responses[rounds[-1]] = response
        self.joined[request] = first
        rounds.append(request)

    def response(self, request: int) -> int:
        """Return the response to `request` that led to another round; 0 without one."""
        return self._responses.get(request, 0)

    def rounds(self, first: int) -> tuple[int, ...]:
        """Return the requests of an exchange, in order."""
        return tuple(self._rounds.get(first, (first,)))

    def wait(self, first: int, retry: Retry | None) -> None:
        """Note that the latest response asks: for another try alone when there is a `retry`, else for input."""
        if retry is None:
            self._retries.pop(first, None)
            return
        self._retries[first] = retry
        self._retry_counts[first] = self.retry_count(first) + 1

    def retry(self, first: int) -> Retry | None:
        """Return the next try, when the latest response asked for that alone."""
        return self._retries.get(first)

    def retry_count(self, first: int) -> int:
        """Return how many responses asked for another try alone."""
        return self._retry_counts.get(first, 0)

    def all_of(self, request: int) -> tuple[int, ...]:
        """Return the request itself, and the first one of its exchange."""
        first = self.first(request)
        return (request,) if first == request else (request, first)


class Meanwhile(FrozenStruct, frozen=True):
    """Frames between a request and its end that no message explains. Whether they belong to the request cannot be known."""

    malformed: int = 0
    """Lines or bodies that are not JSON-RPC."""
    first_malformed: int = 0
    """The first of them; 0 for none."""
    stderr: int = 0
    """Lines on standard error."""
    first_stderr: int = 0
    """The first of them; 0 for none."""


def meanwhile(transcript: Transcript, request: int, end: int = 0) -> Meanwhile:
    """Return what was received between the frames `request` and `end`; up to now with an `end` of 0."""
    columns = transcript.columns
    last = end - 1 if end else len(columns)
    kinds = columns.kind[request:last].tobytes()
    stderr = kinds.count(MessageKind.STDERR)
    malformed = _malformed(columns.direction[request:last].tobytes(), kinds)
    return Meanwhile(
        len(malformed),
        request + malformed[0] + 1 if malformed else 0,
        stderr,
        request + kinds.index(MessageKind.STDERR) + 1 if stderr else 0,
    )


def response_in(transcript: Transcript, number: int, request: int = 0) -> Message:
    """Return the response in a frame; in a batch, the one to the frame `request`, or to the request that the batch belongs to."""
    message = transcript.message(number)
    if message.kind is not MessageKind.BATCH:
        return message
    owner = request or transcript.columns.request[number - 1]
    return message.response_with(transcript.message(owner).id if owner else ABSENT)


def _malformed(directions: bytes, kinds: bytes) -> list[int]:
    """Return the positions of malformed frames that were received; the user may have sent others on purpose."""
    if not kinds.count(MessageKind.MALFORMED):
        return []
    return [
        at
        for at, kind in enumerate(kinds)
        if kind == MessageKind.MALFORMED and directions[at] == Direction.RECEIVED
    ]
