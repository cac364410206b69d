"""Random edits of random values by random schemas lose, invent and change nothing; ours.

`SPYGLASS_FORM_CASES=20000` plays that many.
"""

from __future__ import annotations

import gc
import itertools
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.schema.json_edit import exact
from inspector.wire.json_codec import compact, write
from tests.ui.widgets.form.retyping import (
    Edits,
    at,
    changed_elsewhere,
    retype_everything,
    tidy,
    unlike,
    value_of,
)
from ui.widgets.form import layout

if TYPE_CHECKING:
    from inspector.schema.json_edit import JsonOrMissing
    from inspector.wire.json_codec import Json
    from ui.widgets.form import Form

CASES = int(os.environ.get("SPYGLASS_FORM_CASES", "60"))

KEYS = st.sampled_from(["a", "b", "c", "d/e", "", "7", "~"])
SCALARS: st.SearchStrategy[Json] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "x", "7", "null", "a\nb", " ", "é😀", "\u2028", "\x00"]),
)
VALUES: st.SearchStrategy[Json] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
TEXTS = st.sampled_from(["", "x", "7", "-1.50e2", "null", '"q"', "[1]", '{"a":', "a\nb", "1.0"])
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "object", "array"])


Strategies = Mapping[str, st.SearchStrategy[object]]


def schema_of(sure: Strategies, maybe: Strategies | None = None) -> st.SearchStrategy[Json]:
    """Objects that have all keys of `sure` and some of `maybe`."""
    made = st.fixed_dictionaries(dict(sure), optional=dict(maybe or {}))
    return cast("st.SearchStrategy[Json]", made)


def leaf() -> st.SearchStrategy[Json]:
    typed = schema_of(
        {"type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True)},
        {"default": SCALARS, "title": st.just("T"), "nullable": st.booleans()},
    )
    listed = schema_of({"enum": st.lists(SCALARS, min_size=1, max_size=4)})
    fixed = schema_of({"const": SCALARS})
    reference = schema_of({"$ref": st.just("#/$defs/x")})
    return st.one_of(typed, listed, fixed, st.booleans(), reference)


def around(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    properties = st.dictionaries(KEYS, inner, max_size=3)
    required = st.lists(KEYS, max_size=2, unique=True)
    condition = schema_of({"required": required})
    brought = schema_of({"properties": properties, "required": required})
    test = schema_of({"properties": schema_of({"a": inner}), "required": required})
    objects = schema_of(
        {"type": st.just("object")},
        {
            "properties": properties,
            "required": required,
            "additionalProperties": inner,
            "if": condition | test,
            "then": brought,
            "else": brought,
            "dependentRequired": st.dictionaries(KEYS, required, max_size=2),
            "dependentSchemas": st.dictionaries(KEYS, brought, max_size=2),
            "allOf": st.lists(schema_of({"if": test, "then": brought}), max_size=2),
            "anyOf": st.lists(condition, min_size=1, max_size=2),
            "oneOf": st.lists(condition, min_size=1, max_size=2),
            "not": condition,
        },
    )
    arrays = schema_of(
        {"type": st.just("array")},
        {
            "items": inner,
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "minItems": st.integers(0, 2),
        },
    )
    arms = st.lists(inner, min_size=1, max_size=3)
    unions = st.one_of(*(schema_of({word: arms}) for word in ("anyOf", "oneOf", "allOf")))
    return st.one_of(objects, arrays, unions)


INNER = st.recursive(leaf(), around, max_leaves=6)
ROOTS = schema_of(
    {
        "type": st.just("object"),
        "properties": st.dictionaries(KEYS, INNER, max_size=4),
        "$defs": schema_of({"x": INNER}),
    },
    {"required": st.lists(KEYS, max_size=2, unique=True), "additionalProperties": INNER},
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["type", "choose", "press"]), st.integers(0, 50), st.integers(0, 9), TEXTS
    ),
    max_size=6,
)


def do(form: Form, step: tuple[str, int, int, str]) -> str:
    """One edit; what it did elsewhere, or wrong."""
    kind, chance, index, text = step
    if not form.can_send():
        return ""
    before, edits = value_of(form), Edits(form)
    if kind == "press":
        pressed = edits.press(chance)
        if pressed is None:
            return ""
        name, path = pressed
        path = path[:-1] if name == "remove" else path
    else:
        found = edits.type_text(chance, text) if kind == "type" else edits.choose(chance, index)
        if found is None:
            return ""
        name, path = kind, found
    if not form.can_send():
        return ""  # JSON that is not finished; it is kept as it is typed
    after = value_of(form)
    if name == "add":
        return _added(at(before, path), at(after, path)) or changed_elsewhere(before, after, path)
    if name in {"open", "as list"}:
        return "" if exact(before) == exact(after) else f"{name} changed the value"
    return changed_elsewhere(before, after, path)


def _added(before: JsonOrMissing, after: JsonOrMissing) -> str:
    known = before if isinstance(before, list) else []
    kept = after[: len(known)] if isinstance(after, list) else []
    return "" if exact(kept) == exact(known) else f"adding changed {known} to {after}"


@pytest.mark.timeout(60 + CASES)
def test_edits_change_what_they_are_about_and_show_what_is_sent(
    form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: values that do not fit the schema are among them."""
    monkeypatch.setattr(layout, "TURN_SECONDS", 60.0)

    played = itertools.count(1)

    @settings(
        max_examples=CASES,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
    @given(schema=ROOTS, value=VALUES, steps=STEPS)
    def play(schema: Json, value: Json, steps: list[tuple[str, int, int, str]]) -> None:
        tidy()
        if next(played) % 50 == 0:
            gc.collect()  # during a test nothing else does: see `tests/support/qt_leftovers.py`
        form.set_schema(schema)
        text = write(value)
        form.set_text(text)
        retype_everything(form)
        assert form.text() == compact(text)
        for step in steps:
            assert do(form, step) == ""
            tidy()
            if form.can_send():
                assert unlike(form) == []
        again = form.text()
        form.set_schema(schema, again, again=True)
        assert form.text() == again

    play()
