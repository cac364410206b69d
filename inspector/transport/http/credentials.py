"""Who knows what a request to a protected server carries, and what a refusal means. The only thing that transports know of authorization.

Without credentials every status is what it is to everybody: a failure in words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from inspector.fact import Fact

if TYPE_CHECKING:
    from inspector.transport.base import Sink

REFUSALS = frozenset({401, 403})
"""Statuses that credentials are told of."""


class Refusal(Fact, frozen=True):
    """A response that may mean that credentials are missing, or are not enough."""

    verb: str
    """Of the request."""
    url: str
    """Of the request."""
    sent: tuple[tuple[str, str], ...]
    """The headers that the credentials gave for it."""
    message: bytes
    """The body of the request; empty for none."""
    status: int
    """401 or 403."""
    headers: tuple[tuple[str, str], ...]
    """Headers of the response, in order and as they were spelled."""
    body: bytes
    """Its body, or the beginning of it."""
    frame: int
    """The frame that opened the exchange."""


class Outcome(Fact, frozen=True):
    """What came of a refusal."""

    sends_again: bool = False
    """Whether the request is to be sent again, with what the credentials give for it then."""
    reason: str = ""
    """Why not, where that is known."""
    hint: str = ""
    """What to do about it; empty for what the status tells."""
    needs_user: bool = False
    """Whether only the user can go on, who was not asked yet."""


class Credentials(Protocol):
    """What is sent to one server to be let in."""

    def attach(self, sink: Sink) -> None:
        """Record into `sink` what is exchanged for this connection from now on."""
        ...

    async def headers(self, verb: str, url: str) -> tuple[tuple[str, str], ...]:
        """Headers of a request to `url`, none for another host than the server's."""
        ...

    def accepted(
        self, sent: tuple[tuple[str, str], ...], headers: tuple[tuple[str, str], ...]
    ) -> None:
        """Take note that a request was not refused that carried the headers `sent` of theirs; `headers` are those of the response."""
        ...

    async def refused(self, refusal: Refusal) -> Outcome:
        """Take a refusal, and do what can be done about it; that may take as long as a user does."""
        ...
