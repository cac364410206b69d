"""Who asks at the token endpoint and at the revocation endpoint.

Source: RFC 6749, 2.3; RFC 7523, 3; OpenID Connect Core, 9.
"""

from __future__ import annotations

import secrets
from base64 import b64decode
from typing import TYPE_CHECKING
from urllib.parse import unquote_plus

from inspector.demo.auth import jose
from inspector.demo.auth.faults import Fault
from inspector.demo.auth.jose import BadToken
from inspector.demo.auth.reply import INVALID_REQUEST, OAuthError
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.demo.auth.clients import Client, Clients
    from inspector.demo.auth.setup import Setup
    from inspector.wire.json_codec import JsonObject

INVALID_CLIENT = "invalid_client"
ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


class Credentials(FrozenStruct, frozen=True):
    """What a request says of its client."""

    client_id: str
    """Whom it names."""
    method: str
    """How it proves that."""
    proof: str = ""
    """The secret or the assertion."""


class Authentication:
    """Tells clients by what they send."""

    def __init__(self, setup: Setup, clients: Clients) -> None:
        """Know no assertion yet."""
        self._setup = setup
        self._clients = clients
        self._seen: dict[str, float] = {}

    def client(self, headers: Mapping[str, str], form: Mapping[str, str]) -> Client:
        """The client that sent a form.

        Raises:
            OAuthError: it names none, or does not prove that it is the one.
        """
        credentials = _credentials(headers, form)
        client = self._clients.find(credentials.client_id)
        if client is None:
            raise _refused(credentials, "This client is not known")
        refused = "client_secret_basic" if self._setup.has(Fault.TOKEN_METHOD) else ""
        if credentials.method == refused:
            raise _refused(credentials, "Client authentication failed")
        if credentials.method != client.method:
            text = f"The client is registered for {client.method}, not for {credentials.method}"
            raise _refused(credentials, text)
        if credentials.method == "private_key_jwt":
            self._check_assertion(credentials, client)
        elif not secrets.compare_digest(credentials.proof.encode(), client.secret.encode()):
            raise _refused(credentials, "The secret is wrong")
        return client

    def _check_assertion(self, credentials: Credentials, client: Client) -> None:
        try:
            claims = jose.verify(credentials.proof, client.keys or {})
        except BadToken as error:
            raise _refused(credentials, "The assertion is not signed by the client") from error
        now = self._setup.issuer_now()
        for is_wrong, text in (
            (claims.get("iss") != client.id or claims.get("sub") != client.id, "iss and sub"),
            (not self._is_for_us(claims), "aud"),
            (not _lasts_beyond(claims, now), "exp"),
            (not isinstance(claims.get("jti"), str), "jti"),
        ):
            if is_wrong:
                raise _refused(credentials, f"The assertion is wrong: {text}")
        self._use_once(credentials, str(claims["jti"]), now)

    def _is_for_us(self, claims: JsonObject) -> bool:
        setup = self._setup
        ours = {setup.issuer, setup.described_issuer, f"{setup.issuer}/token"}
        audience = claims.get("aud")
        named = audience if isinstance(audience, list) else [audience]
        return any(each in ours for each in named if isinstance(each, str))

    def _use_once(self, credentials: Credentials, name: str, now: float) -> None:
        self._seen = {each: at for each, at in self._seen.items() if now - at < 3600}
        if name in self._seen:
            raise _refused(credentials, "The jti of the assertion was used before")
        self._seen[name] = now


def _credentials(headers: Mapping[str, str], form: Mapping[str, str]) -> Credentials:
    found = [
        each for each in (_basic(headers), _assertion(form), _posted(form)) if each is not None
    ]
    if len(found) > 1:
        raise OAuthError(INVALID_REQUEST, "The client authenticates in more than one way")
    named = form.get("client_id", "")
    if found:
        if named not in ("", found[0].client_id):
            raise OAuthError(INVALID_REQUEST, "The form names another client")
        return found[0]
    if not named:
        raise OAuthError(INVALID_CLIENT, "The request names no client", status=401)
    return Credentials(named, "none")


def _basic(headers: Mapping[str, str]) -> Credentials | None:
    scheme, _, encoded = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        name, _, secret = b64decode(encoded, validate=True).decode().partition(":")
    except ValueError as error:
        raise OAuthError(INVALID_REQUEST, "Authorization: Basic cannot be read") from error
    return Credentials(unquote_plus(name), "client_secret_basic", unquote_plus(secret))


def _posted(form: Mapping[str, str]) -> Credentials | None:
    if "client_secret" not in form:
        return None
    return Credentials(form.get("client_id", ""), "client_secret_post", form["client_secret"])


def _assertion(form: Mapping[str, str]) -> Credentials | None:
    if "client_assertion" not in form:
        return None
    if form.get("client_assertion_type") != ASSERTION_TYPE:
        raise OAuthError(INVALID_REQUEST, "client_assertion_type is missing or not known")
    assertion = form["client_assertion"]
    return Credentials(form.get("client_id") or _issuer(assertion), "private_key_jwt", assertion)


def _issuer(assertion: str) -> str:
    try:
        return str(jose.claims(assertion).get("iss"))
    except BadToken as error:
        raise OAuthError(INVALID_CLIENT, "The assertion is no JWT", status=401) from error


def _lasts_beyond(claims: JsonObject, now: float) -> bool:
    expires = claims.get("exp")
    return isinstance(expires, int | float) and expires > now


def _refused(credentials: Credentials, text: str) -> OAuthError:
    if credentials.method == "client_secret_basic":
        return OAuthError(INVALID_CLIENT, text, status=401, www_authenticate='Basic realm="demo"')
    return OAuthError(INVALID_CLIENT, text, status=401)
