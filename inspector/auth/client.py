"""The client of one authorization server: how it is found or registered, and how it authenticates. Pure; never raises.

Source: RFC 7591, sections 2 and 3; RFC 6749, section 2.3; basic/authorization, "Client Registration"; C-AUT-10 to C-AUT-21, C-AUT-44.
"""

from __future__ import annotations

import base64
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import quote

from inspector.auth import document, urls
from inspector.auth.check import Check, failed, passed, warning
from inspector.auth.messages import JSON, HttpRequest
from inspector.frozen import FrozenStruct
from inspector.transport.http.config import is_loopback
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.auth.messages import HttpResponse, Pairs
    from inspector.auth.metadata import ServerMetadata
    from inspector.auth.settings import Settings
    from inspector.wire.json_codec import Json, JsonObject

NONE, BASIC, POST, SIGNED = "none", "client_secret_basic", "client_secret_post", "private_key_jwt"
METHODS = (NONE, BASIC, POST, SIGNED)
"""Methods of authentication at the token endpoint that can be used."""

CLIENT_NAME = "Spyglass"

DOCUMENT_PATH = "/client-metadata.json"
"""The path of the client metadata document on this machine."""


class Origin(StrEnum):
    """Where a client comes from."""

    BY_HAND = "entered"
    STORED = "stored"
    DOCUMENT = "client id metadata document"
    REGISTERED = "registered"


class Client(FrozenStruct, frozen=True):
    """A client of one authorization server."""

    issuer: str
    """The authorization server that it belongs to; used nowhere else."""
    id: str
    """The client id."""
    secret: str = ""
    """Its secret; empty for a public client."""
    method: str = NONE
    """How it authenticates at the token endpoint."""
    origin: Origin = Origin.REGISTERED
    """Where it comes from."""
    redirect_uri: str = ""
    """The redirect URI it was registered with; empty if it is unknown."""


def chosen(settings: Settings, server: ServerMetadata) -> Client:
    """Return the client that the user entered."""
    method = settings.client_auth
    if not method:
        with_key = bool(settings.private_key) and not settings.client_secret
        method = SIGNED if with_key else _method("", settings.client_secret, server)
    return Client(server.issuer, settings.client_id, settings.client_secret, method, Origin.BY_HAND)


def document_url(settings: Settings, redirect_uri: str) -> str:
    """Return the URL of the client metadata document; empty without one."""
    if settings.client_metadata_url or not settings.serves_client_metadata:
        return settings.client_metadata_url
    return served_url(redirect_uri)


def served_url(redirect_uri: str) -> str:
    """Return the URL of the document that the listener at a redirect URI serves."""
    return f"{urls.base(redirect_uri)}{DOCUMENT_PATH}" if redirect_uri else ""


def served_document(redirect_uri: str) -> bytes:
    """Return the document that is served there."""
    url = served_url(redirect_uri)
    described: JsonObject = {"client_id": url, **_described(redirect_uri, NONE)}
    return json_codec.write_bytes(described)


def of_document(settings: Settings, server: ServerMetadata, redirect_uri: str) -> Client:
    """Return the client that a document at a URL describes."""
    url = document_url(settings, redirect_uri)
    method = settings.client_auth or (SIGNED if settings.private_key else NONE)
    if url == served_url(redirect_uri):
        method = NONE
    return Client(server.issuer, url, "", method, Origin.DOCUMENT, redirect_uri)


def document_problem(client: Client) -> str:
    """Return why the URL of a document cannot be a client id; empty if it can (C-AUT-13)."""
    url = client.id
    parts = urls.split(url)
    if url == served_url(client.redirect_uri):
        if is_loopback(urls.host(client.issuer)):
            return ""
        return "it is on this machine, and the authorization server is not"
    if parts is None or parts.scheme != "https":
        return "it must be an https URL"
    if not parts.path.strip("/"):
        return "its path must not be empty"
    return urls.problem(url)


