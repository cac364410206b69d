"""Editing a server that is connected: what applies at once, what later, and what that ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QPushButton

from inspector.config.profile import Profile
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.ui.connect.ending import everything_ends
from tests.ui.qt_actions import click, find, reads, sees
from ui.connect.servers_panel import ServersPanel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.config.server_list import ServerList
    from inspector.workspace import Workspace
    from ui.theme import Theme

A = Profile(name="a", command="no-such-cmd-xyz")


@pytest.fixture
async def panel(
    qtbot: QtBot, server_list: ServerList, workspace: Workspace, theme: Theme
) -> ServersPanel:
    panel = ServersPanel(server_list=server_list, workspace=workspace, theme=theme)
    qtbot.addWidget(panel)
    panel.show()
    server_list.add(A)
    return panel


async def test_a_new_name_applies_at_once_and_the_rest_is_said_to_wait(
    panel: ServersPanel, workspace: Workspace
) -> None:
    """Ours."""
    opened = workspace.open(A)
    editor = panel.edit(A)
    editor.form.name.setText("renamed")
    assert find(editor, QPushButton, "save_and_connect").text() == "Save and reconnect"
    click(editor, "save_server")

    assert opened.profile.name == "renamed"
    assert opened.session.profile.name == "renamed"  # what its requests to the user are headed with
    assert "reconnect" in reads(panel, "servers_notice")
    asked: list[Profile] = []
    panel.connect_requested.connect(asked.append)
    click(panel, "reconnect_edited")
    assert [profile.name for profile in asked] == ["renamed"]
    assert not sees(panel, "servers_notice")
    await everything_ends(workspace)


async def test_the_button_says_how_many_requests_a_reconnect_ends(
    panel: ServersPanel, workspace: Workspace
) -> None:
    """Ours."""
    opened = workspace.open(A)
    request = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}'
    opened.session.transcript.append(Direction.SENT, Channel.STDIN, [RawChunk(request)])
    editor = panel.edit(A)
    assert "1 pending request" in find(editor, QPushButton, "save_and_connect").toolTip()
    editor.discard()
    await everything_ends(workspace)


async def test_a_server_that_is_not_connected_is_edited_as_ever(
    panel: ServersPanel, workspace: Workspace
) -> None:
    """Ours."""
    editor = panel.edit(A)
    assert find(editor, QPushButton, "save_and_connect").text() == "Save and connect"
    click(editor, "save_server")
    assert not sees(panel, "servers_notice")
    await everything_ends(workspace)
