"""What we sign: assertions of a client, and proofs that a token is used by who holds its key. Keys are made here and kept with the tokens.

joserfc is imported when the first key is needed: it brings a library of cryptography, which takes its time (`load`).

Source: RFC 7523, section 3; RFC 9449, sections 4.2 and 7; RFC 7638.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import importlib
import json
import secrets
from typing import TYPE_CHECKING

from inspector.auth import urls
from inspector.errors import AuthError

if TYPE_CHECKING:
    from collections.abc import Callable

    from joserfc.jwk import Key

ALGORITHM = "ES256"
"""With which proofs are signed: every server that knows DPoP has it."""

LIFE_SECONDS = 300
"""How long an assertion of a client is valid."""


async def load() -> None:
    """Import what signs, in a thread."""
    await asyncio.to_thread(importlib.import_module, "joserfc.jwt")


def new_key() -> str:
    """A private key for proofs, as JSON."""
    from joserfc.jwk import ECKey

    return json.dumps(ECKey.generate_key("P-256", private=True).as_dict(private=True))


def proof(key: str, *, verb: str, url: str, now: float, nonce: str = "", token: str = "") -> str:
    """A proof for one request; `token` is the access token that goes with it.

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
    """What a client authenticates with where it holds a key.

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
