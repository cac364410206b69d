"""How a list differs from what was read before: by the names of its items, and by what is in them. Pure."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeVar

from inspector.frozen import FrozenStruct
from inspector.visible_text import one_line
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inspector.spec.views.list_page import ListedView

NEW, CHANGED = "new", "changed"

MAX_NAMED = 5
"""Removed entries that are named; the others are counted."""

NAME_LENGTH = 40
"""Characters of a name."""

V = TypeVar("V", bound="ListedView")


class ListChanges(FrozenStruct, frozen=True):
    """How a list differs from what was read before."""

    marks: Mapping[int, str] = {}
    """`new` or `changed`, by position."""
    removed: tuple[str, ...] = ()
    """Names of the items that are not listed any more, in their old order."""
    run: int = 0
    """The number of the run in which they were read before; 0 for the same run."""

    @property
    def text(self) -> str:
        """`1 new, 2 changed, removed: fetch`, with `since run 1` for an earlier run; empty for no difference."""
        marks = tuple(self.marks.values())
        parts = [f"{marks.count(mark):,} {mark}" for mark in (NEW, CHANGED) if mark in marks]
        if self.removed:
            named = [one_line(name, NAME_LENGTH) for name in self.removed[:MAX_NAMED]]
            rest = len(self.removed) - MAX_NAMED
            parts.append(
                "removed: " + ", ".join(named) + (f" and {rest:,} more" if rest > 0 else "")
            )
        since = f" since run {self.run}" if self.run and parts else ""
        return ", ".join(parts) + since


def compare(before: Sequence[V], now: Sequence[V]) -> ListChanges:
    """Compare two readings of a list. Of several with the same name, the first is compared with the first."""
    earlier: defaultdict[str, list[V]] = defaultdict(list)
    for item in reversed(before):
        earlier[item.id_label].append(item)
    marks: dict[int, str] = {}
    for position, item in enumerate(now):
        same = earlier.get(item.id_label)
        if not same:
            marks[position] = NEW
        elif not _is_same(same.pop(), item):
            marks[position] = CHANGED
    left = {id(item) for items in earlier.values() for item in items}
    return ListChanges(marks, tuple(item.id_label for item in before if id(item) in left))


def _is_same(one: ListedView, other: ListedView) -> bool:
    return one.raw == other.raw or json_codec.write(one.raw) == json_codec.write(other.raw)
