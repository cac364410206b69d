"""Metadata of a protected server (which authorization servers it trusts) and of an authorization server (its endpoints and what it supports).

The issuer is compared character by character with the requested one: nothing of a document with another issuer is used, unless the user waives
this rule for the server. Pure; never raises.

Source: RFC 9728, sections 2 and 3.3; RFC 8414, sections 2 and 3.3; OpenID Connect Discovery 1.0, section 4.3; basic/authorization, "Authorization
Server Location"; C-AUT-02, C-AUT-05 to C-AUT-09, C-AUT-24, C-AUT-31, C-AUT-46, C-AUT-49.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.auth import document, urls
from inspector.auth.attempt import OFFLINE
from inspector.auth.check import Check, failed, info, passed, warning
from inspector.auth.document import Document
from inspector.auth.messages import HttpResponse
from inspector.frozen import FrozenStruct
from inspector.transport.http.config import is_loopback

if TYPE_CHECKING:
    from collections.abc import Iterator

_PRM = "RFC 9728, section 2"
_MANY_SCOPES = 30
_SOURCE = "RFC 8414, section 2"
ENDPOINTS = (
    "authorization_endpoint",
    "token_endpoint",
    "registration_endpoint",
    "revocation_endpoint",
)


PKCE_METHODS = "code_challenge_methods_supported"

USUAL_AUTH = ("none", "client_secret_basic", "client_secret_post")
"""Methods of client authentication that every client has."""


class ResourceMetadata(FrozenStruct, frozen=True):
    """The metadata of a protected server."""

    document: Document
    """The document."""
    resource: str
    """The resource it describes."""
    servers: tuple[str, ...]
    """The issuers of its tokens."""
    scopes: tuple[str, ...] | None
    """Its scopes; None if it lists none."""
    wants_dpop: bool
    """Whether it accepts only tokens that are bound to a key."""


def read_resource(found: Document) -> ResourceMetadata:
    """Return the metadata in a document."""
    value = found.value or {}
    return ResourceMetadata(
        found,
        document.text(value, "resource"),
        tuple(dict.fromkeys(each for each in document.texts(value, "authorization_servers") or ())),
        document.texts(value, "scopes_supported"),
        document.is_true(value, "dpop_bound_access_tokens_required"),
    )


def check_resource(found: ResourceMetadata, server_url: str) -> tuple[Check, ...]:
    """Return the checks of the metadata of the server at `server_url`."""
    return (
        _resource(found, server_url),
        *_servers(found),
        *_scopes(found),
        *(warning("RFC 8259", "RFC 8259, section 4", "", each) for each in found.document.notes),
    )


def describes(found: ResourceMetadata, server_url: str) -> bool:
    """Whether the metadata is about the server at `server_url`."""
    return bool(found.resource) and urls.covers(found.resource, server_url)


def _resource(found: ResourceMetadata, server_url: str) -> Check:
    source, ours = "RFC 9728, section 3.3", urls.canonical(server_url)
    if not found.resource:
        member = (found.document.value or {}).get("resource")
        what = "missing" if member is None else document.kind_text(member)
        text = f"`resource` must be the URL of this server; it is {what}"
        return failed("L-AUT-04", source, "/resource", text)
    if found.resource in {ours, server_url}:
        return passed("L-AUT-04", source, "/resource", "`resource` is the URL of this server")
    both = f"it is {found.resource}, the server is {ours}"
    if describes(found, server_url):
        text = f"`resource` should be the URL of this server: {both}; tokens are requested for what stands there, and the server may reject them"
        return info("L-AUT-04", source, "/resource", text)
    where = urls.difference(found.resource, ours)
    text = f"`resource` must be the URL of this server: {both}; {where}"
    return failed("L-AUT-04", source, "/resource", text)


def _servers(found: ResourceMetadata) -> Iterator[Check]:
    pointer = "/authorization_servers"
    if not found.servers:
        text = "`authorization_servers` must name at least one authorization server"
        yield failed("L-AUT-03", _PRM, pointer, text)
    for number, issuer in enumerate(found.servers):
        if reason := urls.problem(issuer):
            text = f"the authorization server {issuer} cannot be used: {reason}"
            yield failed("L-AUT-08", "RFC 9728, section 2", f"{pointer}/{number}", text)
    if found.servers and not any(map(urls.problem, found.servers)):
        yield passed(
            "L-AUT-03", _PRM, pointer, "`authorization_servers` names an authorization server"
        )


def _scopes(found: ResourceMetadata) -> Iterator[Check]:
    pointer = "/scopes_supported"
    scopes = found.scopes or ()
    if OFFLINE in scopes:
        text = "`offline_access` should not be among the scopes of a server: it is a matter of the authorization server"
        yield warning("L-AUT-10", "MCP, refresh tokens", pointer, text)
    if {"*", "all", "admin"} & set(scopes) or len(scopes) > _MANY_SCOPES:
        text = "`scopes_supported` should name the few scopes that are needed first"
        yield info("L-AUT-22", "MCP, scope minimization", pointer, text)


class ServerMetadata(FrozenStruct, frozen=True):
    """The metadata of an authorization server."""

    document: Document
    """The document."""
    expected: str
    """The requested issuer."""
    issuer: str
    """The issuer it names; the requested one if it is guessed."""
    authorization_endpoint: str
    """The URL where the user logs in."""
    token_endpoint: str
    """The URL where tokens are requested."""
    registration_endpoint: str = ""
    """The URL where clients register; empty without one."""
    revocation_endpoint: str = ""
    """The URL where tokens are revoked; empty without one."""
    scopes: tuple[str, ...] = ()
    """The scopes it lists."""
    client_auth: tuple[str, ...] | None = None
    """Methods of client authentication at the token endpoint; None if it lists none."""
    pkce_methods: tuple[str, ...] | None = None
    """Methods of PKCE; None if it lists none."""
    takes_client_documents: bool = False
    """Whether the URL of a document can be a client id."""
    promises_iss: bool = False
    """Whether callbacks name the issuer."""
    is_guessed: bool = False
    """Whether the endpoints are the default ones of the oldest revision, without a document."""
    is_legacy: bool = False
    """Whether it was found at the server itself, without metadata of the resource."""


def read_server(found: Document, expected: str, *, is_legacy: bool = False) -> ServerMetadata:
    """Return the metadata in a document."""
    value = found.value or {}
    return ServerMetadata(
        document=found,
        expected=expected,
        issuer=document.text(value, "issuer"),
        authorization_endpoint=urls.tolerated(document.text(value, "authorization_endpoint")),
        token_endpoint=document.text(value, "token_endpoint"),
        registration_endpoint=document.text(value, "registration_endpoint"),
        revocation_endpoint=document.text(value, "revocation_endpoint"),
        scopes=document.texts(value, "scopes_supported") or (),
        client_auth=document.texts(value, "token_endpoint_auth_methods_supported"),
        pkce_methods=document.texts_or_text(value, PKCE_METHODS),
        takes_client_documents=document.is_true(value, "client_id_metadata_document_supported"),
        promises_iss=document.is_true(value, "authorization_response_iss_parameter_supported"),
        is_legacy=is_legacy,
    )


def guessed(server_url: str) -> ServerMetadata:
    """Return the default endpoints of the oldest revision, for a server without metadata (C-AUT-09)."""
    root = urls.base(server_url)
    return ServerMetadata(
        document=Document("", HttpResponse()),
        expected=root,
        issuer=root,
        authorization_endpoint=f"{root}/authorize",
        token_endpoint=f"{root}/token",
        registration_endpoint=f"{root}/register",
        is_guessed=True,
        is_legacy=True,
    )


def check_server(
    found: ServerMetadata, *, needs_authorization: bool, must_list_pkce: bool
) -> tuple[Check, ...]:
    """Return the checks of the metadata of an authorization server; `needs_authorization`: the user logs in there."""
    checks = [_issuer(found), *_endpoints(found, needs_authorization=needs_authorization)]
    if needs_authorization:
        checks += [_pkce(found, must=must_list_pkce), *_anomalies(found), *_registration(found)]
        if not found.promises_iss:
            text = "`authorization_response_iss_parameter_supported` should be true"
            pointer = "/authorization_response_iss_parameter_supported"
            checks.append(info("L-AUT-15", "RFC 9207, section 3", pointer, text))
    notes = found.document.notes
    checks += [warning("RFC 8259", "RFC 8259, section 4", "", each) for each in notes]
    return tuple(checks)


def is_same_issuer(found: ServerMetadata) -> bool:
    """Whether the issuer is the requested one; always for metadata of the server itself, which has no issuer to compare with."""
    return found.is_legacy or found.issuer == found.expected


def lists_s256(found: ServerMetadata) -> bool:
    """Whether it supports code challenges with S256."""
    return found.is_guessed or "S256" in (found.pkce_methods or ())


def _issuer(found: ServerMetadata) -> Check:
    source, pointer = "RFC 8414, section 3.3", "/issuer"
    if found.issuer == found.expected:
        return passed("L-AUT-06", source, pointer, "`issuer` is the one that was requested")
    what = f"it is {found.issuer or 'missing'}, requested was {found.expected}"
    if found.is_legacy:
        text = f"`issuer` is another one than the server itself: {what}"
        return info("L-AUT-06", source, pointer, text)
    where = urls.difference(found.issuer, found.expected)
    text = f"`issuer` must be the one that was requested, character by character: {what}; {where}"
    return failed("L-AUT-06", source, pointer, text)


def _endpoints(found: ServerMetadata, *, needs_authorization: bool) -> Iterator[Check]:
    needed = {"token_endpoint", *(("authorization_endpoint",) if needs_authorization else ())}
    for name in ENDPOINTS:
        value = endpoint(found, name)
        if not value:
            if name in needed:
                yield failed(_SOURCE, _SOURCE, f"/{name}", f"`{name}` must be a URL")
        elif reason := urls.problem(value):
            rule = "L-AUT-23" if name == "authorization_endpoint" else "L-AUT-08"
            text = f"`{name}` cannot be used: {reason} ({value})"
            yield failed(rule, "RFC 9700, section 2.6", f"/{name}", text)
        else:
            yield passed("L-AUT-08", _SOURCE, f"/{name}", f"`{name}` can be used")


def endpoint(found: ServerMetadata, name: str) -> str:
    """Return the URL of one of `ENDPOINTS`; empty if it is missing."""
    return str(getattr(found, name))


def _pkce(found: ServerMetadata, *, must: bool) -> Check:
    source, pointer = "RFC 7636, section 4.2", f"/{PKCE_METHODS}"
    if lists_s256(found):
        return passed("L-AUT-07", source, pointer, "S256 is supported")
    listed = ", ".join(found.pkce_methods or ()) or "nothing"
    text = f"`{PKCE_METHODS}` must list S256; it lists {listed}"
    return (failed if must else warning)("L-AUT-07", source, pointer, text)


def _anomalies(found: ServerMetadata) -> Iterator[Check]:
    """Yield what other clients, or the next step, may fail on."""
    value = found.document.value or {}
    if isinstance(value.get(PKCE_METHODS), str):
        text = f"`{PKCE_METHODS}` must be an array; it is a string"
        yield failed("L-AUT-07", _SOURCE, f"/{PKCE_METHODS}", text)
    if document.text(value, "authorization_endpoint") != found.authorization_endpoint:
        pointer, source = "/authorization_endpoint", "RFC 6749, section 3.1"
        text = f"`authorization_endpoint` must hold neither blanks nor a fragment; {found.authorization_endpoint} is used"
        yield failed("RFC 6749", source, pointer, text)
    responses = document.texts(value, "response_types_supported")
    if responses is not None and "code" not in responses:
        listed = ", ".join(responses) or "nothing"
        text = f"`response_types_supported` must list code; it lists {listed}"
        yield failed("RFC 8414", _SOURCE, "/response_types_supported", text)
    if found.client_auth is not None and not {*USUAL_AUTH} & {*found.client_auth}:
        listed = ", ".join(found.client_auth) or "nothing"
        text = (
            f"clients must authenticate in a way that needs more than an id or a secret: {listed}"
        )
        pointer = "/token_endpoint_auth_methods_supported"
        yield warning("RFC 8414", _SOURCE, pointer, text)


def _registration(found: ServerMetadata) -> Iterator[Check]:
    source = "MCP, client registration"
    if found.takes_client_documents:
        pointer = "/client_id_metadata_document_supported"
        text = "clients may be described by a document"
        if is_loopback(urls.host(found.issuer)):
            text += ", which can be served on this machine"
        yield passed("L-AUT-16", source, pointer, text)
    elif found.registration_endpoint:
        text = "clients can register; a client id metadata document would need no registration"
        yield info("L-AUT-17", source, "/registration_endpoint", text)
    else:
        text = "neither registration nor client id metadata documents are supported: a client id must be entered"
        yield warning("L-AUT-16", source, "/registration_endpoint", text)
