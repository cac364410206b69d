"""A dock is one row, and so is a page of the bottom dock; how the docks share the window. Ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton

from tests.support.wait import wait_until
from ui.shell import main_window
from ui.shell.dock_sizes import bottom_height, servers_width
from ui.shell.docks import BOTTOM_PAGES, DOCKS, BottomPageSpec, DockSpec

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QDockWidget

    from tests.ui.shell.shell_fixture import ShellFixture
    from ui.shell.main_window import MainWindow
    from ui.theme import Theme

WEATHER = DockSpec(
    "weather",
    "Weather",
    "&Weather",
    "Ctrl+F12",
    Qt.DockWidgetArea.LeftDockWidgetArea,
    lambda _parts: QLabel("sunny"),
)

TIDES = BottomPageSpec(
    "tides", "Tides", "Ti&des", "Shift+F5", lambda _parts: QLabel("low"), lambda _parts: 12_345
)


@pytest.fixture
def one_row_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spyglass with one more dock, and one more page at the bottom."""
    monkeypatch.setattr(main_window, "DOCKS", (*DOCKS, WEATHER))
    monkeypatch.setattr(main_window, "BOTTOM_PAGES", (*BOTTOM_PAGES, TIDES))


@pytest.mark.usefixtures("one_row_more")
async def test_a_dock_added_by_one_row_is_in_its_area_the_menu_and_the_first_arrangement(
    shell: ShellFixture,
) -> None:
    """Ours."""
    window = shell.window
    dock, action = window.docks["weather"], window.commands.actions["dock_weather"]
    assert isinstance(dock.widget(), QLabel)
    assert dock in window.tabifiedDockWidgets(window.docks["servers"])
    assert action.shortcut().toString() == "Ctrl+F12"

    action.trigger()
    await wait_until(lambda: window.is_dock_visible("weather"))
    action.trigger()
    await wait_until(dock.isHidden)
    window.layout_state.reset()
    await wait_until(lambda: not dock.isHidden())
    assert window.dockWidgetArea(dock) == Qt.DockWidgetArea.LeftDockWidgetArea


@pytest.mark.usefixtures("one_row_more")
async def test_a_page_added_by_one_row_has_a_tab_a_link_in_the_strip_and_a_command(
    shell: ShellFixture,
) -> None:
    """Ours."""
    await shell.open()
    window, bottom = shell.window, shell.window.bottom
    action = window.commands.actions["dock_tides"]
    titles = [bottom.tabs.tabText(at) for at in range(bottom.tabs.count())]
    at = titles.index("Tides")
    assert at == len(titles) - 1
    await wait_until(lambda: bottom.tabs.count_text(at) == "12k")
    assert bottom.tabs.accessibleTabName(at) == "Tides, 12,345"

    action.trigger()
    await wait_until(lambda: window.is_dock_visible("tides"))
    action.trigger()
    await wait_until(lambda: bottom.is_folded)
    link = bottom.strip.findChild(QToolButton, "strip_tides")
    assert link is not None
    assert link.accessibleName() == "Tides 12k"
    link.click()
    await wait_until(lambda: window.is_dock_visible("tides"))


@pytest.mark.parametrize(
    ("height", "rows"), [(800, 10), (860, 12), (900, 12), (1080, 16), (1440, 23), (450, 3)]
)
def test_the_bottom_dock_has_whole_rows_and_leaves_more_than_half_to_the_page(
    theme: Theme, height: int, rows: int
) -> None:
    """Ours: 45% between header and status bar at most."""
    pixels = bottom_height(height, theme.px)

    assert pixels == 27 + 34 + 22 + rows * 22
    assert pixels <= 0.45 * (height - 88)


def test_the_bottom_dock_has_whole_rows_at_any_size_of_text(
    theme: Theme, qapp: QApplication
) -> None:
    """Ours."""
    for scale in (1.1, 1.25, 1.5, 1.75, 2.0):
        theme.apply(qapp, "light", scale)
        fixed = theme.px(27) + theme.px(34) + theme.px(22)
        assert (bottom_height(1440, theme.px) - fixed) % theme.px(22) == 0


@pytest.mark.parametrize(
    ("width", "pixels"),
    [(1136, 176), (1360, 176), (1440, 208), (1919, 208), (1920, 224), (2560, 240)],
)
def test_a_wider_window_has_a_wider_list_of_servers(width: int, pixels: int) -> None:
    """Ours."""
    assert servers_width(width) == pixels


