"""A page over a real transcript with findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.spec.findings import make_finding
from tests.support.talk import Talk
from ui.problems.page import ProblemsPage
from ui.problems.source import ProblemSource

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

ERROR, WARNING, NOTE = "L-TOOL-19", "L-TOOL-04", "L-TOOL-24"


def find(talk: Talk, number: int, rule: str, pointer: str = "", text: str = "wrong") -> None:
    """Add a finding, and say so."""
    talk.transcript.add_finding(number, make_finding(rule, text, pointer))
    talk.transcript.findings_changed.fire()


@pytest.fixture
def talk() -> Talk:
    """Two calls, a list of tools, and one finding of each severity, the error twice."""
    talk = Talk()
    talk.call(1, "search_orders")  # 1
    talk.result(1, structuredContent={"total": "1204.50"})  # 2
    talk.call(2, "list_customers")  # 3
    talk.result(2, structuredContent=[])  # 4
    talk.request(3, "tools/list")  # 5
    talk.result(3, tools=[{"name": "echo"}, {"name": "add"}, {"name": "echo"}])  # 6
    find(talk, 6, NOTE)
    find(talk, 6, WARNING, "/result/tools/2/name")
    find(talk, 2, ERROR, "/result/structuredContent/total", "expected number")
    find(talk, 4, ERROR, "/result/structuredContent", "expected object")
    return talk


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, talk: Talk) -> ProblemsPage:
    """Wide enough for all columns."""
    page = ProblemsPage(ProblemSource(), theme=theme)
    page.source.setParent(page)
    qtbot.addWidget(page)
    page.resize(1400, 320)
    page.source.show(talk.transcript)
    page.show()
    qtbot.waitUntil(lambda: page.feed.is_complete)
    return page
