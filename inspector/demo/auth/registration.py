"""Dynamic registration, and the reading of client metadata wherever they come from.

Source: RFC 7591; basic/authorization, "Dynamic Client Registration".
"""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING

from inspector.demo.auth.clients import Client
from inspector.demo.auth.faults import Fault
from inspector.demo.auth.metadata import (
    GRANT_TYPES,
    METHODS_WITH_SECRET,
    methods,
)
from inspector.demo.auth.redirect_uris import complaint, is_loopback
from inspector.demo.auth.reply import OAuthError, Reply, json_reply

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.demo.auth.clients import Clients
    from inspector.demo.auth.setup import Setup
    from inspector.wire.json_codec import Json, JsonObject

INVALID_METADATA = "invalid_client_metadata"
INVALID_REDIRECT = "invalid_redirect_uri"

INITIAL_TOKEN = "demo-initial-token"
"""The initial access token that is known, where one is required."""


def register(setup: Setup, clients: Clients, headers: Mapping[str, str], body: bytes) -> Reply:
    """Register a client.

    Raises:
        OAuthError: it is refused.
    """
    given = headers.get("authorization", "")
    if setup.has(Fault.REGISTRATION_INITIAL_TOKEN) and given != f"Bearer {INITIAL_TOKEN}":
        text = "The initial access token is not known" if given else "No initial access token"
        raise OAuthError("invalid_token", text, status=401, www_authenticate="Bearer")
    if setup.has(Fault.REGISTRATION_FORBIDDEN):
        text = "Policy 'Trusted Hosts' rejected request to client-registration service"
        raise OAuthError("insufficient_scope", text, status=403)
    metadata = _document(body)
    if setup.has(Fault.TOKEN_METHOD) and metadata.get("token_endpoint_auth_method") == "none":
        metadata["token_endpoint_auth_method"] = METHODS_WITH_SECRET[0]
    client = read_client(setup, secrets.token_urlsafe(12), metadata)
    if setup.has(Fault.REGISTRATION_LOOPBACK) and any(map(is_loopback, client.redirect_uris)):
        raise OAuthError(INVALID_REDIRECT, "Loopback addresses are not allowed as redirect URIs")
    clients.add(client)
    return json_reply(metadata | _answer(setup, client), 201)


def read_client(setup: Setup, client_id: str, metadata: JsonObject) -> Client:
    """Read what a client says of itself; who has a method with a secret is given one.

    Raises:
        OAuthError: a member is missing or wrong.
    """
    kind = metadata.get("application_type", "web")
    if kind not in ("native", "web"):
        raise OAuthError(INVALID_METADATA, "application_type is native or web")
    method = metadata.get("token_endpoint_auth_method", "client_secret_basic")
    if not isinstance(method, str) or method not in methods(setup):
        raise OAuthError(INVALID_METADATA, "This token_endpoint_auth_method is not supported")
    keys = metadata.get("jwks")
    if method == "private_key_jwt" and not isinstance(keys, dict):
        raise OAuthError(INVALID_METADATA, "private_key_jwt needs jwks")
    name = metadata.get("client_name")
    grant_types = _texts(metadata, "grant_types", ("authorization_code",))
    if not set(grant_types) <= set(GRANT_TYPES):
        raise OAuthError(INVALID_METADATA, "One of the grant_types is not supported")
    is_native = kind == "native"
    return Client(
        client_id,
        name if isinstance(name, str) else client_id,
        method,
        _redirect_uris(metadata, grant_types, is_native=is_native),
        grant_types,
        secrets.token_urlsafe(24) if method in METHODS_WITH_SECRET else "",
        keys if isinstance(keys, dict) else None,
        is_native,
    )


def _document(body: bytes) -> JsonObject:
    try:
        value: Json = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise OAuthError(INVALID_METADATA, "The body is no JSON object")
    return value


def _redirect_uris(
    metadata: JsonObject, grant_types: tuple[str, ...], *, is_native: bool
) -> tuple[str, ...]:
    uris = _texts(metadata, "redirect_uris", ())
    if not uris and "authorization_code" in grant_types:
        raise OAuthError(INVALID_REDIRECT, "redirect_uris is missing")
    for uri in uris:
        reason = complaint(uri, is_native=is_native)
        if reason:
            raise OAuthError(INVALID_REDIRECT, reason)
    return uris


def _texts(metadata: JsonObject, name: str, default: tuple[str, ...]) -> tuple[str, ...]:
    value = metadata.get(name)
    if value is None:
        return default
    if not isinstance(value, list):
        raise OAuthError(INVALID_METADATA, f"{name} is no array of strings")
    texts = tuple(item for item in value if isinstance(item, str))
    if len(texts) < len(value):
        raise OAuthError(INVALID_METADATA, f"{name} is no array of strings")
    return texts


def _answer(setup: Setup, client: Client) -> JsonObject:
    answer: JsonObject = {
        "client_id": client.id,
        "client_id_issued_at": int(setup.issuer_now()),
        "token_endpoint_auth_method": client.method,
        "grant_types": [*client.grant_types],
        "redirect_uris": [*client.redirect_uris],
        "response_types": ["code"] if "authorization_code" in client.grant_types else [],
        "application_type": "native" if client.is_native else "web",
    }
    if client.secret:
        answer |= {"client_secret": client.secret, "client_secret_expires_at": 0}
    return answer
