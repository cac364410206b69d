"""A page over a real transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.talk import Talk
from tests.ui.timeline.hands import converse, shown
from ui.models.timeline import timeline_of

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme
    from ui.timeline.page import TimelinePage


@pytest.fixture
def talk() -> Talk:
    return converse(Talk())


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, talk: Talk) -> TimelinePage:
    return shown(qtbot, theme, talk, timeline_of(talk.transcript))
