"""What a schema says about which keys an object has, as a formula; for schemas that say nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from inspector.frozen import FrozenStruct
from inspector.schema.json_edit import MISSING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from inspector.schema.resolve import Resolver
    from inspector.wire.json_codec import Json

MAX_DEPTH = 8
"""Formulas in formulas; what is deeper is none."""

MAX_PARTS = 60
"""Parts of a formula; what has more is none."""


class Has(FrozenStruct, frozen=True):
    """A key is there."""

    name: str
    """Which."""


class Count(FrozenStruct, frozen=True):
    """The object has a number of keys in a range."""

    min_keys: int
    """At least."""
    max_keys: int | None = None
    """At most; None for any number."""


class Not(FrozenStruct, frozen=True):
    """The part does not hold."""

    part: Formula
    """What."""


class All(FrozenStruct, frozen=True):
    """All parts hold."""

    parts: tuple[Formula, ...]
    """What."""


class Any(FrozenStruct, frozen=True):
    """At least one part holds."""

    parts: tuple[Formula, ...]
    """Of what."""


class One(FrozenStruct, frozen=True):
    """Exactly one part holds."""

    parts: tuple[Formula, ...]
    """Of what."""


Formula: TypeAlias = "Has | Count | Not | All | Any | One"


def holds(formula: Formula, present: Collection[str]) -> bool:
    """Whether an object with the keys `present` fulfils a formula."""
    if isinstance(formula, Has):
        return formula.name in present
    if isinstance(formula, Count):
        maximum = len(present) if formula.max_keys is None else formula.max_keys
        return formula.min_keys <= len(present) <= maximum
    if isinstance(formula, Not):
        return not holds(formula.part, present)
    found = sum(holds(part, present) for part in formula.parts)
    if isinstance(formula, All):
        return found == len(formula.parts)
    return found == 1 if isinstance(formula, One) else found > 0


def names_of(formula: Formula) -> tuple[str, ...]:
    """The keys it names, each once."""
    if isinstance(formula, Has):
        return (formula.name,)
    if isinstance(formula, Count):
        return ()
    parts = (formula.part,) if isinstance(formula, Not) else formula.parts
    return tuple(dict.fromkeys(name for part in parts for name in names_of(part)))


def simplified(formula: Formula) -> Formula:
    """Return an equal formula with nested parts of the same type flattened and duplicates removed."""
    if isinstance(formula, Not):
        part = simplified(formula.part)
        return part.part if isinstance(part, Not) else Not(part)
    if isinstance(formula, Has | Count):
        return formula
    kind = type(formula)
    parts = list(map(simplified, formula.parts))
    if kind is One:
        return parts[0] if len(parts) == 1 else One(tuple(parts))
    flat = [each for part in parts for each in (part.parts if isinstance(part, kind) else (part,))]
    once = tuple(dict.fromkeys(flat))
    return once[0] if len(once) == 1 else kind(once)


def formula_of(schema: Json, resolver: Resolver) -> Formula | None:
    """Return the rule of a schema about keys; None if the schema has other rules, or too many."""
    return _Reading(resolver).read(schema, 0, ())


class _Reading:
    """One schema that is read; counts its parts."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._parts = 0

    def read(self, schema: Json, depth: int, trail: tuple[str, ...]) -> Formula | None:
        """The formula of a schema; `trail` are the references on the way to it."""
        self._parts += 1
        if isinstance(schema, bool):
            return All(()) if schema else Any(())
        if not isinstance(schema, dict) or depth > MAX_DEPTH or self._parts > MAX_PARTS:
            return None
        found: list[Formula] = []
        for keyword, value in schema.items():
            if keyword in _ANNOTATIONS:
                continue
            read = _READERS.get(keyword)
            part = None if read is None else read(self, value, depth + 1, trail)
            if part is None:
                return None
            found.append(part)
        return found[0] if len(found) == 1 else All(tuple(found))

    def each(self, value: Json, depth: int, trail: tuple[str, ...]) -> tuple[Formula, ...] | None:
        """The formulas of a list of schemas."""
        if not isinstance(value, list) or not value:
            return None
        found = [self.read(item, depth, trail) for item in value]
        known = tuple(part for part in found if part is not None)
        return known if len(known) == len(found) else None

    def referred(self, value: Json, depth: int, trail: tuple[str, ...]) -> Formula | None:
        """The formula of what a reference leads to."""
        if not isinstance(value, str) or not value.startswith("#") or value in trail:
            return None
        target = self._resolver.target(value)
        return None if target is MISSING else self.read(target, depth, (*trail, value))


_Read: TypeAlias = "Callable[[_Reading, Json, int, tuple[str, ...]], Formula | None]"


def _several(kind: Callable[[tuple[Formula, ...]], Formula]) -> _Read:
    def read(reading: _Reading, value: Json, depth: int, trail: tuple[str, ...]) -> Formula | None:
        parts = reading.each(value, depth, trail)
        return None if parts is None else kind(parts)

    return read


def _not(reading: _Reading, value: Json, depth: int, trail: tuple[str, ...]) -> Formula | None:
    part = reading.read(value, depth, trail)
    return None if part is None else Not(part)


def _required(_: _Reading, value: Json, depth: int, trail: tuple[str, ...]) -> Formula | None:
    if not isinstance(value, list) or len(value) > MAX_PARTS:
        return None
    return _all(Has(name) for name in value if isinstance(name, str))


def _dependent(_: _Reading, value: Json, depth: int, trail: tuple[str, ...]) -> Formula | None:
    if not isinstance(value, dict) or len(value) > MAX_PARTS:
        return None
    listed = {key: names for key, names in value.items() if isinstance(names, list)}
    if len(listed) < len(value):
        return None
    return _all(
        Any((Not(Has(key)), _all(Has(name) for name in names if isinstance(name, str))))
        for key, names in listed.items()
    )


def _excluded(_: _Reading, value: Json, depth: int, trail: tuple[str, ...]) -> Formula | None:
    """`properties` that only exclude keys: `{"a": false}`."""
    if not isinstance(value, dict) or len(value) > MAX_PARTS:
        return None
    if not all(schema is False or schema == {"not": {}} for schema in value.values()):
        return None
    return _all(Not(Has(key)) for key in value)


def _min_properties(_: _Reading, value: Json, depth: int, trail: tuple[str, ...]) -> Formula | None:
    return Count(value) if isinstance(value, int) else None


def _max_properties(_: _Reading, value: Json, depth: int, trail: tuple[str, ...]) -> Formula | None:
    return Count(0, value) if isinstance(value, int) else None


def _type(_: _Reading, value: Json, depth: int, trail: tuple[str, ...]) -> Formula | None:
    return All(()) if value == "object" else None


def _all(parts: Iterable[Formula]) -> Formula:
    made = tuple(parts)
    return made[0] if len(made) == 1 else All(made)


_ANNOTATIONS = frozenset({"title", "description", "$comment", "examples", "deprecated"})

_READERS: dict[str, _Read] = {
    "required": _required,
    "not": _not,
    "anyOf": _several(Any),
    "oneOf": _several(One),
    "allOf": _several(All),
    "dependentRequired": _dependent,
    "dependencies": _dependent,
    "minProperties": _min_properties,
    "maxProperties": _max_properties,
    "properties": _excluded,
    "type": _type,
    "$ref": _Reading.referred,
}
"""Keyword → how it is read. Every other one says something else."""
