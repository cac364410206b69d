"""The structural difference of two JSON texts: what was added, removed, changed or moved, with its path on both sides.

Objects are compared by name; the order of their members does not count. Items of arrays are matched by identity (a `uri`, `name` or `id` that tells
them apart) where they have one, else by content, and what is left between two matches by position. Values that are equal byte by byte are not
read. Values are compared as written: `1` and `1.0` differ; escapes of a string do not count.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec
from msgspec import field

from inspector.compare.array_matching import Arrangement, arrange
from inspector.compare.json_text import (
    ARRAY,
    OBJECT,
    JsonText,
    is_same,
    items,
    json_text,
    kind,
    members,
)
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.background_tasks import Steps
    from inspector.compare.paths import Path

MAX_DEPTH = 150
"""Levels; a deeper value is compared as a whole."""

MAX_CHANGES = 5000
"""Changes that are found; values after that are compared as a whole."""

STEP = 512
"""Members between two yields."""


class ChangeKind(StrEnum):
    """What happened to a value. The values are displayed."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"


class Change(FrozenStruct, frozen=True):
    """One change. The value of a moved item may have changes of its own."""

    kind: ChangeKind
    path: Path
    """Where it is in the new value; of what was removed, where it was in the old one."""
    old_path: Path
    """Where it was in the old value; of what was added, where it is in the new one."""
    old: JsonText | None
    """The old value; None for what was added."""
    new: JsonText | None
    """The new value; None for what was removed."""


class PairState(StrEnum):
    """How the two values of a pair differ."""

    EQUAL = "equal"
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    """Replaced as a whole."""
    INSIDE = "inside"
    """Both are objects or both are arrays; the difference is in their parts."""


class Stretch(msgspec.Struct):
    """Neighboring parts of a container that are equal."""

    old: list[JsonText]
    new: list[JsonText]
    names: list[str] | None = None
    """Their names; None for items."""

    @property
    def size_bytes(self) -> int:
        """Bytes of their new texts."""
        return sum(map(len, self.new))


class Pair(msgspec.Struct):
    """A value and its counterpart."""

    state: PairState
    old_step: str | int
    """Name or position in the old container."""
    step: str | int
    """Name or position in the new container."""
    old: JsonText | None
    new: JsonText | None
    parts: list[Pair | Stretch] = field(default_factory=list["Pair | Stretch"])
    """The parts of both containers in the order of the new one, those that were removed after their old predecessor."""
    is_moved: bool = False
    """Whether an item is in another order among its neighbors."""


class JsonDifference(FrozenStruct, frozen=True):
    """The difference of two JSON texts."""

    root: Pair
    is_partial: bool = False
    """Whether there were too many changes, or the values are nested too deeply: some values are compared as a whole."""

    @property
    def is_equal(self) -> bool:
        """Whether both have the same value."""
        return self.root.state is PairState.EQUAL

    def changes(self) -> Iterator[Change]:
        """Yield all changes, in the order of the new value."""
        pending: list[tuple[Pair, Path, Path]] = [(self.root, (), ())]
        while pending:
            pair, path, old_path = pending.pop()
            if pair.is_moved:
                yield Change(ChangeKind.MOVED, path, old_path, pair.old, pair.new)
            if pair.state is PairState.INSIDE:
                pending += [
                    (part, (*path, part.step), (*old_path, part.old_step))
                    for part in reversed(pair.parts)
                    if isinstance(part, Pair)
                ]
            elif pair.state is not PairState.EQUAL:
                yield Change(ChangeKind(pair.state), path, old_path, pair.old, pair.new)


def compare_json(old: bytes, new: bytes) -> Steps[JsonDifference]:
    """Compare two JSON texts."""
    root = Pair(PairState.EQUAL, "", "", json_text(old), json_text(new))
    opened: list[Pair] = []
    pending = [(root, 0)]
    visited = count = 0
    is_partial = False
    while pending:
        pair, depth = pending.pop()
        visited += 1
        if not visited % STEP:
            yield
        assert pair.old is not None
        assert pair.new is not None
        if is_same(pair.old, pair.new):
            continue
        is_container = kind(pair.old) == kind(pair.new) in {OBJECT, ARRAY}
        is_cut = depth == MAX_DEPTH or count >= MAX_CHANGES
        parts = None
        if is_container and not is_cut:
            parts = yield from _parts(pair.old, pair.new)
        if parts is None:
            is_partial |= is_container and is_cut
            pair.state = PairState.CHANGED
            count += 1
            continue
        pair.state, pair.parts = PairState.INSIDE, parts
        opened.append(pair)
        inner = [part for part in parts if isinstance(part, Pair)]
        both = [part for part in inner if part.old is not None and part.new is not None]
        count += len(inner) - len(both)
        pending += [(part, depth + 1) for part in reversed(both)]
        yield
    yield from _close(opened)
    return JsonDifference(root, is_partial)


