"""The two ways to hold a conversation, behind seven verbs.

    greet    agree on a revision and learn what the server can do
    stamp    add what every request carries in its params
    head     add the HTTP headers that are derived from a message
    settle   see a request through to its result, requesting again while the server wants input
    abandon  report to the server that a request is cancelled
    listen   receive what the server sends without a request
    serve    respond to a request of the server

Features and pages call the session; the session calls these; no other module depends on the era.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.session.inbound import InboundRequest
    from inspector.session.outgoing import OutgoingRequest, RequestMeta
    from inspector.session.peer import Peer, Pending, Reply
    from inspector.session.steps import Steps
    from inspector.session.timeouts import Timeouts
    from inspector.spec.revision import Revision
    from inspector.spec.views.handshake import DiscoverResultView, InitializeResultView
    from inspector.transport.base import SendContext
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import Message


class Agreement(FrozenStruct, frozen=True):
    """What the two sides agreed on."""

    offered: Revision
    """The revision we asked for."""
    revision: Revision
    """The revision spoken from now on."""
    server: InitializeResultView | DiscoverResultView
    """What the server said of itself. Both have `server`, `capabilities`, `declares`, `instructions`, `supported_versions`, `raw`, `notes`."""
    frame: int
    """The frame in which it said so."""
    is_told: bool = True
    """Whether it said what it can do; otherwise that must be tried."""

    @property
    def extensions(self) -> JsonObject:
        """The optional parts that the server declared, with their settings."""
        declared = self.server.capabilities
        found = declared.get("extensions") if isinstance(declared, dict) else None
        return found if isinstance(found, dict) else {}


class ProtocolMode(Protocol):
    """One way to hold a conversation."""

    async def handshake(
        self, peer: Peer, steps: Steps, *, stamp: RequestMeta, timeouts: Timeouts
    ) -> Agreement:
        """Agree on a revision.

        Raises:
            NegotiationFailed: there is none in common.
            InspectorError: the server answered with an error, or not at all.
        """
        ...

    def add_meta(self, params: JsonObject, stamp: RequestMeta) -> JsonObject:
        """The params to send: those that were asked for, with what every request carries."""
        ...

    def http_headers(self, message: Message, sending: SendContext) -> SendContext:
        """What a transport that has headers is told of a message; the message itself decides."""
        ...

    async def complete(self, call: OutgoingRequest) -> Reply:
        """Ask, and ask on until there is a result.

        Raises:
            InspectorError: there will be none.
        """
        ...

    async def cancel(self, peer: Peer, pending: Pending, why: str) -> None:
        """Tell the server that it need not go on with a request."""
        ...

    async def open_server_stream(self, peer: Peer) -> None:
        """Receive what the server sends of itself."""
        ...

    async def handle_request(
        self, inbound: InboundRequest, responder: Callable[[InboundRequest], Awaitable[Json]] | None
    ) -> Json:
        """Answer a request of the server, by the one who answers its method if there is one.

        Raises:
            PeerError: there is no such request.
            Unanswered: it gets no answer at all.
        """
        ...
