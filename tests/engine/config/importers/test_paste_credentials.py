"""What a pasted configuration says of credentials: used, or reported as not used; placeholders are named; ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inspector.config.importers.paste import Imported, import_text

if TYPE_CHECKING:
    from inspector.config.profile import Profile


def read(text: str) -> Imported:
    reading = import_text(text)
    assert isinstance(reading, Imported), reading
    return reading


def only(text: str) -> Profile:
    (profile,) = read(text).profiles
    return profile


CREDENTIAL_KEYS: dict[str, object] = {
    "envFile": "settings/mail.env",
    "env_file": ".env",
    "env_vars": ["MAIL_KEY"],
    "env_keys": ["MAIL_KEY"],
    "secrets": [{"name": "x", "env": "MAIL_KEY"}],
    "env_http_headers": {"X-Key": "MAIL_KEY"},
    "bearer_token_env_var": ["MAIL_TOKEN"],
    "headersHelper": "print-headers",
    "http_headers_helper": ["print-headers"],
    "oauth": {"tokenUrl": "https://as.example/token"},
    "oauthClient": {"refreshToken": "a"},
    "auth": {"TENANT": "a"},
    "authProviderType": "google_credentials",
    "tls": {"clientKey": "key.pem"},
    "clientCertificate": "cert.pem",
    "basicAuth": "me:pw",
    "password": "pw",
    "cookies": {"sid": "x"},
    "customUserVars": {"TOKEN": {}},
    "queryParams": {"key": "x"},
    "x-vendor": {"nested": {"accessToken": "x"}},
}


@pytest.mark.parametrize("key", CREDENTIAL_KEYS)
@pytest.mark.parametrize("entry", [{"command": "mail"}, {"url": "https://x.example/mcp"}])
def test_a_key_that_can_carry_a_credential_is_never_dropped_silently(
    entry: dict[str, object], key: str
) -> None:
    """Ours: without a warning, the server's own error would not name the reason."""
    reading = read(json.dumps({"mcpServers": {"mail": {**entry, key: CREDENTIAL_KEYS[key]}}}))
    (warning,) = [warning for warning in reading.warnings if f"“{key}”" in warning]
    assert "not used" in warning
    assert "me:pw" not in warning


@pytest.mark.parametrize("key", ["authorization_token", "apiKey", "bearer_token", "bearerToken"])
def test_a_bearer_token_of_another_client_becomes_the_header_that_it_sends(key: str) -> None:
    """Ours: and it is not kept in plain text beside the header."""
    profile = only(json.dumps({"mcpServers": {"x": {"url": "https://x.example/mcp", key: "abc"}}}))
    assert profile.headers == (("Authorization", "Bearer abc"),)
    assert key not in profile.extra


@pytest.mark.parametrize("key", ["autoApprove", "disabledTools", "timeout", "description", "tools"])
def test_a_key_without_a_credential_is_not_warned_of(key: str) -> None:
    """Ours."""
    assert read(json.dumps({"mcpServers": {"x": {"command": "x", key: ["a"]}}})).warnings == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"x": {"url": "https://x", "headers": {"A": "Bearer $TOKEN"}}}', "$TOKEN"),
        ('{"x": {"url": "https://x", "headers": {"A": "Bearer <YOUR_TOKEN>"}}}', "<YOUR_TOKEN>"),
        ('{"x": {"url": "https://x", "headers": {"A": "YOUR_API_KEY"}}}', "YOUR_API_KEY"),
        ('{"x": {"url": "https://x?key={api_key}"}}', "{api_key}"),
        ('{"x": {"url": "https://x?key=${KEY}"}}', "${KEY}"),
        ('{"x": {"command": "x", "env": {"K": "{env:MY_KEY}"}}}', "{env:MY_KEY}"),
        ('{"x": {"command": "x", "env": {"K": "%USERPROFILE%"}}}', "%USERPROFILE%"),
        ('{"x": {"command": "x", "env": {"K": "${{ secrets.X }}"}}}', "${{ secrets.X }}"),
        ('{"x": {"command": "x", "env": {"K": "{{server.key}}"}}}', "{{server.key}}"),
        ('{"x": {"command": "x", "env": {"K": "$(pass show x)"}}}', "$(pass show x)"),
        ('{"x": {"command": "x", "env": {"K": "your-api-key-here"}}}', "your-api-key-here"),
        ('{"x": {"command": "x", "args": ["--token=$TOKEN"]}}', "$TOKEN"),
        ('{"x": {"command": "${workspaceFolder}/run", "cwd": "."}}', "${workspaceFolder}"),
        ("claude mcp add x https://x.example -H 'Authorization: Bearer $KEY'", "$KEY"),
        ("uvx x --token <TOKEN>", "<TOKEN>"),
        ("uvx x --token YOUR_TOKEN_HERE", "YOUR_TOKEN_HERE"),
        ('{"x": {"command": "x", "args": ["--token", "[YOUR TOKEN]"]}}', "[YOUR TOKEN]"),
        ("https://x.example/mcp?key={api_key}", "{api_key}"),
    ],
)
def test_a_placeholder_is_warned_of_in_every_spelling(text: str, name: str) -> None:
    """Ours: Spyglass sends it as it is."""
    found = [warning for warning in read(text).warnings if f"{name} is a placeholder" in warning]
    assert len(found) == 1


@pytest.mark.parametrize(
    "value", ["p$$word", "100%", "a%20b%20c", "{}", "Basic YTpi", "price: $5", "<", "a<b>c", "key"]
)
def test_a_value_that_only_looks_a_little_like_a_placeholder_is_not_warned_of(value: str) -> None:
    """Ours."""
    assert read(json.dumps({"x": {"command": "x", "env": {"K": value}}})).warnings == ()
