"""Trades a code, a refresh token or a client's own credentials for tokens.

Source: OAuth 2.1, 4; RFC 8707, 2.2; RFC 9449, 5.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.demo.auth.dpop import Expected, NonceRequired, token_hash
from inspector.demo.auth.faults import Fault
from inspector.demo.auth.grants import INVALID_GRANT, new_grant
from inspector.demo.auth.jose import BadToken
from inspector.demo.auth.reply import INVALID_REQUEST, OAuthError, json_reply, parameters
from inspector.demo.auth.scopes import allowed, parse_scopes, requested_resource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.demo.auth.authentication import Authentication
    from inspector.demo.auth.clients import Client, Clients
    from inspector.demo.auth.dpop import Proofs
    from inspector.demo.auth.grants import Grant, Grants
    from inspector.demo.auth.reply import Reply
    from inspector.demo.auth.setup import Setup
    from inspector.demo.auth.tokens import AccessTokens
    from inspector.demo.http_wire import HttpRequest
    from inspector.wire.json_codec import JsonObject

VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")
FORM_TYPE = "application/x-www-form-urlencoded"


class TokenEndpoint:
    """Answers token requests."""

    def __init__(
        self,
        setup: Setup,
        clients: Clients,
        authentication: Authentication,
        grants: Grants,
        tokens: AccessTokens,
        proofs: Proofs,
    ) -> None:
        """Trade what `grants` holds for `tokens`."""
        self._setup = setup
        self._clients = clients
        self._authentication = authentication
        self._grants = grants
        self._tokens = tokens
        self._proofs = proofs
        self._trades = {
            "authorization_code": self._trade_code,
            "refresh_token": self._trade_refresh_token,
            "client_credentials": self._trade_credentials,
        }

    def answer(self, request: HttpRequest) -> Reply:
        """Answer one request.

        Raises:
            OAuthError: there are no tokens for it.
        """
        form = read_form(request)
        if self._setup.has(Fault.TOKEN_ERROR_200):
            raise OAuthError(INVALID_GRANT, "The grant is not valid", status=200)
        client = self._authentication.client(request.headers, form)
        kind = form.get("grant_type", "")
        trade = self._trades.get(kind)
        if trade is None:
            raise OAuthError("unsupported_grant_type", f"One of {', '.join(self._trades)}")
        if kind not in client.grant_types:
            raise OAuthError("unauthorized_client", f"The client is not registered for {kind}")
        thumbprint = self._thumbprint(request)
        document = trade(client, form, thumbprint)
        nonce = {"dpop_nonce": self._proofs.nonce()} if thumbprint else {}
        return json_reply(document, 200, **nonce)

    def _thumbprint(self, request: HttpRequest) -> str:
        """Of the key that the tokens are bound to; empty without DPoP."""
        setup = self._setup
        if not setup.dpop:
            return ""
        expected = Expected("POST", f"{setup.issuer}/token", setup.issuer_now())
        try:
            return self._proofs.thumbprint(request.headers.get("dpop", ""), expected)
        except NonceRequired as error:
            text = "The proof needs the nonce of the header DPoP-Nonce"
            nonce = self._proofs.nonce()
            raise OAuthError("use_dpop_nonce", text, dpop_nonce=nonce) from error
        except BadToken as error:
            raise OAuthError("invalid_dpop_proof", str(error)) from error

    def _trade_code(self, client: Client, form: Mapping[str, str], thumbprint: str) -> JsonObject:
        text = form.get("code", "")
        code = self._grants.find_code(text, client.id)
        if code.has_redirect_uri and form.get("redirect_uri") != code.redirect_uri:
            raise OAuthError(INVALID_GRANT, "redirect_uri is not that of the authorization request")
        verifier = form.get("code_verifier", "")
        if not VERIFIER.fullmatch(verifier) or token_hash(verifier) != code.challenge:
            raise OAuthError(INVALID_GRANT, "code_verifier does not fit the code_challenge")
        self._check_resource(form, code.grant)
        self._grants.use(text)
        if self._setup.has(Fault.CLIENT_FORGOTTEN):
            self._clients.forget(client.id)
        return self._answer(client, code.grant, code.grant, thumbprint)

    def _trade_refresh_token(
        self, client: Client, form: Mapping[str, str], thumbprint: str
    ) -> JsonObject:
        text = form.get("refresh_token", "")
        grant = self._grants.find_refresh_token(text, client.id)
        if grant.thumbprint not in ("", thumbprint):
            raise OAuthError(INVALID_GRANT, "The refresh token is bound to another key")
        self._check_resource(form, grant)
        scopes = parse_scopes(form.get("scope", " ".join(grant.scopes)))
        if not set(scopes) <= set(grant.scopes):
            raise OAuthError("invalid_scope", "More is asked for than was granted")
        self._grants.use(text)
        narrowed = replace(grant, scopes=scopes)
        return self._answer(client, grant, narrowed, thumbprint, is_refreshed=True)

    def _trade_credentials(
        self, client: Client, form: Mapping[str, str], thumbprint: str
    ) -> JsonObject:
        if client.method == "none":
            raise OAuthError("unauthorized_client", "The client has nothing to prove itself with")
        scopes = allowed(self._setup, parse_scopes(form.get("scope", "")))
        resource = requested_resource(self._setup, form)
        grant = new_grant(client.id, client.id, scopes, resource)
        return self._access(grant, thumbprint, is_refreshed=False)

    def _check_resource(self, form: Mapping[str, str], grant: Grant) -> None:
        if "resource" in form and requested_resource(self._setup, form) != grant.resource:
            raise OAuthError("invalid_target", "resource is not that of the authorization request")

    def _answer(
        self,
        client: Client,
        grant: Grant,
        narrowed: Grant,
        thumbprint: str,
        *,
        is_refreshed: bool = False,
    ) -> JsonObject:
        """The access token for what was asked for, and a refresh token for all that was granted."""
        document = self._access(narrowed, thumbprint, is_refreshed=is_refreshed)
        is_given = "refresh_token" in client.grant_types
        if is_given and not self._setup.has(Fault.REFRESH_NEVER_GIVEN):
            key = thumbprint if client.method == "none" else ""
            document["refresh_token"] = self._grants.new_refresh_token(
                replace(grant, thumbprint=key)
            )
        return document

    def _access(self, grant: Grant, thumbprint: str, *, is_refreshed: bool) -> JsonObject:
        seconds = int(self._setup.token_seconds)
        return {
            "access_token": self._tokens.issue(grant, thumbprint, is_refreshed=is_refreshed),
            "token_type": "DPoP" if thumbprint else "Bearer",
            "expires_in": str(seconds) if self._setup.has(Fault.TOKEN_EXPIRES_TEXT) else seconds,
            "scope": " ".join(grant.scopes),
        }


def read_form(request: HttpRequest) -> dict[str, str]:
    """The form that a request brings.

    Raises:
        OAuthError: it brings none.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != FORM_TYPE:
        raise OAuthError(INVALID_REQUEST, f"Content-Type is not {FORM_TYPE}")
    return parameters(request.body.decode("utf-8", "replace"))
