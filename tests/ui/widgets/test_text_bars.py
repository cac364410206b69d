"""The bar for finding, as every text has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from tests.ui.qt_actions import press
from ui.widgets.text_bars import FindBar

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


def test_enter_asks_once_on_and_with_shift_once_back(qtbot: QtBot, theme: Theme) -> None:
    """Ours: if it was requested twice, every other match is passed over."""
    bar = FindBar(theme=theme)
    qtbot.addWidget(bar)
    requests: list[tuple[str, bool]] = []

    def on_find_requested(text: str, onwards: bool) -> None:
        requests.append((text, onwards))

    bar.find_requested.connect(on_find_requested)
    bar.open_bar("words")

    press(bar.line, Qt.Key.Key_Return)
    press(bar.line, Qt.Key.Key_Enter)
    press(bar.line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)

    assert requests == [("words", True), ("words", True), ("words", False)]
