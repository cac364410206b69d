"""A running Spyglass, and the servers it talks to."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

import pytest

from tests.e2e.user import User, spyglass

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
async def user(qapp: QApplication, tmp_path: Path) -> AsyncGenerator[User]:
    """Someone in front of Spyglass, started for the first time."""
    async with spyglass(qapp, tmp_path) as user:
        yield user
