"""What a page keeps of each server while another is looked at."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")

MAX_SERVERS = 200
"""Servers of which something is kept; the oldest is forgotten first."""


class PerServer(Generic[T]):
    """One value of each server, by the identity of its profile."""

    def __init__(self, initial: T) -> None:
        """Start without any; `initial` is what an unknown server has."""
        self._initial = initial
        self._values: dict[str, T] = {}

    def put(self, server: str, value: T) -> None:
        """Keep `value` of `server`."""
        self._values.pop(server, None)
        if value != self._initial:
            self._values[server] = value
        if len(self._values) > MAX_SERVERS:
            del self._values[next(iter(self._values))]

    def get(self, server: str) -> T:
        """What is kept of `server`."""
        return self._values.get(server, self._initial)
