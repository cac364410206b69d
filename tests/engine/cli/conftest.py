"""What tests of the command line share."""

from __future__ import annotations

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
