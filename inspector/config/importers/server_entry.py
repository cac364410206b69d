"""One server in the configuration of a client, to a `Profile` and back.

Reading is tolerant: it never raises, and returns a warning for each value that it could not use. Writing returns every key that reading did not
know. Fields that only Spyglass has are under one key, `spyglass`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeGuard

from msgspec.structs import replace

from inspector.config import authorization
from inspector.config.importers.foreign_keys import RENAMED, rename_keys
from inspector.config.profile import Profile, new_id
from inspector.session import transport_factory
from inspector.session.transport_factory import guess_transport, transport_kind, url_schemes
from inspector.wire.json_codec import raw_number, write

if TYPE_CHECKING:
    from inspector.config.profile import Pairs
    from inspector.wire.json_codec import Json, JsonObject

OWN_KEY = "spyglass"
"""The key of the fields that other clients do not have."""

WEBSOCKET_TYPES = ("ws", "wss", "websocket")

URL_KEYS: dict[str, str | None] = {"url": None, "serverUrl": None, "httpUrl": "http", "uri": None}
"""The keys under which clients keep the URL, and the transport that a key implies."""

MAX_SECONDS = 1e9
"""A longer time is no limit."""

_FIELDS = ("type", "transport", "command", "args", "cwd", "env", "headers", OWN_KEY, *URL_KEYS)
_ENTRY_KEYS = (
    "command",
    *URL_KEYS,
    *(key for key, usual in RENAMED.items() if usual in ("command", "url")),
)
_OWN_TEXTS = authorization.members_of("revision", "ca_file", "client_cert", "proxy")
"""Strings that only Spyglass saves, and their fields in a profile."""
_OWN_FLAGS = authorization.members_of("verify", "record_secrets", "restart_on_change")
_OWN_SECONDS = authorization.members_of("timeout_seconds", "total_timeout_seconds")
_AUTHORIZATION = "authorization"
_OWN_FIELDS = ("id", _AUTHORIZATION, "secrets", *_OWN_TEXTS, *_OWN_FLAGS, *_OWN_SECONDS)
_DEFAULTS = Profile(id="")


@dataclass
class EntryReader:
    """The entry that a profile is read from, and the warnings about it."""

    entry: JsonObject
    """The entry as written, with the keys that most clients use."""
    warnings: list[str] = field(default_factory=list[str])
    """What could not be used as written."""

    def text(self, key: str) -> str:
        """Return the string under `key`; a scalar as its JSON text; an empty string for anything else."""
        value = self.entry.get(key)
        if isinstance(value, dict | list):
            self.warnings.append(f"“{key}” is not a string; ignored.")
            return ""
        return scalar_text(value)

    def pairs(self, key: str) -> Pairs:
        """Return the name and value pairs under `key`, in order."""
        value = self.entry.get(key)
        if isinstance(value, list):
            return tuple(self._assignments(key, value))
        if value is None:
            return ()
        if not isinstance(value, dict):
            self.warnings.append(f"“{key}” is not an object; ignored.")
            return ()
        return tuple((name, self._pair_value(key, name, item)) for name, item in value.items())

    def _pair_value(self, key: str, name: str, value: Json) -> str:
        text = write(value) if isinstance(value, dict | list) else scalar_text(value)
        if not isinstance(value, str):
            self.warnings.append(f"“{name}” in “{key}” is not a string; converted to “{text}”.")
        return text

    def _assignments(self, key: str, values: list[Json]) -> list[tuple[str, str]]:
        pairs: list[tuple[str, str]] = []
        for value in values:
            if isinstance(value, dict) and "name" in value:
                pairs.append((scalar_text(value["name"]), scalar_text(value.get("value"))))
            elif isinstance(value, str) and "=" in value:
                name, _, text = value.partition("=")
                pairs.append((name, text))
            else:
                self.warnings.append(f"“{key}” contains an item that is not NAME=value; ignored.")
        return pairs

    def arguments(self, key: str) -> tuple[str, ...]:
        """Return the list of arguments under `key`."""
        value = self.entry.get(key)
        if value is None:
            return ()
        if isinstance(value, str):
            self.warnings.append(f"“{key}” is a string, not an array; used as a single argument.")
            return (value,)
        if not isinstance(value, list):
            self.warnings.append(f"“{key}” is not an array; ignored.")
            return ()
        if not all(isinstance(item, str) for item in value):
            self.warnings.append(
                f"“{key}” contains a value that is not a string; converted to JSON."
            )
        return tuple(item if isinstance(item, str) else write(item) for item in value)


def scalar_text(value: Json) -> str:
    """Return a scalar as a user would write it; null as an empty string."""
    if value is None:
        return ""
    return value if isinstance(value, str) else write(value)


def is_entry(value: Json) -> bool:
    """Return whether `value` describes one server."""
    if not isinstance(value, dict):
        return False
    return any(key in value for key in _ENTRY_KEYS) or is_entry(value.get("transport"))


def is_websocket(entry: JsonObject) -> bool:
    """Return whether an entry names a WebSocket server, for which Spyglass has no transport."""
    renamed, _ = rename_keys(entry)
    kinds = (_letters(renamed.get(key)) for key in ("type", "transport"))
    urls = (scalar_text(renamed.get(key)) for key in URL_KEYS if isinstance(renamed.get(key), str))
    return any(kind in WEBSOCKET_TYPES for kind in kinds) or any(map(is_websocket_url, urls))


def is_websocket_url(text: str) -> bool:
    """Return whether a text is the URL of a WebSocket server."""
    return text.lower().startswith(("ws://", "wss://"))


def transport_of(text: str) -> str | None:
    """Return the transport that a client's `type` names, whether `streamable-http` or `streamableHttp`."""
    name = _letters(text)
    return next(
        (kind.key for kind in transport_factory.TRANSPORTS if name in kind.type_names), None
    )


