"""A mapping that forgets: what rules remember is bounded by it."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.wire.json_codec import Json

MAX_REMEMBERED = 10_000
"""Entries of one part."""

MAX_KEY = 200
"""Characters of a text in a key; of a longer one the beginning and a hash are kept."""

K = TypeVar("K")
V = TypeVar("V")


def short_key(key: str) -> str:
    """Return a key that stands for `key` and has a bounded length."""
    return key if len(key) <= MAX_KEY else f"{key[: MAX_KEY - 40]} {hash(key)}"


def json_key(value: Json) -> str:
    """Return a key for an id or a token; of an array or object, which neither may be, the beginning of its JSON."""
    if isinstance(value, list | dict):
        return json_codec.write_beginning(value, MAX_KEY)
    return short_key(json_codec.write(value))


def _short(key: K) -> K:
    if isinstance(key, str):
        return cast("K", short_key(key))
    if isinstance(key, tuple):
        return cast("K", tuple(_short(each) for each in cast("tuple[object, ...]", key)))
    return key


class Latest(Generic[K, V]):
    """A mapping that keeps its latest entries, and of long keys a short form."""

    def __init__(self, limit: int = MAX_REMEMBERED) -> None:
        """Keep `limit` entries."""
        self._entries: OrderedDict[K, V] = OrderedDict()
        self._limit = limit

    def __setitem__(self, key: K, value: V) -> None:
        """Add an entry, or replace one; it counts as the latest then."""
        short = key if type(key) is int else _short(key)
        before = len(self._entries)
        self._entries[short] = value
        if len(self._entries) == before:
            self._entries.move_to_end(short)
        elif before == self._limit:
            self._entries.popitem(last=False)

    def __contains__(self, key: K) -> bool:
        """Whether it is remembered."""
        return (key if type(key) is int else _short(key)) in self._entries

    def __iter__(self) -> Iterator[K]:
        """Yield the keys as they are kept, the latest last."""
        return iter(self._entries)

    def __len__(self) -> int:
        """How many are remembered."""
        return len(self._entries)

    def get(self, key: K) -> V | None:
        """Return what is remembered of `key`; None for nothing."""
        return self._entries.get(key if type(key) is int else _short(key))

    def pop(self, key: K) -> V | None:
        """Forget an entry and return it; None if it is not remembered."""
        return self._entries.pop(key if type(key) is int else _short(key), None)
