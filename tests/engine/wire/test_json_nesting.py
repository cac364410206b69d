"""JSON that is nested too deeply is cut in time that follows its length, into few texts; ours."""

from __future__ import annotations

import json
import re
import time
from random import Random

import pytest

from inspector.wire.json_nesting import DEEPEST, split_nested


def nested(inner: str, levels: int = 10 * DEEPEST) -> str:
    return "[" * levels + inner + "]" * levels


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
    before = time.thread_time()
    for found in re.finditer(r"[\[\]{}]", text):
        found.start()
    one_by_one = time.thread_time() - before

    before = time.thread_time()
    split_nested(text)

    assert time.thread_time() - before < one_by_one
