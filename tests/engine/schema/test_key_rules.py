"""Rules about which keys of an object stand together; ours."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, cast

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.schema.key_formula import formula_of, holds, simplified
from inspector.schema.key_rules import is_rule, key_rules, rules_of
from inspector.schema.resolve import Resolver

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

A: JsonObject = {"required": ["a"]}
B: JsonObject = {"required": ["b"]}
C: JsonObject = {"required": ["c"]}
BOTH: JsonObject = {"required": ["a", "b"]}
EITHER: JsonObject = {"anyOf": [A, B]}


def told(schema: Json, document: Json = None) -> list[str]:
    return [rule.text for rule in rules_of(schema, Resolver(document))]


TOLD: list[tuple[Json, list[str]]] = [
    (EITHER, ["at least one of: a, b"]),
    ({"oneOf": [A, B]}, ["exactly one of: a, b"]),
    ({"not": BOTH}, ["at most one of: a, b"]),
    ({"not": EITHER}, ["none of: a, b"]),
    ({"not": A}, ["no a"]),
    ({"oneOf": [A, B, {"not": EITHER}]}, ["at most one of: a, b"]),
    ({"oneOf": [BOTH, {"not": EITHER}]}, ["all or none of: a, b"]),
    ({"oneOf": [{**A, "not": B}, {**B, "not": A}]}, ["exactly one of: a, b"]),
    ({"oneOf": [{"properties": {"b": False}, **A}, B]}, ["at least one of: b, a"]),
    ({"anyOf": [A, {"required": ["b", "c"]}]}, ["at least one of: a; b and c"]),
    ({"oneOf": [{**A, "not": C}, B]}, ["exactly one of: a without c; b"]),
    ({"anyOf": [{"not": A}, B]}, ["if a is set: b"]),
    ({"anyOf": [A, {"minProperties": 2}]}, ["at least one of: a; at least 2 keys"]),
    ({"allOf": [EITHER, {"oneOf": [B, C]}]}, ["at least one of: a, b", "exactly one of: b, c"]),
    ({"anyOf": [True, A]}, []),
    ({"anyOf": [A, {"properties": {"b": {}}}]}, []),
    ({"anyOf": [A, {"type": "string"}]}, []),
    ({"anyOf": "x"}, []),
    (7, []),
]


@pytest.mark.parametrize(("schema", "texts"), TOLD)
def test_a_rule_is_told_in_the_same_words_however_it_is_written(
    schema: Json, texts: list[str]
) -> None:
    """Ours."""
    assert told(schema) == texts


def test_a_rule_may_stand_behind_a_reference_and_never_goes_round() -> None:
    """Ours."""
    document: Json = {"$defs": {"a": A, "me": {"anyOf": [{"$ref": "#/$defs/me"}, A]}}}

    assert told({"anyOf": [{"$ref": "#/$defs/a"}, B]}, document) == ["at least one of: a, b"]
    assert told({"$ref": "#/$defs/me"}, document) == []


def test_rules_of_all_parts_of_a_shape_are_told() -> None:
    """Ours: `allOf` loses none of them."""
    resolver = Resolver({})
    shape = resolver.shape(
        {"type": "object", "allOf": [EITHER, {"anyOf": [B, C]}, {"not": {"required": ["a", "c"]}}]}
    )

    texts = {rule.text for rule in key_rules(shape.keywords, resolver)}

    assert texts == {"at least one of: a, b", "at least one of: b, c", "at most one of: a, c"}


def test_a_schema_that_only_gives_the_type_is_no_rule() -> None:
    """Ours: else a union of one object would lose its type."""
    resolver = Resolver({})

    assert not is_rule({"anyOf": [{"type": "object"}]}, resolver)
    assert is_rule({"anyOf": [{"type": "object", **A}, B]}, resolver)


def test_more_keys_cure_what_is_only_missing() -> None:
    """Ours."""
    (rule,) = rules_of({"oneOf": [A, B]}, Resolver({}))

    assert rule.is_only_missing({})
    assert not rule.is_only_missing({"a", "b"})


NAMES = st.sampled_from(["a", "b", "c"])


def schemas(**keywords: st.SearchStrategy[object]) -> st.SearchStrategy[Json]:
    """Schemas of one keyword, any of these."""
    made = st.one_of(*(st.fixed_dictionaries({word: each}) for word, each in keywords.items()))
    return cast("st.SearchStrategy[Json]", made)


def around(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    several = st.lists(inner, min_size=1, max_size=3)
    return schemas(**{"not": inner, "anyOf": several, "oneOf": several, "allOf": several})


COUNTS = st.integers(0, 3)
LEAVES = schemas(
    required=st.lists(NAMES, max_size=2, unique=True), minProperties=COUNTS, maxProperties=COUNTS
)
SCHEMAS = st.recursive(LEAVES | st.booleans(), around, max_leaves=8)


@given(SCHEMAS)
def test_a_formula_holds_where_the_schema_does(schema: Json) -> None:
    """Ours: before and after it was simplified."""
    formula = formula_of(schema, Resolver(schema))
    assert formula is not None
    assert isinstance(schema, dict | bool)
    validator = jsonschema_rs.validator_for(schema)

    for count in range(4):
        for present in combinations("abc", count):
            verdict = validator.is_valid(dict.fromkeys(present, 1))
            assert holds(formula, present) == verdict
            assert holds(simplified(formula), present) == verdict
