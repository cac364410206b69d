"""The rules that the user muted for one server: in the settings of Spyglass, or in a file that the user chose and can commit.

Such a file is JSON with the ids of rules and why each is muted; other members of it stay as they are:

    {"mutedRules": {"L-TOOL-08": "the parameters are named after the columns"}}

`spyglass-cli` reads the same file. It may come from anywhere, so what is not understood is left out, and sizes are bounded.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.background_tasks import BackgroundTasks
from inspector.config.atomic_file import read_text, write_text
from inspector.errors import StorageError
from inspector.event import Event
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.json_value import Json, JsonObject

FILE_NAME = ".spyglass.json"
"""The name that is proposed for a file."""

MEMBER = "mutedRules"
"""The member of the file with the rules."""

MAX_RULES, MAX_ID, MAX_REASON = 2000, 100, 500
"""Rules of one file, and characters of an id and of a reason."""


def read_rules(value: Json) -> dict[str, str]:
    """Return the muted rules in a value, with the reason of each: an object of reasons, or an array of ids."""
    if isinstance(value, list):
        value = {each: "" for each in value if isinstance(each, str)}
    if not isinstance(value, dict):
        return {}
    known = ((id_, reason) for id_, reason in value.items() if 0 < len(id_) <= MAX_ID)
    texts = ((id_, reason if isinstance(reason, str) else "") for id_, reason in known)
    return {id_: reason[:MAX_REASON] for id_, reason in list(texts)[:MAX_RULES]}


def read_file(path: Path) -> dict[str, str]:
    """Return the muted rules of the file at `path`, without any if there is no file. Blocks.

    Raises:
        StorageError: the file cannot be read, or is not JSON.
    """
    return read_rules(_members(path).get(MEMBER))


def write_file(path: Path, rules: dict[str, str]) -> None:
    """Write the muted rules into the file at `path`, whose other members stay. Blocks.

    Raises:
        StorageError: the file cannot be written, or is there and not JSON; it is unchanged then.
    """
    kept: JsonObject = {id_: rules[id_] for id_ in sorted(rules)}
    members: JsonObject = {**_members(path), MEMBER: kept}
    write_text(path, json_codec.write(members, indent=2) + "\n")


def _members(path: Path) -> JsonObject:
    text = read_text(path)
    try:
        value = json_codec.read(text.encode()).value if text is not None else {}
    except JsonSyntaxError as error:
        raise StorageError(
            f"{path} is not valid JSON: {error}", hint="Correct the file."
        ) from error
    if not isinstance(value, dict):
        raise StorageError(f"{path} is not a JSON object", hint="Select another file.")
    return value


class MutedRules:
    """The muted rules of one server."""

    def __init__(self, saved: Json = None, save: Callable[[Json], None] | None = None) -> None:
        """Take what was `saved`; `save` is called with what is to be saved. Call `load` to read the file, if there is one."""
        self.changed: Event[()] = Event()
        """Fired when other rules are muted, or they are kept elsewhere."""
        saved = saved if isinstance(saved, dict) else {}
        self.reasons: dict[str, str] = read_rules(saved.get("rules"))
        """The muted rules, and why."""
        name = saved.get("file")
        self.path: Path | None = Path(name) if isinstance(name, str) and name else None
        """The file in which they are kept; None for the settings."""
        self.problem = ""
        """Why the file could not be read or written; changes are kept in the settings until it can."""
        self._save = save
        self._tasks = BackgroundTasks()
        self._writing: asyncio.Task[None] | None = None
        self._is_stale = False

    def mute(self, rule: str, reason: str = "") -> None:
        """Mute a rule."""
        self.replace({**self.reasons, rule: reason})

    def unmute(self, rule: str) -> None:
        """Report a rule again."""
        self.replace({id_: why for id_, why in self.reasons.items() if id_ != rule})

    def replace(self, reasons: dict[str, str]) -> None:
        """Mute these rules and no others."""
        if reasons == self.reasons:
            return
        self.reasons = reasons
        self._keep()

    async def load(self) -> None:
        """Read the file, if the rules are kept in one."""
        if self.path is None:
            return
        path = self.path
        try:
            found = await asyncio.to_thread(read_file, path)
        except StorageError as error:
            self._set_problem(error.reason)
            return
        if path == self.path and not self._is_stale:
            self.reasons = found
            self._set_problem("")

    async def use_file(self, path: Path) -> None:
        """Keep the rules in the file at `path` from now on, together with those that it has already.

        Raises:
            StorageError: it cannot be read or written; nothing has changed.
        """
        reasons = {**await asyncio.to_thread(read_file, path), **self.reasons}
        await asyncio.to_thread(write_file, path, reasons)
        self.path, self.reasons = path, reasons
        self._keep()

    def use_settings(self) -> None:
        """Keep the rules in the settings from now on; the file stays as it is."""
        self.path = None
        self._keep()

    async def aclose(self) -> None:
        """Write what is not in the file yet."""
        if self._writing is not None:
            await self._writing

    def _keep(self) -> None:
        if self._save is not None:
            name = str(self.path) if self.path is not None else ""
            self._save({"rules": dict(self.reasons), "file": name})
        if self.path is not None and not self._is_stale:
            self._is_stale = True
            self._writing = self._tasks.spawn(self._write(), name="save muted rules")
        self._set_problem("" if self.path is None else self.problem)

    async def _write(self) -> None:
        while self._is_stale and self.path is not None:
            self._is_stale = False
            try:
                await asyncio.to_thread(write_file, self.path, dict(self.reasons))
                problem = ""
            except StorageError as error:
                problem = error.reason
            if problem != self.problem:
                self._set_problem(problem)

    def _set_problem(self, text: str) -> None:
        self.problem = text
        self.changed.fire()
