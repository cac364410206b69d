"""A form on screen, and someone who uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ui.widgets.form.player import Player
from ui.widgets.form import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


@pytest.fixture
def form(qtbot: QtBot, theme: Theme) -> Iterator[Form]:
    """A form as wide as the column of the tools page."""
    made = Form(theme=theme)
    qtbot.addWidget(made)
    made.resize(420, 700)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow, timeout=20_000)
    yield made
    made.close()


@pytest.fixture
def player(qtbot: QtBot, form: Form) -> Player:
    """Someone who uses the form with keyboard and mouse."""
    return Player(qtbot, form)
