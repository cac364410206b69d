"""The focus stays near the widget that lost it, and returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from tests.support.wait import wait_until
from tests.ui.qt_actions import has_focus, press
from ui.focus import FocusKeeper

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


class Window(QWidget):
    """A field, a panel with three buttons, and a button elsewhere that Qt would choose."""

    def __init__(self) -> None:
        super().__init__()
        self.field = QLineEdit(self)
        self.panel = QWidget(self)
        self.rows = [QPushButton(name, self.panel) for name in ("one", "two", "three")]
        self.other = QPushButton("float", self)
        inner = QVBoxLayout(self.panel)
        for row in self.rows:
            inner.addWidget(row)
        column = self.column = QVBoxLayout(self)
        for part in (self.field, self.panel, self.other):
            column.addWidget(part)


@pytest.fixture
async def window(qapp: QApplication, qtbot: QtBot) -> Window:
    made = Window()
    qtbot.addWidget(made)
    FocusKeeper(qapp, parent=made)
    made.show()
    made.activateWindow()
    await wait_until(made.isActiveWindow)
    made.field.setFocus()
    return made


def remove(widget: QWidget) -> None:
    """As all parts of the window remove a row."""
    widget.hide()
    widget.deleteLater()


async def test_a_button_that_is_disabled_for_a_while_has_the_focus_again(window: Window) -> None:
    """Ours; WCAG 2.4.3."""
    button = window.rows[0]
    button.setFocus()
    clicked: list[bool] = []
    window.other.clicked.connect(lambda: clicked.append(True))

    button.setEnabled(False)
    assert has_focus(window.panel)
    press(window.panel, Qt.Key.Key_Space)
    button.setEnabled(True)

    assert has_focus(button)
    assert clicked == []


@pytest.mark.parametrize(("removed", "then"), [(0, 1), (1, 2), (2, 1)])
async def test_a_removed_row_gives_the_focus_to_its_neighbour(
    window: Window, removed: int, then: int
) -> None:
    """Ours; WCAG 2.4.3."""
    window.rows[removed].setFocus()

    remove(window.rows[removed])

    await wait_until(lambda: has_focus(window.rows[then]))


async def test_where_a_whole_panel_goes_the_focus_returns_to_where_it_was_before(
    window: Window,
) -> None:
    """Ours; WCAG 2.4.3."""
    window.rows[1].setFocus()
    window.panel.hide()

    remove(window.panel)

    await wait_until(lambda: has_focus(window.field))


async def test_a_page_that_comes_back_has_the_focus_where_it_was(
    window: Window,
) -> None:
    """Ours: another page is in front while the server is connected to again."""
    stack = QStackedWidget(window)
    first = QLineEdit()
    stack.addWidget(first)
    stack.addWidget(QLabel("connecting"))
    window.column.addWidget(stack)
    await wait_until(first.isVisible)
    first.setFocus()

    stack.setCurrentIndex(1)
    assert not has_focus(first)
    stack.setCurrentIndex(0)

    assert has_focus(first)


async def test_the_user_goes_before_what_was_lost(window: Window) -> None:
    """Ours."""
    button = window.rows[0]
    button.setFocus()
    button.hide()
    window.other.setFocus()

    button.show()

    assert has_focus(window.other)


async def test_a_dialog_that_closes_leaves_the_focus_of_its_window_alone(
    window: Window,
) -> None:
    """Ours."""
    dialog = QDialog(window)
    QVBoxLayout(dialog).addWidget(QLineEdit(dialog))
    dialog.open()
    dialog.activateWindow()
    await wait_until(dialog.isActiveWindow)

    dialog.close()
    window.activateWindow()
    await wait_until(window.isActiveWindow)

    assert has_focus(window.field)
