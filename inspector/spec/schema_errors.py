"""From the errors of a validator to faults in a message.

A union that fits nothing fails once for each alternative, in a dozen errors of which one is meant. `settle` finds that one: the
alternative whose `type` (or the like) agrees, or else the one that fails least. Pure: the errors come as plain data.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.wire.json_codec import Json

Step = str | int

HARMLESS = "harmless"
"""The kind of an error that is none: something the validator cannot take although JSON and the schema can."""

UNREAD = "unread"
"""The kind of a fault that only says how many further items of a list were not looked at."""

_DISCRIMINATORS = frozenset({"type", "method", "mode", "role", "action", "resultType"})
"""Members by which alternatives are told apart."""


class SchemaError(FrozenStruct, frozen=True):
    """One thing that does not fit, at one place."""

    steps: tuple[Step, ...]
    """Keys and positions from the validated value inward."""
    kind: str
    """What is wrong: the validator's own name for it, or `either` or `choice`."""
    expected: tuple[str, ...] = ()
    """What would have fitted, as far as the kind does not say so."""
    value: Json = None
    """What stands there; None also when nothing does."""


class RawSchemaError(NamedTuple):
    """One error of the validator."""

    steps: tuple[Step, ...]
    """Where, with the names of alternatives among the steps."""
    kind: str
    """The validator's name for it."""
    expected: str
    """What a literal must be; empty otherwise."""
    value: Json
    """What stood there."""


class _Located(NamedTuple):
    """An error whose alternatives are told apart from its keys."""

    path: tuple[Step | _Tag, ...]
    raw: RawSchemaError


class _Tag(NamedTuple):
    """The name of an alternative inside a path."""

    name: str


def resolve_unions(errors: Iterable[RawSchemaError], value: Json) -> list[SchemaError]:
    """Return the faults of `value` that `errors` are about."""
    return list(_settle([_Located(_located(raw, value), raw) for raw in errors]))


def _located(raw: RawSchemaError, value: Json) -> tuple[Step | _Tag, ...]:
    """Tell keys from names of alternatives by walking through the value."""
    path: list[Step | _Tag] = []
    here, last = value, len(raw.steps) - 1
    for number, step in enumerate(raw.steps):
        found, here = _stepped(here, step)
        if found or (number == last and raw.kind == "missing"):
            path.append(step)
        else:
            path.append(_Tag(str(step)))
    return tuple(path)


def _stepped(here: Json, step: Step) -> tuple[bool, Json]:
    """Go one step inward; where that leads nowhere, stay."""
    if isinstance(here, list) and isinstance(step, int) and step < len(here):
        return True, here[step]
    if isinstance(here, dict) and isinstance(step, str) and step in here:
        return True, here[step]
    return False, here


def _settle(errors: list[_Located]) -> Iterator[SchemaError]:
    unions: defaultdict[tuple[Step | _Tag, ...], dict[_Tag, list[_Located]]] = defaultdict(dict)
    for error in errors:
        at = next((n for n, step in enumerate(error.path) if isinstance(step, _Tag)), None)
        if at is None:
            if error.raw.kind != HARMLESS:
                yield _fault(error)
            continue
        tag = error.path[at]
        assert isinstance(tag, _Tag)
        inner = _Located(error.path[:at] + error.path[at + 1 :], error.raw)
        unions[error.path[:at]].setdefault(tag, []).append(inner)
    for prefix, arms in unions.items():
        yield from _choose(prefix, list(arms.values()))


def _choose(prefix: tuple[Step | _Tag, ...], arms: list[list[_Located]]) -> Iterator[SchemaError]:
    """Tell of one alternative, unless there is one that has only harmless errors."""
    if any(all(error.raw.kind == HARMLESS for error in arm) for arm in arms):
        return
    fitting = [arm for arm in arms if not any(_is_mismatch(error, prefix) for error in arm)]
    if not fitting:
        yield _nothing_fits(prefix, arms)
        return
    common = [error for error in fitting[0] if all(_has(arm, error) for arm in fitting)]
    yield from _settle(common)
    rest = [[error for error in arm if not _has(common, error)] for arm in fitting]
    either = _either(prefix, rest)
    if either:
        yield either
    else:
        yield from _settle(min(rest, key=len))


def _has(errors: list[_Located], wanted: _Located) -> bool:
    """Whether `errors` say the same of the same place."""
    return any((each.path, each.raw.kind) == (wanted.path, wanted.raw.kind) for each in errors)


def _is_mismatch(error: _Located, prefix: tuple[Step | _Tag, ...]) -> bool:
    """Whether the error says that this alternative was not meant at all."""
    inner = error.path[len(prefix) :]
    if not inner:
        return error.raw.kind.endswith("_type")
    return len(inner) == 1 and inner[0] in _DISCRIMINATORS and error.raw.kind == "literal_error"


def _either(prefix: tuple[Step | _Tag, ...], arms: list[list[_Located]]) -> SchemaError | None:
    """Several alternatives that each lack one member of their own: either of them would do."""
    lacking = [arm[0].path[-1] for arm in arms if len(arm) == 1 and arm[0].raw.kind == "missing"]
    names = tuple(dict.fromkeys(str(name) for name in lacking))
    if len(lacking) < len(arms) or len(names) < 2:
        return None
    return SchemaError(_plain(prefix), "either", names)


def _nothing_fits(prefix: tuple[Step | _Tag, ...], arms: list[list[_Located]]) -> SchemaError:
    mismatches = [error for arm in arms for error in arm if _is_mismatch(error, prefix)]
    choices = [error for error in mismatches if len(error.path) > len(prefix)]
    if choices:
        expected = dict.fromkeys(error.raw.expected for error in choices)
        return SchemaError(_plain(choices[0].path), "choice", tuple(expected), choices[0].raw.value)
    kinds = dict.fromkeys(error.raw.kind for error in mismatches)
    return SchemaError(_plain(prefix), "kinds", tuple(kinds), mismatches[0].raw.value)


def _fault(error: _Located) -> SchemaError:
    expected = (error.raw.expected,) if error.raw.expected else ()
    value = None if error.raw.kind == "missing" else error.raw.value
    return SchemaError(_plain(error.path), error.raw.kind, expected, value)


def _plain(path: tuple[Step | _Tag, ...]) -> tuple[Step, ...]:
    return tuple(step for step in path if not isinstance(step, _Tag))
