"""The servers dock; ours, after "The main window"."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QListView,
    QMenu,
    QPushButton,
    QWidget,
)

from inspector.config.profile import Profile
from inspector.errors import ConnectFailed
from tests.support.wait import wait_until
from tests.ui.connect.ending import everything_ends
from ui.connect.servers_panel import ServersPanel
from ui.widgets.delegates import SECONDARY_ROLE

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from inspector.config.server_list import ServerList
    from inspector.workspace import Workspace
    from ui.theme import Theme

W = TypeVar("W", bound=QWidget)

A = Profile(name="a", command="no-such-cmd-xyz")
B = Profile(name="b", transport="http", url="https://x.example/mcp")


@pytest.fixture
async def panel(
    qtbot: QtBot, server_list: ServerList, workspace: Workspace, theme: Theme
) -> ServersPanel:
    panel = ServersPanel(server_list=server_list, workspace=workspace, theme=theme)
    qtbot.addWidget(panel)
    panel.show()
    return panel


def part(panel: ServersPanel, kind: type[W], name: str) -> W:
    found = panel.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def rows(panel: ServersPanel) -> list[tuple[object, object]]:
    indexes = [panel.model.index(row) for row in range(panel.model.rowCount())]
    return [(index.data(), index.data(SECONDARY_ROLE)) for index in indexes]


def heard(panel: ServersPanel, name: str) -> list[Profile]:
    profiles: list[Profile] = []
    getattr(panel, name).connect(profiles.append)
    return profiles


def click(panel: ServersPanel, name: str) -> None:
    QTest.mouseClick(part(panel, QAbstractButton, name), Qt.MouseButton.LeftButton)


async def test_an_empty_list_offers_the_next_step(
    panel: ServersPanel, workspace: Workspace
) -> None:
    click(panel, "add_server")
    editor = panel.add()
    assert editor.isVisible()
    editor.discard()
    await everything_ends(workspace)


async def test_every_server_is_listed_with_its_state(
    server_list: ServerList, panel: ServersPanel, workspace: Workspace
) -> None:
    server_list.add(A, B)
    assert rows(panel) == [("a", "not connected"), ("b", "not connected")]
    await everything_ends(workspace)


async def test_a_failed_server_says_why(
    server_list: ServerList, workspace: Workspace, panel: ServersPanel
) -> None:
    """Corpus stdio-17."""
    server_list.add(A)
    opened = workspace.open(A)
    with pytest.raises(ConnectFailed):
        await opened.connect()
    await wait_until(lambda: "“no-such-cmd-xyz” is not on PATH" in str(rows(panel)[0][1]))
    await everything_ends(workspace)


async def test_a_session_that_is_not_saved_is_listed_too(
    workspace: Workspace, panel: ServersPanel
) -> None:
    workspace.open(A)
    await wait_until(lambda: rows(panel) == [("a", "connecting… · unsaved")])
    await everything_ends(workspace)


async def test_enter_and_double_click_connect(
    server_list: ServerList, panel: ServersPanel, workspace: Workspace
) -> None:
    wanted = heard(panel, "connect_requested")
    server_list.add(A, B)
    panel.select(B)
    view = part(panel, QListView, "servers_list")
    QTest.keyClick(view, Qt.Key.Key_Return)
    place = view.visualRect(panel.model.index(0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert wanted == [B, A]
    await everything_ends(workspace)


async def test_enter_disconnects_what_is_connected(
    server_list: ServerList, workspace: Workspace, panel: ServersPanel
) -> None:
    ended = heard(panel, "disconnect_requested")
    server_list.add(A)
    workspace.open(A)
    panel.select(A)
    QTest.keyClick(part(panel, QListView, "servers_list"), Qt.Key.Key_Return)
    assert ended == [A]
    await everything_ends(workspace)


async def test_moving_to_a_server_is_told_once(
    server_list: ServerList, panel: ServersPanel, workspace: Workspace
) -> None:
    moved = heard(panel, "selected")
    server_list.add(A, B)
    panel.select(B)
    server_list.add(Profile(name="c", command="x"))
    assert moved.count(B) == 1
    assert panel.current() == B
    await everything_ends(workspace)


async def test_removing_asks_in_place_and_can_be_undone(
    server_list: ServerList, panel: ServersPanel, workspace: Workspace, tmp_path: Path
) -> None:
    server_list.add(A, B)
    panel.select(A)
    QTest.keyClick(part(panel, QListView, "servers_list"), Qt.Key.Key_Delete)
    assert server_list.profiles == (A, B)
    click(panel, "confirm_remove")
    assert server_list.profiles == (B,)
    click(panel, "undo_remove")
    assert server_list.profiles == (A, B)
    assert panel.current() == A
    file = tmp_path / "servers.json"
    await wait_until(
        lambda: file.exists() and list(json.loads(file.read_text())["mcpServers"]) == ["a", "b"]
    )
    await everything_ends(workspace)


async def test_removing_a_connected_server_ends_its_session(
    server_list: ServerList, workspace: Workspace, panel: ServersPanel
) -> None:
    ended = heard(panel, "disconnect_requested")
    server_list.add(A)
    workspace.open(A)
    panel.select(A)
    QTest.keyClick(part(panel, QListView, "servers_list"), Qt.Key.Key_Delete)
    assert "It will be disconnected" in part(panel, QLabel, "notice_text").text()
    click(panel, "confirm_remove")
    assert ended == [A]
    await everything_ends(workspace)


async def test_a_copy_is_made_and_selected(
    server_list: ServerList, panel: ServersPanel, workspace: Workspace
) -> None:
    server_list.add(A)
    panel.select(A)
    view = part(panel, QListView, "servers_list")
    QTest.keyClick(view, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    current = panel.current()
    assert current is not None
    assert current.name == "a 2"
    await everything_ends(workspace)


async def test_the_command_is_copied_and_a_text_pasted_as_a_new_server(
    server_list: ServerList, panel: ServersPanel, workspace: Workspace
) -> None:
    server_list.add(A)
    panel.select(A)
    view = part(panel, QListView, "servers_list")
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "no-such-cmd-xyz"
    QApplication.clipboard().setText("uvx mcp-server-git")
    QTest.keyClick(view, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    editor = panel.add()
    assert editor.chosen()[0].args == ("mcp-server-git",)
    editor.discard()
    await everything_ends(workspace)


async def test_saving_and_connecting_adds_selects_and_asks_to_connect(
    server_list: ServerList, panel: ServersPanel, workspace: Workspace
) -> None:
    wanted = heard(panel, "connect_requested")
    editor = panel.add("https://x.example/mcp")
    button = editor.findChild(QPushButton, "save_and_connect")
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert [profile.url for profile in server_list.profiles] == ["https://x.example/mcp"]
    assert wanted == list(server_list.profiles)
    assert panel.current() == server_list.profiles[0]
    await everything_ends(workspace)


async def test_an_editor_with_unsaved_input_is_not_replaced(
    server_list: ServerList, panel: ServersPanel, workspace: Workspace
) -> None:
    server_list.add(A)
    first = panel.add("npx pkg")
    assert panel.edit(A) is first
    first.discard()
    second = panel.edit(A)
    assert second is not first
    second.discard()
    await everything_ends(workspace)


async def test_a_list_that_cannot_be_saved_says_so_and_can_be_saved_again(
    server_list: ServerList, panel: ServersPanel, workspace: Workspace, tmp_path: Path
) -> None:
    server_list.add(A)
    panel.select(A)
    (tmp_path / "servers.json").mkdir()
    view = part(panel, QListView, "servers_list")
    QTest.keyClick(view, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    await wait_until(lambda: "not saved" in part(panel, QLabel, "notice_text").text())
    (tmp_path / "servers.json").rmdir()
    click(panel, "save_again")
    await wait_until((tmp_path / "servers.json").is_file)
    await everything_ends(workspace)


async def test_notes_about_the_file_are_shown(
    server_list: ServerList, panel: ServersPanel, workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "servers.json").write_text("{")
    await server_list.load()
    assert "not valid JSON" in part(panel, QLabel, "notice_text").text()
    await everything_ends(workspace)


async def test_the_menu_offers_what_fits(
    server_list: ServerList, panel: ServersPanel, workspace: Workspace
) -> None:
    server_list.add(A)
    view = part(panel, QListView, "servers_list")
    view.customContextMenuRequested.emit(view.visualRect(panel.model.index(0)).center())
    menu = panel.findChild(QMenu)
    assert menu is not None
    names = [action.text() for action in menu.actions()]
    assert names == [
        "Connect",
        "Edit…",
        "Duplicate",
        "Copy command or URL",
        "Remove…",
        "Copy as mcp.json",
    ]
    menu.close()
    await everything_ends(workspace)


async def test_a_connected_server_can_be_reconnected_where_it_stands_in_the_list(
    panel: ServersPanel, server_list: ServerList, workspace: Workspace
) -> None:
    """Ours; one that is not connected offers to connect alone."""
    server_list.add(A)
    view = part(panel, QListView, "servers_list")
    view.setCurrentIndex(panel.model.index(0))
    action = part_of_actions(panel, "server_reconnect")
    assert not action.isVisible()
    opened = workspace.open(A)
    await wait_until(action.isVisible)
    asked = heard(panel, "connect_requested")

    action.trigger()

    assert [profile.id for profile in asked] == [A.id]
    await workspace.close(opened)


def part_of_actions(panel: ServersPanel, name: str) -> QAction:
    return next(action for action in panel.findChildren(QAction) if action.objectName() == name)


async def test_servers_are_copied_as_json_with_their_secrets_only_when_asked(
    panel: ServersPanel, server_list: ServerList
) -> None:
    """Ours: one of them, or all."""
    secret = Profile(name="s", command="x", env=(("API_KEY", "keep-it-secret"),))
    server_list.add(A, secret)
    panel.select(secret)
    menu = QMenu(panel)
    panel.copies.add_to(menu, panel.current())

    def copied(name: str) -> str:
        QApplication.clipboard().clear()
        action = menu.findChild(QAction, name)
        assert isinstance(action, QAction)
        action.trigger()
        return QApplication.clipboard().text()

    assert list(json.loads(copied("copy_mcp_json"))["mcpServers"]) == ["s"]
    assert "without 1 secret" in part(panel, QLabel, "notice_text").text()
    text = copied("copy_all_mcp_json")
    assert list(json.loads(text)["mcpServers"]) == ["a", "s"]
    assert "keep-it-secret" not in text
    copied("copy_all_mcp_json_with_secrets")
    await wait_until(lambda: "keep-it-secret" in QApplication.clipboard().text())


async def test_a_copy_of_a_server_has_its_secrets_too(
    panel: ServersPanel, server_list: ServerList, workspace: Workspace
) -> None:
    """Ours: also those that were not fetched since the start."""
    original = Profile(name="s", command="x", args=("--token", "hush"), env=(("API_KEY", "psst"),))
    server_list.add(original)
    await server_list.save()
    await server_list.load()
    panel.select(server_list.profiles[0])
    panel.act("duplicate")
    await wait_until(lambda: len(server_list.profiles) == 2)
    copy = server_list.profiles[1]
    assert (copy.args, copy.env) == (original.args, original.env)
    await everything_ends(workspace)
