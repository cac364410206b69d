"""Configuration of other clients (JSON, the TOML of Codex and OpenHands, YAML) to profiles.

Maps of servers are found at any key that clients use (`mcpServers`, `servers`, `mcp.servers`,
`projects.*.mcpServers` …); a single server, a list of servers and the manifests of servers are read too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.config.importers.foreign_keys import unused_credentials
from inspector.config.importers.manifests import manifest_entries, manifest_kind
from inspector.config.importers.markup import (
    MarkupError,
    add_braces,
    read_toml_value,
    repair,
    strip_fences,
)
from inspector.config.importers.result import Imported, ImportResult, NotRecognized
from inspector.config.importers.server_entry import is_entry, is_websocket, read_entry, scalar_text
from inspector.config.profile import Profile, name_for
from inspector.config.profile_warnings import typed_arguments
from inspector.session.placeholders import placeholder_warnings
from inspector.session.transport_factory import transport_kind
from inspector.wire.argument_secrets import mask_command_line
from inspector.wire.json_codec import JsonSyntaxError, read

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json, JsonObject

MAPS: dict[str, str] = {
    "mcpServers": "an mcpServers map",
    "mcp.servers": "a VS Code mcp.servers map",
    "amp.mcpServers": "an Amp mcpServers map",
    "servers": "a VS Code servers map",
    "context_servers": "a Zed context_servers map",
    "mcp_servers": "an mcp_servers map",
    "mcp": "an mcp map",
    "extensions": "a Goose extensions map",
}
"""The keys under which clients keep their servers, and the name of such a text."""

LISTS = (
    *("mcpServers", "mcp_servers", "servers", "stdio_servers", "shttp_servers"),
    *("sse_servers", "tools"),
)
"""The keys under which clients keep a list of servers; OpenHands keeps one for each transport."""


MAX_DEPTH = 4
"""How many levels deep a map of servers may be."""

NO_WEBSOCKET = "Spyglass has no WebSocket transport. Use the HTTP URL of the server."

_TOML = re.compile(
    r"""^[^\S\n]*\[\[?[A-Za-z_][\w."' -]*\]\]?[^\S\n]*(?:\#.*)?$|\A(?:[^\S\n]*(?:\#.*)?\n)*[^\S\n]*[A-Za-z_][\w-]*(?:\.[\w"'-]+)+\s*=\s*\S|\A\s*(?:command|url|args)\s*=\s*["'\[]|\A\s*(?:mcp_servers|mcpServers)\s*=\s*[{\[]""",
    re.MULTILINE,
)
_JSON_START = re.compile(r'\s*(?:[{]|\[(?!!?\[|[^\]"\n]*\]\()|"[^"]*"\s*:|//|/\*|“)')


@dataclass
class _Found:
    """Servers found so far."""

    profiles: list[Profile] = field(default_factory=list[Profile])
    warnings: list[str] = field(default_factory=list[str])
    kind: str = ""
    reasons: list[str] = field(default_factory=list[str])
    """Why entries that were found cannot be reached."""

    def add(self, name: str, entry: JsonObject) -> None:
        if is_websocket(entry):
            self.reasons.append(f"{_quoted(name)}uses a WebSocket. {NO_WEBSOCKET}")
            return
        profile, notes = read_entry(name, entry)
        if not profile.name:
            profile = replace(profile, name=name_for(profile))
        self.profiles.append(profile)
        about = (
            *notes,
            *unused_credentials(profile.extra),
            *placeholder_warnings(profile),
            *_off(entry),
            *_both(profile, entry),
            *_typed(profile),
        )
        self.warnings += [f"{profile.name}: {warning}" for warning in about]


def is_json_like(text: str) -> bool:
    """Return whether a text begins like JSON."""
    return bool(_JSON_START.match(strip_fences(text)))


def is_toml_like(text: str) -> bool:
    """Return whether a text has lines of TOML, as the configurations of Codex and OpenHands."""
    return bool(_TOML.search(text))


def read_json(text: str) -> ImportResult:
    """Return the servers of a JSON text."""
    repaired, warnings = repair(add_braces(strip_fences(text)))
    try:
        parsed = read(repaired.strip().encode("utf-8", "surrogatepass"))
    except JsonSyntaxError as error:
        shift = len(repaired) - len(repaired.lstrip())
        return NotRecognized(f"This looks like JSON, but {_where(repaired, error, shift)}.")
    duplicates = [
        f"Duplicate key: {note.text}." for note in parsed.notes if note.rule == "duplicate-key"
    ]
    return read_value(parsed.value, [*warnings, *duplicates])


def _where(text: str, error: JsonSyntaxError, shift: int) -> str:
    before = text[: error.position + shift]
    line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    doubled = ": write two backslashes for each one in a path" if "escape" in error.reason else ""
    return f"{error.reason[:1].lower()}{error.reason[1:]} (line {line}, column {column}){doubled}"


def read_toml(text: str) -> ImportResult:
    """Return the servers of a configuration in TOML."""
    return _read_markup(text, read_toml_value, "TOML")


def read_yaml(text: str) -> ImportResult:
    """Return the servers of a configuration in YAML."""
    from inspector.config.importers.yaml_text import read_yaml_value

    return _read_markup(text, read_yaml_value, "YAML")


def _read_markup(text: str, read: Callable[[str], Json], form: str) -> ImportResult:
    try:
        parsed = read(strip_fences(text))
    except MarkupError as error:
        return NotRecognized(f"This looks like {form}, but {error}.")
    return read_value(parsed, [], form=form)


def read_value(value: Json, warnings: list[str], *, form: str = "JSON") -> ImportResult:
    """Return the servers of a parsed configuration; `form` is the language of the text."""
    found = _Found(warnings=warnings)
    if isinstance(value, list):
        _add_list(found, value)
    elif isinstance(value, dict):
        _add_object(found, value)
    if not found.profiles:
        return NotRecognized(_reason(found, value, form))
    skipped = [f"{reason[:1].upper()}{reason[1:]}" for reason in found.reasons]
    return Imported(tuple(found.profiles), f"{form}: {found.kind}", (*found.warnings, *skipped))


def _reason(found: _Found, value: Json, form: str) -> str:
    """Return why a configuration has no server, naming an entry that is incomplete if there is one."""
    if reason := next(iter(found.reasons), "") or _nearly(value, 0):
        return f"This is {form}, but {reason}"
    keys = f" Its keys are {_listed(value)}." if isinstance(value, dict) and value else ""
    return f"No server found in this {form}: expected “mcpServers”, “servers”, or an object with “command” or “url”.{keys}"


def _nearly(value: Json, depth: int) -> str:
    """Return which entry of a map of servers lacks what; empty without such a map."""
    if not isinstance(value, dict) or depth > MAX_DEPTH:
        return ""
    for key, item in value.items():
        if key in MAPS or key in LISTS:
            return _lacking(key, item)
    return next((near for item in value.values() if (near := _nearly(item, depth + 1))), "")


def _lacking(key: str, entries: Json) -> str:
    if not entries:
        return f"“{key}” is empty."
    if isinstance(entries, dict):
        name, entry = next(iter(entries.items()))
        where = f"the entry “{name}” in “{key}”"
        if isinstance(entry, dict):
            return f"{where} has neither “command” nor “url”. Its keys are {_listed(entry) or '(none)'}."
        return f"{where} is not an object."
    return f"“{key}” holds no object with “command” or “url”."


def _listed(value: JsonObject) -> str:
    names = ", ".join(f"“{key[:40]}”" for key in list(value)[:6])
    return f"{names} …" if len(value) > 6 else names


def _quoted(name: str) -> str:
    return f"“{name}” " if name else "this server "


def _add_list(found: _Found, items: list[Json], kind: str = "a list of servers") -> None:
    before = len(found.profiles)
    for item in items:
        if isinstance(item, dict) and is_entry(item):
            found.kind = found.kind or kind
            found.add(_name_in_list(item), item)
    if items and len(found.profiles) == before and all(isinstance(item, str) for item in items):
        args = [str(item) for item in items]
        found.kind = "an array, read as program and arguments"
        found.add("", {"command": args[0], "args": [*args[1:]]})


def _name_in_list(entry: JsonObject) -> str:
    return scalar_text(entry.get("name") or entry.get("server_label") or entry.get("id"))


def _add_object(found: _Found, value: JsonObject) -> None:
    if is_entry(value):
        found.kind = "one server"
        found.add(_name_in_list(value), value)
        return
    for name, entry in manifest_entries(value):
        found.kind = manifest_kind(value)
        found.add(name, entry)
    if not found.profiles:
        _walk(found, value, 0)
    if not found.profiles:
        found.kind = "a map of servers"
        _add_map(found, value)


def _walk(found: _Found, value: JsonObject, depth: int) -> None:
    for key, item in value.items():
        if isinstance(item, list) and key in LISTS:
            _walk_list(found, key, item)
        if not isinstance(item, dict):
            continue
        if key in MAPS and any(is_entry(entry) for entry in item.values()):
            found.kind = found.kind or MAPS[key]
            _add_map(found, item)
            _note_inputs(found, value)
        elif depth < MAX_DEPTH:
            _walk(found, item, depth + 1)


def _walk_list(found: _Found, key: str, items: list[Json]) -> None:
    """Add the servers of a list under a key that clients use: objects, or plain URLs as OpenHands has them."""
    transport = {"shttp_servers": "http", "sse_servers": "sse"}.get(key)
    for item in items:
        entry: Json = {"url": item} if transport and isinstance(item, str) else item
        if isinstance(entry, dict) and is_entry(entry):
            found.kind = found.kind or f"a list under “{key}”"
            typed = {"type": transport, **entry} if transport else entry
            found.add(_name_in_list(entry), typed)


def _add_map(found: _Found, entries: JsonObject) -> None:
    for name, entry in entries.items():
        if isinstance(entry, dict) and is_entry(entry):
            found.add(name, entry)
        elif any(is_entry(other) for other in entries.values()):
            found.warnings.append(f"“{name}” has neither a command nor a URL; skipped.")


def _note_inputs(found: _Found, value: JsonObject) -> None:
    inputs = value.get("inputs") or value.get("mcp.inputs")
    if inputs:
        found.warnings.append("“inputs” is not supported: replace ${input:…} with the values.")


def _off(entry: JsonObject) -> list[str]:
    off = entry.get("disabled") is True or entry.get("enabled") is False
    return ["disabled in the source configuration."] if off else []


def _both(profile: Profile, entry: JsonObject) -> list[str]:
    is_undecided = profile.command and profile.url and not {"type", "transport"} & entry.keys()
    used = "command" if transport_kind(profile.transport).is_process else "URL"
    return [f"has both a command and a URL; the {used} is used."] if is_undecided else []


def _typed(profile: Profile) -> list[str]:
    typed = transport_kind(profile.transport).is_process and typed_arguments(
        profile, lambda _: None
    )
    return (
        [
            f"the command “{mask_command_line(profile.command)}” contains arguments; move them to Arguments."
        ]
        if typed
        else []
    )
