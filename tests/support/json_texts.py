"""Strategies for JSON text as people and programs write it, and the settings under which they are tried."""

from __future__ import annotations

import json

from hypothesis import settings
from hypothesis import strategies as st

quick = settings(max_examples=30, deadline=None)
"""Few examples: the whole of the engine's tests has to stay short."""

_FRACTIONS = st.sampled_from(["", ".0", ".50", ".123456789012345678901234567890"])
_EXPONENTS = st.sampled_from(["", "e3", "E+3", "e-07", "e400"])

NUMBERS = st.tuples(
    st.integers(-(10**20), 10**20).map(str) | st.just("-0"), _FRACTIONS, _EXPONENTS
).map("".join)
STRINGS = st.text(max_size=6).map(lambda text: json.dumps(text, ensure_ascii=False))
SCALARS = (
    st.sampled_from(["null", "true", "false", "{}", "[]", '"\\ud83d\\ude00"', '"\\u0007"'])
    | NUMBERS
    | STRINGS
)


def _list(items: list[str]) -> str:
    return f"[{','.join(items)}]"


def _object(members: dict[str, str]) -> str:
    return "{%s}" % ",".join(f"{json.dumps(name)}:{text}" for name, text in members.items())


TEXTS = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3).map(_list)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3).map(_object)
    ),
    max_leaves=8,
)
"""Valid JSON texts without superfluous white space."""

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
"""Values; written by `json.dumps` they include what is nearly JSON, such as NaN."""

_MEMBERS = st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error", "x"])

NEARLY_MESSAGES = st.dictionaries(_MEMBERS, VALUES, max_size=6).map(
    lambda value: json.dumps(value).encode()
)
"""Objects with the members of messages and anything in them."""

FOREIGN = (
    st.binary(max_size=40)
    | st.text(max_size=20).map(str.encode)
    | NEARLY_MESSAGES
    | VALUES.map(lambda value: json.dumps(value).encode())
    | TEXTS.map(str.encode)
)
"""Bytes that a server may send."""
