"""A token that was broken on purpose: whether a server checks the tokens that it accepts shows only with one that it must reject."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from inspector.auth.grant import Grant
    from inspector.auth.held_grant import HeldGrant
    from inspector.transport.http.credentials import Refusal


class BrokenStatus(StrEnum):
    """Where the latest broken token stands."""

    NONE = "none"
    SENT = "sent"
    """The next request carries it, or the latest one does and waits for its response."""
    REJECTED = "rejected"
    """As it must be."""
    ACCEPTED = "accepted"
    """The server does not verify the signature."""


class BrokenTokens:
    """Lets one request carry a broken token, and puts the right one back when the server has answered."""

    def __init__(self, held: HeldGrant) -> None:
        """Break the token of `held`."""
        self.status = BrokenStatus.NONE
        self.rejection: Refusal | None = None
        """The response that rejected the latest one."""
        self._held = held
        self._access = ""
        self._right: Grant | None = None

    def send(self) -> None:
        """Let the next request carry a token with a wrong signature; does nothing without a token."""
        right = self._held.value
        if right is None or right.tokens.access == self._access:
            return
        self._right, self._access = right, broken(right.tokens.access)
        self.status = BrokenStatus.SENT
        self._held.hold(replace(right, tokens=replace(right.tokens, access=self._access)))

    def accepted(self, token: str) -> None:
        """Take note that the server took a token."""
        if token and token == self._access:
            self._put_back(BrokenStatus.ACCEPTED)

    def rejected(self, token: str, refusal: Refusal) -> bool:
        """Take note that the server rejected a token; return whether it was the broken one."""
        if not token or token != self._access:
            return False
        self.rejection = refusal
        self._put_back(BrokenStatus.REJECTED)
        return True

    def _put_back(self, status: BrokenStatus) -> None:
        self.status, self._access = status, ""
        right, self._right = self._right, None
        self._held.hold(right)


def broken(access: str) -> str:
    """Return `access` with another character in the middle of its last part: the signature, where it is a JSON Web Token."""
    first = access.rfind(".") + 1
    at = first + (len(access) - first) // 2
    if at >= len(access):
        return f"{access}x"
    return f"{access[:at]}{'A' if access[at] != 'A' else 'B'}{access[at + 1 :]}"
