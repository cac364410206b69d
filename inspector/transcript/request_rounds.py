"""Requests that were sent again because their result asked for input. All rounds are one exchange, that of the first request.

What belongs together is told by remarks of ours (`event_effects.py`), so that a file that is opened gives the same exchanges.

Source: basic/patterns/mrtr.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.transcript.exchange import Retry


class RequestRounds:
    """Which requests are rounds of which."""

    def __init__(self) -> None:
        """Start without any."""
        self._first: dict[int, int] = {}
        self._rounds: dict[int, list[int]] = {}
        self._asked: dict[int, int] = {}
        self._retries: dict[int, Retry] = {}
        self._quiet: dict[int, int] = {}

    def first(self, request: int) -> int:
        """The request that `request` goes on with; itself where it goes on with none."""
        return self._first.get(request, request)

    def join(self, first: int, request: int, answer: int) -> None:
        """Take note that `request` is the next round of `first`, sent because of `answer`."""
        rounds = self._rounds.setdefault(first, [first])
        self._asked[rounds[-1]] = answer
        self._first[request] = first
        rounds.append(request)

    def asked(self, request: int) -> int:
        """The answer to `request` that led to another round; 0 where none did."""
        return self._asked.get(request, 0)

    def rounds(self, first: int) -> tuple[int, ...]:
        """The requests of an exchange, in order."""
        return tuple(self._rounds.get(first, (first,)))

    def wait(self, first: int, retry: Retry | None) -> None:
        """Take note that the latest answer asks: for another try alone if there is a `retry`, else for input."""
        if retry is None:
            self._retries.pop(first, None)
            return
        self._retries[first] = retry
        self._quiet[first] = self.quiet_rounds(first) + 1

    def retry(self, first: int) -> Retry | None:
        """What the latest answer that asks wants, where that is another try alone."""
        return self._retries.get(first)

    def quiet_rounds(self, first: int) -> int:
        """How many answers asked for another try alone."""
        return self._quiet.get(first, 0)

    def all_of(self, request: int) -> tuple[int, ...]:
        """The request itself, and the first one of its exchange."""
        first = self.first(request)
        return (request,) if first == request else (request, first)
