"""The whole window, over servers in memory instead of processes."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

import pytest

from tests.ui.shell.shell_fixture import ShellFixture, many_tools, running
from ui import app

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication


@pytest.fixture(autouse=True)
def _hooks_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program puts its own in place, for good."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)


LATER_S = 3600.0
"""Longer than any test takes."""


@pytest.fixture(autouse=True)
def _pages_are_made_when_they_are_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them take five times as long as the rest of the window; a test that needs more than it opens calls `make_pages`."""
    monkeypatch.setattr(app, "AUTOCONNECT_STEP_S", LATER_S)


@pytest.fixture
async def shell(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[ShellFixture]:
    """Spyglass, started for the first time, and ended in order; it must have had no fault of its own."""
    async with running(qapp, tmp_path, monkeypatch, many_tools()) as shell:
        yield shell
