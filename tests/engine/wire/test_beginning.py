"""The beginning of JSON text as a value; ours."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.wire.beginning import CutArray, CutString, read_beginning
from inspector.wire.json_codec import Json, JsonSyntaxError

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
