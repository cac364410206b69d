"""Rules about which keys of an object go together, as text: "at least one of: a, b".

`anyOf`, `oneOf`, `allOf` and `not` of `required` and similar keywords alone are such rules, in any notation; a schema with other
keywords is not. Rules that depend only on how many of some keys are present are named by that number.

Source: JSON Schema 2020-12 core, section 10.2; validation, section 6.5.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.schema.key_formula import (
    All,
    Any,
    Count,
    Has,
    Not,
    One,
    formula_of,
    holds,
    names_of,
    simplified,
)
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from inspector.schema.key_formula import Formula
    from inspector.schema.resolve import Resolver
    from inspector.wire.json_codec import Json, JsonObject

MAX_NAMES = 8
"""Keys of a rule whose combinations are all looked at; more are told as they are written."""

MAX_TEXT = 400
"""Characters of a rule."""

RULE_KEYWORDS = ("anyOf", "oneOf", "not")
"""What a rule is made of beside `required`; a shape keeps further ones in its `allOf`."""


class KeyRule(FrozenStruct, frozen=True, eq=False):
    """One rule about keys of an object."""

    text: str
    """The rule as text: "at least one of: a, b"."""
    keys: tuple[str, ...]
    """The keys that it is about."""
    formula: Formula
    """What has to hold."""

    @property
    def problem(self) -> str:
        """What to say where it is broken."""
        if self.text.startswith("if "):
            return self.text
        absent = self.text.removeprefix("no ")
        return f"must have {self.text}" if absent == self.text else f"must not have {absent}"

    def is_only_missing(self, present: Collection[str]) -> bool:
        """Whether more keys would cure an object that breaks it."""
        absent = [name for name in self.keys if name not in present]
        if len(absent) > MAX_NAMES:
            return True
        counts = range(1, len(absent) + 1)
        return any(
            holds(self.formula, {*present, *more})
            for count in counts
            for more in combinations(absent, count)
        )


def key_rules(shape: JsonObject, resolver: Resolver) -> tuple[KeyRule, ...]:
    """The rules of a shape, in the order they stand there."""
    parts: list[Json] = [shape]
    more = shape.get("allOf")
    if isinstance(more, list):
        parts += more
    found: dict[str, KeyRule] = {}
    for part in parts:
        for keyword in RULE_KEYWORDS:
            if isinstance(part, dict) and keyword in part:
                for rule in rules_of({keyword: part[keyword]}, resolver):
                    found.setdefault(rule.text, rule)
    return tuple(found.values())


def rules_of(schema: Json, resolver: Resolver) -> tuple[KeyRule, ...]:
    """Return the rules of a schema that consists of nothing else; an empty tuple for other schemas."""
    formula = formula_of(schema, resolver)
    if formula is None:
        return ()
    whole = simplified(formula)
    parts = whole.parts if isinstance(whole, All) else (whole,)
    return tuple(rule for rule in map(_rule, parts) if rule.text)


def rule_of_alternatives(alternatives: Sequence[Sequence[str]], *, only_one: bool) -> KeyRule:
    """The rule that all keys of one of these lists have to be there, or of no more than one."""
    parts = tuple(All(tuple(map(Has, names))) for names in alternatives)
    return _rule(simplified(One(parts) if only_one else Any(parts)))


def _rule(formula: Formula) -> KeyRule:
    return KeyRule(one_line(_text(formula), MAX_TEXT), names_of(formula), formula)


def is_rule(schema: Json, resolver: Resolver, *, of_object: bool = False) -> bool:
    """Whether a schema says nothing but which keys stand together, and something of that unless it is known to be about an object."""
    formula = formula_of(schema, resolver)
    if formula is None:
        return False
    return of_object or bool(names_of(formula)) or isinstance(simplified(formula), Count)


def _text(formula: Formula) -> str:
    names = names_of(formula)
    counted = _counts(formula, names)
    if counted is not None:
        return _count_text(counted, names)
    if isinstance(formula, Any) and (text := _implication(formula)):
        return text
    if isinstance(formula, Any):
        return f"at least one of: {_alternatives(formula.parts)}"
    if isinstance(formula, One):
        return f"exactly one of: {_alternatives(formula.parts)}"
    return _alternative(formula)


def _counts(formula: Formula, names: Sequence[str]) -> frozenset[int] | None:
    """Return how many of the keys may be present; None if the rule depends on which ones."""
    if not 1 <= len(names) <= MAX_NAMES or _has_count(formula):
        return None
    allowed: set[int] = set()
    for count in range(len(names) + 1):
        verdicts = {holds(formula, set(present)) for present in combinations(names, count)}
        if len(verdicts) > 1:
            return None
        if True in verdicts:
            allowed.add(count)
    return frozenset(allowed)


def _has_count(formula: Formula) -> bool:
    if isinstance(formula, Not):
        return _has_count(formula.part)
    if isinstance(formula, All | Any | One):
        return any(map(_has_count, formula.parts))
    return isinstance(formula, Count)


def _count_text(counts: frozenset[int], names: Sequence[str]) -> str:
    """What the allowed numbers of keys are called; empty where all are."""
    total, listed = len(names), ", ".join(map(_name, names))
    if len(counts) == total + 1:
        return ""
    if not counts:
        return "nothing: no keys fit"
    if total == 1:
        return listed if 1 in counts else f"no {listed}"
    return f"{_amount(sorted(counts), total)} of: {listed}"


def _amount(counts: list[int], total: int) -> str:
    low, high = counts[0], counts[-1]
    if counts == [0, total]:
        return "all or none"
    if low == high:
        return {0: "none", total: "all"}.get(low, f"exactly {_number(low)}")
    if len(counts) < high - low + 1:
        return " or ".join(map(str, counts))
    if high == total:
        return f"at least {_number(low)}"
    return f"{low} to {high}" if low else f"at most {_number(high)}"


def _number(count: int) -> str:
    return "one" if count == 1 else str(count)


def _implication(formula: Any) -> str:
    """`not a, or b` as "if a is set: b"."""
    if len(formula.parts) != 2:
        return ""
    condition = next((part for part in formula.parts if isinstance(part, Not)), None)
    if condition is None:
        return ""
    then = next(part for part in formula.parts if part is not condition)
    return f"if {_alternative(condition.part)} is set: {_alternative(then)}"


def _alternatives(parts: Sequence[Formula]) -> str:
    between = ", " if all(isinstance(part, Has) for part in parts) else "; "
    return between.join(map(_alternative, parts))


def _alternative(formula: Formula) -> str:
    if isinstance(formula, Has):
        return _name(formula.name)
    if isinstance(formula, Count):
        return _keys(formula)
    if isinstance(formula, Not):
        inner = formula.part
        return f"no {_name(inner.name)}" if isinstance(inner, Has) else f"not ({_text(inner)})"
    if isinstance(formula, All):
        return _together(formula.parts)
    return f"({_text(formula)})"


def _together(parts: Sequence[Formula]) -> str:
    if not parts:
        return "anything"
    absent = [p.part for p in parts if isinstance(p, Not) and isinstance(p.part, Has | Any)]
    without = [name for part in absent for name in names_of(part) if _is_plain(part)]
    left = [p for p in parts if not (isinstance(p, Not) and p.part in absent and _is_plain(p.part))]
    text = " and ".join(map(_alternative, left))
    if not without:
        return text
    named = " or ".join(map(_name, without))
    return f"{text} without {named}" if text else f"no {named}"


def _is_plain(formula: Formula) -> bool:
    """Whether it is a key, or one of several."""
    if isinstance(formula, Any):
        return all(isinstance(part, Has) for part in formula.parts)
    return isinstance(formula, Has)


def _keys(count: Count) -> str:
    if count.max_keys is None:
        return f"at least {count.min_keys} {'key' if count.min_keys == 1 else 'keys'}"
    if count.min_keys == count.max_keys:
        return f"{count.min_keys} {'key' if count.min_keys == 1 else 'keys'}"
    start = f"{count.min_keys} to" if count.min_keys else "at most"
    return f"{start} {count.max_keys} {'key' if count.max_keys == 1 else 'keys'}"


def _name(name: str) -> str:
    return one_line(name, 80) or '""'
