"""What transports know about authorization: the headers for a request to a protected server, and how a refusal is handled.

Without credentials, 401 and 403 are errors like any other status.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from inspector.transport.base import Sink

REFUSALS = frozenset({401, 403})
"""Statuses that are given to the credentials."""


class Refusal(FrozenStruct, frozen=True):
    """A response that may mean that credentials are missing or insufficient."""

    verb: str
    url: str
    sent: tuple[tuple[str, str], ...]
    """The headers that the credentials added to the request."""
    message: bytes
    """The body of the request."""
    status: int
    """401 or 403."""
    headers: tuple[tuple[str, str], ...]
    """Headers of the response, in order and with their capitals."""
    body: bytes
    """The body of the response, truncated."""
    frame: int
    """The frame that opened the exchange."""


class Outcome(FrozenStruct, frozen=True):
    """How a refusal was handled."""

    sends_again: bool = False
    """True: send the request again, with new headers from the credentials."""
    reason: str = ""
    """Why not; empty when not known."""
    hint: str = ""
    """What to do; empty: the hint of the status."""
    needs_user: bool = False
    """True when the user has to log in first."""


class Credentials(Protocol):
    """The credentials for one server."""

    def attach(self, sink: Sink) -> None:
        """Record further HTTP exchanges of the authorization into `sink`."""
        ...

    async def headers(self, verb: str, url: str) -> tuple[tuple[str, str], ...]:
        """Return the headers for a request to `url`; empty for another host than the server's."""
        ...

    def accepted(
        self, sent: tuple[tuple[str, str], ...], headers: tuple[tuple[str, str], ...]
    ) -> None:
        """Report that a request with the headers `sent` was not refused; `headers` are those of the response."""
        ...

    async def refused(self, refusal: Refusal) -> Outcome:
        """Handle a refusal, for example by a token refresh or a login; may wait for the user."""
        ...
