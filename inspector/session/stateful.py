"""The stateful era: a handshake first, then requests in both directions until the connection ends.

Source: basic/lifecycle of the revisions that have it; C-LC-01 to C-LC-14.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.errors import NegotiationFailed, PeerError
from inspector.session.negotiation import answered_hint
from inspector.session.protocol_mode import Agreement
from inspector.spec.error_codes import METHOD_NOT_FOUND
from inspector.spec.json_types import format_value
from inspector.spec.keys import HEADER_PROTOCOL_VERSION, META, PROGRESS_TOKEN
from inspector.spec.methods import opens_session
from inspector.spec.revision import NEWEST_STATEFUL, STATEFUL, is_date
from inspector.spec.views.handshake import InitializeResultView
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.session.inbound import InboundRequest
    from inspector.session.outgoing import ClientInfo, OutgoingRequest, RequestMeta, Timeouts
    from inspector.session.peer import Peer, Pending, Reply
    from inspector.session.steps import Steps
    from inspector.spec.revision import Revision
    from inspector.transport.base import SendContext
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import Message

PING = "ping"

MAX_CHARACTERS = 200
"""Characters of an unknown method in an error, which is one short sentence (C-JR-24)."""


_NO_DATE = f"Let the server respond to initialize with the date of a revision as `protocolVersion`, such as {NEWEST_STATEFUL.date}."


class StatefulMode:
    """Speaks the revisions that open with `initialize`."""

    def __init__(self, offer: Revision) -> None:
        """`offer` is the revision to ask for."""
        self._offer = offer

    async def handshake(
        self, peer: Peer, steps: Steps, *, stamp: RequestMeta, timeouts: Timeouts
    ) -> Agreement:
        """Send `initialize`, check the version in the result, send `notifications/initialized`."""
        with steps.run(f"Negotiate: initialize with {self._offer}") as step:
            params: JsonObject = {
                "protocolVersion": self._offer.date,
                "capabilities": stamp.capabilities,
                "clientInfo": _client_info(stamp.identity, self._offer),
            }
            steps.await_response(step, timeouts.idle_seconds)
            reply = await peer.request("initialize", params, timeouts=timeouts)
            greeting = _accept(self._offer, reply)
            if peer.transport is not None and greeting.revision.has_version_header:
                peer.transport.set_default_headers(
                    {HEADER_PROTOCOL_VERSION: greeting.revision.date}
                )
            await peer.notify("notifications/initialized")
            steps.set_text(step, _agreed_text(greeting), frame=reply.frame)
        return greeting

    def add_meta(self, params: JsonObject, stamp: RequestMeta) -> JsonObject:
        """Add the progress token; everything else was agreed on in the handshake."""
        meta = params.get(META, {})
        if not isinstance(meta, dict):
            return params
        token: JsonObject = {PROGRESS_TOKEN: stamp.token} if stamp.token else {}
        stamped = {**token, **meta, **stamp.meta_overrides}
        return {**params, META: stamped} if stamped else params

    def http_headers(self, message: Message, sending: SendContext) -> SendContext:
        """Add nothing: headers were agreed on in the handshake."""
        return sending

    async def complete(self, call: OutgoingRequest) -> Reply:
        """Send the request; the first response is the result."""
        return await call.ask(call.params, call.on_sent)

    async def cancel(self, peer: Peer, pending: Pending, why: str) -> None:
        """Send `notifications/cancelled`; never for `initialize` (C-LC-08)."""
        if not opens_session(pending.method):
            await peer.notify("notifications/cancelled", {"requestId": pending.id, "reason": why})

    async def open_server_stream(self, peer: Peer) -> None:
        """Open the stream for messages without a request, if the transport has a separate one."""
        if peer.transport is not None:
            peer.transport.open_server_stream()

    async def handle_request(
        self, inbound: InboundRequest, responder: Callable[[InboundRequest], Awaitable[Json]] | None
    ) -> Json:
        """Let `responder` respond; without one, `ping` gets an empty result (C-PNG-01), and every other method is unknown."""
        if responder is not None:
            return await responder(inbound)
        if inbound.message.method == PING:
            return {}
        method = inbound.message.method[:MAX_CHARACTERS]
        raise PeerError(METHOD_NOT_FOUND, f"Method not found: {method}")


def _client_info(identity: ClientInfo | None, revision: Revision) -> JsonObject:
    """Return `clientInfo`, which a handshake requires; without an identity its members are empty."""
    if identity is None:
        return {"name": "", "version": ""}
    return identity.to_json(with_title=revision.has_titles)


def _accept(offer: Revision, reply: Reply) -> Agreement:
    """Return the agreement; end the connection if the server names an unsupported version (C-LC-05)."""
    result = reply.message.lazy_result
    server = InitializeResultView(or_null(result))
    revision = server.revision
    if revision is not None and revision.stateful:
        return Agreement(offer, revision, server, reply.frame)
    supported = ", ".join(str(known) for known in reversed(STATEFUL))
    if not isinstance(result, dict) or not server.version_text:
        known = f"; Spyglass supports {supported}" if isinstance(result, dict) else ""
        if _is_language_server(server.capabilities):
            raise NegotiationFailed(
                "the initialize result is one of the Language Server Protocol: `protocolVersion` is missing",
                hint="Enter the command of an MCP server: this one starts a language server.",
                frame=reply.frame,
            )
        raise NegotiationFailed(
            f"invalid initialize result: {_invalid_text(or_null(result))}{known}",
            hint="Correct the server: an initialize result is an object with `protocolVersion`, `capabilities` and `serverInfo`.",
            frame=reply.frame,
        )
    raise NegotiationFailed(
        f"the server requires version {server.version_text}; Spyglass supports {supported}",
        hint=answered_hint(server.version_text) if is_date(server.version_text) else _NO_DATE,
        frame=reply.frame,
    )


def _is_language_server(capabilities: Json) -> bool:
    """Whether the capabilities of a server are those of a language server."""
    return isinstance(capabilities, dict) and any(
        re.fullmatch(r"textDocumentSync|\w+Provider", name) for name in capabilities
    )


def _invalid_text(result: Json) -> str:
    """Return what is wrong with a result that names no version."""
    if not isinstance(result, dict):
        return f"it is {format_value(result)}, not an object"
    if "protocolVersion" not in result:
        return "`protocolVersion` is missing"
    return f"`protocolVersion` is {format_value(result['protocolVersion'])}"


def _agreed_text(greeting: Agreement) -> str:
    if greeting.revision == greeting.offered:
        return f"using {greeting.revision}"
    return f"requested {greeting.offered}, server chose {greeting.revision}"
