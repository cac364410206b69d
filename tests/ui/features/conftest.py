"""Pages on screen, without a session."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pytest

from ui.features.logs.page import LogsPage
from ui.features.overview.page import OverviewPage
from ui.features.prompts.page import PromptsPage
from ui.features.repeat.raw_page import RawPage
from ui.features.resources.page import ResourcesPage
from ui.features.tasks.page import TasksPage
from ui.features.tools.page import ToolsPage
from ui.navigator import Navigator

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.page import Page
    from ui.theme import Theme

P = TypeVar("P", bound="Page")


def on_screen(page: P, qtbot: QtBot) -> P:
    """`page` as large as the centre of the window at its first start, with the focus."""
    qtbot.addWidget(page)
    Navigator(page)
    page.resize(1160, 420)
    page.show()
    page.activateWindow()
    return page


@pytest.fixture
def tools_page(qtbot: QtBot, theme: Theme) -> ToolsPage:
    return on_screen(ToolsPage(theme=theme), qtbot)


@pytest.fixture
def overview_page(qtbot: QtBot, theme: Theme) -> OverviewPage:
    return on_screen(OverviewPage(theme=theme), qtbot)


@pytest.fixture
def resources_page(qtbot: QtBot, theme: Theme) -> ResourcesPage:
    return on_screen(ResourcesPage(theme=theme), qtbot)


@pytest.fixture
def prompts_page(qtbot: QtBot, theme: Theme) -> PromptsPage:
    return on_screen(PromptsPage(theme=theme), qtbot)


@pytest.fixture
def tasks_page(qtbot: QtBot, theme: Theme) -> TasksPage:
    return on_screen(TasksPage(theme=theme), qtbot)


@pytest.fixture
def raw_page(qtbot: QtBot, theme: Theme) -> RawPage:
    return on_screen(RawPage(theme=theme), qtbot)


@pytest.fixture
def logs_page(qtbot: QtBot, theme: Theme) -> LogsPage:
    return on_screen(LogsPage(theme=theme), qtbot)