def registration(
    server: ServerMetadata,
    redirect_uri: str,
    scopes: Sequence[str],
    *,
    method: str = "",
    initial_token: str = "",
) -> HttpRequest:
    """Return the request that registers the client, with the initial access token of a protected endpoint (RFC 7591, section 3)."""
    described = _described(redirect_uri, method or _registered_method(server))
    if scopes:
        described["scope"] = " ".join(scopes)
    headers = (("Content-Type", JSON), ("Accept", JSON))
    if initial_token:
        headers = (*headers, ("Authorization", f"Bearer {initial_token}"))
    body = json_codec.write_bytes(described)
    return HttpRequest("POST", server.registration_endpoint, headers, body)


def _described(redirect_uri: str, method: str) -> JsonObject:
    return {
        "client_name": CLIENT_NAME,
        "application_type": "native",
        "redirect_uris": [redirect_uri],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": method,
    }


def read_registration(
    response: HttpResponse, server: ServerMetadata, redirect_uri: str
) -> tuple[Client | None, str, tuple[Check, ...]]:
    """Return the registered client or None, why it is None, and the checks of the response."""
    source = "RFC 7591, section 3.2.1"
    if response.problem:
        return None, response.problem, ()
    value, text, _ = document.read_object(response)
    if not response.is_good:
        return None, f"the registration was rejected: {refusal_text(response)}", ()
    if value is None:
        return None, f"the registration cannot be read: {text}", ()
    client_id = document.text(value, "client_id")
    if not client_id:
        text = "`client_id` must be a string; it is " + _what(value.get("client_id"))
        return (
            None,
            f"the registration names no client: {text}",
            (failed(source, source, "/client_id", text),),
        )
    secret, named = document.text(value, "client_secret"), _named_method(value)
    checks = [passed(source, source, "/client_id", "`client_id` is a string")]
    if response.status != 201:
        text = f"a registration should be answered by HTTP 201, not by HTTP {response.status}"
        checks.append(warning(source, source, "", text))
    if secret and not named:
        text = "`token_endpoint_auth_method` should be named where a secret is issued"
        checks.append(warning(source, source, "/token_endpoint_auth_method", text))
    method = _method(named, secret, server)
    client = Client(server.issuer, client_id, secret, method, Origin.REGISTERED, redirect_uri)
    return client, "", tuple(checks)


def authenticate(client: Client, *, assertion: str = "") -> tuple[Pairs, Pairs]:
    """Return the headers and form fields that authenticate a client; the method `SIGNED` needs an `assertion`."""
    if client.method == BASIC:
        pair = f"{quote(client.id, safe='')}:{quote(client.secret, safe='')}"
        return (("Authorization", f"Basic {base64.b64encode(pair.encode()).decode()}"),), ()
    fields = (("client_id", client.id),)
    if client.method == POST:
        return (), (*fields, ("client_secret", client.secret))
    if client.method == SIGNED:
        kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        return (), (("client_assertion_type", kind), ("client_assertion", assertion), *fields)
    return (), fields


def refusal_text(response: HttpResponse) -> str:
    """Return the error of an authorization server: its code and description, or the beginning of the body."""
    value, _, _ = document.read_object(response)
    text = error_text(value) if value is not None else ""
    status = f"HTTP {response.status}"
    return f"{text or document.excerpt(response.body) or 'nothing is said'} ({status})"


def error_text(value: JsonObject) -> str:
    """Return error code and description of an object, in one line; empty if it names no error."""
    code = document.text(value, "error")
    description = document.one_line(document.text(value, "error_description"))
    if not code and value.get("error") is None:
        return ""
    code = document.one_line(code or json_codec.write(value.get("error")))
    return f"{code}: {description}" if description else code


def _registered_method(server: ServerMetadata) -> str:
    """Return the method to register for: `none` if it is allowed, because a desktop program cannot keep a secret."""
    if server.client_auth is None:
        return NONE if server.is_guessed else BASIC
    return next((each for each in (NONE, BASIC, POST) if each in server.client_auth), NONE)


def _method(named: str, secret: str, server: ServerMetadata) -> str:
    """Return the method to use: the named one; with a secret, basic or post if it is listed; else none."""
    if named in METHODS:
        return named
    if not secret:
        return NONE
    if server.client_auth is None:
        return BASIC
    return next((each for each in (BASIC, POST) if each in server.client_auth), NONE)


def _named_method(value: JsonObject) -> str:
    return document.text(value, "token_endpoint_auth_method")


def _what(value: Json) -> str:
    return "missing" if value is None else document.kind_text(value)
