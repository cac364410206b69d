"""The program put together, over a server in memory."""

from __future__ import annotations

import asyncio
import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from inspector.config.servers_file import ServersFile
from inspector.session.session_state import SessionState
from tests.support.wait import wait_until
from tests.ui.qt_actions import reads
from tests.ui.shell.shell_fixture import ShellFixture, many_tools
from ui.app import DEMO_NAME, App, AppPaths, demo_profile
from ui.page import Page
from ui.startup import Startup
from ui.widgets.layout_parts import FRAME

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from ui.shell.main_window import MainWindow


@pytest.fixture(autouse=True)
def _hooks_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)


@pytest.fixture
def shell(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ShellFixture:
    """Spyglass, not yet started."""
    shell = ShellFixture(App(qapp, AppPaths(tmp_path, tmp_path / "records")), many_tools())
    monkeypatch.setattr("inspector.workspace.make_transport", shell.connect)
    return shell


async def test_the_demo_server_is_one_switch_away_and_stays_in_the_list(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours; what `make run` does."""
    stop = asyncio.Event()
    running = asyncio.ensure_future(shell.app.run(stop, demo=True))
    await wait_until(lambda: shell.controller.is_connected)

    assert shell.session.profile.name == DEMO_NAME
    assert shell.session.profile.args == demo_profile().args
    file = ServersFile(tmp_path).path
    await wait_until(lambda: file.exists() and DEMO_NAME in file.read_text())

    shell.app.connect_demo()
    await asyncio.sleep(0)
    assert [profile.name for profile in shell.app.server_list.profiles] == [DEMO_NAME]
    stop.set()
    assert await running == 0
    shell.dispose()


async def test_pages_whose_tabs_show_something_of_them_are_made_in_the_end(
    shell: ShellFixture,
) -> None:
    """Ours: a tab counts before it is opened; the other pages take no memory before."""
    stop = asyncio.Event()
    running = asyncio.ensure_future(shell.app.run(stop))
    await shell.started()
    workbench = shell.window.parts.workbench

    early = {spec.key for spec in workbench.specs if spec.is_made_early}
    front = workbench.current.info.key
    await wait_until(lambda: early <= {page.info.key for page in workbench.findChildren(Page)})

    assert {page.info.key for page in workbench.findChildren(Page)} == early | {front}

    stop.set()
    assert await running == 0
    shell.dispose()


async def test_closing_the_window_ends_every_session_and_then_the_program(
    shell: ShellFixture,
) -> None:
    """Ours: nothing that was started is left."""
    running = asyncio.ensure_future(shell.app.run(asyncio.Event()))
    await shell.started()
    session = await shell.open()

    shell.window.close()

    assert await running == 0
    assert session.session.state is SessionState.CLOSED
    assert not shell.window.isVisible()
    shell.dispose()


async def test_a_record_named_at_the_start_is_opened(
    shell: ShellFixture, tmp_path: Path, qapp: QApplication
) -> None:
    """Ours; `spyglass FILE`."""
    stop = asyncio.Event()
    running = asyncio.ensure_future(shell.app.run(stop))
    await shell.started()
    session = await shell.open("files")
    path = session.session.transcript.path
    assert path is not None
    stop.set()
    await running
    shell.dispose()

    later = ShellFixture(App(qapp, AppPaths(tmp_path, tmp_path / "records")), many_tools())
    stop = asyncio.Event()
    running = asyncio.ensure_future(later.app.run(stop, record=path))
    await wait_until(lambda: later.controller.record is not None)
    await wait_until(lambda: later.window.is_populated)

    assert reads(later.window, "header_name") == "files"
    stop.set()
    assert await running == 0
    later.dispose()


async def test_an_unreadable_list_of_servers_is_told_and_kept(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours; no reason not to start."""
    path = ServersFile(tmp_path).path
    path.write_text("{ broken")
    stop = asyncio.Event()
    running = asyncio.ensure_future(shell.app.run(stop))
    await shell.started()

    await wait_until(lambda: reads(shell.window, "servers_notice"))

    assert "{ broken" in [kept.read_text() for kept in tmp_path.glob("servers*")]  # noqa: ASYNC240
    stop.set()
    assert await running == 0
    shell.dispose()


async def test_files_that_were_set_aside_at_the_start_are_told_with_their_place(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: the settings of the window and of the client, as the list of servers is."""
    for name in ("settings.json", "client.json"):
        (tmp_path / name).write_text("{no json")
    shell = ShellFixture(App(qapp, AppPaths(tmp_path, tmp_path / "records")), many_tools())
    monkeypatch.setattr("inspector.workspace.make_transport", shell.connect)
    stop = asyncio.Event()
    running = asyncio.ensure_future(shell.app.run(stop))
    await shell.started()

    notes = shell.app.server_list.notes

    stop.set()
    await running
    shell.dispose()
    moved = [f"{tmp_path}/{name}.broken.json" for name in ("settings", "client")]
    assert [path for path in moved if any(path in note for note in notes)] == moved


@pytest.mark.parametrize("place", ["", "kept"])
def test_the_window_is_no_larger_than_the_screen_at_the_first_start(
    qapp: QApplication, tmp_path: Path, place: str
) -> None:
    """Ours: later it is where the user left it."""
    first = Startup(qapp, AppPaths(tmp_path, tmp_path / "records"))
    if place:
        first.window.resize(640, 2000)
        first.settings.save(
            replace(first.saved, geometry=bytes(first.window.saveGeometry().data()))
        )
    dispose(first.window)
    opening = Startup(qapp, AppPaths(tmp_path, tmp_path / "records"))
    before = opening.window.size()

    opening.fit_screen()

    room = opening.window.screen().availableSize()
    assert opening.window.size() == (before if place else before.boundedTo(room - FRAME))
    assert place or opening.window.size() != before
    dispose(opening.window)


def dispose(window: MainWindow) -> None:
    window.close()
    window.deleteLater()
