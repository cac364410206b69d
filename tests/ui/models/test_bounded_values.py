"""Drafts and filters are kept up to a limit. Ours."""

from __future__ import annotations

from ui.models.bounded_values import BoundedValues


def test_of_too_many_drafts_the_oldest_is_forgotten_and_a_renewed_one_is_the_latest() -> None:
    """Ours."""
    drafts: BoundedValues[str, str] = BoundedValues("", 2)
    for name in ("one", "two", "one", "three"):
        drafts.put(name, name)

    assert [drafts.get(name) for name in ("one", "two", "three")] == ["one", "", "three"]


def test_what_is_as_it_was_at_first_takes_no_room() -> None:
    """Ours: selecting an entry and entering nothing evicts no draft."""
    drafts: BoundedValues[str, str] = BoundedValues("", 1)
    drafts.put("one", "entered")
    drafts.put("two", "")

    assert drafts.get("one") == "entered"

    drafts.put("one", "")

    assert drafts.get("one") == ""
