"""The views of one answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel

from inspector.finding import Finding, Severity
from ui.widgets.answer_views import NOT_KEPT, AnswerViews, ListedFinding, standard_views
from ui.widgets.json_view import JsonView
from ui.widgets.outcome_line import Found
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

MESSAGE = b'{"jsonrpc":"2.0","id":7,"result":{}}'
EVENT = b"event: message\nid: 1\ndata: " + MESSAGE + b"\n\n"


def make_views(
    qtbot: QtBot,
    theme: Theme,
    problems: Callable[[], tuple[Found, tuple[ListedFinding, ...]]],
) -> AnswerViews:
    """The views of a response in an event, with these problems."""
    standard = standard_views(
        theme=theme,
        name="answer",
        has_response=lambda: True,
        message=lambda: MESSAGE,
        response=lambda: EVENT,
        problems=problems,
        masked=str,
    )
    views = AnswerViews(standard, theme=theme, name="answer")
    qtbot.addWidget(views)
    return views


@pytest.mark.parametrize("is_partial", [False, True])
def test_where_problems_were_not_kept_the_list_says_so_below_those_that_were(
    qtbot: QtBot, theme: Theme, *, is_partial: bool
) -> None:
    """Ours: notes that are kept are not all that there is to say of a marked frame."""
    text, short = ("problems", "") if is_partial else ("1 problem", "1")
    found = Found(text, short, "warning", 2, is_partial)
    note = ListedFinding(Finding("note", Severity.INFO, "a note", "/x"))
    views = make_views(qtbot, theme, lambda: (found, (note,)))
    views.show_result()
    views.show_view("problems")

    listed = views.findChild(QLabel, "answer_problems")
    assert listed is not None
    assert "a note" in listed.text()
    assert listed.text().endswith(NOT_KEPT) == is_partial


def test_a_message_in_an_event_is_a_tree_as_json_and_whole_as_raw(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: over HTTP an answer may come wrapped in an event of a stream."""
    views = make_views(qtbot, theme, lambda: (Found(), ()))
    views.show_result()
    for key in ("json", "raw"):
        button = views.findChild(QAbstractButton, f"answer_views_{key}")
        assert button is not None
        button.click()

    tree, raw = views.findChild(JsonView, "answer_tree"), views.findChild(TextView, "answer_raw")
    assert tree is not None
    assert raw is not None
    assert tree.remarks() == ""
    assert tree.tree.value() == {"jsonrpc": "2.0", "id": 7, "result": {}}
    assert raw.text() == EVENT.decode()
