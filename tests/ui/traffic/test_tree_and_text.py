"""The tree and the raw text of a message are at one value; ours throughout."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ui.traffic import tree_and_text
from ui.traffic.frame_details import Tab

if TYPE_CHECKING:
    import pytest
    from pytestqt.qtbot import QtBot

    from tests.support.talk import Talk
    from ui.traffic.panel import TrafficPanel

RAW = b'{ "method" : "x" ,"params":{"a":"Gr\xc3\xbc\xc3\x9fe","b":[1, 2.50 ,{"c": null}]} }  '


def selected(panel: TrafficPanel) -> str:
    return panel.detail.raw.edit.selected_text()


def pointer(panel: TrafficPanel) -> str:
    node = panel.detail.tree.tree.current()
    return node.pointer() if node is not None else ""


def test_a_value_of_the_tree_is_selected_in_the_raw_text(
    panel: TrafficPanel, talk: Talk, qtbot: QtBot
) -> None:
    """Ours: exactly as it was sent."""
    panel.select_frame(talk.received(RAW))
    panel.detail.show_tab(Tab.RAW)
    assert selected(panel) == ""
    for place, text in (("/params/b", '[1, 2.50 ,{"c": null}]'), ("/params/b/1", "2.50")):
        panel.detail.show_tab(Tab.TREE)
        panel.detail.tree.reveal(place)

        panel.detail.show_tab(Tab.RAW)

        qtbot.waitUntil(lambda text=text: selected(panel) == text, timeout=2000)


def test_the_caret_in_the_raw_text_selects_in_the_tree(
    panel: TrafficPanel, talk: Talk, qtbot: QtBot
) -> None:
    """Ours: and without a move of it the tree stays where it was."""
    panel.select_frame(talk.received(RAW))
    panel.detail.tree.reveal("/params/a")
    panel.detail.show_tab(Tab.RAW)
    qtbot.waitUntil(lambda: selected(panel) == '"Grüße"', timeout=2000)
    panel.detail.show_tab(Tab.TREE)
    assert pointer(panel) == "/params/a"
    panel.detail.show_tab(Tab.RAW)
    at = RAW.decode().index("null")
    panel.detail.raw.select(at, at)

    panel.detail.show_tab(Tab.TREE)

    qtbot.waitUntil(lambda: pointer(panel) == "/params/b/2/c", timeout=2000)


def test_another_frame_starts_anew(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: a position in the text of one message says nothing about another."""
    panel.select_frame(talk.received(RAW))
    panel.detail.show_tab(Tab.RAW)
    panel.detail.raw.select(30, 30)
    panel.select_frame(1)

    panel.detail.show_tab(Tab.TREE)

    assert pointer(panel) == ""


def test_a_problem_leads_to_its_value_whatever_was_selected_in_the_text(
    panel: TrafficPanel, talk: Talk, qtbot: QtBot
) -> None:
    """Ours: in the tab that is in front, and then in the tree."""
    panel.select_frame(talk.received(RAW))
    panel.detail.show_tab(Tab.RAW)
    panel.detail.raw.select(30, 30)

    panel.detail.show_pointer("/params/b/0")

    qtbot.waitUntil(lambda: selected(panel) == "1", timeout=2000)
    panel.detail.show_tab(Tab.TREE)
    qtbot.waitUntil(lambda: pointer(panel) == "/params/b/0", timeout=2000)


def test_a_value_far_down_is_found_without_stopping_the_window(
    panel: TrafficPanel, talk: Talk, qtbot: QtBot
) -> None:
    """Ours: more than is on screen at once; the search takes several turns."""
    rows = [{"name": f"row {number}"} for number in range(20_000)]
    panel.select_frame(
        talk.received(json.dumps({"method": "x", "params": {"rows": rows}}).encode())
    )
    panel.detail.tree.reveal("/params/rows/19999/name")

    panel.detail.show_tab(Tab.RAW)

    assert selected(panel) == ""
    qtbot.waitUntil(lambda: selected(panel) == '"row 19999"', timeout=5000)


def test_a_text_that_is_too_long_for_that_says_so(
    panel: TrafficPanel, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: as long as it is the text of that message."""
    monkeypatch.setattr(tree_and_text, "MAX_LENGTH", 20)
    panel.select_frame(talk.received(RAW))
    panel.detail.tree.reveal("/params/a")
    panel.detail.show_tab(Tab.RAW)
    assert tree_and_text.TOO_LARGE in panel.detail.raw.bar.text()
    assert selected(panel) == ""
    panel.select_frame(1)
    panel.detail.show_tab(Tab.RAW)
    assert tree_and_text.TOO_LARGE not in panel.detail.raw.bar.text()
