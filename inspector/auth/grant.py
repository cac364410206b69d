"""The grant for one server, as it is saved: tokens, their client, and how they are renewed. Pure; reading never raises.

It has issuer, client and resource, and is found by the server: a second connection needs no request to find its token (C-AUT-18, C-AUT-21).
"""

from __future__ import annotations

import math
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from inspector.auth import document, urls
from inspector.auth.client import METHODS, NONE, Client, Origin
from inspector.auth.tokens import Tokens
from inspector.frozen import FrozenStruct
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from contextlib import AbstractContextManager

    from inspector.auth.settings import Settings
    from inspector.auth.state import State
    from inspector.auth.user_agent import Sender, UserAgent
    from inspector.wire.json_codec import Json, JsonObject

EARLY_SECONDS = 30.0
"""How long before its expiry a token is renewed."""

_LATEST = 1e12
"""Seconds since 1970-01-01 UTC; a later expiry is reduced to this."""


class Grant(FrozenStruct, frozen=True):
    """Tokens for one server."""

    server_url: str
    """The server, in its canonical form."""
    client: Client
    """The client that they were issued to."""
    resource: str
    """The resource that they were requested for; empty if none was named."""
    scopes: tuple[str, ...]
    """The requested scopes."""
    tokens: Tokens
    """The tokens."""
    token_endpoint: str
    """The URL where they are renewed."""
    revocation_endpoint: str = ""
    """The URL where they are revoked; empty without one."""
    dpop_key: str = ""
    """The key they are bound to; empty for none."""
    dpop_nonce: str = ""
    """The nonce that the authorization server required latest."""

    @property
    def issuer(self) -> str:
        """The issuer of the tokens."""
        return self.client.issuer

    @property
    def secrets(self) -> tuple[str, ...]:
        """Its secret values."""
        given = (*self.tokens.secrets, self.client.secret, self.dpop_key)
        return tuple(each for each in given if each)

    def was_requested_with(self, scopes: tuple[str, ...]) -> bool:
        """Whether all these scopes were requested."""
        return set(scopes) <= set(self.scopes)

    def expires_soon(self, now: float) -> bool:
        """Whether the access token has expired or will in a moment; `now` is wall time."""
        return self.tokens.expires_at - now < EARLY_SECONDS


class Grants(Protocol):
    """Saves grants and registered clients. Every method may block (call it in a thread) and may raise `StorageError`."""

    def find(self, server_url: str) -> Grant | None:
        """Return the grant for a server; None without one."""
        ...

    def put(self, grant: Grant) -> None:
        """Save a grant, replacing the one of the same server."""
        ...

    def drop(self, grant: Grant) -> None:
        """Delete a grant, unless a newer one is saved for the server."""
        ...

    def lock(self, server_url: str) -> AbstractContextManager[None]:
        """Hold the lock that renewing the grant of a server requires; entering may wait."""
        ...

    def client(self, issuer: str) -> Client | None:
        """Return the client that was registered at an authorization server."""
        ...

    def put_client(self, client: Client) -> None:
        """Save a client for its issuer."""
        ...

    def drop_client(self, issuer: str) -> None:
        """Delete the client of an issuer."""
        ...


class Access(FrozenStruct, frozen=True):
    """How one server grants access."""

    settings: Settings
    """What the user chose."""
    grants: Grants
    """Where tokens are saved."""
    make_user_agent: Callable[[Sender], UserAgent] | None = None
    """Makes the user agent; None if the user cannot log in."""
    requires_consent: bool = False
    """Whether a refusal leads to a login only after `Authorizer.allow_login`."""


class MemoryGrants:
    """Keeps grants as long as the process runs."""

    def __init__(self) -> None:
        """Start empty."""
        self.grants: dict[str, Grant] = {}
        self.clients: dict[str, Client] = {}
        self._lock = threading.Lock()

    def find(self, server_url: str) -> Grant | None:
        """Return the grant for a server; None without one."""
        return self.grants.get(urls.canonical(server_url))

    def put(self, grant: Grant) -> None:
        """Save a grant, replacing the one of the same server."""
        self.grants[grant.server_url] = grant

    def drop(self, grant: Grant) -> None:
        """Delete a grant, unless a newer one is saved for the server."""
        if is_same(self.grants.get(grant.server_url), grant):
            del self.grants[grant.server_url]

    @contextmanager
    def lock(self, server_url: str) -> Generator[None]:
        """Hold the lock that renewing a grant requires."""
        del server_url
        with self._lock:
            yield

    def client(self, issuer: str) -> Client | None:
        """Return the client that was registered at an authorization server."""
        return self.clients.get(issuer)

    def put_client(self, client: Client) -> None:
        """Save a client for its issuer."""
        self.clients[client.issuer] = client

    def drop_client(self, issuer: str) -> None:
        """Delete the client of an issuer."""
        self.clients.pop(issuer, None)


