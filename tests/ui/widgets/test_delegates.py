"""The row of the cursor is marked in views of every kind; WCAG 2.2, 1.4.11 and 2.4.7."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyleOptionViewItem,
    QTableWidget,
    QTreeWidget,
    QTreeWidgetItem,
)

from ui.widgets.delegates import BADGES_ROLE, PLAIN, SECONDARY_ROLE, ListDelegate, RowDelegate
from ui.widgets.wrapping_delegate import WrappingDelegate

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QLocale
    from PySide6.QtWidgets import QApplication
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
def test_the_row_of_the_cursor_is_marked_and_its_ground_tells_where_the_focus_is(
    make: Callable[[], QTableWidget | QTreeWidget],
    theme: Theme,
    qapp: QApplication,
    qtbot: QtBot,
) -> None:
    """Ours: colors by name, measured against their surroundings in the tests of the theme."""
    theme.apply(qapp, "light")
    view = make()
    qtbot.addWidget(view)
    view.setItemDelegate(RowDelegate(view))
    view.resize(200, 200)
    view.show()
    accent = theme.color("accent").name()
    assert marked_rows(view, accent) == []

    view.setCurrentIndex(view.model().index(1, 0))
    view.clearFocus()
    assert marked_rows(view, accent) == [1]
    assert ground(view, 1) == theme.color("selection_idle").name()

    view.activateWindow()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    assert marked_rows(view, accent) == [1]
    assert ground(view, 1) == theme.color("selection").name()
    view.clearSelection()  # the cursor may be on a row that is not selected
    assert marked_rows(view, accent) == [1]


def ground(view: QAbstractItemView, row: int) -> str:
    """The color of the right end of a row."""
    rect = view.visualRect(view.model().index(row, 0))
    image = view.viewport().grab().toImage()
    return image.pixelColor(rect.right() - 3, rect.center().y()).name()


@pytest.mark.parametrize(("width", "is_there"), [(200, False), (400, True)])
def test_a_count_gives_way_to_the_name(
    theme: Theme, qtbot: QtBot, width: int, is_there: bool
) -> None:
    """Ours: rows cannot be told apart by the middle of their names, nor by a count."""
    view, model = QListView(), QStandardItemModel(1, 1)
    qtbot.addWidget(view)
    view.setModel(model)
    view.setItemDelegate(ListDelegate(theme=theme, names=True, parent=view))
    item = QStandardItem("Plan a release")
    item.setData("plan_release", SECONDARY_ROLE)
    model.setItem(0, item)
    view.resize(width, 60)
    view.show()
    without = view.viewport().grab().toImage()

    item.setData([("10 arguments", PLAIN)], BADGES_ROLE)

    assert (view.viewport().grab().toImage() != without) is is_there


class CountingDelegate(WrappingDelegate):
    """Counts the texts that are laid out."""

    laid_out = 0

    def displayText(self, value: object, locale: QLocale | QLocale.Language) -> str:
        """Count them."""
        self.laid_out += 1
        return super().displayText(value, locale)


def test_at_another_width_only_texts_that_may_wrap_in_another_way_are_laid_out(
    qtbot: QtBot,
) -> None:
    """Ours: Qt asks for the height of each row of the tree at each step of a resize."""
    tree = QTreeWidget()
    qtbot.addWidget(tree)
    tree.setColumnCount(2)
    tree.setWordWrap(True)
    texts = ("short", "a text of several words " * 4, "one/path/of/a/file.json," * 6)
    for text in texts:
        QTreeWidgetItem(tree, [text, text])
    delegate = CountingDelegate((0, 1), tree)

    def heights(by: WrappingDelegate) -> list[int]:
        option = QStyleOptionViewItem()
        tree.initViewItemOption(option)
        cells = (tree.model().index(row, column) for row in range(3) for column in range(2))
        return [by.sizeHint(QStyleOptionViewItem(option), cell).height() for cell in cells]

    for width in (*range(120, 600, 20), *range(590, 120, -20)):
        for column in range(2):
            tree.setColumnWidth(column, width)
        before = delegate.laid_out
        known = heights(delegate)
        assert known == heights(WrappingDelegate((0, 1), tree)), width
        if width > 120:  # at first, each text in one line is laid out as well
            assert delegate.laid_out - before <= 4
    delegate.laid_out = 0
    heights(delegate)
    assert delegate.laid_out == 0
