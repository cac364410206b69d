"""The form of the saved list: what each key of an entry has to hold. A schema library would cost a tenth of a second at every start.

The check finds entries that are broken; `entry.read_entry` then reads the sound ones. Keys that are not named here may
hold anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from inspector.auth.settings import Way
from inspector.config import authorization
from inspector.config.importers.server_entry import is_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from inspector.wire.jsontext import Json, JsonObject

Check: TypeAlias = "Callable[[Json, str], Iterator[str]]"
"""Yields what is wrong with a value at a place."""


def problems(entry: JsonObject) -> list[str]:
    """Return what is wrong with a saved entry: the place and the reason of each fault."""
    return list(_faults(entry, ENTRY, ""))


def _faults(value: JsonObject, form: Mapping[str, Check], inside: str) -> Iterator[str]:
    for key, check in form.items():
        if key in value:
            yield from check(value[key], f"{inside}{key}")


def _text(value: Json, place: str) -> Iterator[str]:
    if not isinstance(value, str):
        yield f"{place} is not a string"


def _texts(value: Json, place: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{place} is not an array"
        return
    for index, item in enumerate(value):
        yield from _text(item, f"{place}.{index}")


def _named_texts(value: Json, place: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{place} is not an object"
        return
    for name, item in value.items():
        yield from _text(item, f"{place}.{name}")


def _seconds(value: Json, place: str) -> Iterator[str]:
    if not is_seconds(value):
        yield f"{place} is not a positive number of seconds"


def _own(value: Json, place: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{place} is not an object"
        return
    yield from _faults(value, OWN_PART, f"{place}.")


def _flag(value: Json, place: str) -> Iterator[str]:
    if not isinstance(value, bool):
        yield f"{place} is not a boolean"


def _way(value: Json, place: str) -> Iterator[str]:
    if value not in list(Way):
        yield f"{place} is none of {', '.join(Way)}"


def _port(value: Json, place: str) -> Iterator[str]:
    if not authorization.is_port(value):
        yield f"{place} is not the number of a port"


def _authorization(value: Json, place: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{place} is not an object"
        return
    yield from _faults(value, AUTHORIZATION, f"{place}.")


AUTHORIZATION: dict[str, Check] = {
    "way": _way,
    **dict.fromkeys(authorization.TEXTS, _text),
    **dict.fromkeys(authorization.FLAGS, _flag),
    "tokenCommand": _texts,
    "scopes": _texts,
    "callbackPort": _port,
    "waivers": _texts,
    "parameters": _named_texts,
}
"""How a server is authorized."""

OWN_PART: dict[str, Check] = {
    "id": _text,
    "authorization": _authorization,
    "revision": _text,
    "timeoutSeconds": _seconds,
    "totalTimeoutSeconds": _seconds,
    "secrets": _texts,
}
"""What Spyglass keeps for itself in an entry."""

ENTRY: dict[str, Check] = {
    "type": _text,
    "command": _text,
    "args": _texts,
    "env": _named_texts,
    "cwd": _text,
    "url": _text,
    "headers": _named_texts,
    "spyglass": _own,
}
"""One entry of the `mcpServers` map."""
