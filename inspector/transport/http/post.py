"""One message: its POST, and everything that responds to it.

The end of a stream is not the end of a request: a stream with an event id is resumed with GET, after the delay that the server sets. Without
an event id the response is lost, and the request is never sent again automatically: the server may have run it. A request that is no longer
pending is not resumed, but its stream stays open, because closing it would not cancel the request. For a stateless request all of this
is reversed: it has no session, its stream is never resumed, and closing it cancels the request (C-CAN-10, C-HTTP-38, C-HTTP-39).

Source: basic/transports, "Sending Messages to the Server", "Resumability and Redelivery", "Session Management"; C-HTTP-01 to 15, 42, 48.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.errors import (
    ConnectFailed,
    ConnectionLost,
    HttpStatus,
    ResponseLost,
    SessionExpired,
    TransportError,
)
from inspector.spec.methods import opens_session
from inspector.transport.base import RESUMING
from inspector.transport.http import errors, refusals, statuses
from inspector.transport.http.body import Body
from inspector.transport.http.connection import MAX_ERROR_BYTES, session_expired
from inspector.transport.http.event_stream import ResumableEventStream
from inspector.transport.http.response import JSON_TYPE, STREAM_TYPE
from inspector.transport.large_messages import decode
from inspector.wire.frame import Channel
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.transport.base import SendContext
    from inspector.transport.http.connection import HttpConnection
    from inspector.transport.http.response import HttpResponse
    from inspector.wire.line_splitter import RawChunk

ACCEPT = f"{JSON_TYPE}, {STREAM_TYPE}"

_NO_STREAM = (
    "Let the server send `Content-Type: application/json` for a body that is JSON, or write the message as an event: `data: `, the message on "
    "one line, and a blank line."
)
_VISIBLE_ID = "Let the server make its session id of visible ASCII characters: the one that it sent cannot be sent back."
_RESUME = "Let the server send the response before it ends the stream, or resume the stream on GET with `Last-Event-ID`."


class Post:
    """Sends one message and reads until it has a response or can have none."""

    def __init__(
        self, connection: HttpConnection, raw: bytes, context: SendContext, *, endpoint: str = ""
    ) -> None:
        """Send `raw` to the server, or to the `endpoint` of HTTP+SSE, whose responses are received on the event stream."""
        self.accepted = asyncio.Event()
        """Set when a request is written, or when the server has accepted any other message; its owner sets it when `run` is over."""
        self._connection = connection
        self._sink = connection.sink
        self._raw = raw
        self._context = context
        self._endpoint = endpoint
        self._is_request = context.kind is MessageKind.REQUEST

    async def run(self) -> None:
        """Send and read; errors go to the sink."""
        frame = self._context.frame
        try:
            stream = await self._post()
            if stream is not None:
                await self._resume(stream)
        except SessionExpired as error:
            self._connection.end(error)
        except ConnectionLost as error:
            lost = self._response_lost(error) if self._context.is_stateless else error
            self._sink.failed(frame, lost)
        except TransportError as error:
            if errors.is_unreachable(error):
                self._sink.on_event("unreachable", error.reason)
            self._sink.failed(frame, error)

    @property
    def _is_pending(self) -> bool:
        return not self._endpoint and self._sink.is_pending(self._context.frame)

    def _on_written(self) -> None:
        if self._is_request:
            self.accepted.set()

    async def _post(self) -> ResumableEventStream | None:
        """Send the POST; returns the stream when it has ended and the request is still pending."""
        is_initialize, is_stateless = (
            self._context.method == "initialize",
            self._context.is_stateless,
        )
        headers = [
            *self._connection.headers(ACCEPT, first=is_initialize or is_stateless),
            *self._context.headers,
            ("Content-Type", JSON_TYPE),
        ]
        async with self._connection.client.exchange(
            "POST",
            url=self._endpoint,
            headers=headers,
            body=self._raw,
            frame=self._context.frame,
            on_sent=self._on_written,
        ) as response:
            self.accepted.set()
            if is_stateless:
                self._connection.ignore_session(response)
            if not response.is_success:
                await self._process_error(response)
                return None
            if is_initialize and not is_stateless and not self._endpoint:
                self._connection.set_session(response)
            if response.is_stream:
                return await self._read_stream(response)
            await self._read_body(response)
        return None

    async def _read_stream(self, response: HttpResponse) -> ResumableEventStream | None:
        stream = ResumableEventStream(self._sink, is_of_post=True)
        try:
            await stream.read(response)
        except HttpStatus:
            raise
        except TransportError as error:
            if self._is_pending and (self._context.is_stateless or not stream.last_event_id):
                raise
            self._sink.on_event("stream-cut", error.reason, request=self._context.frame)
        return stream if self._is_pending else None

    async def _read_body(self, response: HttpResponse) -> None:
        chunk = await self._decoded(await response.read())
        body = Body(chunk, self._raw)
        is_json = response.media_type == JSON_TYPE
        is_message = is_json and (body.is_reply if self._is_request else body.is_message)
        self._deliver(chunk, is_message=is_message)
        if self._is_pending:
            raise statuses.without_message(response, body)

    async def _decoded(self, chunk: RawChunk) -> RawChunk:
        """Return a body with its message; record it without one when that is cancelled."""
        try:
            return await decode(chunk, Channel.BODY, self._sink)
        except asyncio.CancelledError:
            self._deliver(chunk, is_message=False)
            raise

    async def _process_error(self, response: HttpResponse) -> None:
        """Deliver the body before the status fails the request: it may be its JSON-RPC response (C-HTTP-43, C-HTTP-48)."""
        chunk = await self._decoded(await response.read(MAX_ERROR_BYTES))
        body = Body(chunk, self._raw)
        has_id = self._is_request and body.knows_request
        is_lost = self._connection.has_invalid_session and refusals.misses_session(
            response, statuses.excerpt(body.raw)
        )
        error = statuses.from_status(
            response,
            body.raw,
            hint=_VISIBLE_ID if is_lost else "",
            knows_request=has_id,
            endpoint=self._endpoint,
        )
        may_be_session = not has_id and not self._context.is_stateless
        if response.status == 404 and self._connection.session_id and may_be_session:
            expired = session_expired()
            self._sink.failed(self._context.frame, expired)
            self._deliver(chunk, is_message=body.is_message)
            raise expired
        self._deliver(chunk, is_message=body.is_message, http=error)
        if not self._is_request or self._sink.is_pending(self._context.frame):
            raise error

    def _deliver(
        self, chunk: RawChunk, *, is_message: bool, http: HttpStatus | None = None
    ) -> None:
        if chunk.raw:
            channel = Channel.BODY if is_message else Channel.HTTP
            self._sink.received(channel, [chunk], self._context.frame, http)

    async def _resume(self, stream: ResumableEventStream) -> None:
        """Request the rest of the stream for as long as the request is pending."""
        unreachable = ""
        while self._is_pending:
            if self._context.is_stateless or not stream.last_event_id:
                raise self._not_resumable(stream)
            delay = stream.delay_seconds()
            self._note_resuming(stream, delay, unreachable)
            await asyncio.sleep(delay)
            if self._is_pending:
                unreachable = await self._get_rest(stream)

    def _not_resumable(self, stream: ResumableEventStream) -> ConnectionLost:
        ended = "the stream ended without a response"
        if stream.unterminated is not None:
            return ConnectionLost(
                "the last event of the stream is incomplete (no blank line at its end): "
                + statuses.excerpt(stream.unterminated),
                hint="Let the server write a blank line after every event, the last one included.",
                frame=stream.unterminated_frame or None,
            )
        if stream.unexpected_body:
            return ConnectionLost(
                f"{ended}: it is not an event stream: {statuses.excerpt(stream.unexpected_body)}",
                hint=_NO_STREAM,
            )
        if not self._context.is_stateless:
            ended += " and cannot be resumed (no event id)"
        lost = ConnectionLost(ended, hint=self._hint)
        lost.is_unexplained = True
        return lost

    @property
    def _hint(self) -> str:
        """What to do about a lost response. What opens a session is always safe to resend, but would be lost again."""
        if opens_session(self._context.method):
            return "Check the log of the server: it ended the stream before its response."
        return "Check the log of the server: it ended the exchange before its response. Resend the request if it may run twice."

    def _response_lost(self, error: ConnectionLost) -> ResponseLost:
        reason, hint = f"response lost: {error.reason}", error.hint or self._hint
        lost = ResponseLost(reason, hint=hint, frame=error.frame)
        lost.is_unexplained = error.is_unexplained
        return lost

    def _note_resuming(self, stream: ResumableEventStream, delay: float, unreachable: str) -> None:
        seconds = f"{delay:,.0f}" if delay >= 1000 else f"{delay:g}"
        resuming = f"resuming after event {stream.last_event_id} in {seconds} s"
        frame, note = self._context.frame, self._sink.on_event
        if unreachable:
            note("unreachable", f"{unreachable}; {resuming}", request=frame, retry_seconds=delay)
        else:
            note(RESUMING, f"the stream ended without a response; {resuming}", request=frame)

    async def _get_rest(self, stream: ResumableEventStream) -> str:
        """Read the rest of the stream; returns why the server cannot be reached, or an empty string."""
        headers = self._connection.headers(STREAM_TYPE, last_event=stream.last_event_id)
        try:
            async with self._connection.client.exchange(
                "GET", headers=headers, frame=self._context.frame
            ) as response:
                if not response.is_stream:
                    raise await self._not_resumed(response)
                await stream.read(response)
        except SessionExpired:
            raise
        except (ConnectFailed, ConnectionLost) as error:
            stream.record_failure()
            return error.reason if errors.is_unreachable(error) else ""
        return ""

    async def _not_resumed(self, response: HttpResponse) -> TransportError:
        body = await self._connection.read_error(response)
        if self._connection.is_session_expired(response):
            return session_expired()
        if response.is_temporary:
            return ConnectionLost(statuses.from_status(response, body).reason)
        unwanted = "the server did not resume the stream; response lost"
        return statuses.from_status(response, body, unwanted=unwanted, hint=_RESUME)