def _letters(value: Json) -> str:
    return re.sub(r"[^a-z]", "", value.lower()) if isinstance(value, str) else ""


def read_entry(name: str, entry: JsonObject) -> tuple[Profile, tuple[str, ...]]:
    """Return the profile that an entry describes, and a warning for each value that could not be used."""
    renamed, moved = rename_keys(entry)
    reading = EntryReader(renamed, list(moved))
    command, args = _command(reading)
    url, implied = _url(reading)
    own = own_part(reading.entry)
    profile = Profile(
        id=scalar_text(own.get("id")) or new_id(),
        name=name or scalar_text(entry.get("name")),
        transport=_transport(reading, url, implied),
        command=command,
        args=args,
        env=reading.pairs("env"),
        cwd=reading.text("cwd"),
        url=url,
        headers=reading.pairs("headers"),
        authorization=authorization.read(_part(own, _AUTHORIZATION)),
        extracted=_extracted(own),
        extra=_extra(reading),
    )
    return replace(profile, **_own_values(own)), tuple(reading.warnings)


def own_part(entry: JsonObject) -> JsonObject:
    """Return the fields of an entry that only Spyglass has."""
    return _part(entry, OWN_KEY)


def _part(value: JsonObject, key: str) -> JsonObject:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def write_entry(profile: Profile) -> JsonObject:
    """Return the entry to save: the keys that other clients read, then unknown keys, then `spyglass`."""
    entry: JsonObject = {"type": profile.transport}
    is_process = transport_kind(profile.transport).is_process
    if is_process:
        entry |= {"command": profile.command, "args": list(profile.args)}
    for key, value in (("cwd", profile.cwd), ("url", profile.url)):
        if value:
            entry[key] = value
    if not is_process and profile.command:
        entry |= {"command": profile.command, "args": list(profile.args)}
    for key, pairs in (("env", profile.env), ("headers", profile.headers)):
        if pairs:
            entry[key] = dict[str, "Json"](pairs)
    entry |= {key: value for key, value in profile.extra.items() if key not in entry}
    entry.pop(OWN_KEY, None)  # last, after what the other clients read
    entry[OWN_KEY] = _own(profile)
    return entry


