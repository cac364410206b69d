"""Source text is coloured by type, within a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ui.widgets.highlight import MAX_CHARACTERS, find_lexer, spans
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


@pytest.mark.parametrize("mime", ["application/json", "text/html; charset=utf-8", "a/b+json"])
def test_known_types_have_a_lexer(mime: str) -> None:
    """Ours: text with highlighting."""
    assert find_lexer(mime) is not None


@pytest.mark.parametrize("mime", ["", "text/plain", "no/such", "x", "\u202e/;"])
def test_unknown_types_stay_plain(mime: str) -> None:
    """Ours."""
    assert find_lexer(mime) is None


def test_spans_stand_where_the_tokens_are_in_units_of_qt() -> None:
    """Ours: Qt counts UTF-16 units."""
    lexer = find_lexer("application/json")
    assert lexer is not None

    lines = spans('{"\U0001f600":\n  12}', lexer)

    assert (1, 4, "key") in lines[0]
    assert (2, 2, "number") in lines[1]


def test_a_view_colours_short_text_and_leaves_long_text_plain(qtbot: QtBot, theme: Theme) -> None:
    """result-21-huge-text: must not run a highlighter over all of it."""
    view = TextView(theme=theme, mime="application/json")
    qtbot.addWidget(view)

    view.set_text('{"a": 1}')
    assert view.edit.document().firstBlock().layout().formats()
    view.set_text('{"a": 1}' + " " * MAX_CHARACTERS)

    assert not view.edit.document().firstBlock().layout().formats()
