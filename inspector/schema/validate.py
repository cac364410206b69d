"""Judging the value of a form by its schema: what is wrong, and where.

Never raises, never takes long (`complexity`, `compiling`), never loads anything. Problems are findings beside a field; a *note* is
one that does not speak against sending: a format, a pattern that could not be run, a schema that is wrong itself.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from jsonschema_rs import ValidationErrorKind as Kinds

from inspector.fact import Fact
from inspector.schema.compile_schema import Compiled, SchemaNote, compile_schema
from inspector.schema.complexity import Weigher, nesting
from inspector.schema.json_input import json_trouble
from inspector.schema.numbers import plain
from inspector.schema.problem_text import words_of
from inspector.schema.resolve import Resolver
from inspector.spec.pointer import join
from inspector.wire.jsontext import RawJson

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import jsonschema_rs

    from inspector.schema.json_edit import Path
    from inspector.wire.jsontext import Json, JsonObject

MAX_PROBLEMS = 200
"""More are not listed."""


class FieldProblem(Fact, frozen=True):
    """Something that does not fit, at one place of the value."""

    pointer: str
    """Where: a JSON pointer into the value."""
    words: str
    """What, in words."""
    missing: bool = False
    """Whether it is only that a required field is not there."""


class Report(Fact, frozen=True):
    """All that was found."""

    problems: tuple[FieldProblem, ...] = ()
    """What speaks against sending."""
    notes: tuple[FieldProblem, ...] = ()
    """What does not."""


class Checker:
    """Judges values by one schema."""

    def __init__(self, schema: JsonObject | bool) -> None:
        """Judge by `schema`, which is made ready when that is first needed."""
        self._schema = schema
        self._made: Compiled | None = None
        self._weigher = Weigher(schema, Resolver(schema))

    @property
    def _compiled(self) -> Compiled:
        if self._made is None:
            self._made = compile_schema(self._schema)
        return self._made

    @property
    def schema_notes(self) -> tuple[SchemaNote, ...]:
        """What is wrong with the schema itself."""
        return self._compiled.notes

    def check(self, value: Json) -> Report:
        """What is wrong with `value`."""
        raw = tuple(_raw_problems(value))
        validator = self._compiled.validator
        if validator is None:
            return Report(raw)
        if self._weigher.is_too_heavy(nesting(value)):
            return Report(raw, (FieldProblem("", "not checked: the schema branches too much"),))
        try:
            errors = list(islice(validator.iter_errors(plain(value)), MAX_PROBLEMS))
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            return Report(raw, (FieldProblem("", f"not checked: {str(error)[:200]}"),))
        return _report(raw, errors, _ADVISORY if self._compiled.is_whole else _DOUBTFUL)


def _report(
    raw: tuple[FieldProblem, ...],
    errors: Iterable[jsonschema_rs.ValidationError],
    advisory: tuple[type[Kinds], ...],
) -> Report:
    taken = {problem.pointer for problem in raw}
    problems: dict[FieldProblem, None] = dict.fromkeys(raw)
    notes: dict[FieldProblem, None] = {}
    for error in errors:
        for found, kind in _found(error, 0):
            if found.pointer not in taken:
                (notes if kind in advisory else problems)[found] = None
    return Report(tuple(problems)[:MAX_PROBLEMS], tuple(notes)[:MAX_PROBLEMS])


_ADVISORY = (Kinds.Format, Kinds.BacktrackLimitExceeded, Kinds.RegexEngineFailure)

_DOUBTFUL = (
    *_ADVISORY,
    Kinds.Not,
    Kinds.OneOfMultipleValid,
    Kinds.UnevaluatedProperties,
    Kinds.UnevaluatedItems,
)
"""What may be found only because a reference that was not loaded accepts everything and evaluates nothing."""


def _found(
    error: jsonschema_rs.ValidationError, depth: int
) -> Iterator[tuple[FieldProblem, type[Kinds]]]:
    kind = error.kind
    place = join("", *error.instance_path)
    if isinstance(kind, Kinds.Required):
        yield FieldProblem(join(place, kind.property), "is required", missing=True), Kinds.Required
    elif isinstance(kind, Kinds.AdditionalProperties | Kinds.UnevaluatedProperties):
        for name in kind.unexpected:
            yield FieldProblem(join(place, name), "is not allowed by the schema"), type(kind)
    elif isinstance(kind, Kinds.AnyOf | Kinds.OneOfNotValid) and depth < 4:
        yield from _found_in_arms(error, kind.context, depth)
    else:
        yield FieldProblem(place, words_of(error)), type(kind)


def _found_in_arms(
    error: jsonschema_rs.ValidationError,
    arms: list[list[jsonschema_rs.ValidationError]],
    depth: int,
) -> Iterator[tuple[FieldProblem, type[Kinds]]]:
    """Of a union, the complaints of the one arm that is meant; if that is not clear, only that none fits."""
    meant = [arm for arm in arms if arm and not any(_is_other(error, inner) for inner in arm)]
    if not meant:
        yield FieldProblem(join("", *error.instance_path), _none_fits(arms)), type(error.kind)
        return
    for inner in min(meant, key=len):
        yield from _found(inner, depth + 1)


def _none_fits(arms: list[list[jsonschema_rs.ValidationError]]) -> str:
    kinds = [inner for arm in arms for inner in arm if isinstance(inner.kind, Kinds.Type)]
    if len(kinds) == len(arms) and len({len(inner.instance_path) for inner in kinds}) == 1:
        wanted = dict.fromkeys(words_of(inner).removeprefix("must be ") for inner in kinds)
        return f"must be {' or '.join(wanted)}"
    return "fits none of the alternatives"


def _is_other(union: jsonschema_rs.ValidationError, inner: jsonschema_rs.ValidationError) -> bool:
    """Whether `inner` says that the value was meant for another arm: wrong type, or another fixed property."""
    levels = len(inner.instance_path) - len(union.instance_path)
    if isinstance(inner.kind, Kinds.Type | Kinds.FalseSchema):
        return levels == 0
    return isinstance(inner.kind, Kinds.Constant) and levels <= 1


def _raw_problems(value: Json) -> Iterator[FieldProblem]:
    """Places that hold a text which is not JSON."""
    waiting: list[tuple[Path, Json]] = [((), value)]
    while waiting:
        path, item = waiting.pop()
        if isinstance(item, RawJson):
            trouble = json_trouble(item)
            if trouble:
                yield FieldProblem(join("", *path), trouble)
        elif isinstance(item, dict):
            waiting.extend(((*path, key), inner) for key, inner in item.items())
        elif isinstance(item, list):
            waiting.extend(((*path, at), inner) for at, inner in enumerate(item))
