"""The keys of other clients' entries: brought to one spelling, or reported when they cannot be used.

`rename_keys` renames and moves keys, so that `server_entry` reads one spelling of each; it reads neither the disk nor the environment.
`unused_credentials` reports each key that can carry a credential and that Spyglass does not use: without such a warning the server
would start without its authorization, and its error would not name the reason.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.auth.settings import Way
from inspector.config import authorization
from inspector.wire.json_codec import write
from inspector.wire.redaction import is_secret_name

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

RENAMED = {
    "cmd": "command",
    "envs": "env",
    "environment": "env",
    "baseUrl": "url",
    "base_url": "url",
    "endpointUrl": "url",
    "server_url": "url",
    "http_headers": "headers",
    "requestHeaders": "headers",
    "workingDirectory": "cwd",
    "working_directory": "cwd",
    "transportType": "type",
    "transport_type": "type",
    "serverTransport": "type",
}
"""Keys of other clients, and the keys that most clients use for the same."""

BEARER_KEYS = ("authorization_token", "apiKey", "api_key", "bearer_token", "bearerToken")
"""Keys whose string the other client sends as a bearer token."""

TOKEN_VARIABLES = ("bearer_token_env_var", "bearerTokenEnvVar")
"""Keys that name the environment variable with the access token."""

OAUTH_KEYS = ("oauth", "oauthClient", "auth")
"""Keys whose object says which OAuth client the other client uses."""

OAUTH_MEMBERS = {
    "clientid": "clientId",
    "clientsecret": "clientSecret",
    "scopes": "scopes",
    "scope": "scopes",
    "callbackport": "callbackPort",
    "authservermetadataurl": "serverMetadataUrl",
}
"""Members of such an object, in lower case without separators, and the members of `authorization` that mean the same."""

HARMLESS = frozenset(
    [
        *("alwaysAllow", "alwaysLoad", "autoApprove", "author", "authors", "display_name"),
        *("enabled_tools", "disabled_tools", "key_bindings", "oauthScopes", "scopes"),
        *("tokenLimit", "maxTokens", "max_tokens"),
    ]
)
"""Keys whose names resemble those of credentials and that hold none."""

_CREDENTIAL_KEY = (
    r"(?i)auth|token|secret|credential|passw|passphrase|api_?-?key|cert|cookie|\bkey\b|keys\b|bearer|login|username"
    r"|headers?\b|headers?[A-Z_]|env|vars\b|^inputs$|query|params"
)
"""Compiled when a configuration is imported, not at the start."""


def rename_keys(entry: JsonObject) -> tuple[JsonObject, tuple[str, ...]]:
    """Return `entry` with the keys that most clients use, and a warning for each value that moved to another key."""
    entry, notes = _without_nesting(dict(entry)), list[str]()
    for key, usual in RENAMED.items():
        if key in entry and entry.get(usual) is None:
            entry[usual] = entry.pop(key)
    _move_request_options(entry)
    _move_bearer_token(entry, notes)
    _move_oauth(entry, notes)
    return entry, tuple(notes)


def _without_nesting(entry: JsonObject) -> JsonObject:
    """Cline and FastMCP keep how to connect in an object of its own: `{"transport": {"type": …, "url": …}}`."""
    nested = entry.get("transport")
    if not isinstance(nested, dict):
        return entry
    rest = {key: value for key, value in entry.items() if key != "transport"}
    return {**nested, **rest}


def _move_request_options(entry: JsonObject) -> None:
    """Continue keeps headers in `requestOptions.headers`."""
    options = entry.get("requestOptions")
    if not isinstance(options, dict) or not isinstance(options.get("headers"), dict):
        return
    if entry.get("headers") is None:
        entry["headers"] = options["headers"]
        rest = {key: value for key, value in options.items() if key != "headers"}
        del entry["requestOptions"]
        if rest:
            entry["requestOptions"] = rest


def _move_bearer_token(entry: JsonObject, notes: list[str]) -> None:
    headers = entry.get("headers")
    if "url" not in entry or not isinstance(headers, dict | None):
        return
    for key in BEARER_KEYS:
        token = entry.get(key)
        has_header = any(name.lower() == "authorization" for name in headers or {})
        if isinstance(token, str) and token and not has_header:
            del entry[key]
            headers = {**(headers or {}), "Authorization": f"Bearer {token}"}
            entry["headers"] = headers
            notes.append(f"“{key}” became the header “Authorization: Bearer …”.")


def _move_oauth(entry: JsonObject, notes: list[str]) -> None:
    """Move the OAuth client to `authorization`: Claude Code, Cursor, VS Code and Gemini name it in an object."""
    flat = {"oauthClientId": "clientId", "oauth_client_id": "clientId", "oauthScopes": "scopes"}
    found: JsonObject = {}
    if not any(key in entry for key in ("url", "serverUrl", "httpUrl", "uri")):
        return
    for key in OAUTH_KEYS:
        value = entry.get(key)
        if isinstance(value, dict) and (used := _oauth_members(value)):
            found |= used
            _keep_rest(entry, key, {name: each for name, each in value.items() if not _means(name)})
            notes.append(f"“{key}” became the client under Authorization.")
    for key, member in flat.items():
        if _is_usable(member, entry.get(key)):
            found.setdefault(member, _oauth_value(member, entry.pop(key)))
            notes.append(f"“{key}” became a setting under Authorization.")
    for key in TOKEN_VARIABLES:
        if _is_usable("tokenVariable", entry.get(key)):
            found |= {"way": Way.VARIABLE.value, "tokenVariable": entry.pop(key)}
            notes.append(
                f"“{key}” became the variable under Authorization: it must be set where Spyglass is started."
            )
    if found:
        own = entry.get("spyglass")
        own = own if isinstance(own, dict) else {}
        kept = own.get("authorization")
        kept = kept if isinstance(kept, dict) else {}
        entry["spyglass"] = {**own, "authorization": {**found, **kept}}


def _oauth_members(value: JsonObject) -> JsonObject:
    found = {_means(name): each for name, each in value.items() if _means(name)}
    return {key: _oauth_value(key, each) for key, each in found.items() if _is_usable(key, each)}


def _means(name: str) -> str:
    return OAUTH_MEMBERS.get(re.sub(r"[^a-z]", "", name.lower()), "")


def _is_usable(member: str, value: Json) -> bool:
    if member == "callbackPort":
        return authorization.is_port(value)
    if member == "scopes":
        return bool(authorization.scopes_of(value))
    return isinstance(value, str) and bool(value)


def _oauth_value(member: str, value: Json) -> Json:
    return [*authorization.scopes_of(value)] if member == "scopes" else value


def _keep_rest(entry: JsonObject, key: str, rest: JsonObject) -> None:
    """Keep the members of an object that were not used."""
    if rest:
        entry[key] = rest
    else:
        del entry[key]


def unused_credentials(extra: JsonObject) -> list[str]:
    """Return a warning for each key in `extra` that can carry a credential: one that the server does not get."""
    warnings: list[str] = []
    for key, value in extra.items():
        if value in (None, False, "", [], {}) or key in HARMLESS:
            continue
        if key in _KNOWN:
            text = _KNOWN[key].replace("{names}", _names(value))
            warnings.append(f"“{key}” is not used: {text}")
        elif _carries_credential(key, value):
            warnings.append(
                f"“{key}” is not used: if it holds a credential, the server does not get it. Add it as a header or a variable below."
            )
    return warnings


def _carries_credential(key: str, value: Json, depth: int = 0) -> bool:
    if key not in HARMLESS and (re.search(_CREDENTIAL_KEY, key) or is_secret_name(key)):
        return True
    if depth > 2 or not isinstance(value, dict):
        return False
    return any(_carries_credential(name, item, depth + 1) for name, item in value.items())


def _names(value: Json) -> str:
    """Return the names of variables that a key lists, for display: `["A", {"name": "B"}]` or `{"A": …}`."""
    items = list(value) if isinstance(value, dict | list) else [value]
    names = [
        str(item.get("name", "")) if isinstance(item, dict) else _scalar(item) for item in items
    ]
    text = ", ".join(f"“{name}”" for name in names[:5] if name)
    return f"{text} and {len(names) - 5} more" if len(names) > 5 else text or "…"


def _scalar(value: Json) -> str:
    return value if isinstance(value, str) else write(value)


_ENV_FILE = (
    "the variables in {names} are not read, and the server starts without them. Add them below."
)
_VARIABLES = "the server gets {names} only if Spyglass itself was started with these variables. Otherwise add them below."
_STORED = "the other client keeps {names} in its own store. Add the values below."
_HEADERS = (
    "the headers {names} are not sent: their values are in environment variables. Add them below."
)
_TOKEN = "no “Authorization” header is sent: the token is in the environment variable {names}. Add the header below."
_HEADERS_COMMAND = (
    "Spyglass does not run a command for headers, so they are not sent. Add them below."
)
_OAUTH = "Spyglass does not read these settings. Enter them under Authorization, or add the header “Authorization” if you have a token."

_KNOWN = {
    **dict.fromkeys(("envFile", "env_file", "dotenv"), _ENV_FILE),
    **dict.fromkeys(("env_vars", "envVars", "inheritEnv"), _VARIABLES),
    **dict.fromkeys(("env_keys", "secrets"), _STORED),
    **dict.fromkeys(("env_http_headers",), _HEADERS),
    **dict.fromkeys(TOKEN_VARIABLES, _TOKEN),
    **dict.fromkeys(("headersHelper", "http_headers_helper"), _HEADERS_COMMAND),
    **dict.fromkeys((*OAUTH_KEYS, "oauthClientId", "oauth_client_id"), _OAUTH),
    **dict.fromkeys(("authProviderType", "authorization"), _OAUTH),
}
"""Keys that are documented by a client, and what their absence means for the server; `{names}` are the names in the value."""
