"""Protected resource metadata: which authorization servers a server trusts, and what it says of itself. Pure; never raises.

Source: RFC 9728, sections 2 and 3.3; basic/authorization, "Authorization Server Location"; C-AUT-02, C-AUT-31, C-AUT-49.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.auth import document, urls
from inspector.auth.attempt import OFFLINE
from inspector.auth.check import Check, failed, info, passed, warning
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.auth.document import Document

_PRM = "RFC 9728, section 2"
_MANY_SCOPES = 30


class ResourceMetadata(FrozenStruct, frozen=True):
    """What a protected server says."""

    document: Document
    """As it was found."""
    resource: str
    """The resource it describes."""
    servers: tuple[str, ...]
    """The issuers that may give tokens for it."""
    scopes: tuple[str, ...] | None
    """The scopes it knows; None where it lists none."""
    wants_dpop: bool
    """Whether it takes only tokens that are bound to a key."""


def read(found: Document) -> ResourceMetadata:
    """What a document that was found says."""
    value = found.value or {}
    return ResourceMetadata(
        found,
        document.text(value, "resource"),
        tuple(dict.fromkeys(each for each in document.texts(value, "authorization_servers") or ())),
        document.texts(value, "scopes_supported"),
        document.is_true(value, "dpop_bound_access_tokens_required"),
    )


def check(found: ResourceMetadata, server_url: str) -> tuple[Check, ...]:
    """What the rules say of it, for the server at `server_url`."""
    return (
        _resource(found, server_url),
        *_servers(found),
        *_scopes(found),
        *(warning("RFC 8259", "RFC 8259, section 4", "", each) for each in found.document.notes),
    )


def describes(found: ResourceMetadata, server_url: str) -> bool:
    """Whether it is about the server at `server_url`."""
    return bool(found.resource) and urls.covers(found.resource, server_url)


def _resource(found: ResourceMetadata, server_url: str) -> Check:
    source, ours = "RFC 9728, section 3.3", urls.canonical(server_url)
    if not found.resource:
        member = (found.document.value or {}).get("resource")
        what = "missing" if member is None else document.kind_words(member)
        text = f"`resource` must be the URL of this server; it is {what}"
        return failed("L-AUT-04", source, "/resource", text)
    if found.resource in {ours, server_url}:
        return passed("L-AUT-04", source, "/resource", "`resource` is the URL of this server")
    shown = f"it is {found.resource}, the server is {ours}"
    if describes(found, server_url):
        text = f"`resource` should be the URL of this server: {shown}; tokens are requested for what stands there, and the server may reject them"
        return info("L-AUT-04", source, "/resource", text)
    where = urls.difference(found.resource, ours)
    text = f"`resource` must be the URL of this server: {shown}; {where}"
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
