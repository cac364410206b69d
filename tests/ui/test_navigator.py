"""A widget asks the navigator of its window, however deep it is; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget

from ui.navigator import Navigator, navigator_of

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_every_widget_of_a_window_and_of_its_dialogs_finds_the_navigator(qtbot: QtBot) -> None:
    """Ours."""
    window = QWidget()
    qtbot.addWidget(window)
    navigator = Navigator(window)
    inner = QWidget(QWidget(window))
    dialog = QDialog(inner)

    assert [navigator_of(part) for part in (window, inner, QWidget(dialog), QObject(inner))] == [
        navigator
    ] * 4


def test_a_widget_outside_of_a_window_with_a_navigator_is_an_error(qtbot: QtBot) -> None:
    """Ours: a click that leads nowhere must be noticed."""
    alone = QWidget()
    qtbot.addWidget(alone)

    with pytest.raises(LookupError):
        navigator_of(alone)
