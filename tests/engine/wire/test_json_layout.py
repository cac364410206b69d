"""JSON text laid out in lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.wire import jsontext
from inspector.wire.json_layout import indented


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('{"a":1.50,"b":[ ],"a":{ }}', '{\n  "a": 1.50,\n  "b": [],\n  "a": {}\n}'),
        ('[ 1 ,[-0e+1,"a  [b"]]', '[\n  1,\n  [\n    -0e+1,\n    "a  [b"\n  ]\n]'),
        ('"\\" { "', '"\\" { "'),
        (" 7\n", "7"),
        ("", ""),
    ],
)
def test_only_white_space_between_tokens_changes(text: str, lines: str) -> None:
    """Ours: numbers keep their spelling, and keys that are there twice stay."""
    assert indented(text) == lines
    assert jsontext.compact(lines) == jsontext.compact(text)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_it_looks_as_a_value_is_written(value: jsontext.Json) -> None:
    """Ours: laid out twice it is the same."""
    written = jsontext.write(value, indent=2)

    assert indented(jsontext.write(value)) == written
    assert indented(written) == written
