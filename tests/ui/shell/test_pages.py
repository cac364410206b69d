"""A page is one row: the window derives tab, menu, keys and palette from it. Ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication

from tests.ui.qt_actions import find
from ui.page import Page
from ui.pages import PAGES, PageSpec
from ui.shell import window_parts
from ui.shell.palette import Palette

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from tests.ui.shell.shell_fixture import ShellFixture
    from ui.theme import Theme

WEATHER = PageSpec(
    "weather", f"{__name__}:WeatherPage", "Weather", "mdi6.weather-sunny", "Ctrl+F12"
)


class WeatherPage(Page):
    info = WEATHER

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme


@pytest.fixture
def one_page_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spyglass with one more row of pages."""
    monkeypatch.setattr(window_parts, "PAGES", (*PAGES, WEATHER))


@pytest.mark.usefixtures("one_page_more")
async def test_a_page_added_by_one_row_is_in_tabs_menu_keys_and_palette(
    shell: ShellFixture,
) -> None:
    """Ours."""
    await shell.open()
    window = shell.window
    tabs = window.parts.workbench.tabs
    assert tabs.tabText(tabs.count() - 1) == "Weather"

    action = window.commands.actions["page_weather"]
    assert action.text() == "Weather"
    assert action.shortcut().toString() == "Ctrl+F12"
    action.trigger()
    assert isinstance(window.parts.workbench.current, WeatherPage)
    assert find(window, WeatherPage, "page_weather").isVisible()

    window.commands.view.open_palette()
    palette = QApplication.activePopupWidget()
    assert isinstance(palette, Palette)
    assert "Weather" in {entry.text for entry in palette.entries()}


async def test_each_page_has_keys_of_its_own(shell: ShellFixture) -> None:
    """Ours: two pages with the same keys would have none, as Qt calls them ambiguous."""
    rows = shell.window.parts.workbench.specs
    assert len({row.key for row in rows}) == len(rows)
    keys = [row.shortcut for row in rows if row.shortcut]
    assert len(set(keys)) == len(keys)
