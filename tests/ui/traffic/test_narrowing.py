"""Narrowing the rows by what is seen, values as columns, and the list below the filter; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QMenu

from inspector.transcript.filter.query import parse
from tests.support.wait import wait_until
from tests.ui.qt_actions import find
from tests.ui.traffic.hands import choose, chosen_texts, numbers, press
from ui.models.timeline import timeline_of
from ui.models.traffic_columns import COLUMNS, position
from ui.traffic.filter_terms import unique_terms, value_terms
from ui.traffic.panel import TrafficPanel
from ui.widgets.delegates import BADGES_ROLE

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.support.talk import Talk
    from ui.theme import Theme

ALT, CONTROL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier


def texts_of(panel: TrafficPanel, key: str) -> list[object]:
    at = next(at for at, column in enumerate(panel.model.columns) if column.key == key)
    return [panel.model.index(row, at).data() for row in range(panel.model.rowCount())]


@pytest.mark.parametrize("column", [column.key for column in COLUMNS])
def test_every_cell_offers_terms_that_are_filters(talk: Talk, column: str) -> None:
    """Ours: and those that narrow by a request keep that request."""
    for number in range(1, talk.transcript.count + 1):
        for text, term in unique_terms(talk.transcript, number, column):
            found = list(parse(term).matches(talk.transcript, number, number + 1))
            strict = text.startswith(("Exclude", "Only less", "Only before", "Only after"))
            assert bool(found) is not strict, term


def test_the_menu_of_a_cell_begins_with_terms_for_that_cell(panel: TrafficPanel) -> None:
    """Ours."""
    panel.select_frame(2)
    x = panel.table.columnViewportPosition(position("size")) + 5
    panel.row_actions.open_menu(QPoint(x, panel.table.rowViewportPosition(1) + 5))
    menu = find(panel.table, QMenu, "traffic_row_menu")

    terms = [text for text in chosen_texts(menu) if text.startswith(("Only", "Exclude"))]
    choose(menu, "Only at least")
    menu.close()

    assert terms[0].startswith("Only at least")
    size = panel.model.timeline.transcripts[0].columns.size[1]
    assert panel.filter_text() == f"size:>={size}"


def test_a_node_of_the_tree_narrows_the_rows_and_becomes_a_column(panel: TrafficPanel) -> None:
    """Ours."""
    panel.select_frame(1)
    tree = panel.detail.tree.tree
    menu = QMenu(panel)
    tree.menu_requested.emit(menu, "/params/arguments/a", 3)

    choose(menu, "Show as column")
    choose(menu, "Only params.arguments.a=3")

    assert panel.filter_text() == "params.arguments.a=3"
    assert texts_of(panel, "path:params.arguments.a") == ["3"]
    panel.set_filter("")
    assert texts_of(panel, "path:params.arguments.a") == ["3", "", "", "", ""]
    assert panel.table.currentIndex().isValid()
    assert [t for t, _ in value_terms("", {})] == []


def test_columns_of_values_are_saved_ordered_and_removed(
    qtbot: QtBot, theme: Theme, talk: Talk, panel: TrafficPanel
) -> None:
    """Ours: also the width the user gave them."""
    panel.table.columns.set_visible("size", False)
    panel.row_actions.add_column("params.arguments.a")
    panel.row_actions.add_column("params.name")
    panel.row_actions.add_column("params.name")
    header = panel.table.horizontalHeader()
    header.moveSection(header.visualIndex(position("summary")), 1)
    header.resizeSection(position("summary") + 1, 222)

    other = TrafficPanel(theme=theme, clock=talk.clock)
    qtbot.addWidget(other)
    other.resize(1200, 300)
    other.show()
    other.set_timeline(timeline_of(talk.transcript))
    assert other.restore_state(panel.save_state())

    assert other.table.paths == ["params.arguments.a", "params.name"]
    restored = other.table.horizontalHeader()
    assert restored.visualIndex(position("summary")) == 1
    assert restored.sectionSize(position("summary") + 1) == 222
    assert not other.table.columns.is_visible("size")
    menu = QMenu(other)
    other.table.columns.add_choices(menu)
    choose(menu, "Remove column params.arguments.a")
    assert other.table.paths == ["params.name"]
    assert restored.sectionSize(position("summary")) == 222
    assert [column.key for column in other.model.columns[-2:]] == ["path:params.name", "summary"]
    assert other.model.columns[other.model.columnCount() - 1].key == "summary"


def test_columns_are_limited_and_a_text_that_is_no_path_is_none(panel: TrafficPanel) -> None:
    """Ours: a saved arrangement may hold anything."""
    for number in range(20):
        panel.row_actions.add_column(f"params.x{number}")
    panel.table.set_paths([*panel.table.paths[:3], "no path", "a | b", "/x/"])

    assert panel.table.paths == ["params.x0", "params.x1", "params.x2"]


def test_values_are_suggested_with_the_number_of_their_frames(panel: TrafficPanel) -> None:
    """Ours."""
    line = panel.bar.filter.line
    line.setFocus()
    line.setText("method:")
    press(line, Qt.Key.Key_Space, CONTROL)
    model = panel.bar.hints.list.popup.model()

    rows = [model.index(row, 0) for row in range(model.rowCount())]

    assert [(row.data(), row.data(BADGES_ROLE)[0][0]) for row in rows] == [
        ("tools/call", "3"),
        ("notifications/message", "1"),
    ]
    assert "3 frames" in str(rows[0].data(Qt.ItemDataRole.AccessibleTextRole))


def test_filters_that_were_used_are_offered_again(panel: TrafficPanel) -> None:
    """Ours: the latest first, none twice; one that is wrong is none."""
    line = panel.bar.filter.line
    for text in ("kind:request", "sum", "kind:reqest", "kind:request"):
        panel.set_filter(text)
        press(line, Qt.Key.Key_Return)
    panel.set_filter("")
    press(line, Qt.Key.Key_Down, ALT)
    model = panel.bar.hints.list.popup.model()

    assert [model.index(row, 0).data() for row in range(model.rowCount())] == [
        "kind:request",
        "sum",
    ]


def red_columns(line: QLineEdit) -> set[int]:
    """Where, from left to right, something red is below the text in the field."""
    image = line.grab().toImage()
    colors = {
        x: [image.pixelColor(x, y) for y in range(image.height() // 2, image.height() - 3)]
        for x in range(6, image.width() - 6)
    }
    return {x for x, column in colors.items() if any(c.red() > c.green() + 50 for c in column)}


async def test_what_is_wrong_is_underlined_until_it_is_edited(panel: TrafficPanel) -> None:
    """Ours: and the rows are those of the last filter that was none."""
    line = panel.bar.filter.line
    panel.set_filter("kind:request")
    assert not red_columns(line)

    panel.set_filter("kind:request tool:get_sum kind:reqest")

    await wait_until(lambda: bool(red_columns(line)))
    first = min(red_columns(line))
    panel.set_filter("kind:reqest kind:request tool:get_sum")
    await wait_until(lambda: min(red_columns(line), default=first) < first)
    assert numbers(panel) == [1, 4]
    line.setText("kind:request")
    await wait_until(lambda: not red_columns(line))
