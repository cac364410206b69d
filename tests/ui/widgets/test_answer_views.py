"""The views of one answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QAbstractButton

from ui.widgets.answer_views import AnswerViews, standard_views
from ui.widgets.json_view import JsonView
from ui.widgets.outcome_line import Found
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

MESSAGE = b'{"jsonrpc":"2.0","id":7,"result":{}}'
EVENT = b"event: message\nid: 1\ndata: " + MESSAGE + b"\n\n"


def test_a_message_in_an_event_is_a_tree_as_json_and_whole_as_raw(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: over HTTP an answer may come wrapped in an event of a stream."""
    standard = standard_views(
        theme=theme,
        name="answer",
        has_response=lambda: True,
        message=lambda: MESSAGE,
        response=lambda: EVENT,
        problems=lambda: (Found(), ()),
        masked=str,
    )
    views = AnswerViews(standard, theme=theme, name="answer")
    qtbot.addWidget(views)
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
