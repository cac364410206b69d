"""Words that run do not move what is around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from tests.support.wait import wait_until
from tests.ui.counted import Counted
from ui.widgets.layout_parts import SLACK_STEPS, SpaceBelow, column_layout, reserve_width

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

STEP = 40


async def test_words_that_need_about_the_same_room_lay_out_nothing(qtbot: QtBot) -> None:
    """Ours: numbers of the status bar change thirty times a second while messages pour in."""
    box = QWidget()
    qtbot.addWidget(box)
    label, beside = QLabel("↓ 1,234 messages"), QLabel("a")
    row = QHBoxLayout(box)
    row.addWidget(label)
    row.addWidget(beside)
    reserve_width(label, STEP)
    box.show()
    layouts = Counted(box, QEvent.Type.LayoutRequest)
    beside.setText("longer than before")
    await wait_until(lambda: layouts.count)
    layouts.count = 0

    for count in range(1235, 1300):
        label.setText(f"↓ {count:,} messages")
        reserve_width(label, STEP)
    beside.setText("a")
    await wait_until(lambda: layouts.count)

    assert layouts.count == 1  # that of the other


@pytest.mark.parametrize("kind", [QPushButton, QLabel])
def test_the_words_always_fit_and_do_not_keep_much_more_room_than_they_need(
    qtbot: QtBot, kind: type[QPushButton | QLabel]
) -> None:
    """Ours."""
    button, free = kind(), kind()
    qtbot.addWidget(free)
    qtbot.addWidget(button)

    for text in ("a", "a" * 40, "a" * 80, "a" * 41, "", "ab"):
        button.setText(text)
        reserve_width(button, STEP)

        free.setText(text)
        spare = button.width() - free.sizeHint().width()
        assert 0 <= spare < (SLACK_STEPS + 1) * STEP
        assert button.height() == free.sizeHint().height()


def test_the_space_below_a_part_is_there_when_the_part_is(qtbot: QtBot, theme: Theme) -> None:
    """Ours: also when the part was hidden before."""
    box, parts = QWidget(), [QLabel("a"), QLabel("b")]
    qtbot.addWidget(box)
    parts[0].hide()
    spaces = [SpaceBelow(part, 12, theme=theme) for part in parts]
    column_layout(box, parts[0], spaces[0], parts[1], spaces[1], space=0)

    box.show()
    assert [space.isVisible() for space in spaces] == [False, True]
    for part in parts:
        part.setVisible(part.isHidden())
    assert [space.isVisible() for space in spaces] == [True, False]
