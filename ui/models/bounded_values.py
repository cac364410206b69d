"""Values by key, of which only the latest are kept: drafts of requests, filters of servers."""

from __future__ import annotations

from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class BoundedValues(Generic[K, V]):
    """A mapping that evicts its oldest value over a limit, and stores no default value."""

    def __init__(self, default: V, max_values: int) -> None:
        """Start empty; `default` is the value of an unknown key."""
        self._default = default
        self._max_values = max_values
        self._values: dict[K, V] = {}

    def put(self, key: K, value: V) -> None:
        """Store `value` as the latest."""
        self._values.pop(key, None)
        if value != self._default:
            self._values[key] = value
        if len(self._values) > self._max_values:
            del self._values[next(iter(self._values))]

    def get(self, key: K) -> V:
        """Return the value of `key`."""
        return self._values.get(key, self._default)
