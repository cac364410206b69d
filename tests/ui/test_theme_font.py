"""Fonts of the theme that widgets keep; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QLabel

from inspector.clock import SystemClock
from ui.errors import Reporter
from ui.shell.help_window import AboutDialog
from ui.shell.open_link import OpenLink
from ui.theme import tokens
from ui.theme.theme_font import set_theme_font

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

DIALOGS: list[Callable[[Theme], QDialog]] = [
    lambda theme: AboutDialog(reporter=Reporter(clock=SystemClock()), theme=theme),
    lambda theme: OpenLink("https://docs.test/a", theme=theme),
]


def test_a_font_follows_the_text_size(qapp: QApplication, theme: Theme, qtbot: QtBot) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    set_theme_font(label, theme, tokens.SMALL, bold=True)

    theme.apply(qapp, "light", 2.0)

    assert label.font() == theme.font(tokens.SMALL, bold=True)


@pytest.mark.parametrize("make", DIALOGS, ids=["about", "link"])
def test_an_open_dialog_gets_the_fonts_of_one_made_in_that_size(
    make: Callable[[Theme], QDialog], qapp: QApplication, theme: Theme, qtbot: QtBot
) -> None:
    before = make(theme)
    qtbot.addWidget(before)
    before.show()

    theme.apply(qapp, "light", 2.0)

    after = make(theme)
    qtbot.addWidget(after)
    after.show()
    assert _sizes(before) == _sizes(after)


def _sizes(dialog: QDialog) -> list[float]:
    return [label.font().pointSizeF() for label in dialog.findChildren(QLabel)]
