"""JSON text laid out in lines."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.wire import json_codec
from inspector.wire.json_layout import MAX_INDENTED, indented


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
    assert json_codec.compact(lines) == json_codec.compact(text)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_it_looks_as_a_value_is_written(value: json_codec.Json) -> None:
    """Ours: laid out twice it is the same."""
    written = json_codec.write(value, indent=2)

    assert indented(json_codec.write(value)) == written
    assert indented(written) == written


@pytest.mark.parametrize(
    ("opening", "inner", "closing"),
    [("[", "1", "]"), ('{"a":', '"\\ud800"', "}"), ('["]",', "1", ',"["]')],
    ids=["lists", "half a character", "brackets in strings"],
)
def test_indentation_ends_and_does_not_multiply_the_size_of_deep_text(
    opening: str, inner: str, closing: str
) -> None:
    """Ours: 200 kB of an error became 170 MB, 900 levels to the right."""
    items = ",".join([inner] * 5_000)
    text = f"{opening * 900}[{items}]{closing * 900}"

    written = json_codec.write(json_codec.read(text.encode()).value, indent=2)

    assert written == indented(text)
    assert json_codec.compact(written) == text
    assert max(len(line) - len(line.lstrip()) for line in written.splitlines()) == 2 * MAX_INDENTED
    assert len(written) < 300 * len(text)


def test_wide_text_is_indented_as_ever() -> None:
    """Ours: many brackets are no depth."""
    value: json_codec.Json = [[{"a": ["]"]}] for _ in range(1_000)]

    assert json_codec.write(value, indent=2) == json.dumps(value, indent=2)
