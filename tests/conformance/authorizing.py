"""How our client is let in where a scenario wants authorization: what it knows beforehand, and a browser that is none.

The authorization endpoint of the suite answers at once with the redirect, at which nobody listens: its target is the callback.

Source: the scenarios of the conformance suite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.auth.grant import Access, MemoryGrants
from inspector.auth.settings import Settings, Way
from tests.support.redirected import Redirected

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

CLIENT_DOCUMENT = "https://conformance-test.local/client-metadata.json"
"""Describes a client; nobody has to read it."""


class RedirectReader(Redirected):
    """Nobody listens at its redirect URI either."""

    redirect_uri = "http://127.0.0.1:3000/callback"


def access(scenario: str, context: JsonObject) -> Access:
    """How the server of a scenario is to be let in."""
    return Access(_settings(scenario, context), MemoryGrants(), RedirectReader)


def _settings(scenario: str, context: JsonObject) -> Settings:
    def told(name: str) -> str:
        return str(context.get(name, ""))

    ways = {
        "auth/client-credentials-basic": Way.CLIENT_CREDENTIALS,
        "auth/client-credentials-jwt": Way.CLIENT_CREDENTIALS,
        "auth/enterprise-managed-authorization": Way.ENTERPRISE,
        "auth/wif-jwt-bearer": Way.WORKLOAD,
    }
    return Settings(
        way=ways.get(scenario, Way.CODE),
        client_id=told("client_id"),
        client_secret=told("client_secret"),
        private_key=told("private_key_pem"),
        signing_algorithm=told("signing_algorithm") or "ES256",
        client_metadata_url=CLIENT_DOCUMENT,
        assertion=told("valid_jwt"),
        idp_token_endpoint=told("idp_token_endpoint"),
        idp_client_id=told("idp_client_id"),
        idp_id_token=told("idp_id_token"),
    )
