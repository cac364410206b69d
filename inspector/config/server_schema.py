"""The schema of the saved list: the type of each member of an entry. Keys that are not named here may have any value.

It finds entries that are invalid; `server_entry.read_entry` reads the valid ones. Not with `msgspec.convert`: it reports one error of a value, and
not the key of a map, and the user has to find all of them in the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from inspector.auth.settings import Way
from inspector.config import authorization
from inspector.config.importers.server_entry import is_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from inspector.wire.json_codec import Json, JsonObject

Check: TypeAlias = "Callable[[Json, str], Iterator[str]]"
"""Takes a value and its path; yields what is wrong with it."""


def problems(entry: JsonObject) -> list[str]:
    """Return what is wrong with a saved entry, each problem with its path, as in `spyglass.secrets.1 is not a string`."""
    return list(_members(entry, ENTRY, ""))


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


def _string(value: Json, path: str) -> Iterator[str]:
    if not isinstance(value, str):
        yield f"{path} is not a string"


def _strings(value: Json, path: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{path} is not an array"
        return
    for index, item in enumerate(value):
        yield from _string(item, f"{path}.{index}")


def _string_map(value: Json, path: str) -> Iterator[str]:
    names = value if isinstance(value, dict) else ()
    return _object(dict.fromkeys(names, _string))(value, path)


def _seconds(value: Json, path: str) -> Iterator[str]:
    if not is_seconds(value):
        yield f"{path} is not a positive number of seconds"


def _boolean(value: Json, path: str) -> Iterator[str]:
    if not isinstance(value, bool):
        yield f"{path} is not a boolean"


def _way(value: Json, path: str) -> Iterator[str]:
    if value not in list(Way):
        yield f"{path} is not one of {', '.join(Way)}"


def _port(value: Json, path: str) -> Iterator[str]:
    if not authorization.is_port(value):
        yield f"{path} is not a port number"


AUTHORIZATION: dict[str, Check] = {
    "way": _way,
    **dict.fromkeys(authorization.TEXTS, _string),
    **dict.fromkeys(authorization.FLAGS, _boolean),
    "tokenCommand": _strings,
    "scopes": _strings,
    "callbackPort": _port,
    "waivers": _strings,
    "parameters": _string_map,
}
"""How a server is authorized."""

OWN_PART: dict[str, Check] = {
    "id": _string,
    "authorization": _object(AUTHORIZATION),
    "revision": _string,
    "timeoutSeconds": _seconds,
    "totalTimeoutSeconds": _seconds,
    "secrets": _strings,
}
"""The fields of an entry that only Spyglass has."""

ENTRY: dict[str, Check] = {
    "type": _string,
    "command": _string,
    "args": _strings,
    "env": _string_map,
    "cwd": _string,
    "url": _string,
    "headers": _string_map,
    "spyglass": _object(OWN_PART),
}
"""One entry of the `mcpServers` map."""
