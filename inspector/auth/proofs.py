"""The headers that carry an access token to its server, with a proof where the token is bound to a key, and the nonce that the server wants in proofs.

Source: RFC 6750, section 2.1; RFC 9449, sections 7 and 9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.auth import signing
from inspector.auth.steps import NONCE_ERROR

if TYPE_CHECKING:
    from inspector.auth.grant import Grant
    from inspector.auth.messages import Pairs
    from inspector.transport.http.credentials import Refusal
    from inspector.wire.challenge import Challenges


class Proofs:
    """Proofs for one server."""

    def __init__(self) -> None:
        """Without a nonce, until the server names one."""
        self._nonce = ""

    async def headers(self, grant: Grant, verb: str, url: str, now: float) -> Pairs:
        """Return the headers of a request to `url`; `now` is wall time."""
        access = grant.tokens.access
        if not grant.tokens.is_bound:
            return (("Authorization", f"Bearer {access}"),)
        await signing.load()
        key, nonce = grant.dpop_key, self._nonce
        proof = signing.proof(key, verb=verb, url=url, now=now, nonce=nonce, token=access)
        return (("Authorization", f"DPoP {access}"), ("DPoP", proof))

    def take_nonce(self, refusal: Refusal, found: Challenges) -> bool:
        """Remember the nonce of a refusal; return whether only that was missing from the proof."""
        nonce = header(refusal.headers, "dpop-nonce")
        is_new = bool(nonce) and nonce != self._nonce
        self._nonce = nonce or self._nonce
        return is_new and refusal.status == 401 and found.get("error") == NONCE_ERROR

    def take_next_nonce(self, headers: Pairs) -> None:
        """Remember the nonce that a response names for the next request (RFC 9449, section 8.2)."""
        self._nonce = header(headers, "dpop-nonce") or self._nonce


def header(headers: Pairs, name: str) -> str:
    """Return the first header of a name, which is in lower case; empty where there is none."""
    return next((value for each, value in headers if each.lower() == name), "")
