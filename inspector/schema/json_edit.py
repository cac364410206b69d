"""Edits on an exact JSON value, as pure functions.

Nothing is changed in place: an edit copies the containers on its path and shares all the rest, so that a view knows by
identity what did not change. Absent (`MISSING`), null and empty are three things; order and spelling are kept.
"""

from __future__ import annotations

from enum import Enum
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Final, TypeAlias, TypeGuard

from inspector.wire.json_codec import is_text, write

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.wire.json_codec import Json, JsonObject


class Missing(Enum):
    """The type of `MISSING`."""

    MISSING = "missing"

    def __bool__(self) -> bool:
        """Absent is never true."""
        return False


MISSING: Final = Missing.MISSING
"""There is no value; not even null."""

JsonOrMissing: TypeAlias = "Json | Missing"
"""What a place holds."""

Path: TypeAlias = "tuple[str | int, ...]"
"""Where in a value: keys and indices from the root."""


def is_number(value: JsonOrMissing) -> TypeGuard[int | float]:
    """Whether the value is a JSON number; Python counts booleans among them, JSON does not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def exact(value: Json) -> str:
    """The text that tells values apart: `1`, `1.0`, `"1"` and `true` all differ.

    A value nested too deeply to be written is told apart by identity.
    """
    if is_text(value):
        return encode_basestring(value)
    try:
        return write(value)
    except ValueError:
        return f"deep {id(value)}"


def with_key(base: JsonObject, key: str, value: Json, order: Sequence[str] = ()) -> JsonObject:
    """`base` with `key` set; a new key goes where `order` (the schema's) has it among those present."""
    if key in base:
        return {**base, key: value}
    after = _predecessor(base, key, order)
    if after is None:
        return _before(base, key, value, order)
    made: JsonObject = {}
    for name, held in base.items():
        made[name] = held
        if name == after:
            made[key] = value
    return made


def _predecessor(base: JsonObject, key: str, order: Sequence[str]) -> str | None:
    found: str | None = None
    for name in order:
        if name == key:
            return found
        if name in base:
            found = name
    return next(reversed(base), None)


def _before(base: JsonObject, key: str, value: Json, order: Sequence[str]) -> JsonObject:
    """Put a key that precedes every declared one before the first of these."""
    declared = set(order)
    made: JsonObject = {}
    for name, held in base.items():
        if name in declared:
            made.setdefault(key, value)
        made[name] = held
    made.setdefault(key, value)
    return made


def without_key(base: JsonObject, key: str) -> JsonObject:
    """`base` less `key`."""
    return {name: held for name, held in base.items() if name != key}


def with_item(
    base: list[Json], index: int, value: Json, fill: Callable[[int], Json] = lambda _index: None
) -> list[Json]:
    """`base` with one item set; a list that is too short is filled up with what `fill` gives for each index."""
    filled = base + [fill(at) for at in range(len(base), index + 1)]
    filled[index] = value
    return filled


def without_item(base: list[Json], index: int) -> list[Json]:
    """`base` less one item; those behind move up."""
    return base[:index] + base[index + 1 :]


def with_inserted(base: list[Json], index: int, value: Json) -> list[Json]:
    """`base` with a new item before the one at `index`."""
    return [*base[:index], value, *base[index:]]


def with_moved(base: list[Json], index: int, to: int) -> list[Json]:
    """`base` with the item at `index` taken out and put in again at `to`."""
    return with_inserted(without_item(base, index), to, base[index])
