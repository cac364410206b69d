"""Access tokens: JWTs signed with ES256, as RFC 9068 has them."""

from __future__ import annotations

import contextlib
import secrets
from typing import TYPE_CHECKING

from inspector.demo.auth import jose
from inspector.demo.auth.faults import Fault
from inspector.demo.auth.grants import forget_oldest
from inspector.demo.auth.jose import BadToken
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from inspector.demo.auth.grants import Grant
    from inspector.demo.auth.setup import Setup
    from inspector.wire.json_codec import JsonObject

LEEWAY_SECONDS = 30
"""By how much clocks may differ."""


class AccessToken(FrozenStruct, frozen=True):
    """What a valid token says."""

    id: str
    """Its `jti`."""
    grant_id: str
    """The grant that it came from."""
    scopes: frozenset[str]
    """What it is good for."""
    thumbprint: str
    """Of the key that it is bound to; empty without one."""


class AccessTokens:
    """Issues access tokens and reads them again."""

    def __init__(self, setup: Setup) -> None:
        """Make a key, which lasts as long as the program."""
        self._setup = setup
        self._key = jose.new_key()
        self._revoked: dict[str, str] = {}

    def keys(self) -> JsonObject:
        """The public keys, as a JWK set."""
        return jose.public_keys(self._key)

    def issue(self, grant: Grant, thumbprint: str, *, is_refreshed: bool) -> str:
        """An access token for a grant."""
        setup = self._setup
        if setup.has(Fault.TOKEN_OPAQUE):
            return secrets.token_urlsafe(32)
        now = int(setup.issuer_now())
        claims: JsonObject = {
            "iss": setup.described_issuer,
            "sub": grant.subject,
            "aud": self._audience(grant, is_refreshed=is_refreshed),
            "client_id": grant.client_id,
            "scope": " ".join(grant.scopes),
            "iat": now,
            "nbf": now,
            "exp": now + int(setup.token_seconds),
            "jti": secrets.token_urlsafe(12),
            "grant": grant.id,
        }
        if thumbprint:
            claims["cnf"] = {"jkt": thumbprint}
        return jose.sign("at+jwt", claims, self._key)

    def read(self, token: str) -> AccessToken:
        """Read a token as the MCP server does.

        Raises:
            BadToken: it was not issued here, is for another audience, or its time is over or has not come.
        """
        setup = self._setup
        claims = jose.verify(token, self._key)
        now = setup.clock()
        if claims.get("aud") != setup.resource:
            raise BadToken("The token is for another audience")
        if _seconds(claims, "exp") + LEEWAY_SECONDS < now:
            raise BadToken("The token has expired")
        if _seconds(claims, "nbf") - LEEWAY_SECONDS > now:
            raise BadToken("The token is not valid yet")
        found = _access_token(claims)
        if found.id in self._revoked:
            raise BadToken("The token was revoked")
        return found

    def revoke(self, token: str, client_id: str) -> None:
        """Take a client's token no more; nothing happens where it is none."""
        with contextlib.suppress(BadToken):
            claims = jose.verify(token, self._key)
            if claims.get("client_id") == client_id:
                name = _access_token(claims).id
                self._revoked[name] = client_id
                forget_oldest(self._revoked)

    def _audience(self, grant: Grant, *, is_refreshed: bool) -> str:
        setup = self._setup
        if setup.has(Fault.TOKEN_AUDIENCE) or (is_refreshed and setup.has(Fault.REFRESH_AUDIENCE)):
            return grant.client_id
        return grant.resource


def _access_token(claims: JsonObject) -> AccessToken:
    bound = claims.get("cnf")
    return AccessToken(
        str(claims.get("jti")),
        str(claims.get("grant")),
        frozenset(str(claims.get("scope", "")).split()),
        str(bound.get("jkt")) if isinstance(bound, dict) else "",
    )


def _seconds(claims: JsonObject, name: str) -> float:
    value = claims.get(name)
    return value if isinstance(value, int | float) else 0
