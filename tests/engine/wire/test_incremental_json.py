"""Large JSON, read in steps or as far as its beginning: the value is the same, and no step reads more than its share."""

from __future__ import annotations

import itertools
import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.wire import incremental_json, json_codec, json_pages
from inspector.wire.incremental_json import CutArray, CutString, read_beginning
from inspector.wire.json_codec import Json, JsonSyntaxError


def read(text: bytes) -> tuple[Json, int]:
    """The value, and the steps that it took."""
    reading, taken = incremental_json.read_incrementally(text), 0
    while True:
        try:
            next(reading)
        except StopIteration as end:
            return end.value, taken
        taken += 1


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """So small that every case below is large."""
    monkeypatch.setattr(incremental_json, "STEP_BYTES", 16)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=20,
)


@settings(max_examples=200)
@given(value=JSON, ascii_only=st.booleans(), page_bytes=st.sampled_from([0, 8, 40]))
def test_what_is_read_in_steps_is_what_is_read_at_once(
    value: object, ascii_only: bool, page_bytes: int
) -> None:
    """Ours."""
    text = json.dumps(value, ensure_ascii=ascii_only).encode(errors="replace")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(incremental_json, "STEP_BYTES", 16)
        patch.setattr(incremental_json, "BATCH_BYTES", 8)
        patch.setattr(incremental_json, "MAX_MEMBERS", 3)
        patch.setattr(json_pages, "PAGE_BYTES", page_bytes)
        patch.setattr(json_pages, "_MANY_BYTES", 1 if page_bytes else 1 << 20)
        patch.setattr(json_pages, "_MANY_COMMAS", 0)

        assert read(text)[0] == json_codec.read_value(text)


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("character", ["a", "é", "\U0001f600", '"', "\\", "\n"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_no_character_and_no_escape_is_cut(character: str, ascii_only: bool) -> None:
    """Ours."""
    for before, count in itertools.product(range(24), (3, 30)):
        value = "x" * before + character * count + "y" * 40
        text = json.dumps(value, ensure_ascii=ascii_only).encode()

        assert read(text)[0] == value


@pytest.mark.usefixtures("small_steps")
def test_a_negative_zero_keeps_its_sign() -> None:
    """Ours: as everywhere."""
    value = read(b'{"a": ["%b", -0]}' % (b"x" * 64))[0]

    assert json_codec.write(value) == '{"a":["%s",-0]}' % ("x" * 64)


@pytest.mark.parametrize("character", ["x", "\u4f60"])
def test_a_long_text_takes_as_many_steps_as_it_is_long(character: str) -> None:
    """Ours: of escapes alone as well."""
    count = 10 * incremental_json.STEP_BYTES // len(json.dumps(character)[1:-1])
    text = json.dumps({"content": [{"type": "text", "text": character * count}]}).encode()

    assert 10 <= read(text)[1] <= 16


def test_many_small_items_are_read_in_batches() -> None:
    """Ours: one by one would take several times as long, all at once would take a while."""
    items = [{"n": at, "words": "x" * 50} for at in range(100_000)]
    text = json.dumps(items).encode()

    value, taken = read(text)

    assert value == items
    assert (
        1 + len(text) // incremental_json.BATCH_BYTES - 2
        <= taken
        <= 1 + len(text) // incremental_json.BATCH_BYTES
    )


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES.filter(lambda value: isinstance(value, (dict, list))), st.integers(1, 60))
def test_text_that_is_cut_anywhere_gives_what_stands_before_the_cut(value: Json, cut: int) -> None:
    """Ours."""
    for is_ascii in (True, False):
        text = json.dumps(value, ensure_ascii=is_ascii).encode()

        found = read_beginning(text, cut)

        assert type(found) in {dict, list, CutArray}
        assert _begins(found, value)


def _begins(found: Json, whole: Json) -> bool:
    """Whether `found` holds nothing that `whole` does not."""
    if isinstance(found, dict) and isinstance(whole, dict):
        return all(name in whole and _begins(item, whole[name]) for name, item in found.items())
    if isinstance(found, list) and isinstance(whole, list):
        return len(found) <= len(whole) and all(map(_begins, found, whole))
    if isinstance(found, CutString) and isinstance(whole, str):
        return whole.encode("utf-16-le", "surrogatepass").startswith(
            found.encode("utf-16-le", "surrogatepass")
        )
    return type(found) is type(whole) and found == whole


def test_what_goes_on_beyond_the_cut_is_marked_and_what_ended_is_not() -> None:
    """Ours."""
    text = b'{"done":[1,2],"name":"whole","open":[[1],["a","bcd'

    found = read_beginning(text + b'ef"]]}', len(text))

    assert isinstance(found, dict)
    assert type(found["done"]) is list
    assert type(found["name"]) is str
    assert type(found["open"]) is CutArray
    assert [type(item) for item in found["open"]] == [list, CutArray]
    assert found["open"] == [[1], ["a", "bcd"]]
    assert type(found["open"][1][1]) is CutString  # type: ignore[index, call-overload] - as above


@pytest.mark.parametrize("text", [b"no JSON at all", b"{]"])
def test_text_that_does_not_begin_like_json_is_refused(text: bytes) -> None:
    """Ours."""
    with pytest.raises(JsonSyntaxError):
        read_beginning(text + b" " * 100, len(text))


def test_the_beginning_of_deep_text_is_told_in_time() -> None:
    """Ours: what would close the text was copied at each of its brackets."""
    began = time.thread_time()

    for _ in range(10):
        assert isinstance(read_beginning(b"{" + b'"a":{' * 50_000, 64 << 10), dict)

    assert time.thread_time() - began < 2
