"""Requests of probes with edited headers over Streamable HTTP, and what is told by their responses.

They go to the URL of the session with its headers, credentials, certificates and proxy, and leave the session as it is.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import ConnectionLost, HttpStatus, InspectorError
from inspector.probes import probe as probes
from inspector.probes.probe import Outcome, ProbeResult
from inspector.session.outgoing import preview_headers
from inspector.session.session import IDENTITY
from inspector.spec.keys import HEADER_PROTOCOL_VERSION, HEADER_SESSION_ID
from inspector.transcript.findings import PROBE_ID
from inspector.transcript.http_exchange import Hop, http_exchange
from inspector.transport.base import NO_CONTEXT, SendContext
from inspector.transport.http.config import is_loopback, origin
from inspector.transport.http.connection import HttpTransport
from inspector.transport.http.edited_request import EditedRequest, HeaderEdit
from inspector.transport.http.response import STREAM_TYPE
from inspector.wire import json_codec
from inspector.wire.frame import Channel
from inspector.wire.line_splitter import RawChunk
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext
    from inspector.transport.http.edited_request import EditedResponse
    from inspector.wire.json_codec import Json, JsonObject

FOREIGN = "spyglass.invalid"
"""A host that no one has."""

BAD_REQUEST, UNAUTHORIZED, FORBIDDEN, NOT_FOUND, NOT_ALLOWED, LIMITED = 400, 401, 403, 404, 405, 429


class HttpAnswer(NamedTuple):
    """What a request with edited headers came to."""

    frame: int
    """The frame with the header block of the response; that of the message without one."""
    status: int = 0
    """0 without a response."""
    media_type: str = ""
    session_id: str = ""
    """The session that the response names."""
    body: bytes = b""
    """Of an event stream the latest part."""
    has_result: bool = False
    """Whether the response has the result of the message."""
    problem: str = ""
    """Why there is no response."""

    @property
    def is_success(self) -> bool:
        """Whether the status is one of success."""
        return 200 <= self.status < 300

    @property
    def is_undecided(self) -> bool:
        """Whether nothing is known of the rule: no response, or one about access, limits or a failure on the way."""
        return self.status in {0, UNAUTHORIZED, LIMITED} or self.status >= 500

    @property
    def text(self) -> str:
        """The answer in a few letters."""
        if self.problem:
            return self.problem
        return f"HTTP {self.status}" + (" with a result" if self.has_result else "")


async def ask_http(
    context: ProbeContext,
    *edits: tuple[str, str | None],
    verb: str = "POST",
    method: str = "",
    params: JsonObject | None = None,
    input_schema: Json = None,
    reads_stream: bool = False,
) -> HttpAnswer:
    """Send a request with edited headers; a POST has a harmless message unless `method` names another.

    `input_schema` is that of the tool that is called, and `reads_stream` is for a GET whose event stream is part of the answer.
    """
    transport, peer = context.session.peer.transport, context.session.peer
    assert isinstance(transport, HttpTransport)
    raw, sending = b"", NO_CONTEXT
    if verb == "POST":
        raw, sending = _record(context, method or harmless(context), params or {}, input_schema)
    try:
        async with asyncio.timeout(probes.PROBE_SECONDS):
            edited = tuple(HeaderEdit(*edit) for edit in edits)
            request = EditedRequest(verb, edited, raw, reads_stream)
            response = await transport.send_edited(request, sending)
    except TimeoutError:
        problem = ConnectionLost(f"no response within {probes.PROBE_SECONDS:g} s")
    except InspectorError as error:
        problem = error
    else:
        if peer.is_pending(sending.frame):
            peer.failed(
                sending.frame, HttpStatus(f"HTTP {response.status}", status=response.status)
            )
        return _answer(context, sending.frame, response)
    if peer.is_pending(sending.frame):
        peer.failed(sending.frame, problem)
    return HttpAnswer(sending.frame, problem=problem.reason)


async def begin_session(context: ProbeContext) -> HttpAnswer:
    """Begin a session of the probe itself, beside that of the user."""
    return await ask_http(
        context,
        (HEADER_SESSION_ID, None),
        (HEADER_PROTOCOL_VERSION, None),
        method="initialize",
        params=initialize_params(context),
    )


def initialize_params(context: ProbeContext) -> JsonObject:
    """Return the params of a handshake in the revision of the session, without any capability."""
    info = IDENTITY.to_json(with_title=context.revision.has_titles)
    return {"protocolVersion": context.revision.date, "capabilities": {}, "clientInfo": info}


def conclude(context: ProbeContext, answer: HttpAnswer) -> ProbeResult:
    """Return that the probe passed, or what was found before, or why nothing is known."""
    if context.failed is not None:
        return context.failed
    outcome = Outcome.NOT_TRIED if answer.is_undecided else Outcome.PASSED
    return ProbeResult(outcome, answer.text, frame=answer.frame)


def harmless(context: ProbeContext) -> str:
    """Return a method without any effect."""
    return "ping" if context.revision.has_ping else "server/discover"


def is_local(context: ProbeContext) -> bool:
    """Return whether the server is on this computer."""
    return is_loopback(origin(context.session.profile.url)[1])


def needs_http(context: ProbeContext) -> str:
    """Apply to Streamable HTTP."""
    return "" if context.session.transport_name == "http" else "not connected over Streamable HTTP"


def needs_session(context: ProbeContext) -> str:
    """Apply to HTTP sessions with an id."""
    transport = context.session.peer.transport
    has_id = isinstance(transport, HttpTransport) and bool(transport.session_id)
    return needs_http(context) or ("" if has_id else "the server gives no session id")


def needs_version_header(context: ProbeContext) -> str:
    """Apply to stateful revisions with the header of the revision."""
    revision = context.revision
    is_it = revision.stateful and revision.has_version_header
    return needs_http(context) or ("" if is_it else "the revision has no such header in a session")


def needs_standard_headers(context: ProbeContext) -> str:
    """Apply to revisions whose headers repeat the message, which have no sessions."""
    has_them = context.revision.has_standard_headers
    return needs_http(context) or ("" if has_them else "the revision has sessions")


def error_code(answer: HttpAnswer) -> Json:
    """Return the code of the error in a body; null without one."""
    try:
        value = json_codec.read(answer.body).value
    except json_codec.JsonSyntaxError:
        return None
    error = value.get("error") if isinstance(value, dict) else None
    return error.get("code") if isinstance(error, dict) else None


def _record(
    context: ProbeContext, method: str, params: JsonObject, input_schema: Json
) -> tuple[bytes, SendContext]:
    """Record a request; return it with its frame and the headers that it would have."""
    session = context.session
    stamped = session.stamped(params)
    id_ = f"{PROBE_ID}{session.transcript.count + 1}"
    message: JsonObject = {"jsonrpc": "2.0", "id": id_, "method": method}
    raw = json_codec.write({**message, "params": stamped} if stamped else message).encode()
    frame = session.peer.sent(Channel.BODY, [RawChunk(raw)], 0)
    headers = preview_headers(session, method, params, input_schema=input_schema).pairs
    is_stateless = not context.revision.stateful
    return raw, SendContext(frame, MessageKind.REQUEST, method, headers, is_stateless)


def _answer(context: ProbeContext, message: int, response: EditedResponse) -> HttpAnswer:
    transcript = context.session.transcript
    exchange = http_exchange(transcript, response.opener)
    hop = exchange.hops[-1] if exchange is not None and exchange.hops else Hop(0)
    answered = transcript.columns.response[message - 1] if message else 0
    has_result = answered > 0 and transcript.message(answered).kind is MessageKind.RESPONSE
    is_cut = response.media_type == STREAM_TYPE and hop.last > hop.response
    return HttpAnswer(
        hop.response,
        response.status,
        response.media_type,
        response.headers.get(HEADER_SESSION_ID, ""),
        response.body or (transcript.raw(hop.last) if is_cut else b""),
        has_result,
    )
