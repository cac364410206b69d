"""A library, a workspace and a theme of their own for each test."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from inspector.library.library import Library
from inspector.library.secrets import MemorySecrets
from inspector.library.servers_file import ServersFile
from inspector.workspace import Workspace
from ui.theme import Theme

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication


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
