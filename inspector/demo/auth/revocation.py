"""Takes tokens back: a refresh token with all that came of its grant, an access token alone.

Source: RFC 7009, 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.auth.reply import INVALID_REQUEST, OAuthError, Reply
from inspector.demo.auth.token_endpoint import read_form

if TYPE_CHECKING:
    from inspector.demo.auth.authentication import Authentication
    from inspector.demo.auth.grants import Grants
    from inspector.demo.auth.tokens import AccessTokens
    from inspector.demo.http_wire import HttpRequest


def revoke(
    request: HttpRequest, authentication: Authentication, grants: Grants, tokens: AccessTokens
) -> Reply:
    """Revoke the token that a form names; a token that is not known is as good as revoked.

    Raises:
        OAuthError: the form names none, or the client is not who it says.
    """
    form = read_form(request)
    client = authentication.client(request.headers, form)
    token = form.get("token")
    if token is None:
        raise OAuthError(INVALID_REQUEST, "token is missing")
    if not grants.end_of_refresh_token(token, client.id):
        tokens.revoke(token, client.id)
    return Reply(200)
