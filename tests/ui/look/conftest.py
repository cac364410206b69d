"""The whole window before a server that is told what to do."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

import pytest

from tests.ui.look.busy_server import BusyServer
from tests.ui.shell.shell_fixture import ShellFixture, running

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
def server() -> BusyServer:
    return BusyServer()


@pytest.fixture
async def shell(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: BusyServer
) -> AsyncGenerator[ShellFixture]:
    """Spyglass with a session with `server`."""
    async with running(qapp, tmp_path, monkeypatch, server) as shell:
        await shell.open()
        yield shell
