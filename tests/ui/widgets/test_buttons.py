"""A double click on a button counts once, wherever its second half lands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from tests.ui.qt_actions import MOUSE_PRESS, MOUSE_RELEASE, double_click, send_mouse
from ui.theme import tokens
from ui.widgets.buttons import (
    PushButton,
    dress_link,
    link_button,
    push_button,
    submit_shortcut,
    take_submit_key,
)
from ui.widgets.labels import ElidedLabel
from ui.widgets.layout_parts import row_layout
from ui.widgets.links import ElidedLink

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def on_screen(qtbot: QtBot, *buttons: PushButton) -> QWidget:
    window = QWidget()
    column = QVBoxLayout(window)
    for button in buttons:
        column.addWidget(button)
    qtbot.addWidget(window)
    window.show()
    return window


def click_at(button: PushButton, at_ms: int) -> None:
    """A click of that time, in milliseconds."""
    for kind, later in ((MOUSE_PRESS, 0), (MOUSE_RELEASE, 1)):
        send_mouse(button, button.rect().center(), kind, at_ms=at_ms + later)


@pytest.mark.parametrize("make", [push_button, link_button])
def test_a_double_click_presses_a_button_once(
    qtbot: QtBot, make: Callable[..., PushButton]
) -> None:
    """Ours."""
    clicks: list[bool] = []
    button = make("Send", name="send")
    button.clicked.connect(lambda: clicks.append(True))
    window = on_screen(qtbot, button)

    double_click(window, "send")

    assert len(clicks) == 1


def test_three_quick_clicks_are_one_and_a_later_one_is_another(qtbot: QtBot) -> None:
    """Ours: the same request twice on purpose stays possible."""
    clicks: list[bool] = []
    button = push_button("Send", name="send")
    button.clicked.connect(lambda: clicks.append(True))
    window = on_screen(qtbot, button)
    interval = QApplication.doubleClickInterval()

    start = 1_000_000
    for at in (0, interval // 4, interval // 2):
        click_at(button, start + at)
    assert len(clicks) == 1
    click_at(button, start + 2 * interval)

    assert len(clicks) == 2
    assert window.isVisible()


def test_the_second_half_does_not_press_what_came_in_the_place_of_the_button(qtbot: QtBot) -> None:
    """Ours: Call gives way to Cancel, and a sheet to what is under it."""
    presses: list[str] = []
    first = push_button("Call", name="first")
    second = push_button("Cancel", name="second")
    window = on_screen(qtbot, first)
    second.setParent(window)
    second.hide()

    def swap() -> None:
        presses.append("first")
        second.setGeometry(first.geometry())
        first.hide()
        second.show()

    first.clicked.connect(swap)
    second.clicked.connect(lambda: presses.append("second"))

    double_click(window, "first")
    assert presses == ["first"]
    QTest.mouseClick(second, LEFT)

    assert presses == ["first", "second"]


def test_two_buttons_beside_each_other_can_be_pressed_quickly(qtbot: QtBot) -> None:
    """Ours."""
    presses: list[str] = []
    buttons = [push_button(name, name=name) for name in ("one", "two")]
    buttons[0].clicked.connect(lambda: presses.append("one"))
    buttons[1].clicked.connect(lambda: presses.append("two"))
    window = on_screen(qtbot, *buttons)

    click_at(buttons[0], 2_000_000)
    click_at(buttons[1], 2_000_050)

    assert presses == ["one", "two"]
    assert window.isVisible()


def test_a_button_that_adds_a_line_counts_each_click(qtbot: QtBot) -> None:
    """Ours."""
    clicks: list[bool] = []
    button = link_button("Add item", name="add", repeats=True)
    button.clicked.connect(lambda: clicks.append(True))
    window = on_screen(qtbot, button)

    double_click(window, "add")

    assert len(clicks) == 2


def test_keys_that_are_held_down_submit_once(qtbot: QtBot) -> None:
    """Ours."""
    submitted: list[bool] = []
    line = QLineEdit()
    qtbot.addWidget(line)
    shortcut = submit_shortcut(line, lambda: submitted.append(True))
    assert not shortcut.autoRepeat()

    for repeats in (False, True, True):
        event = QKeyEvent(
            QEvent.Type.KeyPress,
            Qt.Key.Key_Return,
            Qt.KeyboardModifier.ControlModifier,
            "",
            repeats,
        )
        assert take_submit_key(event, lambda: submitted.append(True))

    assert len(submitted) == 1
    plain = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, NONE)
    assert not take_submit_key(plain, lambda: submitted.append(True))


def test_the_accessible_name_follows_the_label_unless_it_says_more(qtbot: QtBot) -> None:
    """Ours; WCAG 2.2, 2.5.3 "Label in Name"."""
    plain, told = push_button("&Retry", name="plain"), push_button("Call", name="told")
    told.setAccessibleName("Call the tool")
    window = on_screen(qtbot, plain, told)

    plain.setText("&Connect")
    told.setText("Call anyway")

    assert window.isVisible()
    assert plain.accessibleName() == "Connect"
    assert told.accessibleName() == "Call the tool"


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_link_is_never_narrower_than_its_text_nor_too_narrow_to_hit(
    qtbot: QtBot, qapp: QApplication, theme: Theme, scale: float
) -> None:
    """Ours; WCAG 2.2, 2.5.8: what is beside it gives way."""
    theme.apply(qapp, "light", scale)
    line, long, short = QWidget(), link_button("Show secrets", name="long"), PushButton("3")
    dress_link(short)
    row = row_layout(line, ElidedLabel("a text that gives way " * 5), long, short, space=4)
    qtbot.addWidget(line)
    line.resize(row.minimumSize())
    line.show()

    assert (
        long.width()
        >= long.sizeHint().width()
        > long.fontMetrics().horizontalAdvance("Show secrets")
    )
    assert short.width() >= theme.px(tokens.MIN_TARGET)


def test_a_link_with_the_text_of_a_server_has_no_mnemonic_and_keeps_its_name(
    qtbot: QtBot,
) -> None:
    """Ours: an ampersand is a character of it; a name that was set says more than the text."""
    link = ElidedLink(name="link")
    qtbot.addWidget(link)
    link.set_text("url = http://x/?a=1&b=2")
    link.setAccessibleName("url, 3 of 5")
    link.show()
    for width in (link.sizeHint().width(), link.sizeHint().width() // 2):
        link.resize(width, link.height())

        assert link.shortcut().isEmpty()
        assert link.accessibleName() == "url, 3 of 5"
