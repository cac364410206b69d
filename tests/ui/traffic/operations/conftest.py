"""A conversation, and a panel that shows its operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.records import progress, request, result
from tests.support.talk import Talk
from ui.models.timeline import timeline_of
from ui.traffic.panel import TrafficPanel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


@pytest.fixture
def talk() -> Talk:
    """A start with lists, a call with progress and a request to the user, and a call that is pending."""
    talk = Talk()
    talk.request(1, "initialize")  # 1
    talk.result(1)
    talk.request(2, "tools/list")  # 3
    talk.request(3, "prompts/list")
    talk.result(2, tools=[{"name": "a"}, {"name": "b"}])
    talk.result(3, prompts=[])
    talk.wait(30)
    talk.request(4, "tools/call", name="search", _meta={"progressToken": 4})  # 7
    for step in (1, 2, 3):
        talk.received(progress(4, step))
    talk.wait(2)
    talk.received(request("s1", "sampling/createMessage", {"messages": []}))  # 11
    talk.wait(6)
    talk.sent(result("s1"))
    talk.text_result(4, "3 orders")  # 13
    talk.call(5, "export")  # 14
    return talk


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme, talk: Talk) -> TrafficPanel:
    panel = TrafficPanel(theme=theme, clock=talk.clock)
    qtbot.addWidget(panel)
    panel.resize(1300, 500)
    panel.show()
    panel.set_timeline(timeline_of(talk.transcript))
    panel.modes.set_mode("operations")
    return panel
