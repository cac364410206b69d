"""Tolerant reading of one object."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.finding import Severity
from inspector.spec.revision import V2025_11_25
from inspector.spec.view import View

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json


def test_right_types_are_returned_without_a_note() -> None:
    """Ours."""
    view = View({"t": "x", "n": 1.5, "f": True, "l": [1], "o": {"a": None}})

    assert (view.text("t"), view.number("n"), view.flag("f")) == ("x", 1.5, True)
    assert (view.items("l"), view.members("o")) == ([1], {"a": None})
    assert view.notes == []


def test_absent_null_and_empty_are_three_things() -> None:
    """Ours: raw is truth."""
    absent, null, empty = View({}), View({"t": None}), View({"t": ""})

    assert [each.text("t") for each in (absent, null, empty)] == ["", "", ""]
    assert [each.has("t") for each in (absent, null, empty)] == [False, True, True]
    assert [len(each.notes) for each in (absent, null, empty)] == [0, 1, 0]
    assert null.notes[0].severity is Severity.WARNING


def test_wrong_types_leave_notes_with_pointers_and_links() -> None:
    """Ours."""
    view = View({"a/b": 7}, "/result", V2025_11_25)

    assert view.text("a/b") == ""
    note = view.notes[0]
    assert note.summary == "`a/b` must be a string, not a number"
    assert note.pointer == "/result/a~1b"
    assert note.rule == "L-JR-30"
    assert "2025-11-25" in note.link


def test_a_flag_is_no_number_and_a_number_no_flag() -> None:
    """Ours: Python would take one for the other."""
    view = View({"n": True, "f": 1})

    assert view.number("n") is None
    assert view.flag("f", default=True) is True
    assert len(view.notes) == 2


def test_what_is_required_and_missing_is_noted() -> None:
    """Ours."""
    view = View({})
    view.text("a", required=True)
    view.number("b", required=True)
    view.items("c", required=True)
    view.members("d", required=True)

    assert [note.summary for note in view.notes] == [
        "`a` is missing",
        "`b` is missing",
        "`c` is missing",
        "`d` is missing",
    ]


@pytest.mark.parametrize("raw", [None, [], "x", 3, False])
def test_what_is_no_object_is_noted_once_and_read_as_empty(raw: Json) -> None:
    """Ours."""
    view = View(raw)

    assert view.text("a", required=True) == ""
    assert not view.is_object
    assert view.raw == raw
    assert len(view.notes) == 1


def test_members_nobody_asked_for_stay_in_unknown() -> None:
    """Ours: unknown fields are kept and shown."""
    view = View({"a": 1, "b": 2, "c": 3})
    view.number("a")
    view.has("b")

    assert view.unknown == {"c": 3}


def test_odd_items_of_a_list_of_texts_are_noted_one_by_one() -> None:
    """Ours."""
    view = View({"l": ["a", 1, "b", None]})

    assert view.texts("l") == ("a", "b")
    assert [note.pointer for note in view.notes] == ["/l/1", "/l/3"]
