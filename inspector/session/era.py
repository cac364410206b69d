"""The two ways to hold a conversation, behind five verbs.

    greet    agree on a revision and learn what the server can do
    stamp    what every request carries
    settle   turn a response into the result, asking on while the server wants input
    abandon  tell the server that a request is given up
    listen   receive what the server sends of itself

Features and pages call the session; the session calls these; nobody else knows which way it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from inspector.session.peer import Peer, Pending, Reply
    from inspector.session.serving import Inbound
    from inspector.session.steps import Steps
    from inspector.session.timeouts import Timeouts
    from inspector.spec.revision import Revision
    from inspector.spec.views.initialize import InitializeResultView
    from inspector.wire.jsontext import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Greeting:
    """What the two sides agreed on."""

    offered: Revision
    """The revision we asked for."""
    revision: Revision
    """The revision spoken from now on."""
    server: InitializeResultView
    """What the server said of itself."""
    frame: int
    """The frame in which it said so."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What we say of ourselves."""

    name: str
    """For programs."""
    title: str
    """For people."""
    version: str
    """Of Spyglass."""


class Era(Protocol):
    """One way to hold a conversation."""

    async def greet(
        self,
        peer: Peer,
        steps: Steps,
        *,
        identity: Identity,
        capabilities: JsonObject,
        timeouts: Timeouts,
    ) -> Greeting:
        """Agree on a revision.

        Raises:
            NegotiationFailed: there is none in common.
            InspectorError: the server answered with an error, or not at all.
        """
        ...

    def stamp(self, method: str, params: JsonObject, token: str) -> JsonObject:
        """The params to send, with what every request carries; `token` opts in to progress."""
        ...

    async def settle(self, reply: Reply) -> Reply:
        """The reply that holds the final result."""
        ...

    async def abandon(self, peer: Peer, pending: Pending, why: str) -> None:
        """Tell the server that it need not go on with a request."""
        ...

    async def listen(self, peer: Peer) -> None:
        """Receive what the server sends of itself."""
        ...

    async def serve(self, inbound: Inbound) -> Json:
        """Answer a request that belongs to the protocol itself.

        Raises:
            PeerError: there is no such request.
        """
        ...
