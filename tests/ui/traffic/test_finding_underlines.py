"""Values that findings are about are underlined in the tree and in the raw text, and a click anywhere leads to them; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QTextCharFormat
from PySide6.QtWidgets import QAbstractButton, QLabel

from inspector.finding import Finding, Severity
from tests.ui.traffic.operations.hands import mode
from tests.ui.traffic.test_tree_and_text import RAW, pointer, selected
from ui.navigator import navigator_of
from ui.traffic.frame_details import Tab
from ui.traffic.operations.details import View
from ui.widgets.json_model import UNDERLINE_ROLE
from ui.widgets.json_node import Column

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.support.talk import Talk
    from ui.theme import Theme
    from ui.traffic.panel import TrafficPanel
    from ui.widgets.json_tree import JsonTree


def find(talk: Talk, number: int, pointer: str, severity: Severity, text: str = "Wrong") -> None:
    talk.transcript.add_finding(number, Finding("wrong", severity, text, pointer))


def tone(tree: JsonTree, pointer: str) -> object:
    return tree.json.find(pointer).siblingAtColumn(Column.VALUE).data(UNDERLINE_ROLE)


def underlined(panel: TrafficPanel) -> list[tuple[str, str]]:
    """The texts that are underlined in the raw text, with the colors of the waves."""
    found: list[tuple[str, str]] = []
    for selection in panel.detail.raw.edit.extraSelections():
        style = selection.format.underlineStyle()
        assert style is QTextCharFormat.UnderlineStyle.WaveUnderline
        color = selection.format.underlineColor().name()
        found.append((selection.cursor.selectedText(), color))
    return found


def test_secrets_are_in_no_text_about_a_frame(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: neither in the list of its problems nor in the tool tip of an underlined value."""
    secret = "hunter2-hunter2"
    talk.transcript.redaction.know((secret,))
    number = talk.received(RAW)
    find(talk, number, "/params/a", Severity.ERROR, f"unexpected {secret}")
    find(talk, number, f"/params/{secret}", Severity.ERROR, "unexpected")
    panel.select_frame(number)
    panel.detail.show_tab(Tab.PROBLEMS)

    labels = [each.text() for each in panel.detail.problems.findChildren(QLabel)]
    buttons = panel.detail.problems.findChildren(QAbstractButton)
    texts = [*labels, *(each.text() + each.toolTip() + each.accessibleName() for each in buttons)]
    tree = panel.detail.tree.tree
    tip = (
        tree.json.find("/params/a").siblingAtColumn(Column.VALUE).data(Qt.ItemDataRole.ToolTipRole)
    )
    texts.append(str(tip))
    assert sum("unexpected" in text for text in texts) == 3
    assert not any(secret in text for text in texts)