async def drag_edge(window: MainWindow, dock: QDockWidget, by: QPoint) -> None:
    """Drag the edge between a dock and the page with the mouse."""
    area = dock.geometry()
    at_side = by.x() != 0
    edge = QPoint(area.right() + 1, area.center().y())
    start = edge if at_side else QPoint(area.center().x(), area.top() - 1)
    assert window.isSeparator(start)
    QTest.mousePress(window, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(window, start + by)
    before = dock.size()
    await wait_until(lambda: dock.size() != before)
    QTest.mouseRelease(window, Qt.MouseButton.LeftButton, pos=start + by)
    await wait_until(lambda: bool(window.layout_state.sizes.shares))


async def test_the_first_arrangement_shows_twelve_rows(shell: ShellFixture) -> None:
    """Ours; ux: at 1360x860 twelve rows of the traffic beside sixteen tools."""
    await shell.open()
    window = shell.window
    await wait_until(lambda: window.bottom.height() == 347)
    await wait_until(lambda: window.parts.traffic.table.viewport().height() == 12 * 22)
    assert window.docks["servers"].width() == 176
    assert window.parts.workbench.height() == 860 - 88 - 347 - 1  # and the edge between them


async def test_what_is_dragged_is_a_share_of_any_window(shell: ShellFixture) -> None:
    """Ours."""
    await shell.open()
    window = shell.window
    await wait_until(lambda: window.bottom.height() == 347)

    await drag_edge(window, window.bottom, QPoint(0, -100))
    await wait_until(lambda: window.bottom.height() == 447)
    window.resize(window.width(), 860 + 772)

    await wait_until(lambda: window.bottom.height() == 2 * 447)
    window.resize(window.width(), 860)
    await wait_until(lambda: window.bottom.height() == 447)
    window.layout_state.reset()
    await wait_until(lambda: window.bottom.height() == 347)


async def test_a_wider_list_of_servers_is_a_share_too(shell: ShellFixture) -> None:
    """Ours."""
    await shell.open()
    window = shell.window
    servers = window.docks["servers"]
    await wait_until(lambda: servers.width() == 176)

    await drag_edge(window, servers, QPoint(64, 0))
    await wait_until(lambda: servers.width() == 240)
    window.resize(1360 + 680, window.height())

    await wait_until(lambda: servers.width() == 360)


async def test_in_a_low_window_the_bottom_dock_is_a_strip_until_the_user_opens_it(
    shell: ShellFixture,
) -> None:
    """Ours; ux: in a window below 800 px it starts folded."""
    await shell.open()
    window, bottom = shell.window, shell.window.bottom
    assert not bottom.is_folded

    window.resize(1280, 720)
    await wait_until(lambda: bottom.height() == 32)
    window.commands.actions["dock_traffic"].trigger()
    await wait_until(lambda: bottom.height() > 200)
    window.resize(1280, 700)
    await wait_until(lambda: bottom.height() == bottom_height(700, shell.app.theme.px))
    assert not bottom.is_folded

    window.commands.actions["dock_traffic"].trigger()
    await wait_until(lambda: bottom.height() == 32)
    window.resize(1280, 860)
    await wait_until(lambda: bottom.height() == 347)


async def test_larger_text_makes_a_window_low(shell: ShellFixture) -> None:
    """Ours: the effective height counts."""
    await shell.open()
    window, bottom = shell.window, shell.window.bottom

    window.layout_state.set_theme("light", 1.25)
    await wait_until(lambda: bottom.height() == 40)

    window.layout_state.set_theme("light", 1.0)
    await wait_until(lambda: bottom.height() == 347)


async def test_a_folded_dock_keeps_filter_selection_and_scroll_position(
    shell: ShellFixture,
) -> None:
    """Ours: it is the same dock."""
    await shell.open()
    window, traffic = shell.window, shell.window.parts.traffic
    window.resize(1360, 800)
    traffic.set_filter("-kind:stderr")
    traffic.show_detail(False)
    traffic.table.selectRow(1)
    traffic.table.set_following(False)
    bar = traffic.table.verticalScrollBar()
    before = (bar.value(), traffic.table.current_number(), traffic.filter_text())

    window.commands.actions["dock_traffic"].trigger()
    await wait_until(lambda: window.bottom.height() == 32)
    window.bottom.strip.button.click()
    await wait_until(lambda: window.bottom.height() > 200)

    assert (bar.value(), traffic.table.current_number(), traffic.filter_text()) == before


async def test_folding_changes_nothing_but_the_edge_between_page_and_dock(
    shell: ShellFixture,
) -> None:
    """Ours."""
    await shell.open()
    window = shell.window
    await wait_until(lambda: window.bottom.height() == 347)
    page, servers = window.parts.workbench.geometry(), window.docks["servers"].width()

    window.commands.actions["dock_traffic"].trigger()
    await wait_until(lambda: window.bottom.height() == 32)
    now = window.parts.workbench.geometry()
    assert now.topLeft() == page.topLeft()
    assert (now.width(), now.height()) == (page.width(), page.height() + 347 - 32)
    assert window.docks["servers"].width() == servers

    window.commands.actions["dock_traffic"].trigger()
    await wait_until(lambda: window.parts.workbench.geometry() == page)


async def test_the_keys_that_fold_the_dock_give_way_to_its_tabs(shell: ShellFixture) -> None:
    """Ours: they would stand on the last tab."""
    await shell.open()
    bottom = shell.window.bottom
    keys = bottom.findChild(QLabel, "bottom_keys")
    assert keys is not None
    tabs = bottom.tabs
    await wait_until(keys.isVisible)

    tabs.add_title("W" * 100)
    tabs.addTab("")

    await wait_until(keys.isHidden)


async def test_a_double_click_on_a_tab_maximizes_and_another_one_restores(
    shell: ShellFixture,
) -> None:
    """Ours."""
    await shell.open()
    window, tabs = shell.window, shell.window.bottom.tabs
    await wait_until(lambda: window.bottom.height() == 347)
    at = tabs.tabRect(0).center()

    QTest.mouseDClick(tabs, Qt.MouseButton.LeftButton, pos=at)
    await wait_until(lambda: window.bottom.height() > 500)
    assert window.commands.actions["bottom_maximize"].isChecked()
    QTest.mouseDClick(tabs, Qt.MouseButton.LeftButton, pos=at)

    await wait_until(lambda: window.bottom.height() == 347)
    assert not window.bottom.isFloating()


async def test_a_floating_bottom_dock_is_docked_when_it_is_folded_or_closed(
    shell: ShellFixture,
) -> None:
    """Ours: it is never lost."""
    await shell.open()
    window, bottom = shell.window, shell.window.bottom
    window.commands.actions["bottom_float"].trigger()
    await wait_until(bottom.isFloating)

    bottom.close()
    await wait_until(lambda: not bottom.isFloating() and bottom.isVisible())
    window.commands.actions["bottom_float"].trigger()
    await wait_until(bottom.isFloating)
    window.commands.actions["dock_traffic"].trigger()

    await wait_until(lambda: not bottom.isFloating() and bottom.height() == 32)


async def test_a_compact_window_has_a_rail_of_servers(shell: ShellFixture) -> None:
    """Ours."""
    await shell.open()
    window, servers = shell.window, shell.window.docks["servers"]

    window.resize(1024, 640)
    await wait_until(lambda: servers.width() == 44)
    window.resize(1360, 640)

    await wait_until(lambda: servers.width() == 176)


async def test_a_narrow_window_has_no_list_of_servers_unless_the_user_shows_it(
    shell: ShellFixture,
) -> None:
    """Ours."""
    await shell.open()
    window, servers = shell.window, shell.window.docks["servers"]

    window.resize(980, 860)
    await wait_until(servers.isHidden)
    window.commands.actions["dock_servers"].trigger()
    await wait_until(servers.isVisible)
    window.resize(960, 860)
    assert servers.isVisible()

    window.commands.actions["dock_servers"].trigger()
    await wait_until(servers.isHidden)
    window.resize(1360, 860)
    await wait_until(lambda: servers.width() == 176)


async def test_the_height_of_a_side_dock_at_the_bottom_is_no_width(shell: ShellFixture) -> None:
    """Ours: dragged there, it has its own width again when it is back at the side."""
    await shell.open()
    window, servers = shell.window, shell.window.docks["servers"]
    sizes = window.layout_state.sizes
    await wait_until(lambda: servers.width() == 176)
    window.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, servers)
    window.commands.actions["dock_traffic"].trigger()
    await wait_until(lambda: servers.width() > 1000 and window.bottom.height() == 32)
    area = servers.geometry()
    start, height = QPoint(area.center().x(), area.bottom() + 1), servers.height()
    assert window.isSeparator(start)

    QTest.mousePress(window, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(window, start + QPoint(0, 80))
    await wait_until(lambda: servers.height() != height)
    QTest.mouseRelease(window, Qt.MouseButton.LeftButton, pos=start + QPoint(0, 80))
    await wait_until(lambda: not sizes.is_dragging)

    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, servers)
    await wait_until(lambda: servers.width() == 176)
    assert not sizes.shares


