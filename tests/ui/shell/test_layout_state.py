"""What comes back at the next start."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QSplitter, QTableView, QWidget

from inspector.config.window_settings import WindowSettings, WindowSettingsFile
from tests.support.wait import wait_until
from tests.ui.qt_actions import find
from tests.ui.shell.shell_fixture import ShellFixture, many_tools
from ui.app import App, AppPaths
from ui.models.traffic_columns import position
from ui.theme.tokens import SCALES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from ui.shell.main_window import MainWindow


async def visit(shell: ShellFixture) -> asyncio.Event:
    """Start; returns what ends it."""
    stop = asyncio.Event()
    shell.running = asyncio.ensure_future(shell.app.run(stop))
    await shell.started()
    return stop


async def leave(shell: ShellFixture, stop: asyncio.Event) -> None:
    stop.set()
    assert shell.running is not None
    assert await shell.running == 0
    shell.dispose()


async def test_arrangement_filter_colours_and_selection_come_back(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours; ux: docks, column widths and the last filter come back on the next start."""
    first = ShellFixture(App(qapp, AppPaths(tmp_path, tmp_path / "records")), many_tools())
    monkeypatch.setattr("inspector.workspace.make_transport", first.connect)
    stop = await visit(first)
    window = first.window
    first.add("other")
    profile = first.add("files")
    await first.app.server_list.save()
    window.parts.servers.select(profile)
    window.resize(1200, 700)
    window.parts.traffic.set_filter("kind:error")
    window.parts.traffic.table.horizontalHeader().resizeSection(position("method"), 222)
    window.commands.view.set_theme("dark")
    window.commands.view.step_scale(1)
    window.raise_dock("stderr")
    first.make_pages()
    find(window, QSplitter, "tools_splitter").setSizes([300, 300, 400])
    sizes = find(window, QSplitter, "tools_splitter").saveState()
    await leave(first, stop)

    second = ShellFixture(App(qapp, AppPaths(tmp_path, tmp_path / "records")), many_tools())
    stop = await visit(second)
    second.make_pages()
    window = second.window

    assert window.height() == 700  # Qt fits the width to the screen, which is small here
    assert window.parts.traffic.filter_text() == "kind:error"
    assert window.parts.traffic.table.horizontalHeader().sectionSize(position("method")) == 222
    assert second.app.theme.palette.is_dark
    assert second.app.theme.scale == first.app.theme.scale > 1
    assert window.bottom.current_key == "stderr"
    assert find(window, QSplitter, "tools_splitter").saveState() == sizes
    await wait_until(
        lambda: (current := window.parts.servers.current()) and current.id == profile.id
    )
    assert second.controller.session is None
    await leave(second, stop)


async def test_settings_that_cannot_be_read_are_no_reason_not_to_start(
    qapp: QApplication, tmp_path: Path
) -> None:
    """Ours."""
    (tmp_path / "settings.json").write_text("{ broken")

    shell = ShellFixture(App(qapp, AppPaths(tmp_path, tmp_path / "records")), many_tools())
    stop = await visit(shell)

    assert (shell.window.width(), shell.window.height()) == (1360, 860)
    await leave(shell, stop)
    assert WindowSettingsFile(tmp_path).load().geometry


async def test_the_first_arrangement_can_be_had_again(shell: ShellFixture) -> None:
    """Ours."""
    window = shell.window
    shell.add()
    await wait_until(lambda: window.bottom.height() > 300)
    before = window.bottom.height()
    window.docks["servers"].setFloating(True)
    window.hide_dock("traffic")

    window.commands.actions["reset"].trigger()

    assert not window.docks["servers"].isFloating()
    await wait_until(lambda: window.is_dock_visible("traffic"))
    await wait_until(lambda: window.bottom.height() == before)


async def test_a_lower_window_keeps_room_for_the_page_and_gives_it_back(
    shell: ShellFixture,
) -> None:
    """Ours; ux: usable down to 1024 by 640."""
    window = shell.window
    shell.add()
    await wait_until(lambda: window.bottom.height() > 300)
    before, page = window.bottom.height(), window.parts.workbench.height()

    window.resize(window.width(), 640)
    await wait_until(lambda: window.bottom.height() < 280)
    assert window.parts.workbench.height() > 250

    window.resize(window.width(), 860)
    await wait_until(lambda: window.bottom.height() == before)
    assert window.parts.workbench.height() == page


SIZE = (780, 740)
"""Within the screen that there is where there is none."""

STRIP = 6
"""Pixels, at 100%, by which the strips above and below may be wrong while they are empty."""

