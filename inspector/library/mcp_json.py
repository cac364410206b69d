"""Servers as the JSON that other clients read, to be copied: `mcpServers` and nothing of our own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.library import authorization
from inspector.library.entry import OWN_KEY, write_entry
from inspector.library.sealing import AUTH, ENV, HEADER
from inspector.library.secrets import mask
from inspector.wire import jsontext
from inspector.wire.secrecy import DOTS, mask_arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.library.profile import Profile
    from inspector.wire.jsontext import Json, JsonObject


_SHARED = ("clientId", "clientSecret", "scopes", "callbackPort")
"""Members of the authorization that other clients have too, under `oauth`."""


def mcp_json(profiles: Sequence[Profile], *, with_secrets: bool = False) -> str:
    """Return the entries of `profiles` by name; secrets are dots, unless they are wanted and resolved."""
    servers: JsonObject = {}
    for profile in profiles:
        entry = {key: value for key, value in write_entry(profile).items() if key != OWN_KEY}
        if (client := _oauth(profile)) and "oauth" not in entry:
            entry["oauth"] = client
        servers[profile.name] = entry if with_secrets else _masked(entry, profile)
    return jsontext.write({"mcpServers": servers}, indent=2)


def _masked(entry: JsonObject, profile: Profile) -> JsonObject:
    masked: JsonObject = {key: _mask_value(key, value) for key, value in entry.items()}
    if profile.args:
        masked["args"] = [*mask_arguments(profile.args)]
    for key, place, pairs in (("env", ENV, profile.env), ("headers", HEADER, profile.headers)):
        if pairs:
            masked[key] = {
                name: DOTS if f"{place}{name}" in profile.sealed else mask(name, value)
                for name, value in pairs
            }
    return masked


def _oauth(profile: Profile) -> JsonObject:
    """The OAuth client as other clients read it; empty where the user entered none."""
    saved = authorization.write(profile.authorization)
    found = {key: saved[key] for key in _SHARED if key in saved}
    if f"{AUTH}clientSecret" in profile.sealed:
        found["clientSecret"] = DOTS
    return found if "clientId" in found else {}


def _mask_value(name: str, value: Json) -> Json:
    """A member, whatever it is: what it holds is masked by the names in it."""
    if isinstance(value, str):
        return mask(name, value)
    if isinstance(value, dict):
        return {key: _mask_value(key, inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_mask_value(name, inner) for inner in value]
    return value