def test_a_value_is_underlined_in_the_tone_of_what_is_worst_about_it(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: and says what it is, to the pointer and to assistive technology."""
    number = talk.received(RAW)
    find(talk, number, "/params/a", Severity.ERROR, "Must be a number")
    find(talk, number, "/params/a", Severity.INFO, "Is short")
    find(talk, number, "/params/b/1", Severity.WARNING)
    panel.select_frame(number)

    tree = panel.detail.tree.tree

    assert tone(tree, "/params/a") == "error"
    assert tone(tree, "/params/b/1") == "warning"
    assert tone(tree, "/params") is None
    index = tree.json.find("/params/a")
    assert str(index.data(Qt.ItemDataRole.AccessibleTextRole)).endswith(
        "Must be a number\nIs short"
    )
    tip = str(index.siblingAtColumn(Column.VALUE).data(Qt.ItemDataRole.ToolTipRole))
    assert "Must be a number" in tip
    panel.select_frame(1)
    assert tone(tree, "/method") is None


def test_a_missing_value_is_underlined_where_it_is_missing(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: the innermost value on the way that exists."""
    number = talk.received(RAW)
    find(talk, number, "/params/b/2/d/e", Severity.WARNING)
    panel.select_frame(number)
    assert tone(panel.detail.tree.tree, "/params/b/2") == "warning"
    panel.select_frame(number, pointer="/params/b/2/d/e")
    assert pointer(panel) == "/params/b/2"


def test_the_raw_text_is_underlined_too(
    panel: TrafficPanel, talk: Talk, theme: Theme, qtbot: QtBot
) -> None:
    """Ours: scalars whole, of what holds others its name; what is found later as well, and nothing of another frame."""
    number = talk.received(RAW)
    find(talk, number, "/params/a", Severity.ERROR)
    panel.select_frame(number)
    panel.detail.show_tab(Tab.RAW)
    error, warning = (theme.color(name).name() for name in ("error", "warning"))
    qtbot.waitUntil(lambda: underlined(panel) == [('"Grüße"', error)])

    find(talk, number, "/params/b", Severity.WARNING)
    panel.detail.refresh_if_changed()

    qtbot.waitUntil(lambda: sorted(underlined(panel)) == [('"Grüße"', error), ('"b"', warning)])
    panel.select_frame(1)
    assert underlined(panel) == []


def test_the_wave_is_drawn_below_the_value(panel: TrafficPanel, talk: Talk, theme: Theme) -> None:
    """Ours: in the color, within the cell."""
    number = talk.received(RAW)
    panel.select_frame(number)
    tree = panel.detail.tree.tree
    tree.expandAll()
    cell = tree.visualRect(tree.json.find("/params/a").siblingAtColumn(Column.VALUE))

    def lines() -> set[int]:
        """Lines of the cell in which there is the color of an error."""
        image = tree.viewport().grab(cell).toImage().convertToFormat(QImage.Format.Format_RGB32)
        error = theme.color("error")
        return {
            y
            for y in range(image.height())
            for x in range(image.width())
            if (color := image.pixelColor(x, y)).red() > 150
            and abs(color.green() - error.green()) < 60
            and abs(color.blue() - error.blue()) < 60
        }

    before = lines()
    find(talk, number, "/params/a", Severity.ERROR)
    panel.detail.refresh_if_changed()
    drawn = lines() - before
    assert drawn
    assert min(drawn) > cell.height() // 2


def test_a_click_elsewhere_leads_to_a_value_in_the_tree_and_in_the_text(
    panel: TrafficPanel, talk: Talk, qtbot: QtBot
) -> None:
    """Ours: in the one that is in front, and in the other when it is displayed."""
    number = talk.received(RAW)
    panel.select_frame(1)
    navigator = navigator_of(panel)
    navigator.frame_requested.connect(panel.select_frame)

    navigator.show_pointer(number, "/params/b/1")

    assert panel.detail.number() == number
    assert pointer(panel) == "/params/b/1"
    panel.detail.show_tab(Tab.RAW)
    qtbot.waitUntil(lambda: selected(panel) == "2.50")

    navigator.show_pointer(number, "/params/a")

    assert panel.detail.current_tab() is Tab.RAW
    qtbot.waitUntil(lambda: selected(panel) == '"Grüße"')
    panel.detail.show_tab(Tab.TREE)
    qtbot.waitUntil(lambda: pointer(panel) == "/params/a")


@pytest.mark.parametrize(
    ("number", "path", "view"),
    [(1, "/params/name", View.REQUEST), (2, "/result/content", None), (3, "/params/data", None)],
)
def test_it_leads_there_among_operations_too(
    panel: TrafficPanel, number: int, path: str, view: View | None
) -> None:
    """Ours: in the details of the operation for its request, else in those of the frame."""
    panel.modes.set_mode("operations")

    panel.select_frame(number, pointer=path)

    details = mode(panel).details
    assert details.isVisible() is (view is not None)
    tree = details.message.json.tree if view is not None else panel.detail.tree.tree
    node = tree.current()
    assert node is not None
    assert node.pointer() == path


def test_the_message_of_an_operation_is_underlined(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: request and response, each its own."""
    find(talk, 1, "/params/name", Severity.WARNING)
    find(talk, 2, "/result/content", Severity.ERROR)
    panel.modes.set_mode("operations")
    panel.select_frame(1)
    details = mode(panel).details
    assert tone(details.message.json.tree, "/params/name") == "warning"
    details.show_view(View.RESPONSE)
    assert tone(details.message.json.tree, "/result/content") == "error"


def test_a_frame_without_a_row_is_displayed_in_place_of_an_operation(panel: TrafficPanel) -> None:
    """Ours: the filter hides it, and the details of an operation are displayed."""
    panel.modes.set_mode("operations")
    panel.select_frame(4)
    assert mode(panel).details.isVisible()
    panel.set_filter("slow")

    panel.select_frame(1, pointer="/params/name")

    assert not mode(panel).details.isVisible()
    assert panel.detail.number() == 1
    assert pointer(panel) == "/params/name"