MIN_HEIGHT = 2
"""Pixels by which the least height of a page that docks squeeze differs before and after its first layout."""


def nothing(window: MainWindow) -> None:
    """Leave it as it is at first."""


def wide_and_low(window: MainWindow) -> None:
    window.layout_state.sizes.shares = {"servers": 0.3, "bottom": 0.4}
    window.layout_state.sizes.fit()


def hidden(window: MainWindow) -> None:
    window.hide_dock("stderr")
    window.hide_dock("servers")


def floating(window: MainWindow) -> None:
    window.docks["servers"].setFloating(True)
    window.docks["servers"].setGeometry(40, 50, 333, 444)


def tabbed(window: MainWindow) -> None:
    window.tabifyDockWidget(window.bottom, window.docks["servers"])
    window.bottom.raise_()


def elsewhere(window: MainWindow) -> None:
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, window.docks["servers"])
    window.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, window.bottom)


def arrangement(window: MainWindow) -> dict[str, tuple[int, ...]]:
    """Place and size of whatever can be seen."""
    parts: dict[str, QWidget] = {
        name: dock for name, dock in window.docks.items() if window.is_dock_visible(name)
    }
    parts["bottom"] = window.bottom
    centre = window.centralWidget()
    assert centre is not None
    places = {"": centre, **parts}
    rects = {name: part.geometry() for name, part in places.items()}
    return {name: (r.x(), r.y(), r.width(), r.height()) for name, r in rects.items()}


def is_like(
    seen: dict[str, tuple[int, ...]], left: dict[str, tuple[int, ...]], pixels: float
) -> bool:
    return seen.keys() == left.keys() and all(
        abs(one - other) <= pixels
        for name, place in left.items()
        for one, other in zip(seen[name], place, strict=True)
    )


