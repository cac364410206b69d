"""What users granted: codes and refresh tokens, each good for one use. A client that uses one twice ends the whole grant.

Source: OAuth 2.1, 4.1.3 and 4.3.1; RFC 9700, 4.14.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from inspector.demo.auth.reply import OAuthError
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable

INVALID_GRANT = "invalid_grant"
CODE_SECONDS = 60
MAX_KEPT = 10_000
"""Codes, refresh tokens and what became of them; the oldest is forgotten for the next."""


class Grant(FrozenStruct, frozen=True):
    """What a client may do for a user, or for itself."""

    id: str
    """Names it inside this server."""
    client_id: str
    """Who got it."""
    subject: str
    """For whom the client acts."""
    scopes: tuple[str, ...]
    """What is allowed."""
    resource: str
    """Where."""
    thumbprint: str = ""
    """Of the key that a public client's refresh token is bound to."""


class Code(FrozenStruct, frozen=True):
    """An authorization code."""

    grant: Grant
    """What it is traded for."""
    redirect_uri: str
    """Where it was sent."""
    has_redirect_uri: bool
    """Whether the authorization request named it: then the token request has to."""
    challenge: str
    """S256 of the verifier."""
    expires: float
    """In seconds since 1970."""


class Grants:
    """All grants of one run."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """Start without any."""
        self._clock = clock
        self._codes: dict[str, Code] = {}
        self._refresh: dict[str, Grant] = {}
        self._used: dict[str, str] = {}
        self._ended: dict[str, str] = {}

    def new_code(
        self, grant: Grant, redirect_uri: str, challenge: str, *, has_redirect_uri: bool
    ) -> str:
        """A code for a grant, good for a minute."""
        code = secrets.token_urlsafe(24)
        expires = self._clock() + CODE_SECONDS
        self._codes[code] = Code(grant, redirect_uri, has_redirect_uri, challenge, expires)
        forget_oldest(self._codes)
        return code

    def find_code(self, text: str, client_id: str) -> Code:
        """The code that a client presents; it stays good until `use` is called.

        Raises:
            OAuthError: it is unknown, too old, another client's or used.
        """
        code = self._codes.get(text)
        if code is None or code.grant.client_id != client_id:
            self._end_if_used(text)
            raise OAuthError(INVALID_GRANT, "The code is not known, or was used before")
        if code.expires < self._clock():
            raise OAuthError(INVALID_GRANT, "The code has expired")
        return code

    def new_refresh_token(self, grant: Grant) -> str:
        """A refresh token for a grant."""
        token = secrets.token_urlsafe(32)
        self._refresh[token] = grant
        forget_oldest(self._refresh)
        return token

    def find_refresh_token(self, text: str, client_id: str) -> Grant:
        """The grant of a refresh token, which stays good until `use` is called.

        Raises:
            OAuthError: it is unknown, another client's, used, or its grant has ended.
        """
        grant = self._refresh.get(text)
        if grant is None or grant.client_id != client_id or grant.id in self._ended:
            self._end_if_used(text)
            raise OAuthError(INVALID_GRANT, "The refresh token is not known, or was used before")
        return grant

    def use(self, text: str) -> None:
        """A code or a refresh token has served."""
        code = self._codes.pop(text, None)
        grant = self._refresh.pop(text, None) if code is None else code.grant
        if grant is not None:
            self._used[text] = grant.id
            forget_oldest(self._used)

    def end(self, grant_id: str) -> None:
        """Nothing that came of this grant is good any more."""
        self._ended[grant_id] = grant_id
        forget_oldest(self._ended)

    def end_of_refresh_token(self, text: str, client_id: str) -> bool:
        """End the grant of a client's refresh token; False where it has no such token."""
        grant = self._refresh.get(text)
        if grant is None or grant.client_id != client_id:
            return False
        self.use(text)
        self.end(grant.id)
        return True

    def has_ended(self, grant_id: str) -> bool:
        """Whether it was taken back."""
        return grant_id in self._ended

    def _end_if_used(self, text: str) -> None:
        grant_id = self._used.get(text)
        if grant_id is not None:
            self.end(grant_id)


def new_grant(client_id: str, subject: str, scopes: tuple[str, ...], resource: str) -> Grant:
    """A grant of its own."""
    return Grant(secrets.token_hex(8), client_id, subject, scopes, resource)


def forget_oldest(kept: dict[str, Code] | dict[str, Grant] | dict[str, str]) -> None:
    """Keep no more than `MAX_KEPT`."""
    if len(kept) > MAX_KEPT:
        kept.pop(next(iter(kept)))
