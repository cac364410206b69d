"""The whole window, over servers in memory instead of processes."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

import pytest

from tests.ui.shell.shell_fixture import ShellFixture, many_tools, running

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication


@pytest.fixture(autouse=True)
def _hooks_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program puts its own in place, for good."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)


@pytest.fixture
async def shell(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[ShellFixture]:
    """Spyglass, started for the first time, and ended in order; it must have had no fault of its own."""
    async with running(qapp, tmp_path, monkeypatch, many_tools()) as shell:
        yield shell
