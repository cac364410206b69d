"""What one request and everything that belongs to it look like from outside."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from inspector.wire.frame import Direction
    from inspector.wire.message import MaybeJson


class Status(StrEnum):
    """How a request ended, or that it has not."""

    NONE = ""
    """Not a request."""
    PENDING = "pending"
    OK = "ok"
    ERROR = "error"
    """Answered with a JSON-RPC error."""
    TOOL_ERROR = "tool error"
    """Answered with a result that says `isError`."""
    CANCELLED = "cancelled"
    TIMED_OUT = "timed out"
    NO_RESPONSE = "lost"
    """The connection ended first, or another request took its id."""
    INPUT_REQUIRED = "input required"
    """Answered with a result that asks for input; the request was not sent again yet."""
    OPEN = "open"
    """A subscription that the server agreed to: it goes on until one side ends it."""
    INVALID_RESULT = "invalid answer"
    """Answered with a result that the revision does not know, or with neither result nor error."""


STATUSES = tuple(Status)
"""Their order is that of the index."""

STATUS_NUMBER = {status: number for number, status in enumerate(STATUSES)}
"""Positions in `STATUSES`."""


class Round(FrozenStruct, frozen=True):
    """One of the requests that an exchange took."""

    request: int
    """Frame number of the request."""
    response: int | None
    """Frame number of its response."""
    started_at: float
    """Monotonic seconds."""
    ended_at: float | None
    """Monotonic seconds of the response."""


class Retry(FrozenStruct, frozen=True):
    """That a request is sent again by itself, because its answer asked for that and for nothing else."""

    at: float
    """When, in monotonic seconds."""
    number: int
    """The how many-th time in a row."""
    most: int
    """How often at most in a row."""


class Exchange(FrozenStruct, frozen=True):
    """A request and what became of it, as known at the moment of asking."""

    request: int
    """Frame number of the request."""
    response: int | None
    """Frame number of the first response, however late; of several rounds, that of the latest which has one."""
    method: str
    """The request's method."""
    label: str
    """The tool, prompt or URI it names; empty when it names none."""
    id: MaybeJson
    """Its id with its JSON type."""
    direction: Direction
    """Who asked."""
    status: Status
    """How it ended; a response that came late does not change it."""
    started_at: float
    """Monotonic seconds."""
    ended_at: float | None
    """Monotonic seconds of that response."""
    rounds: tuple[Round, ...] = ()
    """The requests it took, oldest first: several where a result asked for input."""
    is_out_of_reach: bool = False
    """It goes on, and the server cannot be reached at the moment."""
    retry: Retry | None = None
    """The latest answer asked for another try and for no input; none where it asked for input, or there was none that asks."""
    quiet_rounds: int = 0
    """How many answers asked for another try and for no input."""
    given_up_at: int = 0
    """The frame that ended the wait for an answer, or the latest one at that moment; 0 while we had not stopped."""

    @property
    def took_seconds(self) -> float | None:
        """From request to first response; none while there is none."""
        return None if self.ended_at is None else self.ended_at - self.started_at

    @property
    def server_seconds(self) -> float | None:
        """How much of that the server took; none while it has not answered at all."""
        took = [
            each.ended_at - each.started_at for each in self.rounds if each.ended_at is not None
        ]
        return sum(took) if took else None

    @property
    def waited_seconds(self) -> float:
        """How long the server waited for us between the rounds: for the person, or out of courtesy."""
        pairs = zip(self.rounds, self.rounds[1:], strict=False)
        return sum(b.started_at - a.ended_at for a, b in pairs if a.ended_at is not None)

    @property
    def late(self) -> bool:
        """A response came after we had stopped waiting; an answer that asked for input in time is none."""
        return self.response is not None and 0 < self.given_up_at < self.response
