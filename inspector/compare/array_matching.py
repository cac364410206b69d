"""Which items of two arrays are counterparts, and which of them moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.compare import json_text
from inspector.compare.json_text import ARRAY, OBJECT, STRING
from inspector.compare.sequence_diff import STEP, common_start, increasing, matches
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import msgspec

    from inspector.background_tasks import Steps

NAMES = frozenset({"uri", "uriTemplate", "name"})
"""Identities also where no item of the one array is in the other: what has another name is another thing, and ids may be made with each response."""

IDENTITIES = ("uri", "uriTemplate", "name", "id", "key", "taskId", "toolUseId")
"""Members that identify an item among others, the most specific first."""

SAMPLE = 100
"""Items of which at least one has the member, for it to be an identity."""

MAX_ITEMS = 100_000
"""Items on one side that have no equal at the same end of the other; of more, the array is compared as a whole."""

MAX_IDENTITY_BYTES = 1000
"""A longer value is no identity."""

MIN_SHARE = 0.5
"""Of the items on each side that have the member, and of different values among them, for it to be an identity."""


class Arrangement(FrozenStruct, frozen=True):
    """The items of both arrays, paired."""

    start: int
    """Items that are equal at the beginning."""
    end: int
    """Items that are equal at the end, after those."""
    pairs: list[tuple[int | None, int | None]]
    """Old and new position of all others, in new order; None without a counterpart. What was removed comes after its old predecessor."""
    moved: frozenset[int] = frozenset()
    """New positions of items that are in another order than before."""


def arrange(old: list[msgspec.Raw], new: list[msgspec.Raw]) -> Steps[Arrangement | None]:
    """Pair the items of two arrays; None for more than `MAX_ITEMS` that differ."""
    start = yield from common_start(old, new)
    end = yield from common_start(old[start:][::-1], new[start:][::-1])
    middle_old, middle_new = old[start : len(old) - end], new[start : len(new) - end]
    yield
    if max(len(middle_old), len(middle_new)) > MAX_ITEMS:
        return None
    to_old: dict[int, int] = {}
    moved: set[int] = set()
    if middle_old and middle_new:
        to_old, moved = yield from _pair(middle_old, middle_new)
    pairs = yield from _in_order(len(middle_old), len(middle_new), to_old)
    shifted = [
        (
            None if old_at is None else old_at + start,
            None if new_at is None else new_at + start,
        )
        for old_at, new_at in pairs
    ]
    return Arrangement(start, end, shifted, frozenset(at + start for at in moved))


_MOVABLE = frozenset({OBJECT, ARRAY, STRING})
"""The first bytes of items that are recognized in another position."""

_Found = tuple[dict[int, int], set[int]]
"""New to old position of counterparts, and the new positions of those that moved."""


def _pair(old: Sequence[msgspec.Raw], new: Sequence[msgspec.Raw]) -> Steps[_Found]:
    identities = yield from _identities(old, new)
    if identities is None:
        return (yield from _pair_by_content(old, new))
    old_values, new_values = identities
    to_old = yield from _pair_equal(old_values, new_values)
    unnamed_old = [at for at, value in enumerate(old_values) if value is None]
    unnamed_new = [at for at, value in enumerate(new_values) if value is None]
    to_old |= dict(zip(unnamed_new, unnamed_old, strict=False))
    ordered = sorted(to_old)
    kept = yield from increasing([to_old[at] for at in ordered])
    return to_old, set(ordered) - {ordered[at] for at in kept}


def _identities(
    old: Sequence[msgspec.Raw], new: Sequence[msgspec.Raw]
) -> Steps[tuple[list[bytes | None], list[bytes | None]] | None]:
    """Return what identifies each item; None if nothing does."""
    read_old = yield from _objects(old)
    read_new = yield from _objects(new)
    for name in IDENTITIES:
        if not any(name in item for item in read_new[:SAMPLE]):
            continue
        old_values = yield from _values(read_old, name)
        new_values = yield from _values(read_new, name)
        is_common = name in NAMES or bool({*old_values} & {*new_values} - {None})
        yield
        if is_common and _is_identity(old_values) and _is_identity(new_values):
            return old_values, new_values
    return None


def _objects(items: Iterable[msgspec.Raw]) -> Steps[list[dict[str, msgspec.Raw]]]:
    """Return the members of those that are objects, and no members for others."""
    found: list[dict[str, msgspec.Raw]] = []
    for at, item in enumerate(items):
        is_object = json_text.kind(item) == OBJECT
        found.append((json_text.members(item) or {}) if is_object else {})
        if not at % 64:
            yield
    return found


def _values(items: Sequence[dict[str, msgspec.Raw]], name: str) -> Steps[list[bytes | None]]:
    """Return the plain values of a member."""
    values: list[bytes | None] = []
    for at, item in enumerate(items):
        value = item.get(name)
        is_plain = value is not None and len(value) <= MAX_IDENTITY_BYTES
        text = bytes(value) if value is not None and is_plain else b""
        values.append(None if text[:1] in {b"", OBJECT, ARRAY} else text)
        if not at % STEP:
            yield
    return values


def _is_identity(values: Sequence[bytes | None]) -> bool:
    known = [value for value in values if value is not None]
    return len(known) >= MIN_SHARE * len(values) and len(set(known)) >= MIN_SHARE * len(known) > 0


def _pair_equal(old: Sequence[bytes | None], new: Sequence[bytes | None]) -> Steps[dict[int, int]]:
    """Pair equal values: the first with the first, the second with the second."""
    positions: dict[bytes, list[int]] = {}
    for at in range(len(old) - 1, -1, -1):
        value = old[at]
        if value is not None:
            positions.setdefault(value, []).append(at)
        if not at % STEP:
            yield
    to_old: dict[int, int] = {}
    for at, value in enumerate(new):
        left = positions.get(value) if value is not None else None
        if left:
            to_old[at] = left.pop()
        if not at % STEP:
            yield
    return to_old


def _pair_by_content(old: Sequence[msgspec.Raw], new: Sequence[msgspec.Raw]) -> Steps[_Found]:
    old_texts = [bytes(item) for item in old]
    yield
    new_texts = [bytes(item) for item in new]
    yield
    to_old: dict[int, int] = {}
    found = yield from matches(old_texts, new_texts)
    for match in found:
        for offset in range(match.length):
            to_old[match.new + offset] = match.old + offset
    movable_old = yield from _movable(old_texts, set(to_old.values()))
    movable_new = yield from _movable(new_texts, set(to_old))
    moved = yield from _pair_equal(movable_old, movable_new)
    to_old |= moved
    yield
    yield from _pair_between(to_old, set(moved), len(old), len(new))
    return to_old, set(moved)


def _movable(texts: list[bytes], paired: set[int]) -> Steps[list[bytes | None]]:
    """Return the items without a counterpart that are recognized elsewhere: a number in another position is not the same item."""
    found: list[bytes | None] = []
    for at, text in enumerate(texts):
        is_movable = at not in paired and text[:1] in _MOVABLE and len(text) > len("{}")
        found.append(text if is_movable else None)
        if not at % STEP:
            yield
    return found


def _pair_between(
    to_old: dict[int, int], moved: set[int], old_count: int, new_count: int
) -> Steps[None]:
    """Pair what is left between two counterparts that did not move, by position."""
    used = set(to_old.values())
    old_at = new_at = 0
    fixed = sorted((at, other) for at, other in to_old.items() if at not in moved)
    yield
    for new_end, old_end in (*fixed, (new_count, old_count)):
        if old_at < old_end and new_at < new_end:
            old_left = [at for at in range(old_at, old_end) if at not in used]
            new_left = [at for at in range(new_at, new_end) if at not in to_old]
            to_old |= dict(zip(new_left, old_left, strict=False))
            yield
        old_at, new_at = old_end + 1, new_end + 1


def _in_order(
    old_count: int, new_count: int, to_old: dict[int, int]
) -> Steps[list[tuple[int | None, int | None]]]:
    """Return old and new positions in new order, each old one without a counterpart after its predecessor."""
    counterparts = {old_at: new_at for new_at, old_at in to_old.items()}
    removed: dict[int, list[int]] = {}
    before = -1
    for old_at in range(old_count):
        if old_at in counterparts:
            before = counterparts[old_at]
        else:
            removed.setdefault(before, []).append(old_at)
        if not old_at % STEP:
            yield
    pairs: list[tuple[int | None, int | None]] = [(old_at, None) for old_at in removed.get(-1, ())]
    for new_at in range(new_count):
        pairs.append((to_old.get(new_at), new_at))
        pairs += [(old_at, None) for old_at in removed.get(new_at, ())]
        if not new_at % STEP:
            yield
    return pairs
