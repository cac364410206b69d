"""The bar for finding, as every text has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from tests.ui.qt_actions import press
from ui.widgets.find_bar import FindBar

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


def test_enter_asks_once_on_and_with_shift_once_back(qtbot: QtBot, theme: Theme) -> None:
    """Ours: asked twice, every other match is passed over."""
    bar = FindBar(theme=theme)
    qtbot.addWidget(bar)
    asked: list[tuple[str, bool]] = []

    def on_wanted(text: str, onwards: bool) -> None:
        asked.append((text, onwards))

    bar.wanted.connect(on_wanted)
    bar.open_bar("words")

    press(bar.line, Qt.Key.Key_Return)
    press(bar.line, Qt.Key.Key_Enter)
    press(bar.line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)

    assert asked == [("words", True), ("words", True), ("words", False)]
