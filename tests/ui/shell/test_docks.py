"""A dock is one row, and the docks at the bottom share the height of the window; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tests.support.wait import wait_until
from ui.shell import main_window
from ui.shell.docks import DOCKS, DockHeightKeeper, DockSpec

if TYPE_CHECKING:
    from tests.ui.shell.shell_fixture import ShellFixture

WEATHER = DockSpec(
    "weather",
    "Weather",
    "&Weather",
    "Ctrl+Alt+9",
    Qt.DockWidgetArea.LeftDockWidgetArea,
    lambda _parts: QLabel("sunny"),
)


@pytest.fixture
def one_dock_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spyglass with one more row of docks."""
    monkeypatch.setattr(main_window, "DOCKS", (*DOCKS, WEATHER))


@pytest.mark.usefixtures("one_dock_more")
async def test_a_dock_added_by_one_row_is_in_its_area_the_menu_and_the_first_arrangement(
    shell: ShellFixture,
) -> None:
    """Ours."""
    window = shell.window
    dock, action = window.docks["weather"], window.commands.actions["dock_weather"]
    assert isinstance(dock.widget(), QLabel)
    assert dock in window.tabifiedDockWidgets(window.docks["servers"])
    assert action.shortcut().toString() == "Ctrl+Alt+9"

    action.trigger()
    await wait_until(lambda: window.is_dock_visible("weather"))
    action.trigger()
    await wait_until(dock.isHidden)
    window.layout_state.reset()
    await wait_until(lambda: not dock.isHidden())
    assert window.dockWidgetArea(dock) == Qt.DockWidgetArea.LeftDockWidgetArea


def test_a_lower_window_takes_from_the_docks_and_gives_it_back() -> None:
    """Ours; ux: usable down to 1024 by 640."""
    share = DockHeightKeeper(0.4)

    assert share.height(360, 900, 640) == 256
    assert share.height(256, 640, 700) == 280
    assert share.height(280, 700, 900) == 360
    assert share.height(360, 900, 1200) == 360


def test_docks_that_are_low_already_give_nothing() -> None:
    """Ours."""
    assert DockHeightKeeper(0.4).height(200, 900, 640) == 200


def test_what_a_person_drags_holds_from_then_on() -> None:
    """Ours."""
    share = DockHeightKeeper(0.4)
    assert share.height(360, 900, 640) == 256

    assert share.height(320, 640, 600) == 300
    assert share.height(300, 600, 900) == 320
