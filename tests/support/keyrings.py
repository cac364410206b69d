"""Backends of the keyring library that are none of the system: in memory, and in a file that several processes share."""

from __future__ import annotations

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

FILE_VARIABLE = "SPYGLASS_TEST_KEYRING"
"""Names the file of `KeyringInFile`."""


class KeyringInMemory(KeyringBackend):
    """Keeps its passwords here."""

    priority = 1  # pyright: ignore[reportAssignmentType] - a plain number is what backends give

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class LockedKeyring(KeyringInMemory):
    """A keyring nobody unlocks."""

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("the collection is locked")


class KeyringInFile(KeyringBackend):
    """Keeps its passwords in the file that an environment variable names."""

    priority = 1  # pyright: ignore[reportAssignmentType] - a plain number is what backends give

    def get_password(self, service: str, username: str) -> str | None:
        return self._read().get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._write(self._read() | {f"{service} {username}": password})

    def delete_password(self, service: str, username: str) -> None:
        self._write({k: v for k, v in self._read().items() if k != f"{service} {username}"})

    def _read(self) -> dict[str, str]:
        file = Path(os.environ[FILE_VARIABLE])
        return json.loads(file.read_text()) if file.exists() else {}

    def _write(self, kept: dict[str, str]) -> None:
        file = Path(os.environ[FILE_VARIABLE])
        part = file.with_name(f"{file.name}.{os.getpid()}")
        part.write_text(json.dumps(kept))
        part.replace(file)  # whoever reads meanwhile finds a whole file
