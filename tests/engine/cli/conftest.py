"""What tests of the command line share."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import keyring
import pytest

from tests.support.keyrings import KeyringInMemory

if TYPE_CHECKING:
    from collections.abc import Generator


@pytest.fixture
def kept() -> Generator[KeyringInMemory]:
    """The keyring of the user, empty."""
    before, found = keyring.get_keyring(), KeyringInMemory()
    keyring.set_keyring(found)
    yield found
    keyring.set_keyring(before)


@pytest.fixture
def connections_folder(monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    """The folder of the connections; its path is short, as that of a socket has to be."""
    made = Path(tempfile.mkdtemp(prefix="spy"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(made))
    yield made / "spyglass" / "connections"
    shutil.rmtree(made)
