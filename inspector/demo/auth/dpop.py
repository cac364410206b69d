"""Proofs of possession and their nonces.

Source: RFC 9449, 4.3 and 8.
"""

from __future__ import annotations

import hashlib
import secrets
from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.demo.auth import jose
from inspector.demo.auth.jose import ALGORITHMS, BadToken
from inspector.demo.auth.setup import DPOP_NONCE
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from inspector.demo.auth.setup import Setup
    from inspector.wire.json_codec import JsonObject

WINDOW_SECONDS = 300
"""How far `iat` of a proof may be off."""
NONCE_SECONDS = 60
"""After that time a new nonce is handed out; the one before it is still taken."""


class NonceRequired(Exception):
    """The proof lacks the nonce, or has an old one."""


class Expected(FrozenStruct, frozen=True):
    """What a proof is to prove."""

    verb: str
    """The method of the request."""
    url: str
    """Where the request went, without a query."""
    now: float
    """What the clock of who reads it shows."""
    token: str = ""
    """The access token that came along."""


class Proofs:
    """Reads the proofs of one party: the issuer and the MCP server have nonces of their own."""

    def __init__(self, setup: Setup) -> None:
        """Start with a nonce."""
        self._setup = setup
        self._seen: dict[str, float] = {}
        self._nonces = [secrets.token_urlsafe(12)]
        self._renew_at = setup.clock() + NONCE_SECONDS

    def nonce(self) -> str:
        """The nonce for the next proof."""
        now = self._setup.clock()
        if now > self._renew_at:
            self._nonces = [self._nonces[-1], secrets.token_urlsafe(12)]
            self._renew_at = now + NONCE_SECONDS
        return self._nonces[-1]

    def thumbprint(self, proof: str, expected: Expected) -> str:
        """The thumbprint of the key that the sender has proved to hold.

        Raises:
            BadToken: the proof is missing or wrong.
            NonceWanted: nothing but the nonce is missing or old.
        """
        header = jose.header(proof)
        if header.get("typ") != "dpop+jwt" or header.get("alg") not in ALGORITHMS:
            raise BadToken("The proof is no dpop+jwt with an asymmetric algorithm")
        key = jose.public_key(header.get("jwk"))
        claims = jose.verify(proof, key)
        _compare(claims, expected)
        if self._setup.dpop == DPOP_NONCE and claims.get("nonce") not in self._nonces:
            raise NonceRequired
        self._use_once(str(claims.get("jti")), expected.now)
        return key.thumbprint()

    def _use_once(self, name: str, now: float) -> None:
        self._seen = {each: at for each, at in self._seen.items() if now - at < 2 * WINDOW_SECONDS}
        if name in self._seen:
            raise BadToken("The jti of the proof was used before")
        self._seen[name] = now


def _compare(claims: JsonObject, expected: Expected) -> None:
    issued = claims.get("iat")
    if not isinstance(issued, int | float) or abs(issued - expected.now) > WINDOW_SECONDS:
        raise BadToken("iat of the proof is missing or off by more than five minutes")
    if claims.get("htm") != expected.verb:
        raise BadToken("htm of the proof is not the method of the request")
    if _without_query(claims.get("htu")) != expected.url:
        raise BadToken("htu of the proof is not the URL of the request")
    if not isinstance(claims.get("jti"), str):
        raise BadToken("jti of the proof is missing")
    if expected.token and claims.get("ath") != token_hash(expected.token):
        raise BadToken("ath of the proof is not the hash of the access token")


def token_hash(token: str) -> str:
    """What `ath` holds for a token; also what S256 makes of a verifier."""
    digest = hashlib.sha256(token.encode()).digest()
    return urlsafe_b64encode(digest).rstrip(b"=").decode()


def _without_query(url: object) -> str:
    try:
        return urlsplit(str(url))._replace(query="", fragment="").geturl()
    except ValueError:
        return ""
