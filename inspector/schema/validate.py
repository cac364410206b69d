"""Validating the value of a form by its schema: what is wrong, and where.

Never raises, never takes long (`complexity`, `compiling`), never loads anything. Problems are findings beside a field; a *note* is
one that does not speak against sending: a format, a pattern that could not be run, a schema that is wrong itself.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

import jsonschema_rs
from jsonschema_rs import ValidationErrorKind as Kinds
from msgspec.structs import replace

from inspector.frozen import FrozenStruct
from inspector.schema.compile_schema import BACKTRACKS, Compiled, SchemaNote, compile_schema
from inspector.schema.complexity import MAX_STEPS, Weigher, size_of
from inspector.schema.json_input import json_problem, plain
from inspector.schema.key_formula import holds
from inspector.schema.key_rules import rule_of_alternatives, rules_of
from inspector.schema.problem_text import text_of
from inspector.schema.resolve import Resolver
from inspector.spec.pointer import join
from inspector.visible_text import one_line
from inspector.wire.json_codec import RawJson

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.schema.json_edit import Path
    from inspector.wire.json_codec import Json, JsonObject

MAX_PROBLEMS = 200
"""More are not listed."""

MAX_LACKING = 8
"""Alternatives whose missing keys are named."""

MAX_NAMED = 4
"""Alternatives that are named."""

_OF_KEYS = (Kinds.AnyOf, Kinds.OneOfNotValid, Kinds.OneOfMultipleValid, Kinds.Not)
"""What an error about a rule of several keys is."""

MAX_LISTED_STEPS = 10_000
"""Where a validation takes more steps, only the first problem is listed: each may cost ten microseconds a step."""

MANY_VALUES = 1_000
"""Values in one, beyond which a pattern gets less time on each."""


class FieldProblem(FrozenStruct, frozen=True):
    """Something that does not fit, at one place of the value."""

    pointer: str
    """Where: a JSON pointer into the value."""
    text: str
    """What is wrong."""
    missing: bool = False
    """Whether it is only that a required field is not there."""
    keys: tuple[str, ...] = ()
    """The keys below `pointer` that it is about, where it is about several."""

    @property
    def first_field(self) -> str:
        """Where to begin to mend it: a JSON pointer."""
        return join(self.pointer, self.keys[0]) if self.keys else self.pointer


_Found: TypeAlias = "tuple[FieldProblem, type[Kinds]]"
"""A problem, and the kind of error it comes from."""


FIRST_ONLY = FieldProblem("", "only the first problem is listed: there is too much of it")
"""The note beside a problem that may not be the only one."""


class Report(FrozenStruct, frozen=True):
    """All that was found."""

    problems: tuple[FieldProblem, ...] = ()
    """What speaks against sending."""
    notes: tuple[FieldProblem, ...] = ()
    """What does not."""


class Checker:
    """Validates values against one schema."""

    def __init__(self, schema: JsonObject | bool) -> None:
        """Validate by `schema`, which is compiled on first use."""
        self._schema = schema
        self._made: Compiled | None = None
        self._resolver = Resolver(schema)
        self._weigher = Weigher(schema, self._resolver)

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
        size = size_of(value)
        compiled = self._compiled_for(size.values)
        if compiled.validator is None:
            return Report(raw)
        steps = self._weigher.steps(size)
        if steps > MAX_STEPS:
            return Report(raw, (FieldProblem("", "not validated: schema too complex"),))
        try:
            errors, is_cut = _errors(compiled.validator, plain(value), steps)
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            return Report(raw, (FieldProblem("", f"not validated: {str(error)[:200]}"),))
        found = [each for error in errors for each in self._found(error, 0)]
        report = _report(raw, found, _ADVISORY if compiled.is_whole else _DOUBTFUL)
        return replace(report, notes=(*report.notes, FIRST_ONLY)) if is_cut else report

    def _compiled_for(self, values: int) -> Compiled:
        """The validator for a value with that many in it: many strings share the time for patterns."""
        if values <= MANY_VALUES or self._compiled.validator is None:
            return self._compiled
        return compile_schema(self._schema, max(BACKTRACKS * MANY_VALUES // values, 1))

    def _found(self, error: jsonschema_rs.ValidationError, depth: int) -> Iterator[_Found]:
        """What to tell of an error."""
        kind = error.kind
        pointer_ = join("", *error.instance_path)
        if isinstance(kind, Kinds.Required):
            pointer = join(pointer_, kind.property)
            yield FieldProblem(pointer, "is required", missing=True), Kinds.Required
        elif isinstance(kind, Kinds.AdditionalProperties | Kinds.UnevaluatedProperties):
            for name in kind.unexpected:
                yield FieldProblem(join(pointer_, name), "is not allowed by the schema"), type(kind)
        elif isinstance(kind, _OF_KEYS) and (broken := self._broken_rules(error, pointer_)):
            yield from ((problem, type(kind)) for problem in broken)
        elif isinstance(kind, Kinds.AnyOf | Kinds.OneOfNotValid) and depth < 4:
            yield from self._found_in_arms(error, kind.context, depth)
        elif isinstance(kind, Kinds.PropertyNames):
            name = str(kind.error.instance)
            yield FieldProblem(join(pointer_, name), f"its name {text_of(kind.error)}"), type(kind)
        elif isinstance(kind, Kinds.OneOfMultipleValid):
            text = f"{text_of(error)}{self._fitting(error, kind.context)}"
            yield FieldProblem(pointer_, text), type(kind)
        else:
            missing = isinstance(kind, Kinds.MinProperties)
            yield FieldProblem(pointer_, text_of(error), missing=missing), type(kind)

    def _found_in_arms(
        self,
        error: jsonschema_rs.ValidationError,
        arms: list[list[jsonschema_rs.ValidationError]],
        depth: int,
    ) -> Iterator[_Found]:
        """Of a union, the complaints of the one arm that is meant; if that is not clear, what several lack, or that none fits."""
        pointer = join("", *error.instance_path)
        meant = [arm for arm in arms if arm and not any(_is_other(error, inner) for inner in arm)]
        if not meant:
            yield FieldProblem(pointer, _none_fits(arms)), type(error.kind)
            return
        meant = self._closest(error, arms, meant)
        lacking = [names for arm in meant[:MAX_LACKING] if (names := _missing_keys(arm))]
        if len(lacking) > 1:
            only_one = isinstance(error.kind, Kinds.OneOfNotValid)
            rule = rule_of_alternatives(lacking, only_one=only_one)
            yield (
                FieldProblem(pointer, rule.problem, missing=True, keys=rule.keys),
                type(error.kind),
            )
            return
        for inner in min(meant, key=len):
            yield from self._found(inner, depth + 1)

    def _closest(
        self,
        error: jsonschema_rs.ValidationError,
        arms: list[list[jsonschema_rs.ValidationError]],
        meant: list[list[jsonschema_rs.ValidationError]],
    ) -> list[list[jsonschema_rs.ValidationError]]:
        """Of the arms that may be meant those that know most of the keys that are there."""
        listed, present = self._instance(error), error.instance
        if (
            not isinstance(listed, list)
            or len(listed) != len(arms)
            or not isinstance(present, dict)
        ):
            return meant
        known = [self._known_keys(schema) for schema in listed]
        scores = [len(known[arms.index(arm)] & present.keys()) for arm in meant]
        return [arm for arm, score in zip(meant, scores, strict=True) if score == max(scores)]

    def _known_keys(self, schema: Json) -> set[str]:
        """The keys that an alternative declares or requires."""
        keywords = self._resolver.shape(schema).keywords
        declared, required = keywords.get("properties"), keywords.get("required")
        names = [*(declared if isinstance(declared, dict) else ())]
        names += [
            name
            for name in (required if isinstance(required, list) else ())
            if isinstance(name, str)
        ]
        return set(names)

    def _broken_rules(
        self, error: jsonschema_rs.ValidationError, pointer: str
    ) -> list[FieldProblem]:
        """The rules about several keys that an error is about; none if it is about something else."""
        present = error.instance
        if not isinstance(present, dict):
            return []
        keyword = str(error.schema_path[-1]) if error.schema_path else ""
        rules = rules_of({keyword: self._instance(error)}, self._resolver)
        return [
            FieldProblem(
                pointer, rule.problem, missing=rule.is_only_missing(present), keys=rule.keys
            )
            for rule in rules
            if not holds(rule.formula, present)
        ]

    def _instance(self, error: jsonschema_rs.ValidationError) -> Json:
        """What the keyword that an error is about says in the schema; null where that is not known."""
        pointer: Json = self._compiled.schema
        for step in error.schema_path:
            if isinstance(pointer, dict):
                pointer = pointer.get(str(step))
            elif isinstance(pointer, list) and isinstance(step, int) and step < len(pointer):
                pointer = pointer[step]
            else:
                return None
        return pointer

    def _fitting(
        self, error: jsonschema_rs.ValidationError, arms: list[list[jsonschema_rs.ValidationError]]
    ) -> str:
        """Which alternatives fit though only one may."""
        listed = self._instance(error)
        fit = [at for at, found in enumerate(arms) if not found]
        if not isinstance(listed, list) or len(listed) != len(arms) or not fit:
            return ""
        return f": {', '.join(_alternative(listed[at], at) for at in fit[:MAX_NAMED])}"


def _errors(
    validator: jsonschema_rs.Validator, value: Json, steps: int
) -> tuple[list[jsonschema_rs.ValidationError], bool]:
    """Return the errors, and whether only the first is among them; the library lists all or one."""
    if steps <= MAX_LISTED_STEPS:
        return list(islice(validator.iter_errors(value), MAX_PROBLEMS)), False
    try:
        validator.validate(value)
    except jsonschema_rs.ValidationError as error:
        return [error], True
    return [], False


def _report(
    raw: tuple[FieldProblem, ...], found: Iterable[_Found], advisory: tuple[type[Kinds], ...]
) -> Report:
    taken = {problem.pointer for problem in raw}
    problems: dict[FieldProblem, None] = dict.fromkeys(raw)
    notes: dict[FieldProblem, None] = {}
    for problem, kind in found:
        if problem.pointer not in taken:
            (notes if kind in advisory else problems)[problem] = None
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


def _alternative(schema: Json, at: int) -> str:
    """What to call an alternative: its title, what it refers to, or its number."""
    if isinstance(schema, dict):
        for name in (schema.get("title"), str(schema.get("$ref", "")).rpartition("/")[2]):
            if isinstance(name, str) and name.strip():
                return one_line(name, 60)
    return f"no. {at + 1}"


def _missing_keys(arm: list[jsonschema_rs.ValidationError]) -> list[str]:
    """The keys that are all that an alternative lacks, in the object itself; none if it lacks anything else."""
    names = [inner.kind.property for inner in arm if isinstance(inner.kind, Kinds.Required)]
    levels = {len(inner.instance_path) for inner in arm}
    return names if len(names) == len(arm) and len(levels) == 1 else []


def _none_fits(arms: list[list[jsonschema_rs.ValidationError]]) -> str:
    kinds = [inner for arm in arms for inner in arm if isinstance(inner.kind, Kinds.Type)]
    if len(kinds) == len(arms) and len({len(inner.instance_path) for inner in kinds}) == 1:
        expected = dict.fromkeys(text_of(inner).removeprefix("must be ") for inner in kinds)
        return f"must be {' or '.join(expected)}"
    return "matches none of the variants"


def _is_other(union: jsonschema_rs.ValidationError, inner: jsonschema_rs.ValidationError) -> bool:
    """Whether `inner` says that the value was meant for another arm: wrong type, or another fixed property."""
    levels = len(inner.instance_path) - len(union.instance_path)
    if isinstance(inner.kind, Kinds.Type | Kinds.FalseSchema):
        return levels == 0
    return isinstance(inner.kind, Kinds.Constant) and levels <= 1


def _raw_problems(value: Json) -> Iterator[FieldProblem]:
    """Places that hold a text which is not JSON."""
    stack: list[tuple[Path, Json]] = [((), value)]
    while stack:
        path, item = stack.pop()
        if isinstance(item, RawJson):
            problem = json_problem(item)
            if problem:
                yield FieldProblem(join("", *path), problem)
        elif isinstance(item, dict):
            stack.extend(((*path, key), inner) for key, inner in item.items())
        elif isinstance(item, list):
            stack.extend(((*path, at), inner) for at, inner in enumerate(item))
