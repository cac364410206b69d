"""A library, a workspace and a theme of their own for each test."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from inspector.library.library import Library
from inspector.library.secrets import MemorySecrets
from inspector.library.servers_file import ServersFile
from inspector.workspace import Workspace
from ui.connect.editor import ServerEditor
from ui.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from inspector.library.profile import Profile


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
def library(tmp_path: Path, secrets: MemorySecrets) -> Library:
    """An empty library.

    It works in threads. What earlier tests left to the garbage collector, event loops with Qt timers among it, must
    not be collected there: Qt objects belong to the thread that made them.
    """
    gc.collect()
    return Library(ServersFile(tmp_path), lambda: secrets)


@pytest.fixture
def workspace() -> Workspace:
    """A workspace that records in memory; a test that opens something in it ends with `everything_ends`."""
    return Workspace(None)


def find_program(_profile: Profile, command: str) -> str | None:
    """Where a few programs would be found."""
    return f"/usr/bin/{command}" if command in {"node", "npx", "uvx", "sudo", "sh"} else None


@pytest.fixture
def open_editor(qtbot: QtBot, library: Library, theme: Theme) -> Callable[..., ServerEditor]:
    """Opens an editor of a profile, or of a new server."""

    def open_one(profile: Profile | None = None) -> ServerEditor:
        editor = ServerEditor(
            library=library,
            theme=theme,
            profile=profile,
            find=find_program,
            environ={"GITHUB_TOKEN": "hush-1", "HOME": "/home/x"},
        )
        qtbot.addWidget(editor)
        editor.show()
        return editor

    return open_one