class Painted(QObject):
    """What the arrangement of a window was whenever it was painted."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.seen: list[dict[str, tuple[int, ...]]] = []
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.seen.append(arrangement(self._window))
        return super().eventFilter(watched, event)


@pytest.mark.parametrize(
    ("arrange", "scale"),
    [
        (nothing, 1.0),
        (wide_and_low, 1.0),
        (wide_and_low, 1.5),
        (hidden, 1.0),
        (floating, 1.0),
        (tabbed, 1.25),
        (elsewhere, 1.0),
    ],
)
async def test_after_any_number_of_starts_everything_is_where_it_was_left(
    qapp: QApplication,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arrange: Callable[[MainWindow], None],
    scale: float,
) -> None:
    """Ours; ux: the arrangement comes back on the next start. The frame is painted in it, and so is the window that is full."""
    WindowSettingsFile(tmp_path).save(WindowSettings(theme="light", text_scale=scale))
    first = ShellFixture(App(qapp, AppPaths(tmp_path, tmp_path / "records")), many_tools())
    monkeypatch.setattr("inspector.workspace.make_transport", first.connect)
    stop = await visit(first)
    first.window.resize(*SIZE)
    await settle(first.window)
    arrange(first.window)
    await settle(first.window)
    left = arrangement(first.window)
    await leave(first, stop)

    for _ in range(2):
        again = ShellFixture(App(qapp, AppPaths(tmp_path, tmp_path / "records")), many_tools())
        painted = Painted(again.window)
        stop = await visit(again)
        await settle(again.window)
        found = arrangement(again.window)
        await leave(again, stop)

        assert is_like(found, left, MIN_HEIGHT), (found, left)
        assert [seen for seen in painted.seen if not is_like(seen, left, STRIP * scale)] == []


async def settle(window: MainWindow) -> None:
    """Until nothing moves any more."""
    seen: list[dict[str, tuple[int, ...]]] = []

    def is_still() -> bool:
        seen.append(arrangement(window))
        return len(seen) > 20 and all(one == seen[-1] for one in seen[-20:])

    await wait_until(is_still)


@pytest.mark.parametrize("scale", SCALES)
async def test_the_window_fits_a_small_screen_at_any_size_of_text(
    shell: ShellFixture, scale: float
) -> None:
    """Ours; ux: usable down to 1024 by 640. Whatever it shows, and back at normal text it is as it was."""
    await shell.open()
    window = shell.window
    before = window.size()
    window.layout_state.set_theme("light", scale)
    await settle(window)
    for spec in window.parts.workbench.specs:
        window.go(spec.key)
        least = window.minimumSizeHint()
        assert least.width() <= 1024, spec.key
        assert least.height() <= 640, spec.key
    assert window.size() == before


async def test_a_low_window_leaves_a_page_more_than_the_traffic(shell: ShellFixture) -> None:
    """Ours: with text of twice the size; else two fields of a form are seen."""
    window = shell.window
    window.resize(1280, 720)
    window.raise_dock("traffic")
    await wait_until(lambda: 200 < window.bottom.height() < 0.45 * 720)

    window.layout_state.set_theme("light", 2.0)

    await wait_until(lambda: window.bottom.height() < 0.45 * 720)
    assert window.parts.workbench.height() > window.bottom.height()


async def test_without_servers_the_bottom_dock_is_folded_until_there_is_one(
    shell: ShellFixture,
) -> None:
    """Ours: at the first start it has nothing to show."""
    bottom = shell.window.bottom
    assert bottom.is_folded

    shell.add()

    await wait_until(lambda: bottom.height() == 347)


async def test_larger_text_and_back_leaves_every_size_as_it_was(shell: ShellFixture) -> None:
    """Ours: docks, columns of tables, and what divides a page, also of pages that were looked at in large text."""
    await shell.open()
    window = shell.window
    window.resize(1024, 640)
    await settle(window)
    window.resize(1360, 860)
    before = await all_sizes(window)

    window.layout_state.set_theme("light", SCALES[-1])
    await all_sizes(window)
    window.commands.actions["normal"].trigger()

    now = await all_sizes(window)
    assert {name: (now[name], size) for name, size in before.items() if now[name] != size} == {}


async def all_sizes(window: MainWindow) -> dict[str, object]:
    """Sizes of docks, and on each page of the visible parts of splitters and columns of tables, by name."""
    sizes: dict[str, object] = {}
    for spec in window.parts.workbench.specs:
        window.go(spec.key)
        await asyncio.sleep(0.1)
        for splitter in filter(QWidget.isVisible, window.findChildren(QSplitter)):
            sizes[f"{spec.key} {splitter.objectName()}"] = splitter.sizes()
        for table in filter(QWidget.isVisible, window.findChildren(QTableView)):
            header = table.horizontalHeader()
            widths = [header.sectionSize(at) for at in range(header.count())]
            sizes[f"{spec.key} {table.objectName()}"] = widths
    return {**sizes, **arrangement(window)}


async def test_an_arrangement_of_another_version_is_not_taken(
    qapp: QApplication, tmp_path: Path
) -> None:
    """Ours: nor does it do any harm; the window is where it was."""
    first = ShellFixture(App(qapp, AppPaths(tmp_path, tmp_path / "records")), many_tools())
    stop = await visit(first)
    first.window.resize(*SIZE)
    await settle(first.window)
    await leave(first, stop)
    file = WindowSettingsFile(tmp_path)
    old = first.window.saveState(1).data()
    file.save(replace(file.load(), layout=bytes(old)))

    second = ShellFixture(App(qapp, AppPaths(tmp_path, tmp_path / "records")), many_tools())
    stop = await visit(second)
    await settle(second.window)

    assert (second.window.width(), second.window.height()) == SIZE
    assert second.window.bottom.isVisible()
    assert second.window.docks["servers"].isVisible() == (SIZE[0] >= 1000)
    await leave(second, stop)


async def test_a_window_on_a_screen_that_is_gone_comes_back_where_it_can_be_seen(
    qapp: QApplication, tmp_path: Path
) -> None:
    """Ours."""
    first = ShellFixture(App(qapp, AppPaths(tmp_path, tmp_path / "records")), many_tools())
    stop = await visit(first)
    first.window.setGeometry(5000, 4000, *SIZE)
    await leave(first, stop)

    second = ShellFixture(App(qapp, AppPaths(tmp_path, tmp_path / "records")), many_tools())
    stop = await visit(second)

    screen = second.window.screen().availableGeometry()
    assert screen.intersects(second.window.geometry())
    assert screen.contains(second.window.geometry().topLeft())
    await leave(second, stop)


async def test_messages_requests_and_a_reconnect_move_no_part_of_the_frame(
    shell: ShellFixture,
) -> None:
    """Ours; ux: nothing that arrives ever moves the layout."""
    await shell.open()
    window = shell.window
    await settle(window)
    before = arrangement(window)

    window.parts.status.show_message("The server ended the session. " * 5)
    shell.server.notify("notifications/message", {"level": "info", "data": "x" * 500})
    shell.server.send({"jsonrpc": "2.0", "id": 70, "method": "roots/list"})
    await settle(window)
    assert arrangement(window) == before
    window.commands.actions["reconnect"].trigger()
    await settle(window)

    assert arrangement(window) == before
