"""Large JSON is read as it is looked at, and says the same as when it is read at once; ours."""

from __future__ import annotations

import json
import time

import pytest

from inspector.wire import json_codec, json_pages, lazy_json
from inspector.wire.json_codec import Json, JsonSyntaxError
from inspector.wire.lazy_json import LARGE, LazyArray, LazyObject, LongArray

ITEM: Json = {"n": [1, {"deep": [True, None, "ü"]}], "s": "x" * 100}
ITEMS = 2_000
ROWS: list[Json] = [ITEM] * ITEMS
WHOLE: Json = {"rows": ROWS, "small": {"a": 1}, "text": "y" * LARGE}
OBJECT = json_codec.write_bytes(WHOLE)


def test_small_text_gives_plain_values() -> None:
    """Ours."""
    value = lazy_json.read(b'{"a":[1,1.50]}')

    assert type(value) is dict
    assert type(value["a"]) is list
    assert json_codec.write(value) == '{"a":[1,1.50]}'


def test_large_text_is_read_member_by_member() -> None:
    """Ours."""
    value = lazy_json.read(OBJECT)

    assert isinstance(value, LazyObject)
    rows = value["rows"]
    assert isinstance(rows, LazyArray)
    assert (len(value), len(rows), rows[3], rows[-1]) == (3, ITEMS, ITEM, ITEM)
    assert (value.get("small"), value.get("none"), "text" in value) == ({"a": 1}, None, True)


def test_values_are_compared_by_content_whatever_was_looked_at() -> None:
    """Ours."""
    looked, fresh, plain = lazy_json.read(OBJECT), lazy_json.read(OBJECT), json.loads(OBJECT)
    assert isinstance(looked, LazyObject)
    rows = looked["rows"]
    assert isinstance(rows, LazyArray)
    assert rows[7] == ITEM

    assert looked == fresh
    assert (looked != fresh) is False
    assert looked == plain
    assert plain == fresh
    assert {"deep": [fresh]} == {"deep": [looked]}
    assert rows == plain["rows"]
    assert ITEM in rows
    assert looked != {**plain, "more": 1}
    assert rows != [ITEM]


def test_what_is_taken_out_is_read() -> None:
    """Ours."""
    value = lazy_json.read(OBJECT)
    assert isinstance(value, LazyObject)
    rows = value.setdefault("rows", None)
    assert isinstance(rows, LazyArray)

    assert rows.pop() == rows.pop(0) == ITEM
    assert value.pop("small") == {"a": 1}
    assert value.pop("none", None) is None
    assert value.setdefault("new", 7) == 7
    assert value.copy().keys() == {"rows", "text", "new"}
    assert value.popitem() == ("new", 7)
    assert rows.copy() == [ITEM] * (ITEMS - 2)


def test_every_way_to_look_at_it_gives_what_is_there() -> None:
    """Ours."""
    whole, lazy = json.loads(OBJECT), lazy_json.read(OBJECT)
    assert isinstance(lazy, LazyObject)
    rows = lazy["rows"]
    assert isinstance(rows, LazyArray)

    assert dict(lazy.items())["small"] == {**lazy}["small"] == {"a": 1}
    assert list(lazy) == list(whole)
    assert [type(value) for value in lazy.values()] == [LazyArray, dict, str]
    assert list(rows) == rows[:] == whole["rows"]
    assert [ITEM if isinstance(item, dict) else item for item in rows[1:3]] == [ITEM, ITEM]
    assert [*reversed(rows), *rows] == rows + whole["rows"]
    assert (rows.count(ITEM), rows.index(ITEM, 3)) == (ITEMS, 3)
    assert len(rows.unread(5, 8)) == 3


def test_it_is_written_as_it_was_whether_it_was_looked_at_or_not() -> None:
    """Ours."""
    lazy = lazy_json.read(OBJECT)
    assert isinstance(lazy, LazyObject)

    assert json_codec.write_bytes(lazy) == OBJECT
    _ = lazy["small"], lazy["rows"]
    assert json_codec.write_bytes(lazy) == OBJECT


def test_what_c_code_is_to_see_is_settled_first() -> None:
    """Ours: to it, what is unread is no JSON value."""
    settled = lazy_json.materialized(lazy_json.read(OBJECT))

    assert (type(settled), settled) == (dict, json.loads(OBJECT))
    assert lazy_json.materialized("plain") == "plain"


