"""Large JSON, read in steps: the value is the same, and no step reads more than its share."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.wire import json_codec, steps

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json


def read(text: bytes) -> tuple[Json, int]:
    """The value, and the steps that it took."""
    reading, taken = steps.reading(text), 0
    while True:
        try:
            next(reading)
        except StopIteration as end:
            return end.value, taken
        taken += 1


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """So small that every case below is large."""
    monkeypatch.setattr(steps, "STEP", 16)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=20,
)


@settings(max_examples=200)
@given(value=JSON, ascii_only=st.booleans())
def test_what_is_read_in_steps_is_what_is_read_at_once(value: object, ascii_only: bool) -> None:
    """Ours."""
    text = json.dumps(value, ensure_ascii=ascii_only).encode(errors="replace")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(steps, "STEP", 16)
        patch.setattr(steps, "BATCH", 8)
        patch.setattr(steps, "FEW", 3)

        assert read(text)[0] == json_codec.read_value(text)


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("character", ["a", "é", "\U0001f600", '"', "\\", "\n"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_no_character_and_no_escape_is_cut(character: str, ascii_only: bool) -> None:
    """Ours."""
    for before in range(24):
        value = "x" * before + character * 3 + "y" * 40
        text = json.dumps(value, ensure_ascii=ascii_only).encode()

        assert read(text)[0] == value


@pytest.mark.usefixtures("small_steps")
def test_a_negative_zero_keeps_its_sign() -> None:
    """Ours: as everywhere."""
    value = read(b'{"a": ["%b", -0]}' % (b"x" * 64))[0]

    assert json_codec.write(value) == '{"a":["%s",-0]}' % ("x" * 64)


def test_a_long_text_takes_as_many_steps_as_it_is_long() -> None:
    """Ours."""
    text = json.dumps({"content": [{"type": "text", "text": "x" * (10 * steps.STEP)}]}).encode()

    assert 10 <= read(text)[1] <= 16


def test_many_small_items_are_read_in_batches() -> None:
    """Ours: one by one would take several times as long, all at once would take a while."""
    items = [{"n": at, "words": "x" * 50} for at in range(100_000)]
    text = json.dumps(items).encode()

    value, taken = read(text)

    assert value == items
    assert 1 + len(text) // steps.BATCH - 2 <= taken <= 1 + len(text) // steps.BATCH
