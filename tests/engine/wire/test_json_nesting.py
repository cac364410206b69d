"""JSON that is nested too deeply is cut in time that follows its length, into few texts; ours."""

from __future__ import annotations

import json
import re
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.wire import json_codec
from inspector.wire.json_nesting import DEEPEST, MAX_INDENTED, indented, split_nested

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from _typeshed import TraceFunction


def nested(inner: str, levels: int = 10 * DEEPEST) -> str:
    return "[" * levels + inner + "]" * levels


def steps(work: Callable[[], object]) -> int:
    """How many instructions of Python `work()` runs; unlike its time, the same on every machine."""
    count = 0

    def trace(frame: FrameType, event: str, _argument: object) -> TraceFunction:
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def made_whole(text: str, mark: str, pieces: tuple[str, ...]) -> str:
    return re.sub(rf"{mark}(\d+)", lambda found: pieces[int(found[1])], text)


def depth_of(text: str) -> int:
    depth = deepest = 0
    for found in re.finditer(r'"(?:[^"\\]|\\.)*"|([\[{])|([\]}])', text):
        depth += bool(found[1]) - bool(found[2])
        deepest = max(deepest, depth)
    return deepest


def odd_json(random: Random, levels: int) -> str:
    """JSON with brackets in strings, flat containers and deep ones beside each other."""
    kind = random.randrange(6)
    if levels <= 0 or kind == 0:
        return random.choice(["1", '"a"', '"[{"', '"\\"]"', '"\\\\"', "null", "1.5", "[]", "{}"])
    if kind == 1:
        return nested(odd_json(random, levels - 1), random.randint(1, 3 * DEEPEST))
    items = [odd_json(random, levels - 1) for _ in range(random.randint(0, 4))]
    if kind == 2:
        return "{" + ",".join(f'"]{at}": {item}' for at, item in enumerate(items)) + "}"
    return "[" + ", ".join(items) + "]"


def test_what_is_cut_holds_all_of_the_text_and_is_nowhere_too_deep() -> None:
    """Ours: each text can be read by a reader that allows three times `DEEPEST` levels."""
    random = Random(7)
    count = 0
    for _ in range(200):
        text = nested(odd_json(random, 5), random.choice([1, DEEPEST - 1, DEEPEST, 3 * DEEPEST]))

        found = split_nested(text)

        assert found is not None
        assert made_whole(found.text, found.mark, found.pieces) == text
        for part in (found.text, *(inner for _, inner in found.inner)):
            assert depth_of(part) < 3 * DEEPEST
            json.loads(part)
        count += len(found.pieces)
    assert count > 100


@pytest.mark.parametrize("text", ["[" * 500 + "]" * 501, "[" * 500, '["]"' * 500, "]["])
def test_brackets_that_do_not_match_are_noticed(text: str) -> None:
    assert split_nested(text) is None


@pytest.mark.parametrize("levels", [DEEPEST - 1, DEEPEST, 2 * DEEPEST])
def test_many_short_lists_at_one_level_are_not_cut_out_one_by_one(levels: int) -> None:
    """Ours: each piece is read by itself, and half a megabyte of `[],` took a second and a half."""
    text = f"[{nested('1')}, {nested('[],' * 50_000 + '[]', levels)}]"

    found = split_nested(text)

    assert found is not None
    assert len(found.inner) <= len(text) / DEEPEST
    assert len(found.inner) < 20


@pytest.mark.parametrize(
    "text",
    ['{"a":' * 100_000, '{"a":' * 100_000 + "1" + "}" * 100_000, nested("[[]]," * 100_000 + "1")],
    ids=["open", "closed", "lists"],
)
def test_brackets_are_taken_together(text: str) -> None:
    """Ours: looking at each one by itself kept the loop for a tenth of a second and more."""
    brackets = sum(map(text.count, "[]{}"))
    split_nested(text)  # compiles the patterns

    assert steps(lambda: split_nested(text)) < brackets


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
