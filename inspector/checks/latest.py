"""A mapping that forgets: what rules remember is bounded by it."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_REMEMBERED = 10_000
"""Entries of one part."""

K = TypeVar("K")
V = TypeVar("V")


class Latest(Generic[K, V]):
    """A mapping that keeps its latest entries."""

    def __init__(self, limit: int = MAX_REMEMBERED) -> None:
        """Keep `limit` entries."""
        self._entries: OrderedDict[K, V] = OrderedDict()
        self._limit = limit

    def __setitem__(self, key: K, value: V) -> None:
        """Add an entry, or replace one; it counts as the latest then."""
        self._entries[key] = value
        self._entries.move_to_end(key)
        if len(self._entries) > self._limit:
            self._entries.popitem(last=False)

    def __contains__(self, key: K) -> bool:
        """Whether it is remembered."""
        return key in self._entries

    def __iter__(self) -> Iterator[K]:
        """Yield the keys, the latest last."""
        return iter(self._entries)

    def __len__(self) -> int:
        """How many are remembered."""
        return len(self._entries)

    def get(self, key: K) -> V | None:
        """Return what is remembered of `key`; None for nothing."""
        return self._entries.get(key)

    def pop(self, key: K) -> V | None:
        """Forget an entry and return it; None if it is not remembered."""
        return self._entries.pop(key, None)
