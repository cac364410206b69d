"""The interface of the two protocol modes: `stateful.py` and `stateless.py` speak one era each.

Features and pages call the session, and the session calls its protocol mode; no other module depends on the era.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.session.inbound import InboundRequest
    from inspector.session.outgoing import OutgoingRequest, RequestMeta, Timeouts
    from inspector.session.peer import Peer, Pending, Reply
    from inspector.session.steps import Steps
    from inspector.spec.revision import Revision
    from inspector.spec.views.handshake import DiscoverResultView, InitializeResultView
    from inspector.transport.base import SendContext
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import Message


class Agreement(FrozenStruct, frozen=True):
    """What client and server agreed on."""

    offered: Revision
    """The revision that the client requested."""
    revision: Revision
    """The revision of the session."""
    server: InitializeResultView | DiscoverResultView
    """The result. Both kinds have `server`, `capabilities`, `declares`, `instructions`, `supported_versions`, `raw`, `notes`."""
    frame: int
    """The frame of the result."""
    is_declared: bool = True
    """Whether the server declared its capabilities; otherwise every method may be tried."""

    @property
    def extensions(self) -> JsonObject:
        """The extensions that the server declared, with their settings."""
        declared = self.server.capabilities
        found = declared.get("extensions") if isinstance(declared, dict) else None
        return found if isinstance(found, dict) else {}


class ProtocolMode(Protocol):
    """Speaks one era."""

    async def handshake(
        self, peer: Peer, steps: Steps, *, stamp: RequestMeta, timeouts: Timeouts
    ) -> Agreement:
        """Agree on a revision.

        Raises:
            NegotiationFailed: there is no revision in common.
            InspectorError: the server responded with an error, or not at all.
        """
        ...

    def add_meta(self, params: JsonObject, stamp: RequestMeta) -> JsonObject:
        """Return the params to send: `params` with what every request carries."""
        ...

    def http_headers(self, message: Message, sending: SendContext) -> SendContext:
        """Return `sending` with the HTTP headers derived from a message."""
        ...

    async def complete(self, call: OutgoingRequest) -> Reply:
        """Send a request until there is a result: while results require input, more rounds follow.

        Raises:
            InspectorError: there is no result.
        """
        ...

    async def cancel(self, peer: Peer, pending: Pending, why: str) -> None:
        """Send that a request is cancelled."""
        ...

    async def open_server_stream(self, peer: Peer) -> None:
        """Receive messages that the server sends without a request."""
        ...

    async def handle_request(
        self, inbound: InboundRequest, responder: Callable[[InboundRequest], Awaitable[Json]] | None
    ) -> Json:
        """Return the result of a request of the server; `responder` handles its method, None for an unhandled one.

        Raises:
            PeerError: the method is unknown, or refused.
            NoResponse: it gets no response.
        """
        ...
