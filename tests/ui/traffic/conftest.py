"""A panel over a real transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.transcript import transcript
from tests.support.talk import Talk
from ui.models.timeline import timeline_of
from ui.navigator import Navigator
from ui.traffic.panel import TrafficPanel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


@pytest.fixture
def talk() -> Talk:
    """A short conversation: two calls with their results, and a log message between them."""
    talk = Talk()
    talk.call(1, "get_sum", a=3, b=4)  # 1
    talk.wait(0.012)
    talk.text_result(1, "The sum is 7.")  # 2
    talk.log("between")  # 3
    talk.call(2, "slow")  # 4
    talk.stderr(b"warming up")  # 5
    return talk


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme, talk: Talk) -> TrafficPanel:
    """The panel, shown, with that conversation."""
    panel = TrafficPanel(theme=theme, clock=talk.clock)
    qtbot.addWidget(panel)
    Navigator(panel)
    panel.resize(1200, 300)
    panel.show()
    panel.set_timeline(timeline_of(talk.transcript))
    return panel


@pytest.fixture
def small_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recording whose frames of some megabytes are read back from its file."""
    monkeypatch.setattr(transcript, "RECORDING_CACHE_BYTES", 4 << 20)
