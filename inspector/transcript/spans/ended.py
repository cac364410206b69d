"""Requests that have ended since the last look."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from inspector.transcript.exchange import STATUS_NUMBER, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.transcript.transcript import Transcript

NOT_ENDED = frozenset(
    STATUS_NUMBER[status] for status in (Status.PENDING, Status.INPUT_REQUIRED, Status.OPEN)
)
"""Numbers of the states in which a request goes on."""
_WAITING = frozenset(STATUS_NUMBER[status] for status in (Status.PENDING, Status.INPUT_REQUIRED))
MAX_EXAMINED = 2_000
"""Requests that one look examines beside those that have a response; the next look goes on with the others."""


class OpenRequests:
    """The requests of one transcript that had not ended when they were last examined."""

    def __init__(self, transcript: Transcript) -> None:
        """Start without any."""
        self._transcript = transcript
        self._open: dict[int, None] = {}

    @property
    def is_waiting(self) -> bool:
        """Whether any of them waits for a response; an open subscription does not."""
        status = self._transcript.columns.status
        requests = islice(self._open, MAX_EXAMINED)
        return any(status[request - 1] in _WAITING for request in requests)

    def add(self, requests: Iterable[int]) -> None:
        """Watch more requests."""
        self._open.update(dict.fromkeys(requests))

    def ended(self, responses: Iterable[int]) -> Iterator[int]:
        """Yield requests that have ended, once each: those of the frames `responses`, and others as far as they are examined now."""
        if not self._open:
            return
        columns = self._transcript.columns
        owners, status = columns.request, columns.status
        for owner in {owners[number - 1] for number in responses}:
            if owner in self._open and status[owner - 1] not in NOT_ENDED:
                del self._open[owner]
                yield owner
        # A request may end without a frame of its own, such as a retry, or one that timed out.
        for request in list(islice(self._open, MAX_EXAMINED)):
            del self._open[request]
            if status[request - 1] in NOT_ENDED:
                self._open[request] = None  # behind the others, so that all have their turn
            else:
                yield request
