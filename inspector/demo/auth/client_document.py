"""Reads a client id metadata document: the client id is the URL at which it lies.

Only documents on this machine are fetched: a demo server asks nothing of the network. There http is taken as well.

Source: draft-ietf-oauth-client-id-metadata-document; basic/authorization, "Client ID Metadata Documents".
"""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.demo.auth.registration import read_client
from inspector.demo.auth.reply import OAuthError
from inspector.demo.http_wire import LOOPBACK

if TYPE_CHECKING:
    from inspector.demo.auth.clients import Client
    from inspector.demo.auth.setup import Setup
    from inspector.wire.json_codec import Json, JsonObject

MAX_BYTES = 5 << 10
"""As the draft recommends."""
TIMEOUT_SECONDS = 5

INVALID_CLIENT = "invalid_client"
SHARED_SECRETS = ("client_secret_basic", "client_secret_post")


def is_document_url(client_id: str) -> bool:
    """Whether a client id says that it is the URL of a document."""
    return client_id.startswith(("https://", "http://"))


async def fetch_client(setup: Setup, client_id: str) -> Client:
    """Fetch the document and read it.

    Raises:
        OAuthError: it cannot be had, or is not as it must be.
    """
    _check_url(client_id)
    try:
        raw = await asyncio.to_thread(_fetch, client_id)
        value: Json = json.loads(raw)
    except (OSError, HTTPException, ValueError, RecursionError) as error:
        raise OAuthError(INVALID_CLIENT, "The document at client_id cannot be read") from error
    if not isinstance(value, dict):
        raise OAuthError(INVALID_CLIENT, "The document at client_id is no JSON object")
    return read_client(setup, client_id, _checked(value, client_id))


def _checked(document: JsonObject, client_id: str) -> JsonObject:
    if document.get("client_id") != client_id:
        raise OAuthError(INVALID_CLIENT, "client_id in the document is not its URL")
    method = document.get("token_endpoint_auth_method", "none")
    if "client_secret" in document or method in SHARED_SECRETS:
        raise OAuthError(INVALID_CLIENT, "A client with a document has no shared secret")
    return {"application_type": "native", **document, "token_endpoint_auth_method": method}


def _check_url(client_id: str) -> None:
    try:
        parts = urlsplit(client_id)
        host = parts.hostname
    except ValueError as error:
        raise OAuthError(INVALID_CLIENT, "client_id is no URL") from error
    if parts.path in ("", "/") or parts.fragment or parts.username is not None:
        raise OAuthError(INVALID_CLIENT, "client_id has no path, or a fragment or a user name")
    if {".", ".."} & set(parts.path.split("/")):
        raise OAuthError(INVALID_CLIENT, "client_id has dots for segments of its path")
    if host not in LOOPBACK:
        raise OAuthError(INVALID_CLIENT, "This server fetches documents from this machine only")


def _fetch(url: str) -> bytes:
    """Get it without a proxy and without following redirects: the document lies at the client id and nowhere else."""
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=TIMEOUT_SECONDS)
    with closing(connection):
        target = parts._replace(scheme="", netloc="").geturl()
        connection.request("GET", target, headers={"Accept": "application/json"})
        response = connection.getresponse()
        raw = response.read(MAX_BYTES + 1)
    if response.status != HTTPStatus.OK or len(raw) > MAX_BYTES:
        raise ValueError(response.status)
    return raw
