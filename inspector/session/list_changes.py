"""What is new, changed or gone in a list that was read again, beside how it was before. Pure."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeVar

from inspector.frozen import FrozenStruct
from inspector.visible_text import one_line
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inspector.spec.view import View

NEW, CHANGED = "new", "changed"

MAX_NAMED = 5
"""Entries that are gone and named; the others are counted."""

NAME_LENGTH = 40
"""Characters of a name."""

V = TypeVar("V", bound="View")


class ListChanges(FrozenStruct, frozen=True):
    """How a list differs from what was read before."""

    marks: Mapping[int, str] = {}
    """`new` or `changed`, by position."""
    gone: tuple[str, ...] = ()
    """What those that are not listed any more were called, in their old order."""

    @property
    def text(self) -> str:
        """`1 new, 2 changed, gone: fetch`; empty where nothing differs."""
        marks = tuple(self.marks.values())
        parts = [f"{marks.count(mark):,} {mark}" for mark in (NEW, CHANGED) if mark in marks]
        if self.gone:
            named = [one_line(name, NAME_LENGTH) for name in self.gone[:MAX_NAMED]]
            rest = len(self.gone) - MAX_NAMED
            parts.append("gone: " + ", ".join(named) + (f" and {rest:,} more" if rest > 0 else ""))
        return ", ".join(parts)


def changes(before: Sequence[V], now: Sequence[V], name_of: Callable[[V], str]) -> ListChanges:
    """Compare two readings of a list. Of several with the same name, the first is compared with the first."""
    earlier: defaultdict[str, list[V]] = defaultdict(list)
    for item in reversed(before):
        earlier[name_of(item)].append(item)
    marks: dict[int, str] = {}
    for position, item in enumerate(now):
        same = earlier.get(name_of(item))
        if not same:
            marks[position] = NEW
        elif not _is_same(same.pop(), item):
            marks[position] = CHANGED
    left = {id(item) for items in earlier.values() for item in items}
    return ListChanges(marks, tuple(name_of(item) for item in before if id(item) in left))


def _is_same(one: View, other: View) -> bool:
    return one.raw == other.raw or json_codec.write(one.raw) == json_codec.write(other.raw)
