"""Names that do not fit can still be told apart, and what is cut is in a tool tip."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect
from PySide6.QtGui import QFontMetrics, QHelpEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QListView, QToolTip, QTreeWidget, QTreeWidgetItem

from ui.list_picker import PickerBox
from ui.models.traffic_columns import COLUMNS, position
from ui.theme import tokens
from ui.widgets.delegates import SECONDARY_ROLE, ListDelegate, RowDelegate
from ui.widgets.labels import joined_tips, tool_tip
from ui.widgets.row_painter import TextLayouts
from ui.widgets.title_and_name import title_and_name_widths

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

WIDTH, GAP, DIGIT = 220, 8, 7


@pytest.mark.parametrize(
    ("title", "name", "expected"),
    [
        (90, 100, (90, 100)),  # both fit
        (180, 120, (92, 120)),  # the title gives way
        (180, 170, (0, 170)),  # and leaves where too little of it would be there
        (180, 220, (0, 220)),
        (140, 300, (140, 72)),  # a name that does not fit anyway leaves the title whole
        (200, 300, (200, 0)),
        (300, 400, (0, 220)),  # neither fits
    ],
)
def test_of_a_title_and_a_name_one_is_whole_where_that_is_possible(
    title: int, name: int, expected: tuple[int, int]
) -> None:
    """Ours: a cut title beside a cut name is the same in several rows of a list."""
    assert title_and_name_widths(WIDTH, GAP, title, name, DIGIT) == expected


def test_the_line_of_a_list_has_the_whole_name_of_a_title_that_does_not_fit_beside_it(
    qtbot: QtBot,
) -> None:
    """Ours."""
    box = PickerBox(name="box", text="Tool")
    qtbot.addWidget(box)
    title, name = "Trigger Elicitation Request Tool", "trigger-elicitation-request"
    box.show_entry(title, name)
    metrics = box.fontMetrics()
    assert box.fitted(box.currentText(), 2000) == box.currentText()
    assert box.fitted(box.currentText(), metrics.horizontalAdvance(name) + 1) == name


def test_a_title_and_a_name_that_fit_are_drawn_whole(
    qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    """Ours: the widths of letters are fractions of pixels."""
    theme.apply(qapp)
    images: list[QImage] = []
    for names in (True, False):
        view = QListView()
        qtbot.addWidget(view)
        model = QStandardItemModel(view)
        for title in ("Echo Tool", "Get Sum Tool", "Get Roots List Tool"):
            item = QStandardItem(title)
            item.setData("echo" if names else "", SECONDARY_ROLE)
            model.appendRow(item)
        view.setModel(model)
        view.setItemDelegate(ListDelegate(theme=theme, names=names, parent=view))
        view.resize(400, 100)
        view.show()
        edge = theme.px(tokens.DENSE_PADDING_PX) if names else theme.PADDING_PX
        width = QFontMetrics(theme.font()).horizontalAdvance("Echo Tool")
        images.append(view.viewport().grab(QRect(edge, 0, width, theme.ROW_HEIGHT_PX)).toImage())
    assert images[0] == images[1]


@pytest.mark.parametrize("text", ["漢字" * 30, "W" * 60, "🚀" * 40, "method/" * 80])
@pytest.mark.parametrize("key", ["method", "summary"])
def test_a_cell_of_wide_characters_is_not_wider_than_its_column(
    theme: Theme, key: str, text: str
) -> None:
    """Ours: few characters may take much width."""
    layouts = TextLayouts(COLUMNS[position(key)], theme.font())
    for width in (60, 180, 400):
        for length in range(1, len(text)):
            fitted = layouts.fitted(text[:length], width)
            assert QFontMetrics(theme.font()).horizontalAdvance(fitted) <= width
            if len(fitted) < length:
                break


def test_a_long_name_keeps_both_ends(theme: Theme) -> None:
    """Ours: names with the same start differ at the end."""
    layouts = TextLayouts(COLUMNS[position("id")], theme.mono())
    name = f"vendor.example/{'x' * 400}/last"
    fitted = layouts.fitted(name, 160)
    assert fitted.startswith("vendor")
    assert fitted.endswith("/last")
    assert layouts.is_cut(name, 160)
    assert not layouts.is_cut("tools/call", 160)


def test_a_cell_that_is_cut_has_its_text_as_a_tool_tip(
    qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    """Ours."""
    theme.apply(qapp)
    tree = QTreeWidget()
    qtbot.addWidget(tree)
    tree.setItemDelegate(RowDelegate(tree))
    tree.addTopLevelItem(QTreeWidgetItem(["short"]))
    tree.addTopLevelItem(QTreeWidgetItem(["a text with no room for it" * 3]))
    tree.resize(150, 100)
    tree.show()
    for row, is_cut in ((0, False), (1, True)):
        at = QPoint(30, tree.visualRect(tree.model().index(row, 0)).center().y())
        event = QHelpEvent(QEvent.Type.ToolTip, at, tree.viewport().mapToGlobal(at))
        qapp.sendEvent(tree.viewport(), event)
        assert bool(QToolTip.text()) is is_cut
    QToolTip.hideText()


def test_joined_tool_tips_stay_literal() -> None:
    """Ours: one of them may look like markup."""
    assert joined_tips(tool_tip("Error"), "") == "Error"
    assert joined_tips(tool_tip("Error"), tool_tip("exact")) == "Error\nexact"
    both = joined_tips(tool_tip("a & b"), tool_tip("<b>bold</b>"))
    assert "a &amp; b" in both
    assert "&lt;b&gt;" in both
