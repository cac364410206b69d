"""The stateless era: no handshake, every request carries its revision and the capabilities of the client.

Where requests have HTTP exchanges of their own, closing the exchange cancels the request; elsewhere a notification does. The schemas of
the tools are kept as they were listed last, because over HTTP they decide about headers (C-HTTP-35).

Source: basic, "_meta"; basic/patterns; basic/transports; C-MET-04 to C-MET-06, C-CAN-09, C-CAN-10, C-HTTP-20 to C-HTTP-39.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.errors import PeerError, ResponseLost
from inspector.session import discovery
from inspector.session.inbound import NoResponse
from inspector.session.multi_round_trip import MultiRoundTrip
from inspector.spec import methods
from inspector.spec.error_codes import HEADER_MISMATCH
from inspector.spec.keys import (
    META,
    META_CLIENT_CAPABILITIES,
    META_CLIENT_INFO,
    META_LOG_LEVEL,
    META_PROTOCOL_VERSION,
    PROGRESS_TOKEN,
)
from inspector.spec.mirrored_headers import KEYWORD, mirrored
from inspector.wire import json_codec
from inspector.wire.message import MessageKind, or_null

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.session.inbound import InboundRequest
    from inspector.session.outgoing import OutgoingRequest, RequestMeta, Timeouts
    from inspector.session.peer import Peer, Pending, Reply
    from inspector.session.protocol_mode import Agreement
    from inspector.session.session import Session
    from inspector.session.steps import Steps
    from inspector.spec.revision import Revision
    from inspector.transport.base import SendContext
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import Message

MAX_PAGES = 100
"""Pages that are read to find a tool whose headers did not match."""

_MARK = KEYWORD.encode()


class StatelessMode:
    """Speaks the revisions without a handshake."""

    def __init__(self, revision: Revision, session: Session) -> None:
        """Speak `revision` in `session`."""
        self.revision = revision
        self._session = session
        self._transcript = session.transcript
        self._schemas: dict[str, Json] = {}

    async def handshake(
        self, peer: Peer, steps: Steps, *, stamp: RequestMeta, timeouts: Timeouts
    ) -> Agreement:
        """Send `server/discover`, and nothing else if it fails."""
        return await discovery.discover_or_fail(self, peer, steps, stamp=stamp, timeouts=timeouts)

    def add_meta(self, params: JsonObject, stamp: RequestMeta) -> JsonObject:
        """Add client, revision and capabilities to `_meta`; members that the user set replace them."""
        own = params.get(META, {})
        if not isinstance(own, dict):
            return params
        meta: JsonObject = {PROGRESS_TOKEN: stamp.token} if stamp.token else {}
        meta[META_PROTOCOL_VERSION] = self.revision.date
        if stamp.identity is not None:
            meta[META_CLIENT_INFO] = stamp.identity.to_json()
        meta[META_CLIENT_CAPABILITIES] = stamp.capabilities
        if stamp.log_level:
            meta[META_LOG_LEVEL] = stamp.log_level
        return {**params, META: {**meta, **own, **stamp.meta_overrides}}

    def http_headers(self, message: Message, sending: SendContext) -> SendContext:
        """Mirror the message in headers."""
        if message.kind not in {MessageKind.REQUEST, MessageKind.NOTIFICATION}:
            return sending
        params = or_null(message.params)
        name = params.get("name") if isinstance(params, dict) else None
        schema = self.schema_of(name) if isinstance(name, str) else None
        headers = mirrored(message.method, params, self.revision, schema).pairs
        return replace(sending, headers=headers, is_stateless=message.kind is MessageKind.REQUEST)

    def schema_of(self, tool: str) -> Json:
        """Return the input schema of a tool as it was listed last, if it has annotations; otherwise None."""
        return self._schemas.get(tool)

    async def complete(self, call: OutgoingRequest) -> Reply:
        """Send the request; if the result requires input, get the input and send it again."""
        reply = await MultiRoundTrip(call, self._session, self.revision, self._ask).settle()
        if call.method == "tools/list":
            self._learn(call.params, reply)
        return reply

    async def cancel(self, peer: Peer, pending: Pending, why: str) -> None:
        """Close the exchange of the request, or send `notifications/cancelled` without one (C-CAN-09, C-CAN-10)."""
        if peer.transport is None or peer.transport.cancel_exchange(pending.frame):
            return
        if not methods.opens_session(pending.method):
            await peer.notify("notifications/cancelled", {"requestId": pending.id, "reason": why})

    async def open_server_stream(self, peer: Peer) -> None:
        """Do nothing: `notification_streams.py` requests every stream."""

    async def handle_request(
        self, inbound: InboundRequest, responder: Callable[[InboundRequest], Awaitable[Json]] | None
    ) -> Json:
        """Servers send no requests here, and clients no responses (C-JR-19, C-STD-13)."""
        text = f"{inbound.message.method} ignored: this revision has no server-initiated requests"
        self._transcript.note("not-answered", text, request=inbound.frame)
        raise NoResponse

    async def _ask(
        self, call: OutgoingRequest, params: JsonObject, on_sent: Callable[[int], None] | None
    ) -> Reply:
        """Send one round, and once more if that is safe and may help."""
        try:
            return await call.ask(params, on_sent)
        except ResponseLost as error:
            if not methods.is_repeatable(call.method):
                raise
            text = f"{error.reason}; resending {call.method} once (no side effects)"
            self._transcript.note("sent-again", text)
        except PeerError as error:
            if error.code != HEADER_MISMATCH or call.method != "tools/call":
                raise
            await self._relearn(call, error)
        return await call.ask(params, on_sent)

    async def _relearn(self, call: OutgoingRequest, refused: PeerError) -> None:
        """List the tools again after headers were refused; a request that would have the same headers is not sent again.

        Raises:
            PeerError: the schema is the same; the error names what may be the reason.
        """
        name = call.params.get("name")
        before = self.schema_of(name) if isinstance(name, str) else None
        await self._list_again(call)
        after = self.schema_of(name) if isinstance(name, str) else None
        if before is not None and before == after:
            # as it was sent: arguments may be JSON text as it was typed
            params = json_codec.read(json_codec.write_bytes(call.params)).value
            mirrors = mirrored(call.method, params, self.revision, after)
            refused.hint = " ".join(f"{each.summary}." for each in mirrors.problems)
            text = "header mismatch; the refreshed tools list has the same schema: the call is not resent"
            self._transcript.note("not-sent-again", text)
            raise refused
        text = "header mismatch; refreshed the tools list, resending the call"
        self._transcript.note("sent-again", text)

    async def _list_again(self, call: OutgoingRequest) -> None:
        """List the tools until the schema of the called one is found (C-HTTP-34)."""
        params: JsonObject = {}
        for _ in range(MAX_PAGES):
            reply = await self._session.request("tools/list", params)
            result = or_null(reply.message.result)
            cursor = result.get("nextCursor") if isinstance(result, dict) else None
            if not isinstance(cursor, str) or call.params.get("name") in self._schemas:
                return
            params = {"cursor": cursor}

    def _learn(self, params: JsonObject, reply: Reply) -> None:
        """Keep the annotated schemas of one page of tools."""
        if "cursor" not in params:
            self._schemas.clear()
        if _MARK not in (reply.message.raw_result or b""):
            return
        result = or_null(reply.message.result)
        tools = result.get("tools") if isinstance(result, dict) else None
        for tool in tools if isinstance(tools, list) else ():
            name = tool.get("name") if isinstance(tool, dict) else None
            if isinstance(name, str) and isinstance(tool, dict):
                self._schemas[name] = tool.get("inputSchema")