def _close(opened: list[Pair]) -> Steps[None]:
    """Mark containers without differences: their texts differ only in white space, escapes or the order of members."""
    for at, pair in enumerate(reversed(opened)):
        if all(map(_is_equal, pair.parts)):
            pair.state, pair.parts = PairState.EQUAL, []
        if not at % STEP:
            yield


def _is_equal(part: Pair | Stretch) -> bool:
    return isinstance(part, Stretch) or (part.state is PairState.EQUAL and not part.is_moved)


def _parts(old: JsonText, new: JsonText) -> Steps[list[Pair | Stretch] | None]:
    """Pair the parts of two containers; None for text that cannot be read, and for too many items."""
    if kind(old) == OBJECT:
        old_members, new_members = members(old), members(new)
        yield
        if old_members is None or new_members is None:
            return None
        return (yield from _pair_members(old_members, new_members))
    old_items, new_items = items(old), items(new)
    yield
    if old_items is None or new_items is None:
        return None
    arrangement = yield from arrange(old_items, new_items)
    if arrangement is None:
        return None
    return (yield from _pair_items(old_items, new_items, arrangement))


class _Parts:
    """Parts in the making: equal neighbors become a stretch."""

    def __init__(self, *, has_names: bool) -> None:
        self.made: list[Pair | Stretch] = []
        self._has_names = has_names

    def add_equal(self, old: JsonText, new: JsonText, name: str = "") -> None:
        """Add a part that is equal."""
        last = self.made[-1] if self.made else None
        if not isinstance(last, Stretch):
            last = Stretch([], [], [] if self._has_names else None)
            self.made.append(last)
        last.old.append(old)
        last.new.append(new)
        if last.names is not None:
            last.names.append(name)

    def add_all_equal(self, old: list[JsonText], new: list[JsonText]) -> None:
        """Add items that are equal."""
        last = self.made[-1] if self.made else None
        if isinstance(last, Stretch):
            last.old += old
            last.new += new
        elif old:
            self.made.append(Stretch(old, new))

    def add(
        self,
        old_step: str | int,
        step: str | int,
        old: JsonText | None,
        new: JsonText | None,
        *,
        is_moved: bool = False,
    ) -> None:
        """Add a part that differs, or may differ."""
        state = PairState.EQUAL  # until they are compared
        if old is None or new is None:
            state = PairState.ADDED if old is None else PairState.REMOVED
        self.made.append(Pair(state, old_step, step, old, new, is_moved=is_moved))


def _pair_members(
    old: dict[str, msgspec.Raw], new: dict[str, msgspec.Raw]
) -> Steps[list[Pair | Stretch]]:
    parts = _Parts(has_names=True)
    removed: dict[str | None, list[str]] = {}
    before: str | None = None
    for name in old:
        if name in new:
            before = name
        else:
            removed.setdefault(before, []).append(name)
    for name in removed.get(None, ()):
        parts.add(name, name, old[name], None)
    for at, (name, value) in enumerate(new.items()):
        if name not in old:
            parts.add(name, name, None, value)
        elif is_same(old[name], value):
            parts.add_equal(old[name], value, name)
        else:
            parts.add(name, name, old[name], value)
        for each in removed.get(name, ()):
            parts.add(each, each, old[each], None)
        if not at % STEP:
            yield
    return parts.made


def _pair_items(
    old: list[msgspec.Raw], new: list[msgspec.Raw], arrangement: Arrangement
) -> Steps[list[Pair | Stretch]]:
    parts = _Parts(has_names=False)
    start, end = arrangement.start, arrangement.end
    parts.add_all_equal(old[:start], new[:start])
    for at, (old_at, new_at) in enumerate(arrangement.pairs):
        if old_at is None:
            assert new_at is not None
            parts.add(new_at, new_at, None, new[new_at])
        elif new_at is None:
            parts.add(old_at, old_at, old[old_at], None)
        elif new_at in arrangement.moved:
            parts.add(old_at, new_at, old[old_at], new[new_at], is_moved=True)
        elif is_same(old[old_at], new[new_at]):
            parts.add_equal(old[old_at], new[new_at])
        else:
            parts.add(old_at, new_at, old[old_at], new[new_at])
        if not at % STEP:
            yield
    parts.add_all_equal(old[len(old) - end :], new[len(new) - end :])
    return parts.made
