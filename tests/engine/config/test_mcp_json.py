"""Servers leave as JSON that other clients read, without their secrets unless those are wanted."""

from __future__ import annotations

import json

from inspector.config.importers.paste import import_text
from inspector.config.importers.result import Imported
from inspector.config.profile import Profile
from inspector.config.servers_file import mcp_json

LOCAL = Profile(
    name="local",
    command="uvx",
    args=("server", "--api-key=argument-secret", "--verbose"),
    env=(("API_TOKEN", "variable-secret"), ("LEVEL", "debug")),
    timeout_seconds=7,
)
REMOTE = Profile(
    name="remote",
    transport="http",
    url="https://user:password-secret@h/mcp?api_key=query-secret&x=1",
    headers=(("Authorization", "Bearer header-secret"), ("X-Trace", "1")),
    extra={"oauth": {"client_secret": "extra-secret", "id": "public"}},
)


def test_secrets_are_dots_wherever_they_stand() -> None:
    """Ours: variables, headers, arguments, addresses, and members we do not know."""
    text = mcp_json([LOCAL, REMOTE])

    assert "secret" not in text.replace("client_secret", "")
    servers = json.loads(text)["mcpServers"]
    assert servers["local"]["env"]["LEVEL"] == "debug"
    assert servers["local"]["args"][0::2] == ["server", "--verbose"]
    assert servers["remote"]["headers"]["X-Trace"] == "1"
    assert servers["remote"]["oauth"]["id"] == "public"


def test_a_secret_that_lies_in_the_keyring_is_not_shown_as_empty() -> None:
    """Ours."""
    sealed = Profile(name="s", command="x", env=(("TOKEN", ""),), extracted=("env:TOKEN",))
    header = Profile(
        name="h",
        transport="http",
        url="http://h",
        headers=(("Authorization", ""),),
        extracted=("header:Authorization",),
    )

    servers = json.loads(mcp_json([sealed, header]))["mcpServers"]
    assert servers["s"]["env"]["TOKEN"] != ""
    assert servers["h"]["headers"]["Authorization"] != ""


def test_what_is_copied_with_secrets_can_be_pasted_again() -> None:
    """Ours: the same servers, and nothing of our own in it."""
    text = mcp_json([LOCAL, REMOTE], with_secrets=True)

    assert "spyglass" not in text.casefold()
    reading = import_text(text)
    assert isinstance(reading, Imported)
    local, remote = reading.profiles
    assert (local.name, local.command, local.args, local.env) == (
        LOCAL.name,
        LOCAL.command,
        LOCAL.args,
        LOCAL.env,
    )
    assert (remote.url, remote.headers) == (REMOTE.url, REMOTE.headers)
