"""Parts of lists; ours throughout."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QListWidget

from ui.widgets.filter_field import FilterField
from ui.widgets.list_parts import CurrentRowKeeper

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


def test_the_current_row_of_a_list_that_becomes_lower_stays_in_sight(qtbot: QtBot) -> None:
    """Ours: unless the user has scrolled it away."""
    view = QListWidget()
    qtbot.addWidget(view)
    view.addItems([f"row {at}" for at in range(100)])
    CurrentRowKeeper(view)
    turn = QTimer(view, interval=0, singleShot=True)
    view.resize(200, 400)
    view.show()
    view.setCurrentRow(12)

    view.resize(200, 100)
    qtbot.waitUntil(
        lambda: view.viewport().rect().contains(view.visualItemRect(view.item(12))), timeout=20_000
    )

    view.resize(200, 400)
    view.scrollToBottom()
    scrolled = view.verticalScrollBar().value()
    view.resize(200, 100)
    with qtbot.waitSignal(turn.timeout):  # the keeper scrolls a turn after the view was resized
        turn.start()
    assert view.verticalScrollBar().value() >= scrolled
    assert not view.viewport().rect().intersects(view.visualItemRect(view.item(12)))


def test_a_narrow_filter_displays_the_first_word(qtbot: QtBot, theme: Theme) -> None:
    """Ours: of what can be typed; no beginning of a word."""
    field = FilterField(theme=theme, placeholder="Filter resources")
    qtbot.addWidget(field)
    field.show()
    seen: list[str] = []
    for width in (*range(400, 60, -10), *range(60, 400, 10)):  # which is narrow depends on the font
        field.resize(width, field.height())
        seen.append(field.line.placeholderText())
    assert [text for text, _ in groupby(seen)] == ["Filter resources", "Filter", "Filter resources"]
