"""The difference of two JSON texts says all that differs, and nothing else; ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.background_tasks import at_once
from inspector.compare.json_difference import (
    MAX_CHANGES,
    MAX_DEPTH,
    ChangeKind,
    JsonDifference,
    compare_json,
)
from inspector.compare.paths import path_text
from inspector.wire import json_codec
from tests.support.json_texts import TEXTS, quick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.compare.json_difference import Change
    from inspector.compare.json_text import JsonText
    from inspector.compare.paths import Path
    from inspector.json_value import Json

SMALL = st.sampled_from(["a", "b", "c"])
LISTS = st.recursive(
    st.integers(0, 2) | st.booleans() | SMALL,
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.dictionaries(SMALL | st.just("id"), inner, max_size=3)
        | st.lists(st.fixed_dictionaries({"id": st.integers(0, 4), "v": inner}), max_size=5)
    ),
    max_leaves=16,
)
"""Values with much in common, so that items move, repeat and are found by identity."""


def compared(old: Json, new: Json) -> JsonDifference:
    return at_once(compare_json(json_codec.write_bytes(old), json_codec.write_bytes(new)))


def summary(old: Json, new: Json) -> list[tuple[str, str]]:
    return [(change.kind.value, path_text(change.path)) for change in compared(old, new).changes()]


def applied(old: Json, changes: Sequence[Change]) -> Json:
    """Apply all changes to `old`."""
    kept = {kind: [change for change in changes if change.kind is kind] for kind in ChangeKind}
    replaced = {change.path: change.new for change in kept[ChangeKind.CHANGED]}
    added = {change.path: change.new for change in kept[ChangeKind.ADDED]}
    removed = {change.old_path for change in kept[ChangeKind.REMOVED]}
    moved = {change.path: change.old_path for change in kept[ChangeKind.MOVED]}

    def read(text: JsonText | None) -> Json:
        assert text is not None
        return json_codec.read(bytes(text)).value

    def rebuilt(value: Json, path: Path, old_path: Path) -> Json:
        if path in replaced:
            return read(replaced[path])
        new = {at[-1]: read(text) for at, text in added.items() if at[:-1] == path}
        if isinstance(value, dict):
            names = [name for name in value if (*old_path, name) not in removed]
            same = {name: rebuilt(value[name], (*path, name), (*old_path, name)) for name in names}
            return same | {str(name): each for name, each in new.items()}
        if not isinstance(value, list):
            return value
        came = {at[-1]: source[-1] for at, source in moved.items() if at[:-1] == path}
        kept_items = (at for at in range(len(value)) if (*old_path, at) not in removed)
        rest = iter([at for at in kept_items if at not in came.values()])
        items: list[Json] = []
        for at in range(len(value) - sum(each[:-1] == old_path for each in removed) + len(new)):
            if at in new:
                items.append(new[at])
            else:
                source = int(came[at]) if at in came else next(rest)
                items.append(rebuilt(value[source], (*path, at), (*old_path, source)))
        return items

    return rebuilt(old, (), ())


def normal(value: Json) -> object:
    """The value without the order of members, and without what Python takes for equal: 1, 1.0 and true."""
    if isinstance(value, dict):
        return {name: normal(each) for name, each in value.items()}
    return [normal(each) for each in value] if isinstance(value, list) else json_codec.write(value)


@quick
@given(LISTS, LISTS)
def test_applying_the_changes_to_the_one_gives_the_other(old: Json, new: Json) -> None:
    """Ours."""
    difference = compared(old, new)

    assert normal(applied(old, list(difference.changes()))) == normal(new)
    assert difference.is_equal == (normal(old) == normal(new))


@quick
@given(TEXTS, TEXTS)
def test_numbers_and_signs_of_any_text_are_compared_as_written(old: str, new: str) -> None:
    """Ours."""
    difference = at_once(compare_json(old.encode(), new.encode()))
    before, after = json_codec.read(old.encode()).value, json_codec.read(new.encode()).value

    assert normal(applied(before, list(difference.changes()))) == normal(after)


@quick
@given(TEXTS)
def test_a_text_does_not_differ_from_itself_with_other_white_space(text: str) -> None:
    """Ours: neither does the order of members count."""
    spaced = json_codec.write(json_codec.read(text.encode()).value, indent=3)
    difference = at_once(compare_json(text.encode(), f" {spaced}\n".encode()))

    assert difference.is_equal
    assert list(difference.changes()) == []


def test_items_are_found_by_their_identity_before_their_position() -> None:
    """Ours: a tool that was inserted changes no other, and one that moved is not another."""
    tools: list[Json] = [{"name": name, "description": name} for name in ("a", "b", "c", "d")]
    first, *rest = tools
    inserted: Json = [first, {"name": "new"}, *rest]

    assert summary(tools, inserted) == [("added", "[1]")]
    assert summary(tools, [*rest, first]) == [("moved", "[3]")]
    assert summary(tools, [{"name": "a", "description": "other"}, *rest]) == [
        ("changed", "[0].description")
    ]


def test_an_item_without_identity_is_compared_with_the_one_in_its_position() -> None:
    """Ours: a text that changed is not one that was removed and another that was added."""
    blocks: Json = [{"type": "text", "text": "2 orders"}, {"type": "text", "text": "total"}]
    other: Json = [{"type": "text", "text": "3 orders"}, {"type": "text", "text": "total"}]

    assert summary(blocks, other) == [("changed", "[0].text")]


def test_ids_that_are_all_different_identify_nothing() -> None:
    """Ours: ids that a server makes with every response."""
    old: Json = [{"id": "x1", "n": 1}, {"id": "x2", "n": 2}]
    new: Json = [{"id": "y1", "n": 1}, {"id": "y2", "n": 2}]

    assert summary(old, new) == [("changed", "[0].id"), ("changed", "[1].id")]


@pytest.mark.parametrize(
    ("old", "new"),
    [("1", "1.0"), ("1", "true"), ("1e3", "1000"), ("null", "0"), ('""', "null"), ("[]", "{}")],
)
def test_what_python_or_javascript_takes_for_equal_differs(old: str, new: str) -> None:
    """Ours."""
    difference = at_once(compare_json(old.encode(), new.encode()))

    assert [change.kind for change in difference.changes()] == [ChangeKind.CHANGED]


def test_escapes_do_not_count() -> None:
    """Ours."""
    assert at_once(compare_json(b'{"\\u0061":"\\u00e9"}', '{"a":"é"}'.encode())).is_equal


@pytest.mark.parametrize(
    "text", [b'{"a":NaN}', b'{"a":"\\ud800"}', b"[" * 3000 + b"]" * 3000, b'{"a":', b"\xff", b""]
)
def test_text_that_is_hardly_json_is_compared_too(text: bytes) -> None:
    """Ours."""
    assert at_once(compare_json(text, text)).is_equal
    assert not at_once(compare_json(text, b'{"a":1}')).is_equal


def test_what_is_too_deep_is_compared_as_a_whole() -> None:
    """Ours."""
    levels = MAX_DEPTH + 50
    old, new = (b'{"a":' * levels + value + b"}" * levels for value in (b"1", b"2"))
    difference = at_once(compare_json(old, new))

    assert difference.is_partial
    assert [len(change.path) for change in difference.changes()] == [MAX_DEPTH]


def test_beyond_so_many_changes_values_are_compared_as_a_whole() -> None:
    """Ours."""
    old: Json = [{"id": at, "v": [at]} for at in range(MAX_CHANGES + 100)]
    new: Json = [{"id": at, "v": [at + 1]} for at in range(MAX_CHANGES + 100)]
    difference = compared(old, new)
    paths = [change.path for change in difference.changes()]

    assert difference.is_partial
    assert (len(paths[0]), len(paths[-1]), len(paths)) == (3, 1, MAX_CHANGES + 100)


def test_large_values_are_compared_in_small_steps() -> None:
    """Ours: the event loop runs between two of them."""
    item = {"name": "x" * 20, "v": [1, 2, 3]}
    old = json.dumps([{**item, "id": at} for at in range(5000)]).encode()
    new = json.dumps([{**item, "id": at + (at > 2500)} for at in range(5000)]).encode()
    work = compare_json(old, new)

    assert sum(1 for _ in work) > 100
