"""What differs between two readings of a list."""

from __future__ import annotations

from inspector.session.list_changes import compare
from inspector.spec.views.tool import ToolView


def tools(*named: str) -> list[ToolView]:
    """Tools `name:description`."""
    pairs = [each.partition(":") for each in named]
    return [ToolView({"name": name, "description": text}) for name, _, text in pairs]


def told(before: list[ToolView], now: list[ToolView]) -> tuple[dict[int, str], tuple[str, ...]]:
    found = compare(before, now)
    return dict(found.marks), found.removed


def test_what_is_new_changed_and_gone_is_found_wherever_it_stands() -> None:
    """Ours: another order alone is no change."""
    before, now = tools("a", "b", "c", "d"), tools("x", "d", "b:other", "a")

    assert told(before, now) == ({0: "new", 2: "changed"}, ("c",))
    assert told(before, tools("d", "c", "b", "a")) == ({}, ())


def test_several_of_one_name_are_compared_in_their_order() -> None:
    """Ours: duplicates are entries like any other."""
    assert told(tools("a:1", "a:2"), tools("a:1")) == ({}, ("a",))
    assert told(tools("a:1"), tools("a:1", "a:2")) == ({1: "new"}, ())


def test_many_that_are_gone_are_counted() -> None:
    """Ours."""
    found = compare(tools(*"abcdefgh"), tools("z"))

    assert found.text == "1 new, removed: a, b, c, d, e and 3 more"
    assert compare((), ()).text == ""
