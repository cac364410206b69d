"""How much work it takes to validate a value by a schema, so that a hostile schema is not used at all.

A union of two references, each to a union of two references, and so on, takes a line for each level and doubles the work.
Variants that apply to the same value add up; of schemas that apply to its parts the heaviest counts, since the parts are bounded
by the value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.schema.resolve import Resolver
    from inspector.wire.json_codec import Json, JsonObject

LIMIT = 20_000
"""Heavier schemas are not used: about a tenth of a second for a single value."""

MAX_STEPS = 500_000
"""Steps of one validation, a tenth of a microsecond each; a value that takes more is not validated. The validator lets no other
thread run: with 500 alternatives for each of 100,000 items it did so for 23 seconds."""

_SAME_LISTS = ("allOf", "anyOf", "oneOf")
_SAME = ("not", "if", "then", "else")
_SAME_MAPS = ("dependentSchemas", "dependencies")
_PARTS = (
    "items",
    "additionalItems",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contains",
    "propertyNames",
)
_PART_LISTS = ("items", "prefixItems")
_PART_MAPS = ("properties", "patternProperties")


class Weigher:
    """Weighs the schemas of one document."""

    def __init__(self, document: Json, resolver: Resolver) -> None:
        """Weigh `document`, whose references `resolver` knows."""
        self._document = document
        self._resolver = resolver
        self._known: dict[tuple[int, int], int] = {}

    def is_too_heavy(self, depth: int) -> bool:
        """Whether validating a single value nested `depth` levels could take too long."""
        return self.steps(Size(depth, 1)) > LIMIT

    def steps(self, size: Size) -> int:
        """Return about how many steps it takes to validate a value of that size; more than `MAX_STEPS` where that has no bound."""
        try:
            weight = self._weight(self._document, min(size.depth, 40), frozenset())
        except RecursionError:
            return MAX_STEPS + 1
        return weight * size.values if weight <= LIMIT else MAX_STEPS + 1

    def _weight(self, schema: Json, depth: int, above: frozenset[int]) -> int:
        if not isinstance(schema, dict) or id(schema) in above:
            return 1
        key = (id(schema), depth)
        if key not in self._known:
            self._known[key] = self._weigh(schema, depth, above | {id(schema)})
        return self._known[key]

    def _weigh(self, schema: JsonObject, depth: int, above: frozenset[int]) -> int:
        total = 1
        for same in self._same(schema):
            total += self._weight(same, depth, above)
            if total > LIMIT:
                return total
        patterns = schema.get("patternProperties")
        total += len(patterns) if isinstance(patterns, dict) else 0  # each is tried on each name
        heaviest = 0
        if depth > 0:
            for part in _parts(schema):
                heaviest = max(heaviest, self._weight(part, depth - 1, frozenset()))
        return total + heaviest

    def _same(self, schema: JsonObject) -> Iterator[Json]:
        for keyword in ("$ref", "$dynamicRef"):
            reference = schema.get(keyword)
            if isinstance(reference, str) and reference.startswith("#"):
                target = self._resolver.target(reference)
                if isinstance(target, dict):
                    yield target
        yield from _listed(schema, _SAME_LISTS)
        yield from (schema[keyword] for keyword in _SAME if keyword in schema)
        yield from _mapped(schema, _SAME_MAPS)


def _parts(schema: JsonObject) -> Iterator[Json]:
    yield from (schema[keyword] for keyword in _PARTS if keyword in schema)
    yield from _listed(schema, _PART_LISTS)
    yield from _mapped(schema, _PART_MAPS)


def _listed(schema: JsonObject, keywords: tuple[str, ...]) -> Iterator[Json]:
    for keyword in keywords:
        value = schema.get(keyword)
        if isinstance(value, list):
            yield from value


def _mapped(schema: JsonObject, keywords: tuple[str, ...]) -> Iterator[Json]:
    for keyword in keywords:
        value = schema.get(keyword)
        if isinstance(value, dict):
            yield from value.values()


class Size(NamedTuple):
    """How large a value is."""

    depth: int
    """Levels of arrays and objects."""
    values: int
    """Values in it, itself included."""


def size_of(value: Json) -> Size:
    """Measure a value."""
    deepest = count = 0
    stack: list[tuple[Json, int]] = [(value, 0)]
    while stack:
        item, depth = stack.pop()
        deepest = max(deepest, depth)
        count += 1
        if isinstance(item, dict):
            stack.extend((inner, depth + 1) for inner in item.values())
        elif isinstance(item, list):
            stack.extend((inner, depth + 1) for inner in item)
    return Size(deepest, count)
