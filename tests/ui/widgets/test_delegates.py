"""The row of the cursor is marked in views of every kind; WCAG 2.2, 1.4.11 and 2.4.7."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QAbstractItemView, QTableWidget, QTreeWidget, QTreeWidgetItem

from ui.widgets.delegates import RowDelegate

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


def make_table() -> QTableWidget:
    table = QTableWidget(3, 2)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    return table


def make_tree() -> QTreeWidget:
    tree = QTreeWidget()
    for number in range(3):
        tree.addTopLevelItem(QTreeWidgetItem([str(number)]))
    return tree


def marked_rows(view: QAbstractItemView, colour: str) -> list[int]:
    """The rows with a bar of this color at their left edge."""
    image = view.viewport().grab().toImage()
    indexes = [view.model().index(row, 0) for row in range(3)]
    places = [view.visualRect(index).center().y() for index in indexes]
    return [row for row, y in enumerate(places) if image.pixelColor(1, y).name() == colour]


@pytest.mark.parametrize("make", [make_table, make_tree])
def test_the_row_of_the_cursor_is_marked_and_in_the_accent_while_the_view_has_the_focus(
    make: Callable[[], QTableWidget | QTreeWidget], theme: Theme, qtbot: QtBot
) -> None:
    """Ours: colors by name, measured against their surroundings in the tests of the theme."""
    view = make()
    qtbot.addWidget(view)
    view.setItemDelegate(RowDelegate(view))
    view.resize(200, 200)
    view.show()
    accent, edge = theme.color("accent").name(), theme.color("edge").name()
    assert marked_rows(view, edge) == []

    view.setCurrentIndex(view.model().index(1, 0))
    view.clearFocus()
    assert marked_rows(view, edge) == [1]

    view.activateWindow()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    assert marked_rows(view, accent) == [1]
    view.clearSelection()  # the cursor may be on a row that is not selected
    assert marked_rows(view, accent) == [1]
