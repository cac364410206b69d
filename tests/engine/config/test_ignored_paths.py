"""Which paths comparisons with one server ignore is kept; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.compare.paths import PathPattern
from inspector.config.ignored_paths import MAX_DECIDED, MAX_LENGTH, IgnoredPathSettings

if TYPE_CHECKING:
    from inspector.json_value import Json

TEXT = PathPattern(("result", "content", None, "text"))


def test_decisions_are_kept_and_read_again() -> None:
    """Ours: what is ignored, and what is not ignored any more."""
    saved: list[Json] = []
    settings = IgnoredPathSettings(None, saved.append)
    settings.decide(TEXT, ignored=True)
    settings.decide(PathPattern(("id",)), ignored=False)
    again = IgnoredPathSettings(saved[-1])
    assert again.decided == {TEXT: True, PathPattern(("id",)): False}


def test_a_file_of_anything_else_is_read_as_far_as_it_goes() -> None:
    """Ours: nothing grows without a bound."""
    wrong: Json = {"": True, "a..": True, "x": 1, "y" * (MAX_LENGTH + 1): True, "id": True}
    assert IgnoredPathSettings(wrong).decided == {PathPattern(("id",)): True}
    assert IgnoredPathSettings([1]).decided == {}
    settings = IgnoredPathSettings({f"a{number}": True for number in range(MAX_DECIDED + 9)})
    assert len(settings.decided) == MAX_DECIDED
    settings.decide(TEXT, ignored=True)
    assert len(settings.decided) == MAX_DECIDED
    assert settings.decided[TEXT]
    for length in (MAX_LENGTH, MAX_LENGTH + 1):
        settings.decide(PathPattern(("y" * length,)), ignored=True)
    assert [len(each.text) for each in settings.decided][-1] == MAX_LENGTH
