"""A connection of a probe itself, beside that of the user: what would break a session is tried there.

Its frames are in a transcript of its own. A note in that of the session has each request and its response, so that findings have a frame.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.background_tasks import BackgroundTasks
from inspector.errors import InspectorError, PeerError
from inspector.probes import probe as probes
from inspector.probes.probe import Answer, answer_of, failed_answer
from inspector.session.outgoing import Timeouts, preview_headers
from inspector.session.peer import Peer
from inspector.transcript.transcript import Transcript
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.probes.probe import ProbeContext
    from inspector.session.inbound import InboundRequest
    from inspector.session.peer import Pending
    from inspector.transport.base import SendContext
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import Message

CONNECTION = "probe-connection"
"""Event of the notes about what such a connection sent and received."""

MAX_TEXT = 2_000
"""Characters of a message in a note."""


class OwnConnection:
    """One connection, without a handshake unless the probe makes it."""

    def __init__(self, context: ProbeContext, peer: Peer) -> None:
        """Send over `peer`, and note it in the session of `context`."""
        self._context = context
        self._peer = peer

    async def ask(self, method: str, params: JsonObject | None = None) -> Answer:
        """Send a request as it is, and return what it came to; its frame is the note about it."""
        limit = probes.PROBE_SECONDS
        timeouts = Timeouts(idle_seconds=limit, total_seconds=limit)
        sent: JsonObject = {} if params is None else params
        try:
            reply = await self._peer.request(method, sent, timeouts=timeouts)
            answer = answer_of(0, reply.message.result)
        except InspectorError as error:
            answer = failed_answer(error, [])
        written = json_codec.write(sent)
        return answer._replace(frame=self._note(method, written, answer))

    async def notify(self, method: str) -> None:
        """Send a notification."""
        await self._peer.notify(method)
        self._note(method, "", None)

    def _note(self, method: str, params: str, answer: Answer | None) -> int:
        received = "" if answer is None else f": {answer.text}"
        result = json_codec.write(answer.result) if answer is not None and answer.result else ""
        facts: JsonObject = {"method": method, "params": params[:MAX_TEXT]}
        facts["result"] = result[:MAX_TEXT]
        text = f"{method} on a connection of the probe{received}"
        return self._context.session.transcript.note(CONNECTION, text, **facts)


@asynccontextmanager
async def own_connection(context: ProbeContext) -> AsyncGenerator[OwnConnection]:
    """Open a connection beside that of the session; over stdio that starts the server once more. It is closed afterwards.

    Raises:
        InspectorError: it cannot be opened.
    """
    session, tasks = context.session, BackgroundTasks()

    def add_headers(message: Message, sending: SendContext) -> SendContext:
        params = message.params if isinstance(message.params, dict) else {}
        tools = (each for each in context.listed("tools") if each.get("name") == params.get("name"))
        schema = next((each.get("inputSchema") for each in tools), None)
        headers = preview_headers(session, message.method, params, input_schema=schema).pairs
        return replace(sending, headers=headers, is_stateless=True) if headers else sending

    peer = Peer(Transcript(), tasks, serve=_refuse, cancel=_ignore, add_headers=add_headers)
    transport = session.new_transport()
    peer.attach(transport)
    try:
        await transport.open(peer)
        yield OwnConnection(context, peer)
    finally:
        await transport.aclose()
        await tasks.aclose()


async def _refuse(inbound: InboundRequest) -> Json:
    """Serve nothing but a ping."""
    if inbound.message.method == "ping":
        return {}
    raise PeerError(-32601, "Method not found")


async def _ignore(pending: Pending, why: str) -> None:
    """Send no cancellation: the connection is closed soon."""
    del pending, why
