"""Servers as JSON for other clients: `mcpServers`, without the fields that only Spyglass has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.config import authorization
from inspector.config.importers.server_entry import OWN_KEY, write_entry
from inspector.config.secret_extraction import AUTH, masked
from inspector.wire import json_codec
from inspector.wire.redaction import MASK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.config.profile import Profile
    from inspector.wire.json_codec import JsonObject


_SHARED = ("clientId", "clientSecret", "scopes", "callbackPort")
"""Members of the authorization that other clients have too, under `oauth`."""


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
    """The OAuth client as other clients read it; empty where the user entered none."""
    saved = authorization.write(profile.authorization)
    found = {key: saved[key] for key in _SHARED if key in saved}
    if f"{AUTH}clientSecret" in profile.extracted:
        found["clientSecret"] = MASK
    return found if "clientId" in found else {}
