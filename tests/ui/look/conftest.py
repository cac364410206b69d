"""The whole window before a server that is told what to do."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

import pytest

from tests.support.wait import wait_until
from tests.ui.look.busy_server import BusyServer
from tests.ui.shell.shell_fixture import ShellFixture, running
from ui.features.logs import page as logs_page
from ui.features.repeat import message_page
from ui.models import list_rows, traffic_feed
from ui.render import answer_panel
from ui.request import headers
from ui.shell import main_window, strip_feed
from ui.traffic import frame_details

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication


@pytest.fixture(autouse=True)
def _hooks_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program puts its own in place, for good."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)


SHORT_MS = 10
"""Between updates that are otherwise kept apart for the eye: the tests wait for what is put off."""
INTERVALS = (
    (logs_page, "HIDDEN_MS"),
    (list_rows, "PACE_MS"),
    (message_page, "ANSWER_MS"),
    (traffic_feed, "REJUDGE_MS"),
    (answer_panel, "LATE_MS"),
    (headers, "SETTLE_MS"),
    (main_window, "COUNTS_MS"),
    (strip_feed, "INTERVAL_MS"),
    (frame_details, "LIVE_MS"),
)


@pytest.fixture(autouse=True)
def _updates_follow_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in INTERVALS:
        monkeypatch.setattr(module, name, SHORT_MS)


@pytest.fixture
def server() -> BusyServer:
    return BusyServer()


@pytest.fixture
async def shell(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: BusyServer
) -> AsyncGenerator[ShellFixture]:
    """Spyglass with a session with `server`, and every page made."""
    async with running(qapp, tmp_path, monkeypatch, server) as shell:
        await wait_until(lambda: shell.app.collector.is_running)
        await shell.open()
        yield shell
