"""Assertions of a client, and proofs that a token is used by who has its key. Keys are made here and saved with the tokens.

joserfc is imported when the first key is needed: it brings a library of cryptography, which takes its time (`load`).

Source: RFC 7523, section 3; RFC 9449, sections 4.2, 7 and 9; RFC 7638; RFC 6750, section 2.1.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from typing import TYPE_CHECKING

from inspector.auth import urls
from inspector.auth.messages import first_header
from inspector.background_tasks import import_aside
from inspector.errors import AuthError

if TYPE_CHECKING:
    from collections.abc import Callable

    from joserfc.jwk import Key

    from inspector.auth.grant import Grant
    from inspector.auth.messages import Pairs
    from inspector.transport.http.credentials import Refusal
    from inspector.wire.challenge import Challenges

ALGORITHM = "ES256"
"""The algorithm of proofs: every server that supports DPoP has it."""

NONCE_ERROR = "use_dpop_nonce"
"""The error of a server that requires another nonce in proofs."""

LIFE_SECONDS = 300
"""How long an assertion of a client is valid."""


async def load() -> None:
    """Import the library, in a thread."""
    await import_aside("joserfc.jwt")


def new_key() -> str:
    """Return a new private key for proofs, as JSON."""
    from joserfc.jwk import ECKey

    return json.dumps(ECKey.generate_key("P-256", private=True).as_dict(private=True))


def proof(key: str, *, verb: str, url: str, now: float, nonce: str = "", token: str = "") -> str:
    """Return a proof for one request; `token` is the access token that it carries.

    Raises:
        AuthError: the key cannot be used.
    """
    from joserfc.jwk import ECKey

    private = _key(lambda: ECKey.import_key(json.loads(key)))
    claims: dict[str, object] = {
        "jti": secrets.token_urlsafe(16),
        "htm": verb,
        "htu": urls.without_query(url),
        "iat": int(now),
    }
    if nonce:
        claims["nonce"] = nonce
    if token:
        digest = hashlib.sha256(token.encode()).digest()
        claims["ath"] = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    public = {
        name: value for name, value in private.as_dict(private=False).items() if name != "kid"
    }
    return _signed({"typ": "dpop+jwt", "jwk": public}, claims, private, ALGORITHM)


def client_assertion(pem: str, algorithm: str, *, client_id: str, audience: str, now: float) -> str:
    """Return the assertion that a client with a key authenticates with.

    Raises:
        AuthError: the key cannot be used.
    """
    from joserfc.jwk import ECKey, OKPKey, RSAKey

    kinds = {"RS": RSAKey, "PS": RSAKey, "Ed": OKPKey}
    kind = kinds.get(algorithm[:2], ECKey)
    private = _key(lambda: kind.import_key(pem))
    claims: dict[str, object] = {
        "iss": client_id,
        "sub": client_id,
        "aud": audience,
        "iat": int(now),
        "exp": int(now) + LIFE_SECONDS,
        "jti": secrets.token_urlsafe(16),
    }
    return _signed({}, claims, private, algorithm)


def algorithm_for(pem: str) -> str:
    """Return the usual algorithm that a private key signs with.

    Raises:
        AuthError: it is no private key.
    """
    from joserfc.jwk import ECKey, OKPKey, RSAKey

    failure: AuthError | None = None
    for kind in (ECKey, RSAKey, OKPKey):
        try:
            key = _key(lambda kind=kind: kind.import_key(pem))
        except AuthError as error:
            failure = failure or error
            continue
        if not key.is_private:
            raise AuthError("the key is a public one", hint="Enter a private key in PEM.")
        if isinstance(key, ECKey):
            return {"P-384": "ES384", "P-521": "ES512"}.get(key.curve_name, "ES256")
        return key.curve_name if isinstance(key, OKPKey) else "RS256"  # Ed25519: RFC 9864
    raise failure or AuthError("there is no key")


def _key(make: Callable[[], Key]) -> Key:
    from joserfc.errors import JoseError

    try:
        return make()
    except (JoseError, ValueError, TypeError) as error:
        raise AuthError(
            f"the private key cannot be used: {error}", hint="Enter a private key in PEM."
        ) from error


def _signed(header: dict[str, object], claims: dict[str, object], key: Key, algorithm: str) -> str:
    from joserfc import jwt
    from joserfc.errors import JoseError

    try:
        return jwt.encode({**header, "alg": algorithm}, claims, key, algorithms=[algorithm])
    except (JoseError, ValueError, TypeError) as error:
        text = f"the private key cannot sign with {algorithm}: {error}"
        raise AuthError(text, hint="Select the algorithm that fits the key.") from error


class Proofs:
    """The headers that carry an access token to one server, with a proof if the token is bound to a key."""

    def __init__(self) -> None:
        """Start without a nonce."""
        self._nonce = ""

    async def headers(self, grant: Grant, verb: str, url: str, now: float) -> Pairs:
        """Return the headers of a request to `url`; `now` is wall time."""
        access = grant.tokens.access
        if not grant.tokens.is_bound:
            return (("Authorization", f"Bearer {access}"),)
        await load()
        key, nonce = grant.dpop_key, self._nonce
        signed = proof(key, verb=verb, url=url, now=now, nonce=nonce, token=access)
        return (("Authorization", f"DPoP {access}"), ("DPoP", signed))

    def take_nonce(self, refusal: Refusal, found: Challenges) -> bool:
        """Remember the nonce of a refusal; return whether only that was missing from the proof."""
        nonce = first_header(refusal.headers, "dpop-nonce")
        is_new = bool(nonce) and nonce != self._nonce
        self._nonce = nonce or self._nonce
        return is_new and refusal.status == 401 and found.get("error") == NONCE_ERROR

    def take_next_nonce(self, headers: Pairs) -> None:
        """Remember the nonce that a response names for the next request (RFC 9449, section 8.2)."""
        self._nonce = first_header(headers, "dpop-nonce") or self._nonce
