"""The documents at the well-known places, and what lies there instead.

Source: RFC 9728 (protected resource), RFC 8414 and OpenID Connect Discovery (issuer), basic/authorization.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.auth.faults import Fault
from inspector.demo.auth.jose import ALGORITHMS
from inspector.demo.auth.pages import APP_PAGE
from inspector.demo.auth.reply import Reply, json_reply, page_reply
from inspector.demo.auth.setup import READ, SCOPES, WRITE

if TYPE_CHECKING:
    from inspector.demo.auth.setup import Setup
    from inspector.wire.json_codec import Json, JsonObject

RESOURCE_NAME = "oauth-protected-resource"
ISSUER_NAMES = ("oauth-authorization-server", "openid-configuration")
METHODS = ("none", "client_secret_basic", "client_secret_post", "private_key_jwt")
METHODS_WITH_SECRET = ("client_secret_basic", "client_secret_post")
GRANT_TYPES = ("authorization_code", "refresh_token", "client_credentials")
SERVER_ERROR = Reply(500, b"Internal Server Error", {"content_type": "text/plain"})


def well_known(setup: Setup, path: str) -> Reply | None:
    """The document at a path; None if there is no such document."""
    if f"/.well-known/{RESOURCE_NAME}" in path:
        wrong = {Fault.RESOURCE_HTML: page_reply(APP_PAGE), Fault.RESOURCE_500: SERVER_ERROR}
        documents = _resource_documents(setup)
    elif any(f"/.well-known/{name}" in path for name in ISSUER_NAMES):
        wrong = {Fault.METADATA_HTML: page_reply(APP_PAGE), Fault.METADATA_500: SERVER_ERROR}
        documents = _issuer_documents(setup)
    else:
        return None
    faulty = next((reply for fault, reply in wrong.items() if setup.has(fault)), None)
    return faulty or documents.get(path)


def methods(setup: Setup) -> tuple[str, ...]:
    """How a client may authenticate, by what the metadata says."""
    return METHODS_WITH_SECRET if setup.has(Fault.TOKEN_METHOD) else METHODS


def _resource_documents(setup: Setup) -> dict[str, Reply]:
    path = setup.resource_metadata_path
    if setup.has(Fault.RESOURCE_UNDER_MOUNT):
        path = f"{setup.endpoint}/.well-known/{RESOURCE_NAME}"
    return {path: json_reply(resource_metadata(setup))}


def _issuer_documents(setup: Setup) -> dict[str, Reply]:
    openid = f"{setup.issuer_path}/.well-known/openid-configuration"
    places = [f"/.well-known/{name}{setup.issuer_path}" for name in ISSUER_NAMES]
    if setup.has(Fault.METADATA_UNDER_MOUNT):
        places = [f"{setup.endpoint}/.well-known/{name}" for name in ISSUER_NAMES]
    elif setup.has(Fault.METADATA_OPENID_ONLY):
        places = [openid]
    else:
        places.append(openid)
    return dict.fromkeys(places, json_reply(issuer_metadata(setup)))


def resource_metadata(setup: Setup) -> JsonObject:
    """The protected resource metadata."""
    document: JsonObject = {
        "resource": setup.described_resource,
        "authorization_servers": [setup.named_issuer],
        "scopes_supported": [READ, WRITE],
        "bearer_methods_supported": ["header"],
        "resource_name": "Spyglass demo server",
    }
    if setup.dpop:
        document["dpop_bound_access_tokens_required"] = True
        document["dpop_signing_alg_values_supported"] = [*ALGORITHMS]
    return document


def issuer_metadata(setup: Setup) -> JsonObject:
    """The issuer's metadata, the same for RFC 8414 and OpenID."""
    endpoints = {name: setup.issuer + f"/{name}" for name in ("authorize", "token", "revoke")}
    listed: list[Json] = [*methods(setup)]
    document: JsonObject = {
        "issuer": setup.described_issuer,
        "authorization_endpoint": endpoints["authorize"],
        "token_endpoint": endpoints["token"],
        "revocation_endpoint": endpoints["revoke"],
        "jwks_uri": f"{setup.issuer}/jwks",
        "scopes_supported": [*SCOPES],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": [*GRANT_TYPES],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
        "token_endpoint_auth_methods_supported": listed,
        "token_endpoint_auth_signing_alg_values_supported": [*ALGORITHMS],
        "revocation_endpoint_auth_methods_supported": listed,
        "authorization_response_iss_parameter_supported": True,
    }
    if not setup.has(Fault.PKCE_NOT_LISTED):
        document["code_challenge_methods_supported"] = ["S256"]
    if not setup.has(Fault.REGISTRATION_NONE):
        document["registration_endpoint"] = f"{setup.issuer}/register"
        document["client_id_metadata_document_supported"] = True
    if setup.dpop:
        document["dpop_signing_alg_values_supported"] = [*ALGORITHMS]
    return document
