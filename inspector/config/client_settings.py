"""The client settings of each server: declared capabilities, roots, saved responses. One small file.

Each part is JSON that a feature reads and writes; this module stores it by the id of the profile. Changes are synchronous; the file is written
in a thread, the newest state last. A file that is not JSON is set aside, never overwritten.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from inspector.background_tasks import BackgroundTasks
from inspector.config.atomic_file import read_text, set_aside, write_text
from inspector.errors import StorageError
from inspector.event import Event
from inspector.session.session_state import SessionState
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inspector.session.session import Session
    from inspector.wire.json_codec import Json, JsonObject

FILE_NAME = "client.json"

GATHER_SECONDS = 0.3
"""How long changes are collected before they are written."""


class ClientSettings:
    """The file in a folder; without a folder, the settings end with the program."""

    def __init__(self, folder: Path | None) -> None:
        """Use `folder`; `load` reads the file."""
        self.changed: Event[()] = Event()
        self.path = folder / FILE_NAME if folder is not None else None
        self.note = ""
        """What is wrong with the file, or why it was not written."""
        self._root: JsonObject = {}
        self._tasks = BackgroundTasks()
        self._dirty = False

    async def load(self) -> None:
        """Read what is saved.

        Raises:
            StorageError: the file exists and cannot be opened.
        """
        try:
            self._root = await asyncio.to_thread(self._load)
        except StorageError as error:
            # A file that cannot be read must not be overwritten.
            self.note, self.path = error.reason, None
            raise
        self.changed.fire()

    def part(self, profile_id: str, name: str) -> Json:
        """Return the part `name` of a server; None without one."""
        kept = self._root.get(profile_id)
        return kept.get(name) if isinstance(kept, dict) else None

    def keeper(self, profile_id: str, name: str) -> Callable[[Json], None]:
        """Return a function that stores a part."""
        return partial(self.set_part, profile_id, name)

    def set_part(self, profile_id: str, name: str, value: Json) -> None:
        """Store a part, and soon write the file."""
        kept = self._root.get(profile_id)
        self._root[profile_id] = {**(kept if isinstance(kept, dict) else {}), name: value}
        if not self._dirty and self.path is not None:
            self._dirty = True
            self._tasks.spawn(self._save_soon(), name="save client settings")
        self.changed.fire()

    async def aclose(self) -> None:
        """Write changes that are not in the file yet.

        Raises:
            StorageError: the file cannot be written; the old one is unchanged.
        """
        await self._tasks.aclose()
        if self._dirty:
            await self._save()

    async def _save_soon(self) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        try:
            await self._save()
        except StorageError as error:
            self.note = error.reason
            self.changed.fire()

    async def _save(self) -> None:
        self._dirty = False
        text = json_codec.write(self._root, indent=2)
        assert self.path is not None
        await asyncio.to_thread(write_text, self.path, text + "\n")

    def _load(self) -> JsonObject:
        text = read_text(self.path) if self.path is not None else None
        try:
            root = json_codec.read((text or "{}").encode()).value
        except JsonSyntaxError as error:
            assert self.path is not None
            moved = set_aside(self.path, "broken")
            self.note = f"{FILE_NAME} is not valid JSON ({error}); renamed to {moved}."
            return {}
        return root if isinstance(root, dict) else {}


def save_era(session: Session, settings: ClientSettings, profile_id: str) -> None:
    """Save what was found about a server: the next session with it starts there."""
    if session.state is SessionState.READY:
        found = session.cached_era
        kept = found.as_json() if found is not None else None
        if kept != settings.part(profile_id, "era"):
            settings.set_part(profile_id, "era", kept)
