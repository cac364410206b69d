"""The only place that knows joserfc: what is wrong with a token or a key ends in `BadToken`, for every kind of error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from joserfc import jwk, jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, KeySet

if TYPE_CHECKING:
    from joserfc.jwk import Key

    from inspector.wire.json_codec import Json, JsonObject

ALGORITHMS = ("ES256", "ES384", "RS256", "PS256")
"""What clients may sign with: all of them asymmetric."""

LIBRARY_ERRORS = (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""What joserfc and cryptography raise at hostile input; the later ones at members of a wrong type."""


class BadToken(Exception):
    """A token or a key cannot be used."""


def new_key() -> ECKey:
    """A key for ES256."""
    return ECKey.generate_key("P-256", {"use": "sig", "alg": "ES256"}, auto_kid=True)


def public_keys(key: ECKey) -> JsonObject:
    """The JWK set with the public half."""
    return {"keys": [cast("JsonObject", key.as_dict(private=False))]}


def sign(kind: str, claims: JsonObject, key: ECKey) -> str:
    """A signed JWT; `kind` is its `typ`."""
    return jwt.encode({"alg": "ES256", "kid": key.kid, "typ": kind}, dict(claims), key)


def header(token: str) -> JsonObject:
    """The header, not verified."""
    try:
        return cast("JsonObject", jws.extract_compact(token.encode()).headers())
    except LIBRARY_ERRORS as error:
        raise BadToken(str(error)) from error


def claims(token: str) -> JsonObject:
    """The claims, not verified."""
    try:
        value: Json = json.loads(jws.extract_compact(token.encode()).payload or b"")
    except LIBRARY_ERRORS as error:
        raise BadToken(str(error)) from error
    if not isinstance(value, dict):
        raise BadToken("The claims are no object")
    return value


def public_key(value: Json) -> Key:
    """A JWK as it came; one with a private half is refused."""
    if not isinstance(value, dict) or value.get("kty") == "oct":
        raise BadToken("The key is no public JWK")
    try:
        key = jwk.import_key(cast("dict[str, str | list[str]]", value))
        if key.is_private:
            raise BadToken("The key is not public")
        key.thumbprint()
    except LIBRARY_ERRORS as error:
        raise BadToken(str(error)) from error
    return key


def verify(token: str, keys: Key | JsonObject) -> JsonObject:
    """The claims of a JWT that is signed with one of the keys: a key, or a JWK set as it came."""
    try:
        found = (
            KeySet.import_key_set(cast("jwk.KeySetSerialization", keys))
            if isinstance(keys, dict)
            else keys
        )
        return cast("JsonObject", jwt.decode(token, found, algorithms=ALGORITHMS).claims)
    except LIBRARY_ERRORS as error:
        raise BadToken(str(error)) from error
