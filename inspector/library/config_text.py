"""Configuration of other clients (JSON, or the TOML of Codex) to profiles.

The maps of servers are looked for wherever they sit (`mcpServers`, `servers`, `mcp.servers`,
`projects.*.mcpServers` …); a single server and a list of servers are understood too.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from inspector.library.cautions import typed_arguments
from inspector.library.entry import is_entry, read_entry
from inspector.library.names import name_for
from inspector.library.profile import Profile, with_
from inspector.library.tolerant_json import braced, mend, unfence
from inspector.library.understood import NotUnderstood, Reading, Understood
from inspector.wire.jsontext import JsonTextError, read

if TYPE_CHECKING:
    from inspector.wire.jsontext import Json, JsonObject

MAPS: dict[str, str] = {
    "mcpServers": "an mcpServers map",
    "servers": "a VS Code servers map",
    "context_servers": "a Zed context_servers map",
    "mcp_servers": "a Codex mcp_servers table",
    "mcp": "an mcp map",
}
"""The keys under which clients keep their servers, and what such a text is called."""

MAX_DEPTH = 4
"""How deep a map of servers may sit."""

_PLACEHOLDER = re.compile(r"\$\{[^}]*\}|\$\(\w+\)")
_TOML = re.compile(r"^\s*\[mcp_servers\.", re.MULTILINE)
_LOOKS_JSON = re.compile(r'\s*(?:[{\[]|"[^"]*"\s*:|//|/\*|“)')


@dataclass
class _Found:
    """Servers found so far."""

    profiles: list[Profile] = field(default_factory=list[Profile])
    warnings: list[str] = field(default_factory=list[str])
    kind: str = ""

    def add(self, name: str, entry: JsonObject) -> None:
        profile, notes = read_entry(name, entry)
        if not profile.name:
            profile = with_(profile, name=name_for(profile))
        self.profiles.append(profile)
        about = (*notes, *_placeholders(profile), *_off(entry), *_typed(profile))
        self.warnings += [f"{profile.name}: {words}" for words in about]


def looks_like_json(text: str) -> bool:
    """Return whether a text is meant as JSON."""
    return bool(_LOOKS_JSON.match(unfence(text)))


def looks_like_toml(text: str) -> bool:
    """Return whether a text is meant as a Codex configuration."""
    return bool(_TOML.search(text))


def read_json(text: str) -> Reading:
    """Return the servers that a JSON text names."""
    mended, warnings = mend(braced(unfence(text)))
    try:
        parsed = read(mended.strip().encode("utf-8", "surrogatepass"))
    except JsonTextError as error:
        shift = len(mended) - len(mended.lstrip())
        return NotUnderstood(f"This looks like JSON, but {_where(mended, error, shift)}.")
    duplicates = [
        f"Duplicate key: {note.words}." for note in parsed.notes if note.rule == "duplicate-key"
    ]
    return read_value(parsed.value, [*warnings, *duplicates])


def _where(text: str, error: JsonTextError, shift: int) -> str:
    before = text[: error.position + shift]
    line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    return f"{error.words[:1].lower()}{error.words[1:]} (line {line}, column {column})"


def read_toml(text: str) -> Reading:
    """Return the servers that a Codex configuration names."""
    try:
        parsed = cast("JsonObject", tomllib.loads(unfence(text)))
    except tomllib.TOMLDecodeError as error:
        return NotUnderstood(f"This looks like TOML, but: {error}.")
    return read_value(parsed, [])


def read_value(value: Json, warnings: list[str]) -> Reading:
    """Return the servers that a parsed configuration names."""
    found = _Found(warnings=warnings)
    if isinstance(value, list):
        _take_list(found, value)
    elif isinstance(value, dict):
        _take_object(found, value)
    if not found.profiles:
        return NotUnderstood(
            "This is JSON, but no server is in it: neither “mcpServers”, “servers” nor an object "
            "with “command” or “url”."
        )
    return Understood(tuple(found.profiles), f"JSON: {found.kind}", tuple(found.warnings))


def _take_list(found: _Found, items: list[Json]) -> None:
    found.kind = "a list of servers"
    for item in items:
        if isinstance(item, dict) and is_entry(item):
            found.add("", item)
    if items and not found.profiles and all(isinstance(item, str) for item in items):
        words = [str(item) for item in items]
        found.kind = "a list of words, taken as a program and its arguments"
        found.add("", {"command": words[0], "args": [*words[1:]]})


def _take_object(found: _Found, value: JsonObject) -> None:
    if is_entry(value):
        found.kind = "one server"
        found.add("", value)
        return
    _walk(found, value, 0)
    if not found.profiles:
        found.kind = "servers by name"
        _take_map(found, value)


def _walk(found: _Found, value: JsonObject, depth: int) -> None:
    for key, item in value.items():
        if not isinstance(item, dict):
            continue
        if key in MAPS and any(is_entry(entry) for entry in item.values()):
            found.kind = found.kind or MAPS[key]
            _take_map(found, item)
            _note_inputs(found, value)
        elif depth < MAX_DEPTH:
            _walk(found, item, depth + 1)


def _take_map(found: _Found, entries: JsonObject) -> None:
    for name, entry in entries.items():
        if isinstance(entry, dict) and is_entry(entry):
            found.add(name, entry)
        elif any(is_entry(other) for other in entries.values()):
            found.warnings.append(f"“{name}” has neither a command nor a URL; it was left out.")


def _note_inputs(found: _Found, value: JsonObject) -> None:
    if value.get("inputs"):
        found.warnings.append("“inputs” is ignored: type the values in place of ${input:…}.")


def _placeholders(profile: Profile) -> list[str]:
    texts = (profile.command, *profile.args, profile.cwd, profile.url)
    values = (value for _, value in (*profile.env, *profile.headers))
    names: dict[str, None] = {}
    for text in (*texts, *values):
        names |= dict.fromkeys(_PLACEHOLDER.findall(text))
    return [f"{name} is a placeholder that only the other client fills in." for name in names]


def _off(entry: JsonObject) -> list[str]:
    off = entry.get("disabled") is True or entry.get("enabled") is False
    return ["it is switched off where it comes from."] if off else []


def _typed(profile: Profile) -> list[str]:
    typed = profile.transport == "stdio" and typed_arguments(profile, lambda _: None)
    return [f"arguments were typed into the command “{profile.command}”."] if typed else []