async def test_a_floating_list_of_servers_that_was_closed_stays_closed(shell: ShellFixture) -> None:
    """Ours: until it is opened by its command."""
    await shell.open()
    window, servers = shell.window, shell.window.docks["servers"]
    servers.setFloating(True)
    await wait_until(servers.isFloating)

    servers.close()
    window.layout_state.sizes.fit()

    assert servers.isHidden()
    window.resize(1500, 900)
    assert servers.isHidden()
    window.commands.actions["dock_servers"].trigger()
    await wait_until(servers.isVisible)


async def test_a_floating_bottom_dock_is_maximized_as_a_window(shell: ShellFixture) -> None:
    """Ours: and has its height again when it is docked."""
    await shell.open()
    window, bottom = shell.window, shell.window.bottom
    await wait_until(lambda: bottom.height() == 347)
    maximize = window.commands.actions["bottom_maximize"]
    window.commands.actions["bottom_float"].trigger()
    await wait_until(bottom.isFloating)
    size = bottom.size()

    maximize.trigger()
    await wait_until(bottom.isMaximized)
    assert maximize.isChecked()
    maximize.trigger()
    await wait_until(lambda: bottom.size() == size and not maximize.isChecked())
    maximize.trigger()
    await wait_until(bottom.isMaximized)
    window.commands.actions["bottom_float"].trigger()

    await wait_until(lambda: not bottom.isFloating() and bottom.height() == 347)
    await wait_until(lambda: not maximize.isChecked())
