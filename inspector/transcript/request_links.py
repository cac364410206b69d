"""The requests of a transcript by the ids and tokens that name them, and what the index notes of a message that belongs to one.

Used by the correlator, which decides what belongs together, and by the quick reading of messages that leave nothing to decide.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, TypeAlias

from inspector.transcript.exchange import STATUS_NUMBER, RequestRounds, Status
from inspector.transcript.index import FrameFlags
from inspector.wire.frame import Direction

if TYPE_CHECKING:
    from collections.abc import Hashable

    from inspector.transcript.index import Columns

MAX_CLOSED = 10_000
"""Ended requests that are remembered, to recognize late and second responses."""

# Looked up once: that takes a fifth of a microsecond, and there are several for every message.
_PROBE = FrameFlags.PROBE
PENDING = STATUS_NUMBER[Status.PENDING]
"""The number of the status of a request that waits."""

OPPOSITE = (Direction.RECEIVED, Direction.SENT)
"""The opposite direction, by direction."""

Named: TypeAlias = "OrderedDict[Hashable, int]"
"""Requests by id, oldest first. A plain dict takes ever longer to find its first key when that is removed again and again."""


class RequestLinks:
    """What names the requests of both sides; by direction, where it is a pair."""

    def __init__(self, columns: Columns) -> None:
        """Start without requests; write into `columns`."""
        self.rounds = RequestRounds()
        self.open: tuple[Named, Named] = (OrderedDict(), OrderedDict())
        """The pending requests by the key of their id."""
        self.closed: tuple[Named, Named] = (OrderedDict(), OrderedDict())
        """Requests that have ended, likewise."""
        self.tokens: tuple[Named, Named] = (OrderedDict(), OrderedDict())
        """Requests by their progress token."""
        self.streams: set[int] = set()
        """Subscriptions that the server acknowledged."""
        self.lasting: Named = OrderedDict()
        """Requests that ask for a task: progress continues after their response (C-PRG-07)."""
        self._columns = columns
        self._joined = self.rounds.joined  # looked up once: there are two calls for every response

    @property
    def pending(self) -> int:
        """Pending requests of both sides, without acknowledged subscriptions."""
        return len(self.open[0]) + len(self.open[1]) - len(self.streams)

    def begin(
        self,
        number: int,
        direction: int,
        key: Hashable,
        named: tuple[str, Hashable | None, bool],
    ) -> None:
        """Take up a request whose id has this key; `named` is what it names, its progress token, and whether it asks for a task."""
        columns = self._columns
        self.open[direction][key] = number
        columns.request[number - 1] = number
        columns.status[number - 1] = PENDING
        label, token, is_task = named
        if label:
            columns.label[number - 1] = columns.labels.number(label)
        if token is not None:
            _remember(self.tokens[direction], token, number)
            if is_task:
                _remember(self.lasting, number, number)

    def close(self, direction: int, key: Hashable, request: int) -> None:
        """Remember a request that is no longer open."""
        if self.streams:
            self.streams.discard(request)
        _remember(self.closed[direction], key, request)

    def belong(self, number: int, request: int) -> None:
        """Note that a frame belongs to a request."""
        columns, at, owner = self._columns, number - 1, request - 1
        columns.request[at] = self._joined.get(request, request)
        columns.label[at] = columns.label[owner]
        if columns.flags[owner] & _PROBE:
            columns.flags[at] |= _PROBE
        if not columns.method[at]:
            columns.method[at] = columns.method[owner]

    def answer(self, number: int, request: int, status: int) -> None:
        """Note that a frame is the response to a request, which has this status now."""
        columns = self._columns
        self.belong(number, request)
        columns.response[request - 1] = number
        columns.status[request - 1] = status
        if first := self._joined.get(request, 0):
            columns.response[first - 1] = number
            columns.status[first - 1] = status


def _remember(known: Named, key: Hashable, number: int) -> None:
    known[key] = number
    if len(known) > MAX_CLOSED:
        known.popitem(last=False)