def _own(profile: Profile) -> JsonObject:
    kept: JsonObject = {"id": profile.id}
    for key, name in (_OWN_TEXTS | _OWN_FLAGS | _OWN_SECONDS).items():
        value = getattr(profile, name)
        if value != getattr(_DEFAULTS, name):
            kept[key] = raw_number(value) if key in _OWN_SECONDS else value
    if profile.extracted:
        kept["secrets"] = list(profile.extracted)
    unknown = own_part(profile.extra)
    access = authorization.write(profile.authorization) | _part(unknown, _AUTHORIZATION)
    if access:
        kept[_AUTHORIZATION] = access
    return kept | {key: value for key, value in unknown.items() if key != _AUTHORIZATION}


def _command(reading: EntryReader) -> tuple[str, tuple[str, ...]]:
    value = reading.entry.get("command")
    if isinstance(value, dict):  # Zed: {"command": {"path": …, "args": […], "env": {…}}}
        for key in ("args", "env"):
            reading.entry.setdefault(key, value.get(key))
        return scalar_text(value.get("path")), reading.arguments("args")
    if isinstance(value, list):  # opencode: the program and its arguments in one list
        args = reading.arguments("command")
        return (args[0] if args else ""), (*args[1:], *reading.arguments("args"))
    return reading.text("command"), reading.arguments("args")


def _url(reading: EntryReader) -> tuple[str, str | None]:
    for key, transport in URL_KEYS.items():
        if key in reading.entry:
            return reading.text(key), transport
    return "", None


def _transport(reading: EntryReader, url: str, implied: str | None) -> str:
    for key in ("type", "transport"):
        name = scalar_text(reading.entry.get(key)) if key in reading.entry else ""
        if transport := transport_of(name):
            return transport
        if name:
            reading.warnings.append(f"Unknown {key} “{name}”; detected from the other settings.")
    return implied or (guess_transport(url) if url and "command" not in reading.entry else "stdio")


def is_url(text: str) -> bool:
    """Return whether a text starts like the URL of a server."""
    return text.lower().startswith(tuple(f"{scheme}://" for scheme in url_schemes()))


def bare_url(text: str) -> str:
    """Return a URL without the quotes or angle brackets around it; those of a placeholder at its end stay."""
    url = text.strip("\"'`")
    if url.startswith("<") and (url.endswith(">>") or url.count("<") == 1):
        url = url[1:].removesuffix(">")
    elif "<" not in url:
        url = url.rstrip(">")
    return url.strip("\"'`")


def is_seconds(value: Json) -> TypeGuard[float]:
    """Return whether a value is a time in seconds that can be waited for."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 < value < MAX_SECONDS


def _own_values(own: JsonObject) -> dict[str, object]:
    """Return the fields that only Spyglass saves, without those whose value is invalid."""
    texts = {name: scalar_text(own.get(key)) for key, name in _OWN_TEXTS.items()}
    flags = {_OWN_FLAGS[key]: own[key] for key in _OWN_FLAGS if isinstance(own.get(key), bool)}
    times = {
        _OWN_SECONDS[key]: float(each)
        for key, each in own.items()
        if key in _OWN_SECONDS and is_seconds(each)
    }
    return {**texts, **flags, **times}


def _extracted(own: JsonObject) -> tuple[str, ...]:
    names = own.get("secrets")
    return tuple(item for item in names if isinstance(item, str)) if isinstance(names, list) else ()


def _extra(reading: EntryReader) -> JsonObject:
    extra: JsonObject = {key: value for key, value in reading.entry.items() if key not in _FIELDS}
    found = own_part(reading.entry)
    own = {key: value for key, value in found.items() if key not in _OWN_FIELDS}
    access = _part(found, _AUTHORIZATION)
    unknown: JsonObject = {
        key: value for key, value in access.items() if not authorization.is_known(key)
    }
    if unknown:
        own[_AUTHORIZATION] = unknown
    if own:
        extra[OWN_KEY] = own
    return extra
