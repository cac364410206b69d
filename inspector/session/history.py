"""What was asked for in this session and can be gone back to; what its budget drops is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from inspector.event import Event
from inspector.session.operation import Operation

if TYPE_CHECKING:
    from collections.abc import Callable

A = TypeVar("A", bound=Operation)

BUDGET = 1000
"""Attempts kept; earlier ones are in the traffic."""


class History(Generic[A]):
    """Attempts of one kind, oldest first."""

    def __init__(self) -> None:
        """Start empty."""
        self.grown: Event[A] = Event()
        self.attempts: list[A] = []
        self.dropped = 0

    def start(self, attempt: A) -> A:
        """Keep `attempt` and send it."""
        self.attempts.append(attempt)
        if len(self.attempts) > BUDGET:
            del self.attempts[0]
            self.dropped += 1
        self.grown.fire(attempt)
        attempt.start()
        return attempt

    def of(self, wanted: Callable[[A], bool]) -> list[A]:
        """Those that are `wanted`, oldest first."""
        return [attempt for attempt in self.attempts if wanted(attempt)]