def test_a_member_that_will_be_needed_whole_is_read_at_once() -> None:
    """Ours."""
    lazy = lazy_json.read(OBJECT)
    assert isinstance(lazy, LazyObject)

    lazy.materialize("rows")
    lazy.materialize("nothing")

    assert type(lazy["rows"]) is list
    assert "nothing" not in lazy


@pytest.mark.parametrize(
    "text",
    [
        b'{"a":NaN,"b":"%b"}' % (b"x" * LARGE),
        b'\xef\xbb\xbf["%b"]' % (b"x" * LARGE),
        b'["\\ud800","%b"]' % (b"x" * LARGE),
        b'"%b"' % (b"x" * LARGE),
        b"1" * (LARGE + 1),
    ],
)
def test_text_that_needs_a_tolerance_or_is_no_container_is_read_as_ever(text: bytes) -> None:
    """Ours."""
    assert json_codec.write(lazy_json.read(text)) == json_codec.write(json_codec.read(text).value)


def test_bytes_that_are_not_utf_8_are_replaced_when_they_are_read() -> None:
    """Ours."""
    value = lazy_json.read(b'["\xff","%b"]' % (b"x" * LARGE))

    assert isinstance(value, list)
    assert value[0] == "\ufffd"


def test_large_text_that_is_no_json_is_refused() -> None:
    """Ours."""
    with pytest.raises(JsonSyntaxError):
        lazy_json.read(b"{" + b"x" * LARGE)


MANY: tuple[Json, ...] = (
    1,
    "a,b",
    'q"},{',
    {"b": [1, {"c": "],["}]},
    [[2, 3], "]"],
    None,
    -1.5,
    "",
)
"""Items that a comma cuts in every way."""


@pytest.mark.parametrize("page_bytes", [8, 64, 1000, 64 << 10])
@pytest.mark.parametrize("separators", [(",", ":"), (" , ", " : ")])
def test_an_array_of_very_many_items_is_found_in_pages_of_whole_ones(
    page_bytes: int, separators: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: as a whole, ten million items take half a second."""
    monkeypatch.setattr(json_pages, "PAGE_BYTES", page_bytes)
    monkeypatch.setattr(json_pages, "_MANY_BYTES", 1)
    monkeypatch.setattr(json_pages, "_MANY_COMMAS", 0)
    items: list[Json] = [*(MANY * 4_000), {"end": [[]]}]
    text = json.dumps({"rows": items}, separators=separators).encode()
    lazy = lazy_json.read(text)
    assert isinstance(lazy, LazyObject)
    rows = lazy["rows"]
    assert isinstance(rows, LongArray)

    assert bool(rows)
    assert (rows[3], rows[2:5], len(rows.unread(0, 9))) == (items[3], items[2:5], 9)
    assert rows.known < len(items) // 2
    assert not rows.is_counted
    assert (len(rows), rows.is_counted) == (len(items), True)
    assert (rows[-1], rows[-3:], rows[31_999:]) == (items[-1], items[-3:], items[31_999:])
    assert list(rows) == items
    assert json_codec.read_value(json_codec.write_bytes(lazy)) == {"rows": items}
    assert lazy_json.materialized(rows) == items
    with pytest.raises(IndexError):
        _ = rows[len(items)]
    for change in (rows.clear, rows.reverse, lambda: rows.append(1), lambda: rows.insert(0, 1)):
        with pytest.raises(TypeError):
            change()
    assert len(rows) == len(items)


def test_what_is_behind_a_long_array_is_left_out_at_once() -> None:
    """Ours: a line that goes on with white space for megabytes is an array still."""
    text = b" [1, 2 ]" + b" \t" * 8_000_000
    before = time.process_time()

    inner = json_pages.items_text(text)

    assert bytes(inner) == b"1, 2 "
    assert time.process_time() - before < 0.5  # a fiftieth; two seconds, byte by byte
    assert [bytes(json_pages.items_text(b"[1]" + b"\n" * n)) for n in (4092, 4093, 4094)] == [
        b"1"
    ] * 3


def test_what_is_nested_very_deeply_in_a_long_array_is_one_item() -> None:
    """Ours: there is no room to read it where the stack is deep already."""
    deep = b"[" * 2_000 + b'"],"' + b"]" * 2_000
    text = memoryview(b",".join([b"1", deep, b' "a" ', deep, b"2"]))

    pages = list(json_pages.pages(text))

    items = [bytes(each) for page in pages for each in json_pages.page_items(text, page)]
    assert items == [b"1", deep, b'"a"', deep, b"2"]
    assert sum(page.count for page in pages) == 5