def is_same(kept: Grant | None, grant: Grant) -> bool:
    """Whether a saved grant is `grant`, not a newer one."""
    return kept is not None and kept.tokens.access == grant.tokens.access


def of_state(state: State) -> Grant | None:
    """Return the grant of an authorization; None if it has no tokens."""
    if state.tokens is None or state.client is None or state.server is None:
        return None
    asked = state.attempt.scopes if state.attempt is not None else state.scopes
    return Grant(
        server_url=urls.canonical(state.server_url),
        client=state.client,
        resource=state.resource_uri,
        scopes=asked,
        tokens=state.tokens,
        token_endpoint=state.server.token_endpoint,
        revocation_endpoint=state.server.revocation_endpoint,
        dpop_key=state.dpop_key if state.tokens.is_bound else "",
        dpop_nonce=state.dpop_nonce,
    )


def renewed(grant: Grant, tokens: Tokens) -> Grant:
    """Return a grant with new tokens; a refresh token that was not replaced stays."""
    return replace(grant, tokens=replace(tokens, refresh=tokens.refresh or grant.tokens.refresh))


_GRANT = {
    "server": "server_url",
    "resource": "resource",
    "token_endpoint": "token_endpoint",
    "revocation_endpoint": "revocation_endpoint",
    "dpop_key": "dpop_key",
    "dpop_nonce": "dpop_nonce",
}
_TOKENS = {
    "access_token": "access",
    "token_type": "type",
    "refresh_token": "refresh",
    "id_token": "id_token",
}
_CLIENT = {
    "issuer": "issuer",
    "client_id": "id",
    "client_secret": "secret",
    "method": "method",
    "redirect_uri": "redirect_uri",
}
"""Members of a saved grant that are strings, and their fields."""


def write_client(client: Client) -> str:
    """Return a client as text."""
    return json_codec.write(_client_value(client))


def read_client(text: str) -> Client | None:
    """Return the client that `write_client` wrote; None for any other text."""
    return _client(_object(text))


def write(grant: Grant) -> str:
    """Return a grant as text."""
    expires_at = grant.tokens.expires_at
    value: JsonObject = {
        **_written(grant, _GRANT),
        "client": _client_value(grant.client),
        "scopes": " ".join(grant.scopes),
        **_written(grant.tokens, _TOKENS),
        "scope": " ".join(grant.tokens.scopes),
        "expires_at": None if math.isinf(expires_at) else int(expires_at),
    }
    return json_codec.write(value)


def read(text: str) -> Grant | None:
    """Return the grant that `write` wrote; None for any other text."""
    value = _object(text)
    client = _client(value.get("client"))
    fields, tokens = _read(value, _GRANT), _read(value, _TOKENS)
    if client is None or not tokens["access"] or not fields["server_url"]:
        return None
    expires_at = value.get("expires_at")
    return Grant(
        client=client,
        scopes=tuple(document.text(value, "scopes").split()),
        tokens=Tokens(
            **{**tokens, "type": tokens["type"] or "Bearer"},
            scopes=tuple(document.text(value, "scope").split()),
            expires_at=float(min(expires_at, _LATEST)) if isinstance(expires_at, int) else math.inf,
        ),
        **fields,
    )


def _client_value(client: Client) -> JsonObject:
    return {**_written(client, _CLIENT), "origin": client.origin.value}


def _client(value: Json) -> Client | None:
    fields = _read(value if isinstance(value, dict) else {}, _CLIENT)
    if not fields["id"]:
        return None
    method = fields["method"] if fields["method"] in METHODS else NONE
    return Client(**{**fields, "method": method}, origin=Origin.STORED)


def _written(source: object, members: dict[str, str]) -> JsonObject:
    return {key: str(getattr(source, name)) for key, name in members.items()}


def _read(value: JsonObject, members: dict[str, str]) -> dict[str, str]:
    return {name: document.text(value, key) for key, name in members.items()}


def _object(text: str) -> JsonObject:
    try:
        value = json_codec.read(text.encode("utf-8", "surrogatepass")).value
    except JsonSyntaxError:
        return {}
    return value if isinstance(value, dict) else {}
