"""A list of servers, a workspace and a theme of their own for each test."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from inspector.config.secrets import MemorySecrets
from inspector.config.server_list import ServerList
from inspector.config.servers_file import ServersFile
from inspector.workspace import Workspace
from ui.connect.editor import ServerEditor
from ui.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from inspector.config.profile import Profile


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> Theme:
    """The light theme at 100%, one for all tests: icons that are still drawn must not outlive their theme."""
    assert qapp is not None
    return Theme()


@pytest.fixture
def secrets() -> MemorySecrets:
    """Secrets that live as long as the test."""
    return MemorySecrets()


@pytest.fixture
def server_list(tmp_path: Path, secrets: MemorySecrets) -> ServerList:
    """An empty list of servers.

    It works in threads. What earlier tests left to the garbage collector, event loops with Qt timers among it, must
    not be collected there: Qt objects belong to the thread that made them.
    """
    gc.collect()
    return ServerList(ServersFile(tmp_path), lambda: secrets)


@pytest.fixture
def workspace() -> Workspace:
    """A workspace that records in memory; a test that opens something in it ends with `everything_ends`."""
    return Workspace(None)


def find_program(_profile: Profile, command: str) -> str | None:
    """Where a few programs would be found."""
    return f"/usr/bin/{command}" if command in {"node", "npx", "uvx", "sudo", "sh"} else None


@pytest.fixture
def open_editor(qtbot: QtBot, server_list: ServerList, theme: Theme) -> Callable[..., ServerEditor]:
    """Opens an editor of a profile, or of a new server."""

    def open_one(profile: Profile | None = None) -> ServerEditor:
        editor = ServerEditor(
            server_list=server_list,
            theme=theme,
            profile=profile,
            find=find_program,
            environ={"GITHUB_TOKEN": "hush-1", "HOME": "/home/x"},
        )
        qtbot.addWidget(editor)
        editor.show()
        return editor

    return open_one
