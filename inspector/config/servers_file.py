"""The saved list of servers: a JSON file with the `mcpServers` map that other clients use; and servers as JSON for them.

Blocks: call it in a thread. Unknown keys and invalid entries are written back unchanged, in their order. A file that is not JSON is set aside,
never overwritten. Changes that another program made since the file was last read are kept, except to servers that Spyglass changes too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from inspector.auth.settings import Way
from inspector.config import authorization
from inspector.config.atomic_file import read_text, set_aside, write_text
from inspector.config.importers.server_entry import (
    OWN_KEY,
    is_entry,
    is_seconds,
    read_entry,
    write_entry,
)
from inspector.config.profile import new_id, unique_name
from inspector.config.secret_extraction import AUTH, masked
from inspector.frozen import FrozenStruct
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError, read, write
from inspector.wire.redaction import MASK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from inspector.config.profile import Profile
    from inspector.wire.json_codec import Json, JsonObject

FILE_NAME = "servers.json"
MAP_KEY = "mcpServers"


_SHARED = ("clientId", "clientSecret", "scopes", "callbackPort")
"""Members of the authorization that other clients have too, under `oauth`."""

Check: TypeAlias = "Callable[[Json, str], Iterator[str]]"
"""Takes a value and its path; yields what is wrong with it."""


class SavedList(FrozenStruct, frozen=True):
    """The content of the file."""

    profiles: tuple[Profile, ...]
    """The valid servers, in the order of the file."""
    notes: tuple[str, ...] = ()
    """What was invalid, set aside or changed by another program, for the user."""


class ServersFile:
    """The file in a folder, and its content when it was last read or written."""

    def __init__(self, folder: Path) -> None:
        """Use `folder`; nothing is read yet."""
        self.path = folder / FILE_NAME
        self._known_text: str | None = None
        self._rest: JsonObject = {}
        self._kept: JsonObject = {}

    def load(self) -> SavedList:
        """Read the file; a missing one is an empty list.

        Raises:
            StorageError: the file exists and cannot be opened.
        """
        text = read_text(self.path)
        edited = self._known_text is not None and text != self._known_text
        root, notes = self._parse(text)
        if edited:
            notes.append("The server list was changed outside Spyglass and has been reloaded.")
        profiles = self._read_entries(root, notes)
        self._known_text = text
        return SavedList(tuple(profiles), tuple(notes))

    def _parse(self, text: str | None) -> tuple[JsonObject, list[str]]:
        if text is None or not text.strip():
            return {}, []
        try:
            value = read(text.encode()).value
        except JsonSyntaxError as error:
            return {}, [self._set_aside(f"is not valid JSON ({error})")]
        if not isinstance(value, dict) or not isinstance(value.get(MAP_KEY, {}), dict):
            return {}, [self._set_aside("does not contain a map of servers")]
        return value, []

    def _set_aside(self, reason: str) -> str:
        moved = set_aside(self.path, "broken")
        return (
            f"The server list {reason}. It was renamed to {moved.name}, and a new list was started."
        )

    def _read_entries(self, root: JsonObject, notes: list[str]) -> list[Profile]:
        entries = root.get(MAP_KEY)
        self._rest = {key: value for key, value in root.items() if key != MAP_KEY}
        self._kept = {}
        profiles: list[Profile] = []
        for name, entry in (entries if isinstance(entries, dict) else {}).items():
            found = problems(entry)
            if not found and isinstance(entry, dict) and is_entry(entry):
                profiles.append(read_entry(name, entry)[0])
                continue
            self._kept[name] = entry
            reason = "; ".join(found) or "it has neither a command nor a URL"
            notes.append(f"“{name}” in {self.path.name} was skipped: {reason}.")
        return _with_own_ids(profiles)

    def save(self, profiles: Sequence[Profile]) -> tuple[str, ...]:
        """Write the list; return notes if another program changed the file meanwhile.

        Raises:
            StorageError: the file cannot be written; the old one is unchanged.
        """
        notes, entries = self._foreign_changes(profiles)
        for profile in profiles:
            entries[unique_name(profile.name, entries)] = write_entry(profile)
        root: JsonObject = {MAP_KEY: entries, **self._rest}
        text = write(root, indent=2) + "\n"
        write_text(self.path, text)
        self._known_text = text
        return notes

    def _foreign_changes(self, profiles: Sequence[Profile]) -> tuple[tuple[str, ...], JsonObject]:
        """Return notes, and the entries of the file that `profiles` does not replace."""
        taken = {profile.name for profile in profiles}
        kept: JsonObject = {name: entry for name, entry in self._kept.items() if name not in taken}
        text = read_text(self.path)
        if text == self._known_text or text is None:
            return (), kept
        root, notes = self._parse(text)
        before = _entries(self._known_text)
        self._rest = {key: value for key, value in root.items() if key != MAP_KEY} or self._rest
        fresh: JsonObject = {
            name: entry
            for name, entry in _entries(text).items()
            if name not in taken and before.get(name) != entry
        }
        if fresh:
            notes.append(f"Kept servers added outside Spyglass: {', '.join(fresh)}.")
        return tuple(notes), kept | fresh


def _entries(text: str | None) -> dict[str, Json]:
    """Return the entries of the text of a file; empty if it is not JSON."""
    try:
        root = read((text or "{}").encode()).value
    except JsonSyntaxError:
        return {}
    entries = root.get(MAP_KEY) if isinstance(root, dict) else None
    return entries if isinstance(entries, dict) else {}


def problems(entry: Json) -> list[str]:
    """Return what is wrong with a saved entry, each problem with its path, as in `spyglass.secrets.1 is not a string`."""
    return list(_members(entry, _ENTRY, "")) if isinstance(entry, dict) else ["it is not an object"]


def _with_own_ids(profiles: list[Profile]) -> list[Profile]:
    """Give each entry that was copied in the file an id of its own."""
    seen: set[str] = set()
    for index, profile in enumerate(profiles):
        if profile.id in seen:
            profiles[index] = replace(profile, id=new_id())
        seen.add(profile.id)
    return profiles


def mcp_json(profiles: Sequence[Profile], *, with_secrets: bool = False) -> str:
    """Return the entries of `profiles` by name; secrets are masked unless `with_secrets`."""
    servers: JsonObject = {}
    for profile in profiles:
        copied = profile if with_secrets else masked(profile)
        entry = {key: value for key, value in write_entry(copied).items() if key != OWN_KEY}
        if (client := _oauth(copied)) and "oauth" not in entry:
            entry["oauth"] = client
        servers[profile.name] = entry
    return json_codec.write({"mcpServers": servers}, indent=2)


def _oauth(profile: Profile) -> JsonObject:
    """Return the OAuth client as other clients read it; empty where the user entered none."""
    saved = authorization.write(profile.authorization)
    found = {key: saved[key] for key in _SHARED if key in saved}
    if f"{AUTH}clientSecret" in profile.extracted:
        found["clientSecret"] = MASK
    return found if "clientId" in found else {}


def _members(value: JsonObject, schema: Mapping[str, Check], prefix: str) -> Iterator[str]:
    for key, check in schema.items():
        if key in value:
            yield from check(value[key], f"{prefix}{key}")


def _object(schema: Mapping[str, Check]) -> Check:
    def check(value: Json, path: str) -> Iterator[str]:
        if isinstance(value, dict):
            yield from _members(value, schema, f"{path}.")
        else:
            yield f"{path} is not an object"

    return check


def _is(test: Callable[[Json], bool], noun: str) -> Check:
    def check(value: Json, path: str) -> Iterator[str]:
        if not test(value):
            yield f"{path} is not {noun}"

    return check


_string = _is(lambda value: isinstance(value, str), "a string")
_boolean = _is(lambda value: isinstance(value, bool), "a boolean")
_seconds = _is(is_seconds, "a positive number of seconds")
_way = _is(lambda value: value in list(Way), f"one of {', '.join(Way)}")
_port = _is(authorization.is_port, "a port number")


def _strings(value: Json, path: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{path} is not an array"
        return
    for index, item in enumerate(value):
        yield from _string(item, f"{path}.{index}")


def _string_map(value: Json, path: str) -> Iterator[str]:
    names = value if isinstance(value, dict) else ()
    return _object(dict.fromkeys(names, _string))(value, path)


_AUTHORIZATION: dict[str, Check] = {
    "way": _way,
    **dict.fromkeys(authorization.TEXTS, _string),
    **dict.fromkeys(authorization.FLAGS, _boolean),
    **dict.fromkeys(("tokenCommand", "scopes", "waivers"), _strings),
    "callbackPort": _port,
    "parameters": _string_map,
}
_OWN_PART: dict[str, Check] = {
    **dict.fromkeys(("id", "revision"), _string),
    **dict.fromkeys(("timeoutSeconds", "totalTimeoutSeconds"), _seconds),
    "authorization": _object(_AUTHORIZATION),
    "secrets": _strings,
}
_ENTRY: dict[str, Check] = {
    **dict.fromkeys(("type", "command", "cwd", "url"), _string),
    **dict.fromkeys(("env", "headers"), _string_map),
    "args": _strings,
    "spyglass": _object(_OWN_PART),
}
"""One entry of the `mcpServers` map: the type of each member. Keys that are not named here may have any value.

Not with `msgspec.convert`: it reports one error of a value, and not the key of a map, and the user has to find all of them in the file.
"""
