"""Renewing and revoking the tokens of a grant: each a single exchange, a second one where a nonce is wanted.

Source: RFC 6749, section 6; RFC 7009, section 2; RFC 9449, section 8; C-AUT-43.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.auth import client as clients
from inspector.auth import signing, steps, tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.grant import Grant
    from inspector.auth.settings import Settings
    from inspector.auth.tokens import Answer
    from inspector.auth.user_agent import Sender


async def refresh(
    grant: Grant, settings: Settings, sender: Sender, wall_s: Callable[[], float]
) -> tuple[Answer, str]:
    """Renew the tokens; gives what the server says and the nonce that it wants next time.

    Raises:
        AuthError: a key that the user gave cannot be used.
    """
    await _load(grant, settings)
    fields = tokens.refresh_fields(grant.tokens.refresh, grant.resource)
    nonce = grant.dpop_nonce
    while True:
        assertion = steps.client_assertion(settings, grant.client, wall_s())
        request = tokens.request(grant.token_endpoint, grant.client, fields, assertion=assertion)
        request = steps.with_proof(request, grant.dpop_key, nonce, wall_s())
        response = await sender.send(request)
        asked = grant.tokens.scopes or grant.scopes
        answer = tokens.read(response, asked=asked, now=wall_s())
        wanted = response.header("dpop-nonce")
        if answer.error != steps.NONCE_ERROR or not wanted or nonce != grant.dpop_nonce:
            return answer, wanted or nonce
        nonce = wanted


async def revoke(grant: Grant, settings: Settings, sender: Sender, now: float) -> str:
    """Revoke the refresh token, or the access token where there is no other; gives what went wrong in words, empty where nothing did.

    Raises:
        AuthError: a key that the user gave cannot be used.
    """
    if not grant.revocation_endpoint:
        return "the authorization server does not revoke tokens"
    await _load(grant, settings)
    held = grant.tokens
    token, kind = (held.refresh, "refresh_token") if held.refresh else (held.access, "access_token")
    fields = (("token", token), ("token_type_hint", kind))
    assertion = steps.client_assertion(settings, grant.client, now)
    request = tokens.request(grant.revocation_endpoint, grant.client, fields, assertion=assertion)
    response = await sender.send(request)
    if response.is_good:
        return ""
    return response.problem or clients.refusal_words(response)


async def _load(grant: Grant, settings: Settings) -> None:
    if grant.dpop_key or settings.private_key:
        await signing.load()
