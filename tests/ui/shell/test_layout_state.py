"""What comes back at the next start."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QSplitter

from inspector.library.settings import SettingsFile
from tests.support.wait import wait_until
from tests.ui.hands import find
from tests.ui.shell.desk import Desk, many_tools
from ui.app import App, Folders

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from PySide6.QtWidgets import QApplication


async def visit(desk: Desk) -> asyncio.Event:
    """Start; returns what ends it."""
    stop = asyncio.Event()
    desk.running = asyncio.ensure_future(desk.app.run(stop))
    await desk.started()
    return stop


async def leave(desk: Desk, stop: asyncio.Event) -> None:
    stop.set()
    assert desk.running is not None
    assert await desk.running == 0
    desk.dispose()


async def test_arrangement_filter_colours_and_selection_come_back(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours; ux: docks, column widths and the last filter come back on the next start."""
    first = Desk(App(qapp, Folders(tmp_path, tmp_path / "records")), many_tools())
    monkeypatch.setattr("inspector.workspace.make_transport", first.connect)
    stop = await visit(first)
    window = first.window
    first.add("other")
    profile = first.add("files")
    await first.app.library.save()
    window.servers.select(profile)
    window.resize(1200, 700)
    window.traffic.set_filter("kind:error")
    window.traffic.table.horizontalHeader().resizeSection(5, 222)
    window.commands.view.set_theme("dark")
    window.commands.view.step_scale(1)
    window.docks["stderr"].hide()
    find(window, QSplitter, "tools_splitter").setSizes([300, 300, 400])
    sizes = find(window, QSplitter, "tools_splitter").saveState()
    await leave(first, stop)

    second = Desk(App(qapp, Folders(tmp_path, tmp_path / "records")), many_tools())
    stop = await visit(second)
    window = second.window

    assert window.height() == 700  # Qt fits the width to the screen, which is small here
    assert window.traffic.filter_text() == "kind:error"
    assert window.traffic.table.horizontalHeader().sectionSize(5) == 222
    assert second.app.theme.dark
    assert second.app.theme.scale == first.app.theme.scale > 1
    assert not window.docks["stderr"].isVisible()
    assert find(window, QSplitter, "tools_splitter").saveState() == sizes
    await wait_until(lambda: (current := window.servers.current()) and current.id == profile.id)
    assert second.conductor.session is None
    await leave(second, stop)


async def test_settings_that_cannot_be_read_are_no_reason_not_to_start(
    qapp: QApplication, tmp_path: Path
) -> None:
    """Ours."""
    (tmp_path / "settings.json").write_text("{ broken")

    desk = Desk(App(qapp, Folders(tmp_path, tmp_path / "records")), many_tools())
    stop = await visit(desk)

    assert (desk.window.width(), desk.window.height()) == (1360, 860)
    await leave(desk, stop)
    assert SettingsFile(tmp_path).load().geometry


async def test_the_first_arrangement_can_be_had_again(desk: Desk) -> None:
    """Ours."""
    window = desk.window
    await wait_until(lambda: window.docks["traffic"].height() > 300)
    before = window.docks["traffic"].height()
    window.docks["servers"].setFloating(True)
    window.docks["traffic"].hide()

    window.actions_["reset"].trigger()

    assert not window.docks["servers"].isFloating()
    await wait_until(lambda: window.is_dock_shown("traffic"))
    await wait_until(lambda: abs(window.docks["traffic"].height() - before) <= 2)
